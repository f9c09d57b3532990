"""Whether orders can be taken, and what time it is."""

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest

from kit.db.database import Database
from tests.helpers.builders import at
from tests.helpers.databases import sqlite_only

pytestmark = pytest.mark.anyio


async def test_health_is_ok_when_orders_can_be_taken(api):
    answer = await api.get("/health")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    told = answer.json()
    assert told["status"] == "ok"
    assert told["services"]["database"] == "ok"
    assert set(told["services"].values()) <= {"ok", "down", "disabled"}


@sqlite_only
async def test_health_is_503_when_database_is_unavailable(api, monkeypatch, services):
    # Source: specification C3.1.
    away = Database("postgresql+psycopg://food@127.0.0.1:1/food")
    monkeypatch.setattr("campus_app.wiring.services", lambda: replace(services, database=away))
    answer = await api.get("/health")
    assert answer.status_code == 503
    assert (answer.json()["status"], answer.json()["services"]["database"]) == ("degraded", "down")
    away.close()


class Down:
    """Whatever says that it is away."""

    name = "down"

    def is_up(self):
        return False


@sqlite_only
@pytest.mark.parametrize("name", ["payments", "mail", "calls"])
async def test_health_is_degraded_when_a_dependency_is_down(api, monkeypatch, services, name):
    changed = {
        "payments": {"payments": replace(services.payments, provider=Down())},
        "mail": {"mailer": Down()},
        "calls": {"missed_calls": SimpleNamespace(scenario=Down())},
    }[name]
    monkeypatch.setattr("campus_app.wiring.services", lambda: replace(services, **changed))
    answer = await api.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    down = [each for each, state in answer.json()["services"].items() if state == "down"]
    assert down == [name]


@sqlite_only
async def test_health_has_no_configuration_details(api):
    text = (await api.get("/health")).text
    for secret in ("sqlite", "postgres", "/", "password", "@"):
        assert secret not in text


@sqlite_only
async def test_clock_has_the_campus_offset(api, clock):
    # Source: specification R1, R8.
    clock.set(at(23, 59, 59))
    answer = await api.get("/api/clock")
    now = datetime.fromisoformat(answer.json()["now"])
    assert (now, now.utcoffset()) == (at(23, 59, 59), at(0).utcoffset())
