"""Restaurant status over HTTP and the socket, the operator's override, the selection log."""

import asyncio
import contextlib
import json
import logging
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from websockets.asyncio.client import connect

from campus_app.catalogue.services.availability import Statuses
from campus_app.catalogue.sql.restaurant_overrides import SqlRestaurantOverrides
from campus_app.catalogue.sql.sold_out import SqlSoldOut
from campus_app.shared.sql.tables import AuditRow
from kit.clock import from_ms
from kit.db.database import Database
from tests.helpers.builders import at
from tests.helpers.databases import sqlite_only
from tests.helpers.server import serving
from tests.helpers.settings import OPERATOR_TOKEN
from tests.helpers.tables import rows
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.anyio, sqlite_only]

STATUS = "/api/restaurants/status"
AUTHORIZED = {"authorization": f"Bearer {OPERATOR_TOKEN}"}


# Status


@pytest.mark.parametrize("address", [STATUS, f"{STATUS}/init"])
async def test_status_contains_every_restaurant(api, address):
    response = await api.get(address)
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    content = response.json()
    assert list(content["statuses"]) == [str(number) for number in range(1, 9)]
    assert content["statuses"]["1"] == {"isOpen": True, "message": "", "state": "OPEN"}
    # Outside its hours; `isOpen` is the operator's override alone. Source: specification R3.
    assert content["statuses"]["4"] == {"isOpen": True, "message": "", "state": "CLOSED"}
    checked = datetime.fromisoformat(content["metadata"]["lastChecked"])
    assert (checked, checked.utcoffset()) == (at(13), at(13).utcoffset())


REQUESTS = 1_000


class Counted(Database):
    """A database that counts its queries."""

    queries = 0

    async def read(self, work):
        self.queries += 1
        return await super().read(work)


async def queries_of(api, services, monkeypatch, statuses_class, loads=()):
    """Return how many queries the requests of the statuses cause, `loads` that they start too."""
    counted = Counted(services.settings.database_url)

    async def notify():
        pass

    stores = (SqlRestaurantOverrides(counted), SqlSoldOut(counted))
    statuses = statuses_class(services.catalogue, *stores, services.clock, notify)
    await statuses.load()
    loaded = counted.queries
    monkeypatch.setattr(
        "campus_app.shared.current.services", lambda: replace(services, statuses=statuses)
    )
    for _ in range(REQUESTS):
        assert (await api.get(STATUS)).status_code == 200
    await asyncio.gather(*loads)
    counted.close()
    return counted.queries - loaded


async def test_status_requests_run_no_query(api, services, monkeypatch):
    # Source: docs/invariants.md I22.
    assert await queries_of(api, services, monkeypatch, Statuses) == 0


async def test_status_requests_run_two_queries_each_without_the_cache(api, services, monkeypatch):
    # The control of the test above.
    loads = []

    class Uncached(Statuses):
        def snapshot(self):
            loads.append(asyncio.ensure_future(self.load()))
            return super().snapshot()

    assert await queries_of(api, services, monkeypatch, Uncached, loads) == 2 * REQUESTS


# The operator's override


async def override(api, restaurant_id=3, body=None, headers=AUTHORIZED):
    return await api.put(
        f"/api/ops/restaurants/{restaurant_id}/status",
        json={"isOpen": False, "message": "No gas"} if body is None else body,
        headers=headers,
    )


async def test_operator_closes_and_opens_restaurant(api):
    message = '<img src=x onerror=alert(1)> & <b>"gas"</b>'
    closed = await override(api, body={"isOpen": False, "message": message})
    assert closed.status_code == 200
    expected = {"isOpen": False, "message": message, "state": "DELIVERY UNAVAILABLE"}
    assert closed.json() == {"restaurantId": 3, **expected}
    content = await api.get(STATUS)
    assert content.headers["content-type"] == "application/json"
    assert content.json()["statuses"]["3"] == expected
    opened = await override(api, body={"isOpen": True})
    assert opened.json()["state"] == "OPEN"
    assert (await api.get(STATUS)).json()["statuses"]["3"] == {
        "isOpen": True,
        "message": "",
        "state": "OPEN",
    }


NOT_AUTHORIZED = [
    {},
    {"cookie": f"token={OPERATOR_TOKEN}"},
    *(
        {"authorization": value}
        for value in (
            *("", "Bearer ", "Bearer wrong", OPERATOR_TOKEN, f"bearer {OPERATOR_TOKEN}"),
            *(f"Bearer {OPERATOR_TOKEN} ", f"Basic {OPERATOR_TOKEN}", b"Bearer \xff\xfe"),
        )
    ),
]


