"""The running server as the command line calls it."""

import json
import socket

import httpx
import pytest

from campus_app.catalogue.rules.availability import RestaurantOverride
from campus_app.operators.services.running_server import HttpRunningServer
from campus_app.shared import current
from campus_app.shared.sql.tables import AuditRow
from tests.helpers.databases import sqlite_only
from tests.helpers.server import serving
from tests.helpers.settings import CLOSED_PORT, OPERATOR_TOKEN
from tests.helpers.tables import rows

pytestmark = pytest.mark.anyio

CLOSED = RestaurantOverride(3, is_open=False, message="गैस खत्म <b>")


def answering(status, asked):
    """Return a server that records requests and always returns the same response."""

    async def application(scope, receive, send):
        body = (await receive()).get("body", b"")
        asked.append((scope["method"], scope["path"], dict(scope["headers"]), json.loads(body)))
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    return application


async def test_set_override_sends_token_and_operator_name():
    asked = []
    async with serving(answering(200, asked)) as address:
        server = HttpRunningServer(httpx.URL(address).port, "secret")
        assert await server.set_override(CLOSED, "āsha")
    ((method, path, headers, body),) = asked
    assert (method, path) == ("PUT", "/api/ops/restaurants/3/status")
    assert (headers[b"authorization"], headers[b"x-operator"]) == (b"Bearer secret", b"?sha")
    assert body == {"isOpen": False, "message": "गैस खत्म <b>"}


async def test_set_sold_out_sends_the_dish():
    asked = []
    async with serving(answering(200, asked)) as address:
        server = HttpRunningServer(httpx.URL(address).port, "secret")
        assert await server.set_sold_out(3, "12", "asha", is_sold_out=True)
    ((method, path, _headers, body),) = asked
    assert (method, path) == ("PUT", "/api/ops/restaurants/3/dishes/12/availability")
    assert body == {"isAvailable": False}


@pytest.mark.parametrize("status", [307, 401, 404, 422, 500])
async def test_set_override_is_false_for_error_responses(status):
    async with serving(answering(status, [])) as address:
        assert not await HttpRunningServer(httpx.URL(address).port, "secret").set_override(
            CLOSED, "asha"
        )


async def test_set_override_sends_nothing_without_token():
    asked = []
    async with serving(answering(200, asked)) as address:
        assert not await HttpRunningServer(httpx.URL(address).port, "").set_override(CLOSED, "asha")
    assert asked == []


async def test_set_override_is_false_when_no_server_listens():
    assert not await HttpRunningServer(CLOSED_PORT, "secret").set_override(CLOSED, "asha")


async def test_set_override_times_out():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = HttpRunningServer(silent.getsockname()[1], "secret", time_out_seconds=0.2)
        assert not await server.set_override(CLOSED, "asha")


@pytest.mark.parametrize("token", ["ключ", "a\nb"])
async def test_set_override_is_false_when_token_is_not_ascii(token):
    async with serving(answering(200, [])) as address:
        assert not await HttpRunningServer(httpx.URL(address).port, token).set_override(
            CLOSED, "asha"
        )


@sqlite_only
async def test_set_override_works_with_our_server(application, services, monkeypatch):
    monkeypatch.setattr(current, "services", lambda: services)
    async with serving(application) as address:
        port = httpx.URL(address).port
        assert not await HttpRunningServer(port, "another token").set_override(CLOSED, "asha")
        assert await HttpRunningServer(port, OPERATOR_TOKEN).set_override(CLOSED, "asha")
    assert services.statuses.is_forced_closed(3)
    (line,) = await rows(services.database, AuditRow)
    assert (line.actor, line.details) == ("asha", {"message": "गैस खत्म <b>", "via": "http"})
