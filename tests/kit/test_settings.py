"""The settings: defaults, validation with one-line errors, and secrets that are not printed."""

import re

import pytest
from pydantic import ValidationError

from campus_app.shared.settings import Settings, settings
from kit.http.sockets import SocketAllowance
from kit.push.vapid import new_private_key
from kit.settings import DeploymentSettings, explain
from tests.helpers.builders import at
from tests.helpers.settings import ExplicitSettings, settings_for

FIT_FOR_PRODUCTION = {
    "environment": "production",
    "public_url": "https://food-points.example",
    "mail_transport": "smtp",
    "smtp_host": "mail.food-points.example",
    "mail_from": "FOOD_points <orders@food-points.in>",
    "operator_token": "0123456789abcdef0123456789abcdef",
}

DEMONSTRATION = {"environment": "development", "demonstration": True}


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Loads settings from an environment and a `.env` file, as the server does."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()

    def start(*, dotenv="", **environment):
        (tmp_path / ".env").write_text(dotenv, encoding="utf-8")
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return settings()

    yield start
    settings.cache_clear()


def test_defaults_use_embedded_services(start):
    # Source: specification C1.1.
    chosen = start()
    assert chosen.environment == "development"
    assert chosen.origin == "http://localhost:3000"
    assert chosen.database_url.startswith("sqlite:///var/")
    assert chosen.redis_url == ""
    assert (chosen.payment_provider, chosen.mail_transport) == ("sandbox", "outbox")
    assert chosen.call_transport == "outbox"
    assert str(chosen.outbox_dir) == "var/outbox"
    assert chosen.campus_now is None


def test_environment_overrides_dotenv_file(start):
    chosen = start(dotenv="PORT=3100\nOUTBOX_DIR=from/file\n", PORT="3200")
    assert chosen.port == 3200
    assert str(chosen.outbox_dir) == "from/file"


def test_empty_setting_means_default(start):
    assert start(PORT="", CAMPUS_NOW="", PUBLIC_URL="").origin == "http://localhost:3000"


def test_unknown_setting_is_ignored(start):
    assert start(dotenv="SOMETHING_ELSE=1\n").port == 3000


def test_settings_are_read_once_per_process(start):
    assert start(PORT="3100") is start(PORT="3200")


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ({}, "http://localhost:3000"),
        ({"port": 3100}, "http://localhost:3100"),
        ({"public_url": "https://food.example/"}, "https://food.example"),
        ({"public_url": "https://food.example:8443"}, "https://food.example:8443"),
        ({"public_url": "http://127.0.0.1:3000"}, "http://127.0.0.1:3000"),
        ({"public_url": "http://[::1]:3000"}, "http://[::1]:3000"),
    ],
)
def test_origin_is_public_url_or_localhost(given, origin):
    assert ExplicitSettings(demonstration=True, **given).origin == origin


@pytest.mark.parametrize(
    ("given", "origins"),
    [
        pytest.param({}, ("http://localhost:3000", "http://127.0.0.1:3000"), id="one's machine"),
        pytest.param(
            {"public_url": "https://food.example", "port": 3100, "demonstration": True},
            ("https://food.example", "http://localhost:3100", "http://127.0.0.1:3100"),
            id="behind another name",
        ),
        pytest.param(FIT_FOR_PRODUCTION, ("https://food-points.example",), id="production"),
    ],
)
def test_allowed_origins_are_those_of_the_site(given, origins):
    assert DeploymentSettings(_env_file=None, **given).allowed_origins == origins


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("sqlite:///var/food.db", "sqlite:///var/food.db"),
        ("postgresql://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
        ("postgresql+psycopg://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
    ],
)
def test_database_url_names_the_installed_postgresql_driver(given, url):
    assert ExplicitSettings(database_url=given).database_url == url


def test_campus_now_is_accepted_with_a_time_zone(start):
    # Source: specification R8.
    assert start(CAMPUS_NOW="2026-11-18T13:00:00+05:30").campus_now == at(13)


