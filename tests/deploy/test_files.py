"""Deployment files name existing files, ports, settings and commands."""

import re
import shlex
import subprocess
import sys

import pytest
import trustme

from campus_app.build import SOURCES
from campus_app.serve import KEEP_ALIVE_SECONDS
from campus_app.shared.settings import Settings
from deploy.nginx import BODY_KIB, TEMPLATE, Proxy, configuration
from tests.helpers.product import ROOT
from tests.helpers.settings import ExplicitSettings
from voice_site.settings import VoiceSettings

DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
COMPOSE = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
UNITS = {
    file.name: file.read_text(encoding="utf-8")
    for file in DEPLOY.glob("systemd/**/*.*")
    if file.is_file()
}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
SERVE = "-m campus_app.serve"
MIGRATE = "-m campus_app.migrate"
MOST_EXPOSED = 30
"""The limit of `systemd-analyze security`, in tenths: 0 is confined, 100 is not."""
COMPOSE_SECRETS = {"POSTGRES_PASSWORD": "pg-secret", "REDIS_PASSWORD": "redis-secret"}


def composed_settings():
    """Return the settings of the applications in the compose file."""
    block = COMPOSE.split("environment: &settings\n")[1].split("  volumes:")[0]
    lines = re.findall(r'^    ([A-Z_]+): "?(.+?)"?$', block, re.MULTILINE)

    def substitute(text):
        return re.sub(
            r"\$\{([A-Z_]+)(?::[-?]([^}]*))?\}", lambda m: COMPOSE_SECRETS.get(m[1], m[2]), text
        )

    return {name: substitute(value) for name, value in lines}


def proxy_command():
    """Return the arguments of deploy/nginx.py in the compose file."""
    (listed,) = re.findall(r"^    command: \[(--port.+)\]$", COMPOSE, re.MULTILINE)
    return [
        part.strip().strip('"') for part in listed.replace("${TRUSTED_PROXIES:-}", "").split(",")
    ]


_MEGABYTES = {"mb": 1, "m": 1, "M": 1, "g": 1024, "G": 1024}


def megabytes(setting, text):
    """Return the values of a memory setting in a deployment file, in megabytes."""
    found = re.findall(rf"{setting}[:=,] ?(\d+)(mb|[mgMG])\b", text)
    return [int(number) * _MEGABYTES[unit] for number, unit in found]


def test_redis_has_maximum_memory_below_that_of_its_container():
    redis = COMPOSE.partition("\n  redis:\n")[2].partition("\n\n")[0]
    (maximum,), (of_container,) = megabytes("--maxmemory", redis), megabytes("mem_limit", redis)
    assert maximum < of_container
    assert "--maxmemory-policy, noeviction" in redis


def test_processes_have_a_maximum_memory():
    unit = UNITS["food-points@.service"]
    (high,), (most,) = megabytes("MemoryHigh", unit), megabytes("MemoryMax", unit)
    assert high < most
    assert megabytes("mem_limit", COMPOSE.partition("\nservices:")[0]) == [most]


def test_compose_settings_are_valid():
    values = composed_settings() | {"ENVIRONMENT": "development"}
    settings = ExplicitSettings(_env_file=None, **{k.lower(): v for k, v in values.items()})
    assert set(values) <= {name.upper() for name in Settings.model_fields}
    assert settings.processes == len(re.findall(r"^  app-\d+:$", COMPOSE, re.MULTILINE))
    assert settings.redis_url == "redis://:redis-secret@redis:6379/0"
    assert "pg-secret" in settings.database_url
    assert settings.trusted_proxies in COMPOSE.split("subnet:")[1]


def test_documented_deployments_are_productions():
    # Source: specification C2.7.
    assert composed_settings()["ENVIRONMENT"] == "production"
    for name in ("food-points@.service", "food-points-migrate.service"):
        assert "\nEnvironment=ENVIRONMENT=production\n" in UNITS[name]
    for guide in ("README.md", "docs/operations.md"):
        assert "ENVIRONMENT=production" in (ROOT / guide).read_text(encoding="utf-8")


