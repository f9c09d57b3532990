"""nginx in front of two processes: static files, forwarding, limits and logs."""

import contextlib
import re
import secrets
import threading
import uuid
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from deploy.local_stack import nginx_at
from tests.helpers.builders import order_body
from tests.helpers.deployment import running_deployment
from tests.helpers.ports import free_port
from tests.helpers.product import OPERATOR_TOKEN, ROOT, eventually
from tests.hostile.raw_socket_client import RawSocketClient, at

BUILT = ROOT / ".web" / "build" / "client"
ORDERS = 60
SOCKET_LIMIT = 32
PLAIN = {"Accept-Encoding": "identity"}
"""Asks for the uncompressed file: only of that could nginx send a part."""
INCOMPLETE_REQUEST = {"fullName": "x"}
"""Is refused with 422, but counts for the limit of one demo request a minute."""
ESTABLISHED, TIME_WAIT = "01", "06"
_ORDER_INTERVAL_SECONDS = 0.04
"""Keeps the rate below nginx's limit per address."""


@pytest.fixture(scope="module")
def deployment():
    with running_deployment(
        DEMO_REQUESTS_PER_MINUTE="1", PREPARED_ORDERS_PER_MINUTE="100000"
    ) as deployment:
        yield deployment


@pytest.fixture
def http(deployment):
    with httpx.Client(base_url=deployment.url, timeout=20, trust_env=False) as client:
        yield client


def logged(deployment):
    return (deployment.parts.outbox.parent / "nginx" / "access.log").read_text()


def lines_about(script, deployment):
    return [line for line in logged(deployment).splitlines() if f"/assets/{script}" in line]


def test_static_files_are_served_compressed_and_immutable_by_nginx(deployment, http):
    script = next(BUILT.glob("assets/*.js.gz")).name.removesuffix(".gz")
    response = http.get(f"/assets/{script}")
    assert response.status_code == 200
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-type"].startswith(
        ("application/javascript", "text/javascript")
    )
    # nginx logs a request after its response.
    (line,) = eventually(lambda: lines_about(script, deployment), f"{script} is logged")
    assert line.endswith('"-" "-"')  # no upstream address or status: no process was asked


def test_pages_keep_headers_of_the_application(http, deployment):
    proxied, direct = http.get("/terms"), deployment.get("/terms", process=0)
    assert proxied.status_code == direct.status_code == 200
    set_by_each_server = {"date", "connection", "server", "transfer-encoding", "content-length"}
    forwarded = {k: v for k, v in proxied.headers.items() if k not in set_by_each_server}
    assert forwarded == {k: v for k, v in direct.headers.items() if k not in set_by_each_server}


def test_bodies_over_the_limit_get_413_in_json(http):
    for size in (300 * 1024, 3 * 1024 * 1024):
        response = http.post("/payment/prepare-order", content=b"x" * size)
        assert response.status_code == 413
        assert response.json()["error"]["code"] == "too_large"


@pytest.fixture
def strict_url(deployment, tmp_path):
    """The address of another nginx with low limits on calls and sockets."""
    port, limits = free_port(), {"calls_per_second": 1, "connections": SOCKET_LIMIT}
    nginx = nginx_at(tmp_path / "nginx", port, deployment.parts.ports, limits).start()
    yield f"http://127.0.0.1:{port}"
    nginx.stop()


def test_rate_limited_client_gets_429_and_can_still_read_pages(strict_url):
    with httpx.Client(base_url=strict_url, trust_env=False, timeout=30) as client:
        responses = [client.get("/api/restaurants/status") for _ in range(40)]
        rejected = [response for response in responses if response.status_code == 429]
        assert responses[0].status_code == 200
        assert rejected
        assert rejected[0].json()["error"]["code"] == "busy"
        assert int(rejected[0].headers["retry-after"]) > 0
        assert client.get("/terms").status_code == 200


@pytest.fixture
def behind_proxy_url(deployment, tmp_path):
    """The address of an nginx behind another proxy, with a low limit on calls."""
    port = free_port()
    limits = {"calls_per_second": 1, "trusted_proxies": ("127.0.0.1", "10.9.0.0/16")}
    nginx = nginx_at(tmp_path / "nginx", port, deployment.parts.ports, limits).start()
    yield f"http://127.0.0.1:{port}"
    nginx.stop()


