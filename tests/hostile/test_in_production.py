"""Security headers, hosts and origins with production settings.

The tests place no order, so no external service is contacted.
"""

import contextlib

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.hostile.raw_socket_client import RawSocketClient
from tests.hostile.server import running_server

SITE = "https://food-points.example"
SETTINGS = {
    "ENVIRONMENT": "production",
    "PUBLIC_URL": SITE,
    "PAYMENT_PROVIDER": "cashfree",
    "CASHFREE_BASE_URL": "https://api.cashfree.com/pg",
    "CASHFREE_CLIENT_ID": "our-account",
    "CASHFREE_CLIENT_SECRET": "cfsk_ma_prod_5ecret",
    "MAIL_TRANSPORT": "smtp",
    "SMTP_HOST": "127.0.0.1",
    "SMTP_TLS": "none",
    "MAIL_FROM": "FOOD_points <orders@food-points.in>",
    "SALES_EMAIL": "sales@food-points.in",
    "CALL_TRANSPORT": "twilio",
    "TWILIO_ACCOUNT_SID": "AC" + "0" * 32,
    "TWILIO_AUTH_TOKEN": "t" * 32,
    "TWILIO_FROM": "+918012345678",
    "CAMPUS_NOW": "",
    "SOCKETS_PER_ADDRESS": "10",
}
PAGES = [
    "/",
    "/campus",
    "/about",
    "/menu/1",
    "/checkout",
    "/order-confirmation?token=x",
    "/nowhere",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """An installation with production settings."""
    with running_server(tmp_path_factory.mktemp("production"), **SETTINGS) as server:
        yield server


def content_security_policy(response):
    parts = (part.split() for part in response.headers["content-security-policy"].split(";"))
    return {name: set(allowed) for name, *allowed in parts}


@pytest.mark.parametrize("page", PAGES)
def test_page_has_security_headers(server, page):
    response = server.get(page)
    allowed = content_security_policy(response)
    assert "'self'" in allowed["script-src"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:"} & allowed["script-src"]
    assert allowed["connect-src"] == {"'self'", SITE.replace("https", "wss")}
    assert allowed["frame-ancestors"] == allowed["object-src"] == {"'none'"}
    for name, value in {
        "strict-transport-security": "max-age=31536000; includeSubDomains",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "strict-origin-when-cross-origin",
    }.items():
        assert response.headers[name] == value


@pytest.mark.parametrize(
    "path", ["/health", "/api/restaurants/status", "/payment/order-status/AS_100"]
)
def test_response_has_nosniff_and_hsts_headers(server, path):
    headers = server.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["strict-transport-security"].startswith("max-age=31536000")


@pytest.mark.parametrize("host", ["evil.example", "food-points.example.evil.example", "10.0.0.1"])
def test_unknown_host_header_is_rejected(server, host):
    for path in ("/", "/health", "/payment/order-status/AS_100"):
        response = server.http.get(path, headers={"host": host})
        assert response.status_code == 400
    accepted = server.http.get("/", headers={"host": "food-points.example"})
    assert accepted.status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"{SITE}.evil.example"])
@pytest.mark.parametrize("path", ["/api/restaurants/status", "/payment/order-status/AS_100", "/"])
def test_foreign_origin_gets_no_cors_headers(server, path, origin):
    response = server.http.get(path, headers={"origin": origin})
    assert "access-control-allow-origin" not in response.headers
    headers = {"origin": origin, "access-control-request-method": "POST"}
    preflight = server.http.options(path, headers=headers)
    assert "access-control-allow-origin" not in preflight.headers


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        pytest.param({"origin": "https://evil.example"}, 403, id="foreign origin"),
        pytest.param({"origin": "null"}, 403, id="hidden origin"),
        pytest.param({}, 422, id="no origin"),
    ],
)
@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]
)
@pytest.mark.parametrize(
    "path", ["/payment/prepare-order", "/payment/cashfree-success", "/api/demo-requests"]
)
def test_cross_site_form_is_rejected(server, path, kind, origin, status):
    """The origin check rejects the form or, without an Origin header, the content type check."""
    headers = {"content-type": kind} | origin
    response = server.http.post(path, content=b"{}", headers=headers)
    assert response.status_code == status
    stored = server.rows()
    assert stored["orders"] == stored["demo_requests"] == stored["outbox"] == []


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:3000", "null"])
def test_event_socket_is_rejected_when_origin_is_foreign(server, origin):
    with pytest.raises(InvalidStatus) as rejected, RawSocketClient(server.port, origin=origin):
        pass
    assert rejected.value.response.status_code == 403


def test_live_socket_counts_towards_sockets_per_address(server):
    live = f"{server.url.replace('http', 'ws')}/api/restaurants/live"
    with contextlib.ExitStack() as sockets:
        for _ in range(10):
            sockets.enter_context(connect(live, proxy=None))
        with pytest.raises(InvalidStatus):
            sockets.enter_context(connect(live, proxy=None))


def test_live_socket_is_closed_when_message_is_too_large(server):
    with connect(f"{server.url.replace('http', 'ws')}/api/restaurants/live", proxy=None) as socket:
        with pytest.raises(ConnectionClosed):  # noqa: PT012 - the server may close it early
            socket.send("x" * 2_000_000)
            list(socket)
