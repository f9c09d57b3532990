"""nginx in front of two processes: static files, forwarding, limits and logs."""

import contextlib
import re
import secrets
import threading
import uuid

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
FEW = 32
_BETWEEN_ORDERS_SECONDS = 0.04
"""The rate stays below nginx's limit per address."""


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


def test_static_files_are_served_compressed_and_immutable_by_nginx(deployment, http):
    script = next(BUILT.glob("assets/*.js.gz")).name.removesuffix(".gz")
    answer = http.get(f"/assets/{script}")
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-type"].startswith(("application/javascript", "text/javascript"))
    (line,) = [line for line in logged(deployment).splitlines() if f"/assets/{script}" in line]
    assert line.endswith('"-" "-"')


def test_pages_keep_headers_of_the_application(http, deployment):
    through, direct = http.get("/terms"), deployment.get("/terms", process=0)
    assert through.status_code == direct.status_code == 200
    own = {"date", "connection", "server", "transfer-encoding", "content-length"}
    kept = {k: v for k, v in through.headers.items() if k not in own}
    assert kept == {k: v for k, v in direct.headers.items() if k not in own}


def test_bodies_over_the_limit_get_413_in_json(http):
    for size in (300 * 1024, 3 * 1024 * 1024):
        answer = http.post("/payment/prepare-order", content=b"x" * size)
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "too_large"


@pytest.fixture
def strict_url(deployment, tmp_path):
    """The address of another nginx with low limits on calls and sockets."""
    port, limits = free_port(), {"calls_per_second": 1, "connections": FEW}
    nginx = nginx_at(tmp_path / "nginx", port, deployment.parts.ports, limits).start()
    yield f"http://127.0.0.1:{port}"
    nginx.stop()


def test_rate_limited_client_gets_429_and_can_still_read_pages(strict_url):
    with httpx.Client(base_url=strict_url, trust_env=False) as client:
        answers = [client.get("/api/restaurants/status") for _ in range(12)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert answers[0].status_code == 200
        assert refused
        assert refused[0].json()["error"]["code"] == "busy"
        assert int(refused[0].headers["retry-after"]) > 0
        assert client.get("/terms").status_code == 200


def test_sockets_per_address_are_limited(strict_url):
    live = f"{strict_url.replace('http', 'ws')}/api/restaurants/live"
    with contextlib.ExitStack() as opened:
        for _ in range(FEW):
            opened.enter_context(connect(live, proxy=None))
        with pytest.raises(InvalidStatus) as refused:
            opened.enter_context(connect(live, proxy=None))
    assert refused.value.response.status_code == 429


def test_forwarded_for_header_of_client_is_ignored(http):
    body = {"fullName": "x"}
    answers = [
        http.post("/api/demo-requests", json=body, headers={"X-Forwarded-For": f"10.0.0.{n}"})
        for n in range(3)
    ]
    assert answers[-1].status_code == 429, "each process lets one pass, and sees one address"


def test_metrics_of_one_process_are_not_exposed(deployment, http):
    operator = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
    assert http.get("/metrics").status_code == 404
    assert http.get("/metrics", headers=operator).status_code == 404
    assert deployment.get("/metrics", process=0).status_code == 401


def test_access_log_contains_no_token(deployment, http):
    session, order = secrets.token_hex(16), secrets.token_urlsafe(24)
    port = int(deployment.url.rpartition(":")[2])
    with RawSocketClient(port, token=session, origin=deployment.url) as socket_client:
        socket_client.open_page(at("/terms"), {})
    http.get(f"/forms/response/{order}")
    http.get(f"/order-confirmation?token={order}")
    eventually(lambda: "/_event/" in logged(deployment), "the socket is in the log")
    text = logged(deployment)
    assert session not in text
    assert order not in text
    assert "/forms/response/..." in text


def test_event_socket_is_rejected_when_origin_is_foreign(deployment):
    port = int(deployment.url.rpartition(":")[2])
    with (
        pytest.raises(Exception, match="403"),
        RawSocketClient(port, origin="https://evil.example"),
    ):
        pass


def prepare(http, key):
    """Retry an order with an idempotency key until there is a response."""
    while True:
        try:
            answer = http.post(
                "/payment/prepare-order", json=order_body(), headers={"Idempotency-Key": key}
            )
        except httpx.TransportError:
            continue
        if answer.status_code < 500:
            return answer


def test_no_order_is_lost_during_rolling_restart(deployment, http):
    """The procedure of an upgrade, see docs/operations.md."""
    keys = [uuid.uuid4().hex for _ in range(ORDERS)]
    left, answers, done = list(keys), {}, threading.Event()

    def order():
        with httpx.Client(base_url=deployment.url, timeout=20, trust_env=False) as client:
            while left or not done.is_set():
                key = left.pop() if left else uuid.uuid4().hex
                answers[key] = prepare(client, key)
                done.wait(_BETWEEN_ORDERS_SECONDS)

    customers = [threading.Thread(target=order) for _ in range(3)]
    for customer in customers:
        customer.start()
    for backend in deployment.parts.backends:
        already = len(answers)
        backend.stop()
        eventually(lambda already=already: len(answers) > already + 5, "the other one goes on")
        backend.start()
    done.set()
    for customer in customers:
        customer.join()
    assert set(keys) <= set(answers)
    assert {answer.status_code for answer in answers.values()} == {201}
    numbers = {answer.json()["orderId"] for answer in answers.values()}
    assert len(numbers) == len(answers)
    stored = deployment.rows("select number from orders")
    assert {row["number"] for row in stored} == numbers
    assert len(stored) == len(numbers)


def test_nginx_retries_other_process_when_one_is_down(deployment, http):
    deployment.parts.backends[1].kill()
    try:
        eventually(lambda: is_passed_on(http, deployment), "nginx tries the one that is gone")
    finally:
        deployment.parts.backends[1].start()


def is_passed_on(http, deployment):
    """Whether a call reached the second process after the first one failed."""
    assert http.get("/api/clock").status_code == 200
    return re.search(r'"127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+" "502, 200"', logged(deployment))
