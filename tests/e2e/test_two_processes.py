"""Two processes of one installation: overrides reach the visitors of both."""

import time

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import WEDNESDAY, require_build
from tests.e2e.journey import ERRORS_WITHOUT_REDIS, card, open_page
from tests.e2e.kitchen import TABLET, enrol, ticket
from tests.e2e.kitchen import press as press_step
from tests.e2e.orders import paying, prepare
from tests.e2e.pushes import GOAL_MS
from tests.e2e.server import Server
from tests.helpers import product_devices
from tests.helpers.product import eventually


@pytest.fixture
def pair(tmp_path, redis):
    """Two servers that share a database and a Redis."""
    require_build()
    near = Server(tmp_path / "near", WEDNESDAY, redis_url=redis.url)
    far = Server(tmp_path / "far", WEDNESDAY, redis_url=redis.url)
    far.database = near.database
    near.start()
    far.start()
    yield near, far
    near.stop()
    far.stop()


def wait_for_redis_state(state, *servers):
    for server in servers:
        eventually(
            lambda server=server: server.get("/health").json()["services"]["redis"] == state,
            f"Redis is {state}",
        )


def test_order_paid_at_one_process_appears_on_a_board_of_the_other(visit, pair):
    near, far = pair
    board, student = enrol(visit(far, **TABLET), far), visit(near)
    prepared = prepare(near, "two.processes@students.example")
    number = prepared["orderId"]
    with paying(near, prepared) as press:
        press()
        expect(ticket(board, number)).to_be_visible(timeout=GOAL_MS)
    student.goto(f"/forms/response/{prepared['responseToken']}")
    progress = student.get_by_test_id("kitchen-progress")
    expect(progress).to_have_text("Sent to the kitchen")
    press_step(board, number, "Seen")
    expect(progress).to_have_text("The kitchen has seen it", timeout=GOAL_MS)
    (device,) = product_devices.device_ids(near, 1)
    product_devices.revoke(near, device)
    expect(ticket(board, number)).to_have_count(0, timeout=GOAL_MS)
    expect(board.get_by_text("This device has no kitchen")).to_be_visible()


def test_override_is_polled_when_redis_is_down(visit, pair, redis):
    near, far = pair
    page = visit(far)
    open_page(page, "/about")
    wait_for_redis_state("ok", near, far)
    far.expect_errors(*ERRORS_WITHOUT_REDIS)
    redis.stop()
    near.set_override(3, is_open=False)
    assert near.get("/health").json()["status"] == "degraded"
    assert near.get("/health").status_code == 200, "orders can be taken all the same"
    expect(card(page, 3)).to_contain_text("DELIVERY UNAVAILABLE", timeout=12_000)
    redis.start()
    wait_for_redis_state("ok", near, far)
    eventually(
        lambda: all(is_pushed_at_once(near, far) for _ in range(5)), "both listen to Redis again"
    )


def is_pushed_at_once(near, far):
    """Whether an override arrives sooner than by polling."""
    is_open = not far.get("/api/restaurants/status").json()["statuses"]["3"]["isOpen"]
    near.set_override(3, is_open=is_open)
    deadline = time.monotonic() + 0.5
    while time.monotonic() < deadline:
        is_shown_open = far.get("/api/restaurants/status").json()["statuses"]["3"]["isOpen"]
        if is_shown_open == is_open:
            return True
    return False