async def test_override_is_401_without_the_operator_token(api):
    # Source: specification C3.12.
    for headers in NOT_AUTHORIZED:
        response = await override(api, headers=headers)
        assert response.status_code == 401, headers
        assert response.json()["error"]["code"] == "unauthorized"
        assert (await api.get(STATUS)).json()["statuses"]["3"]["isOpen"] is True


async def test_override_writes_an_audit_entry(api, services):
    for name, actor in {"asha": "asha", "x" * 200: "x" * 64, " \t": "http", "": "http"}.items():
        await override(api, headers=AUTHORIZED | ({"x-operator": name} if name else {}))
        *_, line = await rows(services.database, AuditRow)
        assert (line.actor, line.action) == (actor, "restaurant.close")
        via = {} if actor == "http" else {"via": "http"}
        assert line.details == {"message": "No gas", **via}
        assert (line.subject, from_ms(line.at_ms)) == ("restaurant 3", services.clock.now())


async def test_override_is_401_when_no_operator_token_is_configured(api, monkeypatch, new_services):
    services = new_services(operator_token="")
    monkeypatch.setattr("campus_app.shared.current.services", lambda: services)
    for given in ("", "Bearer ", "Bearer"):
        assert (await override(api, headers={"authorization": given})).status_code == 401


INVALID_OVERRIDES = [
    *((number, None, 404) for number in ("0", "9", "-1", "10" * 9)),
    *((number, None, 422) for number in ("x", "1.5", "%00", "9" * 5_000)),
    *(("3", body, 422) for body in ({}, [], {"isOpen": "false"}, {"isOpen": 0}, {"isOpen": None})),
    *(("3", {"isOpen": False, "message": message}, 422) for message in (5, "x" * 201)),
]
"""A restaurant, a body, and the status of the refusal."""


async def test_override_is_refused_when_invalid(api, services):
    for number, body, status in INVALID_OVERRIDES:
        # The token is checked before the input.
        unauthorized = await override(api, number, body, headers={})
        assert unauthorized.status_code == 401
        assert unauthorized.headers["www-authenticate"] == "Bearer"
        response = await override(api, number, body)
        assert response.status_code == status, (number, body)
        if status == 404:
            assert response.json()["error"]["code"] == "unknown_restaurant"
        assert (await api.get(STATUS)).json()["statuses"]["3"]["isOpen"] is True
        assert await rows(services.database, AuditRow) == []


async def test_override_message_is_tidied(api):
    response = await override(api, body={"isOpen": False, "message": " No\r\n\u202egas \0"})
    assert response.json()["message"] == "No gas"


async def test_pause_ends_by_itself(api, clock):
    until = (clock.now() + timedelta(minutes=30)).isoformat()
    paused = (await override(api, body={"isOpen": False, "until": until})).json()
    assert (paused["message"], paused["backAt"]) == ("Back at 13:30", "13:30")
    assert paused["state"] == "DELIVERY UNAVAILABLE"
    clock.advance(minutes=30)
    status = (await api.get(STATUS)).json()["statuses"]["3"]
    assert status == {"isOpen": True, "message": "", "state": "OPEN"}


# The socket


@contextlib.asynccontextmanager
async def live(application):
    """Yield the socket's address on a real server."""
    async with serving(application) as address:
        yield address.replace("http", "ws") + "/api/restaurants/live"


@contextlib.asynccontextmanager
async def connected(application):
    """Connect to a real server; yield a function that returns the next message."""
    async with live(application) as url, connect(url, proxy=None) as socket:

        async def received():
            async with asyncio.timeout(5):
                return json.loads(await socket.recv())

        yield received


SHUT = {"restaurantId": "3", "newStatus": "0", "state": "DELIVERY UNAVAILABLE"}


async def test_socket_sends_every_status_on_connect(api, application):
    # Source: specification C3.3.
    async with connected(application) as received:
        message = await received()
    assert set(message) == {"type", "changes", "timestamp"}
    assert message["type"] == "STATUS_UPDATE"
    assert [change["restaurantId"] for change in message["changes"]] == list("12345678")
    assert message["changes"][0] == {"restaurantId": "1", "newStatus": "1", "state": "OPEN"}
    # Source: specification R3, R4.
    assert message["changes"][3] == {"restaurantId": "4", "newStatus": "1", "state": "CLOSED"}
    assert datetime.fromisoformat(message["timestamp"]) == at(13)


