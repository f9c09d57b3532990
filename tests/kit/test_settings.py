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


def test_empty_setting_means_default_and_unknown_one_is_ignored(start):
    chosen = start(dotenv="SOMETHING_ELSE=1\n", PORT="", CAMPUS_NOW="", PUBLIC_URL="")
    assert (chosen.origin, chosen.port) == ("http://localhost:3000", 3000)


def test_settings_are_read_once_per_process(start):
    assert start(PORT="3100") is start(PORT="3200")


def test_origin_is_public_url_or_localhost():
    assert ExplicitSettings().origin == "http://localhost:3000"
    assert ExplicitSettings(port=3100).origin == "http://localhost:3100"
    urls = ("https://food.example:8443", "http://127.0.0.1:3000", "http://[::1]:3000")
    for url in ("https://food.example/", *urls):
        assert ExplicitSettings(demonstration=True, public_url=url).origin == url.rstrip("/")


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


def test_database_url_names_the_installed_postgresql_driver():
    driver = "postgresql+psycopg://u:p@h/d"
    for given in ("postgresql://u:p@h/d", driver):
        assert ExplicitSettings(database_url=given).database_url == driver
    assert ExplicitSettings(database_url="sqlite:///var/a.db").database_url == "sqlite:///var/a.db"


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


def test_several_processes_are_rejected_without_redis_or_postgresql():
    assert ExplicitSettings(**SHARED).processes == 2
    assert ExplicitSettings(**(SHARED | {"processes": 1, "redis_url": ""})).processes == 1
    for change, named in (
        ({"redis_url": ""}, "REDIS_URL"),
        ({"database_url": "sqlite:///var/food.db"}, "PostgreSQL"),
    ):
        with pytest.raises(ValueError, match=f"PROCESSES above 1 need {named}"):
            ExplicitSettings(**(SHARED | change))


def test_own_origin_bypasses_the_proxy():
    hosts = {"0.0.0.0": "127.0.0.1", "::": "127.0.0.1", "10.0.0.5": "10.0.0.5", "::1": "[::1]"}
    for address, host in hosts.items():
        chosen = ExplicitSettings(listen_address=address, port=3001)
        assert chosen.own_origin == f"http://{host}:3001"


def test_trusted_proxies_are_addresses_or_networks():
    chosen = ExplicitSettings(trusted_proxies="127.0.0.1, 10.20.0.0/16,::1")
    assert chosen.trusted_proxies == "127.0.0.1/32,10.20.0.0/16,::1/128"


UNSAFE = [
    *(("PUBLIC_URL", {"public_url": url}) for url in ("http://food.example", "", "https://")),
    ("MAIL_TRANSPORT", {"mail_transport": "outbox"}),
    *(("OPERATOR_TOKEN", {"operator_token": token}) for token in ("", "x", "x" * 31)),
    *(("MAIL_FROM", {"mail_from": sender}) for sender in ("x <a@food.example>", "a@localhost")),
    ("SMTP_HELO", {"public_url": "https://food"}),
    ("CAMPUS_NOW", {"campus_now": at(13)}),
    ("DEMONSTRATION", {"demonstration": True}),
]
"""A setting that is named, and the change that is refused."""


def test_production_is_rejected_with_unsafe_settings():
    # Source: specification C2.7.
    DeploymentSettings(_env_file=None, **FIT_FOR_PRODUCTION)
    for named, change in UNSAFE:
        with pytest.raises(ValidationError) as raised:
            DeploymentSettings(_env_file=None, **(FIT_FOR_PRODUCTION | change))
        assert explain(raised.value).startswith(named), change


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


def test_production_rejects_sandbox_payments_and_outbox_calls():
    # Source: specification C2.7.
    problems = ExplicitSettings(**FIT_FOR_PRODUCTION | DEMONSTRATION).production_problems()
    for named in ("PAYMENT_PROVIDER=sandbox", "CALL_TRANSPORT=outbox"):
        assert any(problem.startswith(named) for problem in problems), named


def push_problems(**changes):
    chosen = ExplicitSettings(**FIT_FOR_PRODUCTION | DEMONSTRATION | changes)
    return [each for each in chosen.production_problems() if "PUSH" in each or "VAPID" in each]


def test_push_contact_is_address_of_mail_from_unless_set():
    # Source: specification P4.19.
    sender = "FOOD_points <orders@food-points.in>"
    assert ExplicitSettings(mail_from=sender).push_contact_address == "orders@food-points.in"
    chosen = ExplicitSettings(mail_from=sender, push_contact="ops@food-points.in")
    assert chosen.push_contact_address == "ops@food-points.in"


