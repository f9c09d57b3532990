"""Fixtures shared by every test."""

import contextlib
import os
import shutil
from pathlib import Path

import httpx
import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis.configuration import set_hypothesis_home_dir
from redis.asyncio import Redis

from campus_app import wiring
from campus_app.http_api import create_api
from campus_app.shared import current
from kit.db.database import Database
from kit.http.body_limit import body_limit
from kit.http.requests_only import requests_only
from tests.helpers.clock import ManualClock
from tests.helpers.databases import migrated_sqlite_file, new_database, running_postgres
from tests.helpers.redis import running_redis
from tests.helpers.settings import DATA, ORIGIN, settings_for

os.environ["DATA_DIR"] = str(DATA)  # also in programs that tests start

set_hypothesis_home_dir(Path(__file__).parents[1] / ".cache" / "hypothesis")
hypothesis_settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis_settings.load_profile("ci")

BODY_BYTES = 256 * 1024
LIMITED = ("/api", "/payment/", "/sandbox")
"""The prefixes of the paths with a body limit, as in the product's route table."""


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio", {"use_uvloop": True}


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server for the whole test run."""
    with running_postgres() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory):
    return migrated_sqlite_file(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request, tmp_path):
    """The URL of a new, migrated database."""
    with new_database(request, tmp_path) as url:
        yield url


@pytest.fixture
def database(database_url):
    """An open database."""
    opened = Database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def redis():
    """A Redis server for one test, which may stop and start it."""
    with running_redis() as server:
        yield server


@pytest.fixture
def clock():
    """A manual clock at Wednesday, 18 November 2026, 13:00 campus time."""
    return ManualClock()


@pytest.fixture
def data_dir(tmp_path):
    """A copy of the restaurants and menus."""
    return shutil.copytree(DATA, tmp_path / "data")


@pytest.fixture
def new_services(database_url, tmp_path, clock):
    """Builds services on the test's database; each call represents a process."""
    with contextlib.ExitStack() as opened:

        def build(**changes):
            services = wiring.build(settings_for(database_url, tmp_path, **changes), clock)
            opened.callback(services.close)
            return services

        yield build


@pytest.fixture
def services(new_services):
    """The services of one process."""
    return new_services()


@pytest.fixture(scope="session")
def application():
    """The HTTP API with the limit of the body size."""
    return requests_only(body_limit(BODY_BYTES, LIMITED))(create_api())


@pytest.fixture
async def api(services, application, monkeypatch):
    """A client of the HTTP API; exceptions inside it fail the test."""
    monkeypatch.setattr(current, "services", lambda: services)
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


@pytest.fixture
async def client(redis):
    """A client of the test's Redis server."""
    async with Redis.from_url(redis.url) as client:
        yield client