def test_compose_proxy_forwards_to_all_applications():
    values = composed_settings()
    config = subprocess.run(
        [sys.executable, DEPLOY / "nginx.py", *proxy_command()],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = re.findall(r"^  (app-\d+):$", COMPOSE, re.MULTILINE)
    assert re.findall(r"server (\S+) max_fails", config) == [
        f"{name}:{values['PORT']}" for name in names
    ]
    (port,) = re.findall(r"listen (\d+) ", config)
    assert f':{port}"' in COMPOSE
    assert f"EXPOSE {port}" in CONTAINERFILE
    assert f"EXPOSE {values['PORT']}" in CONTAINERFILE


def test_containerfile_copies_everything_the_build_needs():
    assert "RUN make build" in CONTAINERFILE
    copied = {
        part
        for line in re.findall(r"^COPY (.+)$", CONTAINERFILE, re.MULTILINE)
        for part in line.split()[:-1]
    }
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert "-m campus_app.build" in MAKEFILE
    sources = {pattern.partition("/")[0] for pattern in SOURCES}
    assert sources | {"Makefile", "requirements.txt", "data", "deploy"} <= copied


def test_serve_and_migrate_commands_are_the_same_everywhere():
    for text in (MAKEFILE, UNITS["food-points@.service"]):
        assert SERVE in text
    for text in (MAKEFILE, UNITS["food-points-migrate.service"]):
        assert MIGRATE in text
    assert 'CMD [".venv/bin/python", "-m", "campus_app.serve"]' in CONTAINERFILE
    assert "command: [.venv/bin/python, -m, campus_app.migrate]" in COMPOSE
    assert "deploy/nginx.py" in CONTAINERFILE


def test_archive_units_run_commands_that_exist(tmp_path):
    """With the interpreter and the PATH of systemd; there is no database at this address."""
    environment = {"PATH": "/usr/bin:/bin", "DATABASE_URL": "postgresql://127.0.0.1:9/none"}
    for name, program in (("archive", "pg_receivewal"), ("backup", "pg_basebackup")):
        unit = UNITS[f"food-points-{name}.service"]
        (line,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
        python, file, *arguments = shlex.split(line)
        assert python == "/usr/bin/python3"
        arguments[arguments.index("/var/lib/food-points-archive")] = str(tmp_path)
        done = subprocess.run(
            [sys.executable, "-I", ROOT / file, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert f"{program} ended with 1" in done.stderr


def test_systemd_units_use_known_settings_and_units():
    used = {
        name
        for text in UNITS.values()
        for name in re.findall(r"^Environment=([A-Z_]+)=", text, re.MULTILINE)
    }
    assert {"PORT", "LISTEN_ADDRESS"} <= used <= {name.upper() for name in Settings.model_fields}
    wanted = re.findall(r"food-points@\d+\.service", UNITS["food-points.target"])
    assert len(wanted) >= 2
    referenced = {
        name
        for text in UNITS.values()
        for name in re.findall(r"\b(food-points[\w-]*@?(?=\d*\.)\d*\.(?:service|target))", text)
    }
    assert {re.sub(r"@\d+", "@", name) for name in referenced} <= set(UNITS)
    kinds = {"Unit", "Service", "Timer", "Install"}
    for text in UNITS.values():
        assert set(re.findall(r"^\[(\w+)\]$", text, re.MULTILINE)) <= kinds
        lines = [line for line in text.splitlines() if line and not line.startswith(("#", "["))]
        assert all(re.match(r"[A-Z]\w+=\S|CapabilityBoundingSet=$", line) for line in lines)


@pytest.mark.parametrize("name", sorted(name for name in UNITS if name.endswith(".service")))
def test_units_are_confined(tmp_path, name):
    unit = tmp_path / name
    unit.write_text(UNITS[name], encoding="utf-8")
    command = ["systemd-analyze", "security", "--no-pager", "--offline=true"]
    rated = subprocess.run(
        [*command, f"--threshold={MOST_EXPOSED}", unit], capture_output=True, text=True, check=False
    )
    assert rated.returncode == 0, rated.stdout[-200:]
    assert "Overall exposure level" in rated.stdout


def test_operations_guide_names_existing_commands_and_files():
    guide = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    for name in (
        "deploy/nginx.py",
        "deploy/compose.yaml",
        "deploy/local_stack.py",
        "deploy/postgres_backup.py",
        *map(str, UNITS),
    ):
        assert name in guide, name
    for path in re.findall(r"`((?:deploy|campus_app|docs)/[\w./@-]+)`", guide):
        assert (ROOT / path).exists(), path
    settings = set(re.findall(r"`([A-Z]{3,}_[A-Z_]+)`", guide))
    products = (Settings.model_fields, VoiceSettings.model_fields)
    known = {name.upper() for fields in products for name in fields} | set(COMPOSE_SECRETS)
    assert {name for name in settings - known if name not in COMPOSE} == set()


@pytest.fixture
def check_configuration(tmp_path):
    """Runs `nginx -t` on a configuration; returns the completed process."""

    def check(**options):
        (tmp_path / "run").mkdir(exist_ok=True)
        file = tmp_path / "nginx.conf"
        proxy = Proxy(
            folder=tmp_path / "run", error_log="stderr", access_log="/dev/null", **options
        )
        file.write_text(configuration(proxy), encoding="utf-8")
        command = shlex.split(f"nginx -t -q -e stderr -c {file}")
        path = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=path)

    return check


def test_nginx_accepts_generated_configuration(check_configuration):
    result = check_configuration(backends=("127.0.0.1:3001", "127.0.0.1:3002"), port=8080)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.fixture
def with_certificate(tmp_path):
    """The options of a site with a certificate."""
    certificate = trustme.CA().issue_cert("food-points.example")
    certificate.private_key_pem.write_to_path(tmp_path / "key.pem")
    certificate.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    return {
        "backends": ("127.0.0.1:3001",),
        "port": 8443,
        "plain_port": 8080,
        "name": "food-points.example",
        "certificate": str(tmp_path / "cert.pem"),
        "certificate_key": str(tmp_path / "key.pem"),
    }


def test_nginx_accepts_generated_configuration_with_certificate(
    check_configuration, with_certificate
):
    result = check_configuration(**with_certificate, trusted_proxies=("10.0.0.0/8", "2001:db8::1"))
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("options", "idle", "unused"),
    [
        pytest.param({}, 30, 10, id="browsers"),
        pytest.param({"trusted_proxies": ("10.0.0.0/8",)}, 650, 650, id="a trusted proxy"),
        pytest.param({"is_behind_tls": True}, 650, 650, id="a proxy that ends TLS"),
    ],
)
def test_connections_are_closed_by_the_proxy_before_the_server(options, idle, unused):
    config = configuration(Proxy(("127.0.0.1:3001",), **options))

    def seconds_of(setting):
        return [int(each) for each in re.findall(rf"^ +{setting} (\d+)s;", config, re.MULTILINE)]

    of_clients, of_processes = seconds_of("keepalive_timeout")
    assert (of_clients, seconds_of("client_header_timeout")) == (idle, [unused])
    assert of_processes < KEEP_ALIVE_SECONDS


@pytest.mark.parametrize(
    ("port", "target"),
    [(443, "https://food-points.example"), (8443, "https://food-points.example:8443")],
)
def test_nginx_redirects_http_to_the_name_of_the_site(with_certificate, port, target):
    config = configuration(Proxy(**with_certificate | {"port": port}))
    assert f"return 308 {target}$request_uri;" in config
    assert "https://$" not in config


@pytest.mark.parametrize("name", ["_", "", "*.food-points.example", "a.example b.example"])
def test_nginx_refuses_a_certificate_without_one_host_name(with_certificate, name):
    with pytest.raises(ValueError, match="name of its host"):
        configuration(Proxy(**with_certificate | {"name": name}))


@pytest.mark.parametrize(
    ("trusted", "reason"), [("0.0.0.0/0", "every address"), ("::/0", "every"), ("proxy", "proxy")]
)
def test_nginx_refuses_proxies_that_are_no_addresses(trusted, reason):
    command = [sys.executable, DEPLOY / "nginx.py", "--backend", "127.0.0.1:3001"]
    done = subprocess.run(
        [*command, "--trusted-proxies", trusted], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("options", [{}, {"is_behind_tls": True}])
def test_nginx_sets_hsts_on_built_files_when_the_site_uses_https(options):
    config = configuration(Proxy(("127.0.0.1:3001",), previous_pages=ROOT, **options))
    assert config.count("add_header Strict-Transport-Security") == (2 if options else 0)


def test_nginx_sets_hsts_on_built_files_when_it_has_a_certificate(with_certificate):
    assert "add_header Strict-Transport-Security" in configuration(Proxy(**with_certificate))


def test_invalid_proxy_options_are_rejected():
    with pytest.raises(ValueError, match="backend"):
        configuration(Proxy(backends=()))
    with pytest.raises(ValueError, match="key"):
        configuration(Proxy(backends=("a:1",), certificate="cert.pem"))


def test_proxy_body_limit_matches_application():
    source = (ROOT / "campus_app" / "http_stack.py").read_text(encoding="utf-8")
    assert f"_BODY_BYTES = {BODY_KIB} * 1024" in source
    assert (DEPLOY / TEMPLATE).is_file()