INVALID = {
    "ENVIRONMENT": ["staging"],
    "PORT": ["0", "65536", "three thousand"],
    "DATABASE_URL": [
        *("mysql://user:hunter2@host/food", "postgres://food:hunter2@host/food", "food.db"),
        *("sqlite://", "sqlite:///", "sqlite:///:memory:"),
    ],
    "CAMPUS_NOW": ["2026-11-18T13:00:00", "yesterday"],
    "MAIL_TRANSPORT": ["pigeon"],
    "CALL_TRANSPORT": ["shouting"],
    "PAYMENT_PROVIDER": ["cash"],
    "PREPARED_ORDERS_PER_MINUTE": ["299"],
    "REDIS_URL": ["http://:hunter2@redis"],
    "LISTEN_ADDRESS": ["everywhere"],
    "TRUSTED_PROXIES": ["0.0.0.0/0", "10.0.0.1, *"],
    "PROCESSES": ["0"],
    "PUBLIC_URL": [
        *("https://", "https:///", "https://:443", "https://?food.example", "https://[::1"),
        *("food.example", "//food.example", "ftp://food.example", "https://food example"),
        *("https://food.example\tx", "https://-food.example", "https://food..example"),
        *("https://user:hunter2@food.example", "https://hunter2@food.example"),
        *("https://food.example/campus", "https://food.example?a=b", "https://food.example#top"),
        *("https://food.example:0", "https://food.example:99999", "https://food.example:"),
    ],
    "SMTP_HOST": ["   ", "smtp://mail.example", "mail.example:587"],
    "MAIL_FROM": [
        *("FOOD_points", "FOOD_points <orders>"),
        "=?utf-8?q?=0aBcc:_x?= <orders@food.example>",
    ],
    "OPERATOR_TOKEN": ["ग" * 32, "hunter2\nx"],
    "OTEL_EXPORTER_OTLP_ENDPOINT": ["https:///v1", "https://otel:hunter2@collector"],
    "CASHFREE_BASE_URL": [
        "https://user:hunter2@api.cashfree.com/pg",
        "https://api.cashfree.com/pg?x=1",
    ],
    "TWILIO_BASE_URL": ["https://:443", "https://api.twilio.com#x"],
    "VAPID_PRIVATE_KEY": ["hunter2"],
    "WEB_PUSH_ORIGINS": [
        *("127.0.0.1:8099", "http://127.0.0.1:8099/push"),
        "http://127.0.0.1:8099,https://user:hunter2@push.example",
    ],
}


@pytest.mark.parametrize(("name", "values"), INVALID.items(), ids=INVALID)
def test_start_fails_with_one_line_when_a_setting_is_invalid(start, name, values):
    for value in values:
        with pytest.raises(SystemExit) as stopped:
            start(**{name: value})
        line = stopped.value.code
        assert re.fullmatch(rf"Settings: {name}: \S.*", line), (value, line)
        assert "hunter2" not in line


SHARED = {
    "processes": 2,
    "redis_url": "redis://redis/0",
    "database_url": "postgresql://food@database/food",
}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param({"redis_url": ""}, "REDIS_URL", id="sessions that the others can't see"),
        pytest.param({"database_url": "sqlite:///var/food.db"}, "PostgreSQL", id="SQLite"),
    ],
)
def test_several_processes_are_rejected_without_redis_or_postgresql(change, named):
    with pytest.raises(ValueError, match=f"PROCESSES above 1 need {named}"):
        ExplicitSettings(**(SHARED | change))


def test_several_processes_are_accepted_with_redis_and_postgresql():
    assert ExplicitSettings(**SHARED).processes == 2
    assert ExplicitSettings(**(SHARED | {"processes": 1, "redis_url": ""})).processes == 1


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("0.0.0.0", "http://127.0.0.1:3001"),
        ("::", "http://127.0.0.1:3001"),
        ("10.0.0.5", "http://10.0.0.5:3001"),
        ("::1", "http://[::1]:3001"),
    ],
)
def test_own_origin_bypasses_the_proxy(address, origin):
    assert ExplicitSettings(listen_address=address, port=3001).own_origin == origin


