"""`GET /health` and the campus clock."""

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest

from kit.db.database import Database
from tests.fakes.mail_server import mail_server, smtp_settings
from tests.helpers.builders import at, order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, pay

pytestmark = [pytest.mark.anyio, sqlite_only]


async def test_health_is_ok_when_orders_can_be_taken(api):
    response = await api.get("/health")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert response.json()["status"] == "ok"
    assert response.json()["services"]["database"] == "ok"
    assert set(response.json()["services"].values()) <= {"ok", "down", "disabled"}
    for secret in ("sqlite", "postgres", "/", "password", "@"):
        assert secret not in response.text


async def test_health_is_503_when_database_is_unavailable(api, monkeypatch, services):
    # Source: specification C3.1.
    unavailable = Database("postgresql+psycopg://food@127.0.0.1:1/food")
    monkeypatch.setattr(
        "campus_app.shared.current.services", lambda: replace(services, database=unavailable)
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


@pytest.mark.parametrize("name", ["payments", "mail", "calls"])
async def test_health_is_degraded_when_a_dependency_is_down(api, monkeypatch, services, name):
    changed = {
        "payments": {"payments": replace(services.payments, provider=UnavailableService())},
        "mail": {"mailer": UnavailableService()},
        "calls": {"missed_calls": SimpleNamespace(telephone=UnavailableService())},
    }[name]
    monkeypatch.setattr("campus_app.shared.current.services", lambda: replace(services, **changed))
    response = await api.get("/health")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")
    down_services = [each for each, state in response.json()["services"].items() if state == "down"]
    assert down_services == [name]


@pytest.mark.parametrize(
    ("refusal", "reason", "mail"),
    [
        pytest.param(
            {"rcpt_reply": "450 4.2.0 <aarav@students.example>: Greylisted"},
            "the mail server answered 450 4.2.0 to RCPT",
            "ok",
            id="for now",
        ),
        pytest.param(
            {"mail_from_reply": "553 5.7.1 not your sender"},
            "needs an operator: the mail server answered 553 5.7.1 to MAIL",
            "down",
            id="until an operator helps",
        ),
    ],
)
async def test_health_says_how_many_mails_wait_and_why(
    api, monkeypatch, new_services, refusal, reason, mail
):
    # Source: specification P4.18.
    assert (await api.get("/health")).json()["waitingMails"] == {}
    async with mail_server(**refusal) as server:
        services = new_services(**smtp_settings(server.port))
        await pay(services, await services.ordering.prepare(order_request()))
        await drain(services)
        await services.mailer.close()
    monkeypatch.setattr("campus_app.shared.current.services", lambda: services)
    health = (await api.get("/health")).json()
    assert health["waitingMails"] == {reason: 2}
    assert health["services"]["mail"] == mail
    assert health["status"] == {"ok": "ok", "down": "degraded"}[mail]


async def test_clock_has_the_campus_offset(api, clock):
    # Source: specification R1, R8.
    clock.set(at(23, 59, 59))
    response = await api.get("/api/clock")
    now = datetime.fromisoformat(response.json()["now"])
    assert (now, now.utcoffset()) == (at(23, 59, 59), at(0).utcoffset())


async def test_clock_names_the_kitchens_and_when_they_close(api, clock):
    # Source: specification 10.8.
    clock.set(at(23, 30))
    kitchens = (await api.get("/api/clock")).json()["kitchens"]
    assert len(kitchens) == 8
    assert kitchens["1"] == {"name": "Pehla Food Point", "closes": ""}
    assert datetime.fromisoformat(kitchens["2"]["closes"]) == at(0, day=19)
    assert kitchens["5"]["closes"] == "2026-11-19T02:00:00+05:30"