def statuses_of(url, forwarded, count=40):
    """Return the statuses of calls that an outer proxy forwards for this chain of addresses."""
    with httpx.Client(base_url=url, trust_env=False, timeout=30) as client:
        headers = {"X-Forwarded-For": forwarded}
        calls = [client.get("/api/restaurants/status", headers=headers) for _ in range(count)]
    return [call.status_code for call in calls]


def test_visitors_behind_a_trusted_proxy_have_limits_of_their_own(behind_proxy_url):
    assert 429 in statuses_of(behind_proxy_url, "203.0.113.5")
    assert set(statuses_of(behind_proxy_url, "203.0.113.6", 3)) == {200}
    assert set(statuses_of(behind_proxy_url, "203.0.113.7, 10.9.0.1", 3)) == {200}


def test_visitor_behind_a_trusted_proxy_cannot_claim_another_address(behind_proxy_url):
    claimed = [statuses_of(behind_proxy_url, f"198.51.100.{n}, 203.0.113.8", 1) for n in range(40)]
    assert [429] in claimed


def test_application_sees_visitors_behind_a_trusted_proxy(behind_proxy_url):
    def request_demo(address):
        headers = {"X-Forwarded-For": address}
        url = f"{behind_proxy_url}/api/demo-requests"
        return httpx.post(
            url, json=INCOMPLETE_REQUEST, headers=headers, trust_env=False, timeout=30
        ).status_code

    first = [request_demo("203.0.113.20") for _ in range(3)]
    assert (first[0], first[-1]) == (422, 429)
    assert request_demo("203.0.113.21") == 422


def test_control_visitors_share_an_address_without_trusted_proxies(strict_url):
    assert [429] in [statuses_of(strict_url, f"203.0.113.{n}", 1) for n in range(40)]


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/assets/of-the-next-release.js", {}, 404),
        ("GET", "/fonts/of-the-next-release.woff2", {}, 404),
        ("GET", "/assets/", {}, 404),
        ("POST", "SCRIPT", {}, 405),
        ("GET", "SCRIPT", {"If-Match": '"another"'}, 412),
    ],
)
def test_error_in_place_of_a_static_file_is_not_cached(http, method, path, headers, status):
    script = next(BUILT.glob("assets/*.js")).name
    response = http.request(method, path.replace("SCRIPT", f"/assets/{script}"), headers=headers)
    assert response.status_code == status
    assert response.headers.get_list("cache-control") == ["no-store"]


def test_application_down_is_not_cached_in_place_of_a_static_file(tmp_path):
    port = free_port()
    nginx = nginx_at(tmp_path / "nginx", port, [free_port()]).start()
    try:
        url = f"http://127.0.0.1:{port}/assets/of-the-next-release.js"
        response = httpx.get(url, trust_env=False, timeout=30)
        assert response.status_code == 502
        assert response.headers.get_list("cache-control") == ["no-store"]
    finally:
        nginx.stop()


# nginx ignores a range beyond the end (`max_ranges 0`): its 416 would be cached for a year.
@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=999999999-"}], ids=["whole", "beyond"])
def test_control_static_file_is_cached_for_a_year(http, headers):
    script = next(BUILT.glob("assets/*.js")).name
    response = http.get(f"/assets/{script}", headers=headers | PLAIN)
    assert response.status_code == 200
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    tag = {"If-None-Match": response.headers["etag"]}
    unchanged = http.get(f"/assets/{script}", headers=tag | PLAIN)
    assert unchanged.status_code == 304
    assert unchanged.headers["cache-control"].endswith("immutable")


def test_sockets_per_address_are_limited(strict_url):
    live = f"{strict_url.replace('http', 'ws')}/api/restaurants/live"
    with contextlib.ExitStack() as sockets:
        for _ in range(SOCKET_LIMIT):
            sockets.enter_context(connect(live, proxy=None))
        with pytest.raises(InvalidStatus) as rejected:
            sockets.enter_context(connect(live, proxy=None))
    assert rejected.value.response.status_code == 429


def test_forwarded_for_header_of_client_is_ignored(http):
    forged = [{"X-Forwarded-For": f"10.0.0.{n}"} for n in range(3)]
    responses = [
        http.post("/api/demo-requests", json=INCOMPLETE_REQUEST, headers=each) for each in forged
    ]
    assert responses[-1].status_code == 429, "nginx passed on the client's X-Forwarded-For"


def test_metrics_of_one_process_are_not_exposed(deployment, http):
    operator = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
    assert http.get("/metrics").status_code == 404
    assert http.get("/metrics", headers=operator).status_code == 404
    assert deployment.get("/metrics", process=0).status_code == 401


