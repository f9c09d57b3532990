"""Requests and sockets from foreign origins are rejected; clients without an Origin header are not."""

import json

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.helpers.builders import order_body
from tests.helpers.product import OPERATOR_TOKEN
from tests.hostile.server import running_server
from tests.hostile.test_in_production import SETTINGS, SITE

FOREIGN = [
    "https://evil.example",
    "http://localhost",
    "http://127.0.0.1:1",
    "http://localhost.evil.example",
    "null",
    "",
]
STATE_CHANGING = [
    ("POST", "/payment/prepare-order"),
    ("POST", "/payment/sandbox-success"),
    ("POST", "/payment/sandbox/webhook"),
    ("POST", "/api/log-restaurant-selection"),
    ("POST", "/api/demo-requests"),
    ("POST", "/api/calls/status"),
    ("POST", "/sandbox/pay"),
    ("POST", "/_upload"),
    ("POST", "/_event/"),
    ("PUT", "/api/ops/restaurants/1/status"),
    ("DELETE", "/api/ops/restaurants/1/status"),
]


@pytest.fixture(scope="module")
def production(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("origins"), **SETTINGS) as server:
        yield server


def first_message(server, origin):
    """Open the live status socket; return its first message."""
    with connect(
        f"ws://127.0.0.1:{server.port}/api/restaurants/live", origin=origin, proxy=None
    ) as socket:
        return json.loads(socket.recv(10))


@pytest.mark.parametrize("origin", FOREIGN)
def test_live_socket_is_rejected_when_origin_is_foreign(server, origin):
    with pytest.raises(InvalidStatus) as rejected:
        first_message(server, origin)
    assert rejected.value.response.status_code == 403


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_live_socket_is_accepted_when_origin_is_ours(server, host):
    assert first_message(server, f"http://{host}:{server.port}")["type"] == "STATUS_UPDATE"


def test_live_socket_is_accepted_when_origin_is_missing(server):
    assert first_message(server, None)["type"] == "STATUS_UPDATE"


def test_live_socket_accepts_only_public_url_in_production(production):
    assert first_message(production, SITE)["type"] == "STATUS_UPDATE"
    with pytest.raises(InvalidStatus):
        first_message(production, f"http://localhost:{production.port}")


@pytest.mark.parametrize(("method", "path"), STATE_CHANGING)
def test_request_is_rejected_when_origin_is_foreign(server, assert_unchanged, method, path):
    headers = {"origin": FOREIGN[0], "authorization": f"Bearer {OPERATOR_TOKEN}"}
    with assert_unchanged():
        response = server.http.request(method, path, json=order_body(), headers=headers)
    assert response.status_code == 403
    assert response.json()["error"]["code"] == "foreign_origin"


def test_preflight_from_foreign_origin_allows_nothing(server):
    headers = {"origin": FOREIGN[0], "access-control-request-method": "POST"}
    response = server.http.options("/payment/prepare-order", headers=headers)
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("origin", ["", "http://localhost:{port}", "http://127.0.0.1:{port}"])
def test_request_is_accepted_when_origin_is_ours_or_missing(server, origin):
    headers = {"origin": origin.format(port=server.port)} if origin else {}
    selection = {"restaurantId": 1, "restaurantName": "x", "timestamp": "2026-11-18T13:00:00Z"}
    response = server.http.post("/api/log-restaurant-selection", json=selection, headers=headers)
    assert response.status_code == 202