def test_trusted_proxies_are_addresses_or_networks():
    chosen = ExplicitSettings(trusted_proxies="127.0.0.1, 10.20.0.0/16,::1")
    assert chosen.trusted_proxies == "127.0.0.1/32,10.20.0.0/16,::1/128"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param({"public_url": "http://food.example"}, "PUBLIC_URL", id="http: PUBLIC_URL"),
        pytest.param({"public_url": ""}, "PUBLIC_URL", id="no PUBLIC_URL"),
        pytest.param({"mail_transport": "outbox"}, "MAIL_TRANSPORT", id="outbox mail"),
        pytest.param({"operator_token": ""}, "OPERATOR_TOKEN", id="no OPERATOR_TOKEN"),
        pytest.param({"operator_token": "x"}, "OPERATOR_TOKEN", id="OPERATOR_TOKEN=x"),
        pytest.param({"operator_token": "x" * 31}, "OPERATOR_TOKEN", id="31 characters"),
        pytest.param({"public_url": "https://"}, "PUBLIC_URL", id="no host"),
        pytest.param({"mail_from": "x <a@food.example>"}, "MAIL_FROM", id="reserved sender"),
        pytest.param({"mail_from": "a@localhost"}, "MAIL_FROM", id="sender without a domain"),
        pytest.param({"public_url": "https://food"}, "SMTP_HELO", id="EHLO without a domain"),
        pytest.param({"campus_now": at(13)}, "CAMPUS_NOW", id="CAMPUS_NOW"),
        pytest.param({"demonstration": True}, "DEMONSTRATION", id="DEMONSTRATION"),
    ],
)
def test_production_is_rejected_with_unsafe_settings(change, named):
    # Source: specification C2.7.
    with pytest.raises(ValidationError) as raised:
        DeploymentSettings(_env_file=None, **(FIT_FOR_PRODUCTION | change))
    assert explain(raised.value).startswith(named)


def test_production_is_accepted_with_safe_settings():
    DeploymentSettings(_env_file=None, **FIT_FOR_PRODUCTION)


def test_development_is_rejected_with_https_unless_it_is_a_demonstration(start):
    # Source: specification C2.7.
    with pytest.raises(SystemExit) as stopped:
        start(PUBLIC_URL="https://food.example")
    assert "ENVIRONMENT" in stopped.value.code
    assert "DEMONSTRATION" in stopped.value.code
    assert "\n" not in stopped.value.code
    assert start(PUBLIC_URL="http://food.example").origin == "http://food.example"
    settings.cache_clear()
    assert start(PUBLIC_URL="https://food.example", DEMONSTRATION="true").demonstration


@pytest.mark.parametrize("named", ["PAYMENT_PROVIDER=sandbox", "CALL_TRANSPORT=outbox"])
def test_production_rejects_sandbox_payments_and_outbox_calls(named):
    # Source: specification C2.7.
    chosen = ExplicitSettings(**FIT_FOR_PRODUCTION | DEMONSTRATION)
    assert any(problem.startswith(named) for problem in chosen.production_problems())


def push_problems(**changes):
    chosen = ExplicitSettings(**FIT_FOR_PRODUCTION | DEMONSTRATION | changes)
    return [each for each in chosen.production_problems() if "PUSH" in each or "VAPID" in each]


def test_push_contact_is_address_of_mail_from_unless_set():
    # Source: specification P4.19.
    sender = "FOOD_points <orders@food-points.in>"
    assert ExplicitSettings(mail_from=sender).push_contact_address == "orders@food-points.in"
    chosen = ExplicitSettings(mail_from=sender, push_contact="ops@food-points.in")
    assert chosen.push_contact_address == "ops@food-points.in"


def test_production_rejects_push_contact_at_a_reserved_domain():
    assert push_problems(push_contact="ops@food-points.in") == []
    (problem,) = push_problems(push_contact="ops@food-points.example")
    assert problem.startswith("PUSH_CONTACT")


def test_production_rejects_extra_push_origins():
    assert push_problems() == []
    (problem,) = push_problems(web_push_origins="http://127.0.0.1:8099")
    assert problem.startswith("WEB_PUSH_ORIGINS")


def test_production_on_several_hosts_requires_a_vapid_key():
    shared = {"redis_url": "redis://redis/0"}
    (problem,) = push_problems(**shared)
    assert problem.startswith("VAPID_PRIVATE_KEY")
    assert push_problems(**shared, vapid_private_key=new_private_key()) == []


def test_push_services_have_the_configured_origins():
    chosen = ExplicitSettings(web_push_origins=" http://127.0.0.1:8099/, https://push.example,")
    assert chosen.push_services.extra_origins == ("http://127.0.0.1:8099", "https://push.example")
    assert ExplicitSettings().push_services.extra_origins == ()


def test_production_start_fails_with_one_line_when_nothing_is_set(start):
    with pytest.raises(SystemExit, match=r"\ASettings: [A-Z_]+.*\Z"):
        start(ENVIRONMENT="production")


