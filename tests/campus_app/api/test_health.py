"""`GET /health` and the campus clock."""

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest

from kit.db.database import Database
from tests.helpers.builders import at
from tests.helpers.databases import sqlite_only

pytestmark = pytest.mark.anyio


async def test_health_is_ok_when_orders_can_be_taken(api):
    response = await api.get("/health")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert response.json()["status"] == "ok"
    assert response.json()["services"]["database"] == "ok"
    assert set(response.json()["services"].values()) <= {"ok", "down", "disabled"}


@sqlite_only
async def test_health_is_503_when_database_is_unavailable(api, monkeypatch, services):
    # Source: specification C3.1.
    unavailable = Database("postgresql+psycopg://food@127.0.0.1:1/food")
    monkeypatch.setattr(
        "campus_app.wiring.services", lambda: replace(services, database=unavailable)
    )
    response = await api.get("/health")
    assert response.status_code == 503
    assert (response.json()["status"], response.json()["services"]["database"]) == (
        "degraded",
        "down",
    )
    unavailable.close()


class UnavailableService:
    """A dependency whose check fails."""

    name = "unavailable"

    def is_up(self):
        return False


@sqlite_only
@pytest.mark.parametrize("name", ["payments", "mail", "calls"])
async def test_health_is_degraded_when_a_dependency_is_down(api, monkeypatch, services, name):
    changed = {
        "payments": {"payments": replace(services.payments, provider=UnavailableService())},
        "mail": {"mailer": UnavailableService()},
        "calls": {"missed_calls": SimpleNamespace(telephone=UnavailableService())},
    }[name]
    monkeypatch.setattr("campus_app.wiring.services", lambda: replace(services, **changed))
    response = await api.get("/health")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")
    down_services = [each for each, state in response.json()["services"].items() if state == "down"]
    assert down_services == [name]


@sqlite_only
async def test_health_has_no_configuration_details(api):
    text = (await api.get("/health")).text
    for secret in ("sqlite", "postgres", "/", "password", "@"):
        assert secret not in text


@sqlite_only
async def test_clock_has_the_campus_offset(api, clock):
    # Source: specification R1, R8.
    clock.set(at(23, 59, 59))
    response = await api.get("/api/clock")
    now = datetime.fromisoformat(response.json()["now"])
    assert (now, now.utcoffset()) == (at(23, 59, 59), at(0).utcoffset())


@sqlite_only
async def test_clock_names_the_kitchens_and_when_they_close(api, clock):
    # Source: specification 10.8.
    clock.set(at(23, 30))
    kitchens = (await api.get("/api/clock")).json()["kitchens"]
    assert len(kitchens) == 8
    assert kitchens["1"] == {"name": "Pehla Food Point", "closes": ""}
    assert datetime.fromisoformat(kitchens["2"]["closes"]) == at(0, day=19)
    assert kitchens["5"]["closes"] == "2026-11-19T02:00:00+05:30"