async def test_socket_sends_override_to_every_client(api, application):
    # Source: specification R4.
    async with connected(application) as first, connected(application) as second:
        for received in (first, second):
            await received()
        assert (await override(api, 3)).status_code == 200
        for received in (first, second):
            assert (await received())["changes"] == [SHUT]
        await override(api, 3, {"isOpen": True})
        for received in (first, second):
            assert (await received())["changes"] == [
                {"restaurantId": "3", "newStatus": "1", "state": "OPEN"}
            ]


async def test_disconnected_client_is_unsubscribed_and_others_are_not(
    api, application, services, caplog
):
    async with connected(application) as received:
        await received()
        for _ in range(3):
            async with connected(application) as leaves:
                await leaves()
        await eventually(lambda: len(services.statuses._listeners) == 1, "the others have left")
        await override(api, 3)
        assert (await received())["changes"] == [SHUT]
    await eventually(lambda: not services.statuses._listeners, "every client is unsubscribed")
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_socket_ignores_messages_of_the_client(api, application):
    async with live(application) as url, connect(url, proxy=None) as socket:
        await socket.recv()
        for message in ("{", b"\xff\0", '{"type": "STATUS_UPDATE", "changes": []}'):
            await socket.send(message)
        await override(api, 3)
        assert json.loads(await socket.recv())["changes"][0]["restaurantId"] == "3"


async def test_server_stops_while_a_client_is_connected(api, application):
    async with asyncio.timeout(5):
        async with live(application) as url:
            socket = await connect(url, proxy=None)
            await socket.recv()
        await socket.close()


# The selection log


async def choose(api, **changes):
    body = {"restaurantId": 1, "restaurantName": "Pehla", "timestamp": "2026-11-18T13:00:00"}
    return await api.post("/api/log-restaurant-selection", json=body | changes)


async def test_selection_is_accepted(api):
    # Source: specification C3.4.
    for timestamp in ("2026-11-18T13:00:00Z", 1794997800000, "", "never"):
        response = await choose(api, timestamp=timestamp)
        assert (response.status_code, response.content) == (202, b"")


async def test_selection_log_has_no_text_of_the_client(api, caplog):
    with caplog.at_level(logging.INFO, "campus_app"):
        await choose(api, restaurantName="Forged\nline: Aarav Sharma", timestamp="x\ny")
    ours = [each for each in caplog.records if each.name.startswith("campus_app")]
    assert [each.getMessage() for each in ours] == ["restaurant 1 was chosen"]


async def test_selection_is_404_when_the_restaurant_is_unknown(api):
    for number in (0, 9, -1, 10**18):
        assert (await choose(api, restaurantId=number)).status_code == 404


async def test_selection_is_422_when_types_are_wrong(api):
    for number in ("1", 1.5, True, None):
        assert (await choose(api, restaurantId=number)).status_code == 422
    for change in ({"restaurantName": 5}, {"timestamp": {}}, {"timestamp": "x" * 65}):
        assert (await choose(api, **change)).status_code == 422


# Sold-out dishes. Source: specification 10.20.


async def set_availability(api, dish_id="104", is_available=False, headers=AUTHORIZED, id_=1):
    return await api.put(
        f"/api/ops/restaurants/{id_}/dishes/{dish_id}/availability",
        json={"isAvailable": is_available},
        headers=headers,
    )


async def test_sold_out_dish_is_listed_until_it_is_available(api):
    assert (await set_availability(api)).json() == {"soldOut": ["104"]}
    assert (await set_availability(api, "112")).json() == {"soldOut": ["104", "112"]}
    assert (await api.get("/api/menu/1/availability")).json() == {"soldOut": ["104", "112"]}
    assert (await api.get("/api/menu/2/availability")).json() == {"soldOut": []}
    assert (await api.get(STATUS)).json()["soldOut"] == {"1": ["104", "112"]}
    assert (await set_availability(api, is_available=True)).json() == {"soldOut": ["112"]}


async def test_sold_out_request_is_refused_when_invalid(api):
    for changes, status in (
        *(({"headers": headers}, 401) for headers in ({}, {"authorization": "Bearer x"})),
        *(({"id_": 9}, 404), ({"dish_id": "999"}, 404), ({"dish_id": "x" * 64}, 404)),
        *(({"dish_id": "x" * 65}, 422), ({"is_available": "no"}, 422)),
    ):
        assert (await set_availability(api, **changes)).status_code == status, changes
        assert (await api.get(STATUS)).json()["soldOut"] == {}
    for address, status in {"99": 404, "0": 404, "x": 422}.items():
        assert (await api.get(f"/api/menu/{address}/availability")).status_code == status