def test_access_log_contains_no_token(deployment, http):
    session, order = secrets.token_hex(16), secrets.token_urlsafe(24)
    kitchen, call = secrets.token_urlsafe(16), secrets.token_urlsafe(24)
    port = int(deployment.url.rpartition(":")[2])
    with RawSocketClient(port, token=session, origin=deployment.url) as socket_client:
        socket_client.open_page(at("/terms"), {})
    http.get(f"/forms/response/{order}")
    http.get(f"/order-confirmation?token={order}")
    http.get(f"/kitchen/{kitchen}")
    http.post(f"/kitchen/{kitchen}")
    http.post(f"/api/calls/twilio/{call}")
    for each in ("/_event/", '"POST /kitchen/..."'):  # nginx logs a request after its response
        eventually(lambda each=each: each in logged(deployment), f"{each} is logged")
    text = logged(deployment)
    assert session not in text
    assert order not in text
    assert kitchen not in text
    assert call not in text
    assert "/forms/response/..." in text


def test_event_socket_is_rejected_when_origin_is_foreign(deployment):
    port = int(deployment.url.rpartition(":")[2])
    with (
        pytest.raises(Exception, match="403"),
        RawSocketClient(port, origin="https://evil.example"),
    ):
        pass


def prepare(http, key):
    """Send an order with an idempotency key; retry until the response is not a server error."""
    while True:
        try:
            response = http.post(
                "/payment/prepare-order", json=order_body(), headers={"Idempotency-Key": key}
            )
        except httpx.TransportError:
            continue
        if response.status_code < 500:
            return response


def test_no_order_is_lost_during_rolling_restart(deployment, http):
    """An upgrade restarts the processes one by one, see docs/operations.md."""
    keys = [uuid.uuid4().hex for _ in range(ORDERS)]
    remaining, responses, done = list(keys), {}, threading.Event()

    def order():
        with httpx.Client(base_url=deployment.url, timeout=20, trust_env=False) as client:
            while remaining or not done.is_set():
                key = remaining.pop() if remaining else uuid.uuid4().hex
                responses[key] = prepare(client, key)
                done.wait(_ORDER_INTERVAL_SECONDS)

    customers = [threading.Thread(target=order) for _ in range(3)]
    for customer in customers:
        customer.start()
    for backend in deployment.parts.backends:
        count = len(responses)
        backend.stop()
        eventually(lambda count=count: len(responses) > count + 5, "the other process responds")
        backend.start()
    done.set()
    for customer in customers:
        customer.join()
    assert set(keys) <= set(responses)
    assert {response.status_code for response in responses.values()} == {201}
    numbers = {response.json()["orderId"] for response in responses.values()}
    assert len(numbers) == len(responses)
    stored = deployment.rows("select number from orders")
    assert {row["number"] for row in stored} == numbers
    assert len(stored) == len(numbers)


def connections(state):
    """Return the local and the remote port of each IPv4 connection in this state of the kernel."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [
        tuple(int(end.rpartition(":")[2], 16) for end in (local, remote))
        for _, local, remote, found, *_ in rows
        if found == state
    ]


def test_idle_connection_to_a_process_is_closed_by_nginx(deployment, http):
    """If the process closed it while nginx sends a POST, nginx would answer 502."""
    ports = set(deployment.parts.ports)

    def opened():
        return [each for each in connections(ESTABLISHED) if each[1] in ports]

    eventually(lambda: not opened(), "the connections of other tests are closed")
    assert http.get("/api/clock").status_code == 200
    (of_nginx,) = opened()

    def ends_in_time_wait():
        return [each for each in connections(TIME_WAIT) if set(each) == set(of_nginx)]

    # The kernel has this state only for the end that was closed first.
    assert eventually(ends_in_time_wait, "the idle connection is closed") == [of_nginx]


def test_nginx_retries_other_process_when_one_is_down(deployment, http):
    deployment.parts.backends[1].kill()
    try:
        eventually(
            lambda: is_retried(http, deployment),
            "nginx retries a request at the running process",
        )
    finally:
        deployment.parts.backends[1].start()


def is_retried(http, deployment):
    """Whether nginx repeated a request at the running process after the other one failed."""
    assert http.get("/api/clock").status_code == 200
    return re.search(r'"127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+" "502, 200"', logged(deployment))