def test_secrets_are_not_printed():
    key = new_private_key()
    for given in (
        {"operator_token": "hunter2"},
        {"vapid_private_key": key},
        {"smtp_host": "localhost", "smtp_password": "hunter2"},
        KEYS | {"cashfree_client_secret": "hunter2"},
        KEYS | {"cashfree_previous_client_secret": "hunter2"},
        TELEPHONE,
    ):
        chosen = ExplicitSettings(**given)
        shown = f"{chosen!r} {chosen} {chosen.model_dump()} {chosen.mail_server!r}"
        assert "hunter2" not in shown, given
        assert key not in shown
    for name, scheme in (("database_url", "postgresql"), ("redis_url", "redis")):
        assert "hunter2" not in repr(ExplicitSettings(**{name: f"{scheme}://food:hunter2@host/0"}))


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"mail_transport": "smtp"}, "SMTP_HOST"),
        ({"smtp_host": "mail.food-points.example", "smtp_tls": "none"}, "SMTP_TLS"),
        ({"smtp_host": "mail.food-points.example", "smtp_tls": "maybe"}, "SMTP_TLS"),
        ({"mail_transport": "smtp", "smtp_host": "m.example", "smtp_username": "u"}, "SMTP_PASS"),
        ({"mail_transport": "smtp", "smtp_host": "m.example", "smtp_password": "p"}, "SMTP_USER"),
    ],
)
def test_smtp_settings_are_rejected_when_incomplete_or_unencrypted(values, named):
    with pytest.raises(ValidationError) as raised:
        ExplicitSettings(_env_file=None, **values)
    assert named in explain(raised.value)


@pytest.mark.parametrize(
    ("given", "helo"),
    [
        pytest.param({"public_url": "http://food.example:8443"}, "food.example", id="PUBLIC_URL"),
        pytest.param(
            {"public_url": "http://food.example", "smtp_helo": "mail.campus.example"},
            "mail.campus.example",
            id="SMTP_HELO",
        ),
        pytest.param({"public_url": "http://192.0.2.7"}, "[192.0.2.7]", id="IPv4 literal"),
        pytest.param({"public_url": "http://[2001:db8::7]"}, "[IPv6:2001:db8::7]", id="IPv6"),
        pytest.param({}, "localhost", id="a developer's machine"),
    ],
)
def test_helo_is_host_of_public_url_unless_set(given, helo):
    # Source: specification P4.16.
    assert ExplicitSettings(**given).mail_server.helo == helo


@pytest.mark.parametrize(
    "name", ["localhost", "food", "a b.example", "https://food.example", "x_y.example"]
)
def test_helo_is_rejected_when_not_a_full_name(name):
    with pytest.raises(ValidationError) as raised:
        ExplicitSettings(smtp_helo=name)
    assert explain(raised.value).startswith("SMTP_HELO: must be this host's full name")


KEYS = {
    "payment_provider": "cashfree",
    "cashfree_client_id": "TEST-our-account",
    "cashfree_client_secret": "cfsk_ma_test_hunter2",
}
REAL_KEYS = {
    "payment_provider": "cashfree",
    "cashfree_client_id": "our-account",
    "cashfree_client_secret": "cfsk_ma_prod_hunter2",
    "cashfree_base_url": "https://api.cashfree.com/pg",
}


def test_cashfree_uses_its_sandbox_by_default():
    chosen = ExplicitSettings(**KEYS)
    assert chosen.cashfree_base_url == "https://sandbox.cashfree.com/pg"
    assert (chosen.cashfree_api_version, chosen.cashfree_checkout_mode) == ("2025-01-01", "sdk")
    local = "http://127.0.0.1:4000/pg"
    other = ExplicitSettings(**KEYS, cashfree_base_url=f"{local}/", cashfree_limit_percent=400)
    assert (other.cashfree_base_url, other.cashfree_limit_percent) == (local, 400)


def test_production_rejects_the_cashfree_sandbox():
    assert not [
        problem
        for problem in ExplicitSettings(**REAL_KEYS).production_problems()
        if problem.startswith(("PAYMENT", "CASHFREE"))
    ]
    (problem,) = (
        problem
        for problem in ExplicitSettings(**KEYS).production_problems()
        if problem.startswith(("PAYMENT", "CASHFREE"))
    )
    assert problem.startswith("CASHFREE_BASE_URL")


TELEPHONE = {
    "call_transport": "twilio",
    "twilio_account_sid": "AC0123456789abcdef0123456789abcdef",
    "twilio_auth_token": "hunter2",
    "twilio_from": "+12025550143",
}