def test_production_rejects_extra_push_origins():
    assert push_problems() == []
    for change in (
        {"web_push_origins": "http://127.0.0.1:8099"},
        {"push_contact": "ops@food-points.example"},
    ):
        (problem,) = push_problems(**change)
        assert problem.startswith(next(iter(change)).upper())
    assert push_problems(push_contact="ops@food-points.in") == []


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


def test_smtp_settings_are_rejected_when_incomplete_or_unencrypted():
    smtp = {"mail_transport": "smtp", "smtp_host": "m.example"}
    for values, named in (
        ({"mail_transport": "smtp"}, "SMTP_HOST"),
        *(({"smtp_host": "m.example", "smtp_tls": tls}, "SMTP_TLS") for tls in ("none", "maybe")),
        (smtp | {"smtp_username": "u"}, "SMTP_PASS"),
        (smtp | {"smtp_password": "p"}, "SMTP_USER"),
    ):
        with pytest.raises(ValidationError) as raised:
            ExplicitSettings(_env_file=None, **values)
        assert named in explain(raised.value)


def test_helo_is_host_of_public_url_unless_set():
    # Source: specification P4.16.
    assert ExplicitSettings().mail_server.helo == "localhost"
    for url, helo in {
        "http://food.example:8443": "food.example",
        "http://192.0.2.7": "[192.0.2.7]",
        "http://[2001:db8::7]": "[IPv6:2001:db8::7]",
    }.items():
        assert ExplicitSettings(public_url=url).mail_server.helo == helo
    chosen = ExplicitSettings(public_url="http://food.example", smtp_helo="mail.campus.example")
    assert chosen.mail_server.helo == "mail.campus.example"


def test_helo_is_rejected_when_not_a_full_name():
    for name in ("localhost", "food", "a b.example", "https://food.example", "x_y.example"):
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
    def problems(keys):
        found = ExplicitSettings(**keys).production_problems()
        return [each for each in found if each.startswith(("PAYMENT", "CASHFREE"))]

    assert problems(REAL_KEYS) == []
    (problem,) = problems(KEYS)
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


SECRET = "CASHFREE_CLIENT_SECRET"
PRODUCTION_KEY = {"cashfree_client_id": "x", "cashfree_client_secret": "cfsk_ma_prod_hunter2"}
INCONSISTENT = [
    *(("cashfree_client_id", value) for value in ("", "a\nb")),
    ("cashfree_client_secret", ""),
    *(("cashfree_base_url", value) for value in ("http://sandbox.cashfree.com/pg", "https:///pg")),
    *(("cashfree_api_version", "latest"), ("cashfree_checkout_mode", "link")),
    ("cashfree_limit_percent", 0),
    *(("twilio_account_sid", value) for value in ("", "SK12")),
    *(("twilio_auth_token", value) for value in ("", "a\nb")),
    *(("twilio_from", value) for value in ("", "9800000001")),
    *(("twilio_base_url", "http://api.twilio.com"), ("twilio_time_out_seconds", 0)),
    *(("missed_calls_unwanted_by", "three"), ("missed_calls_per_restaurant_hour", 0)),
]
"""A setting and its value beside a complete account."""


def test_provider_settings_are_rejected_when_inconsistent():
    of_another = {"cashfree_base_url": "https://api.cashfree.com/pg"}
    for given, named in (
        (KEYS | of_another, f"{SECRET} is a test key"),
        (KEYS | PRODUCTION_KEY, f"{SECRET} is a production key"),
        *(
            ((KEYS if name.startswith("cashfree") else TELEPHONE) | {name: value}, name.upper())
            for name, value in INCONSISTENT
        ),
    ):
        with pytest.raises(ValueError, match="validation error") as raised:
            ExplicitSettings(**given)
        line = explain(raised.value)
        assert line.startswith(named), (given, line)
        assert "hunter2" not in line


def test_production_rejects_a_fake_twilio():
    for name, value in (
        ("twilio_base_url", "http://127.0.0.1:4000"),
        ("twilio_base_url", "https://twilio.com.evil.example"),
        ("twilio_from", "+15005550006"),  # a test number
    ):
        problems = ExplicitSettings(**(TELEPHONE | {name: value})).production_problems()
        first = next(each for each in problems if each.startswith("TWILIO"))
        assert first.startswith(name.upper()), value


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