def test_twilio_settings_are_accepted_when_complete():
    chosen = ExplicitSettings(**TELEPHONE)
    assert chosen.twilio_base_url == "https://api.twilio.com"
    assert [each for each in chosen.production_problems() if "TWILIO" in each] == []
    assert [each for each in chosen.production_problems() if "CALL_" in each] == []


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (KEYS | {"cashfree_client_id": ""}, "CASHFREE_CLIENT_ID"),
        (KEYS | {"cashfree_client_id": "a\nb"}, "CASHFREE_CLIENT_ID"),
        (KEYS | {"cashfree_client_secret": ""}, "CASHFREE_CLIENT_SECRET"),
        (
            KEYS | {"cashfree_base_url": "https://api.cashfree.com/pg"},
            "CASHFREE_CLIENT_SECRET is a test key",
        ),
        (
            KEYS | {"cashfree_client_id": "x", "cashfree_client_secret": "cfsk_ma_prod_hunter2"},
            "CASHFREE_CLIENT_SECRET is a production key",
        ),
        (KEYS | {"cashfree_base_url": "http://sandbox.cashfree.com/pg"}, "CASHFREE_BASE_URL"),
        (KEYS | {"cashfree_base_url": "https:///pg"}, "CASHFREE_BASE_URL"),
        (KEYS | {"cashfree_api_version": "latest"}, "CASHFREE_API_VERSION"),
        (KEYS | {"cashfree_checkout_mode": "link"}, "CASHFREE_CHECKOUT_MODE"),
        (KEYS | {"cashfree_limit_percent": 0}, "CASHFREE_LIMIT_PERCENT"),
        (TELEPHONE | {"twilio_account_sid": ""}, "TWILIO_ACCOUNT_SID"),
        (TELEPHONE | {"twilio_account_sid": "SK12"}, "TWILIO_ACCOUNT_SID"),
        (TELEPHONE | {"twilio_auth_token": ""}, "TWILIO_AUTH_TOKEN"),
        (TELEPHONE | {"twilio_auth_token": "a\nb"}, "TWILIO_AUTH_TOKEN"),
        (TELEPHONE | {"twilio_from": ""}, "TWILIO_FROM"),
        (TELEPHONE | {"twilio_from": "9800000001"}, "TWILIO_FROM"),
        (TELEPHONE | {"twilio_base_url": "http://api.twilio.com"}, "TWILIO_BASE_URL"),
        (TELEPHONE | {"missed_calls_unwanted_by": "three"}, "MISSED_CALLS_UNWANTED_BY"),
        (TELEPHONE | {"twilio_time_out_seconds": 0}, "TWILIO_TIME_OUT_SECONDS"),
        (
            TELEPHONE | {"missed_calls_per_restaurant_hour": 0},
            "MISSED_CALLS_PER_RESTAURANT_HOUR",
        ),
    ],
)
def test_provider_settings_are_rejected_when_inconsistent(given, named):
    with pytest.raises(ValueError, match="validation error") as raised:
        ExplicitSettings(**given)
    line = explain(raised.value)
    assert line.startswith(named)
    assert "hunter2" not in line


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param(
            {"twilio_base_url": "http://127.0.0.1:4000"}, "TWILIO_BASE_URL", id="one's own machine"
        ),
        pytest.param(
            {"twilio_base_url": "https://twilio.com.evil.example"},
            "TWILIO_BASE_URL",
            id="a stranger",
        ),
        pytest.param({"twilio_from": "+15005550006"}, "TWILIO_FROM", id="a test number"),
    ],
)
def test_production_rejects_a_fake_twilio(change, named):
    problems = ExplicitSettings(**(TELEPHONE | change)).production_problems()
    assert next(each for each in problems if each.startswith("TWILIO")).startswith(named)


def test_allowed_hosts_are_the_own_names_in_production():
    chosen = DeploymentSettings(_env_file=None, **FIT_FOR_PRODUCTION)
    assert set(chosen.allowed_hosts) == {"food-points.example", "localhost", "127.0.0.1", "::1"}
    assert chosen.is_encrypted


def test_any_host_is_allowed_in_development(start):
    chosen = start()
    assert chosen.allowed_hosts == ["*"]
    assert not chosen.is_encrypted
    assert chosen.sockets == SocketAllowance(5_000, 30, 60, 600, 900)


def test_last_good_dir_differs_per_data_dir(tmp_path):
    folders = {
        settings_for("sqlite:///unused.db", tmp_path, data_dir=tmp_path / name).last_good_dir
        for name in ("shop", "tests")
    }
    assert len(folders) == 2
