"""Visitors behind nginx: any process serves them, and another one takes over when it is killed."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import require_build
from tests.e2e.journey import (
    CART,
    ERRORS_WITHOUT_REDIS,
    LATE_ERRORS_WITHOUT_REDIS,
    LUNCH,
    add,
    at_confirmation,
    at_waiting_room,
    card,
    choose_campus,
    confirm_details,
    freeze_clock,
    give_details,
    local_storage,
    next_to_details,
    open_page,
    open_payment,
    open_restaurant,
    pay,
    press_pay,
    proceed,
    wait_until_hydrated,
)
from tests.e2e.pushes import GOAL_MS
from tests.helpers.deployment import running_deployment
from tests.helpers.product import eventually

PROCESSES = (0, 1)
LOST = ".connection-banner.shown"
ORDERS = "select number, state from orders where email = %s"


@pytest.fixture(scope="module")
def running():
    require_build()
    with running_deployment() as deployment:
        yield deployment


@pytest.fixture
def deployment(running):
    """The running deployment without connected pages; a test starts again what it has killed."""
    running.forget_errors()
    running.expect_errors(*LATE_ERRORS_WITHOUT_REDIS)
    eventually(
        lambda: not any(running.pages_at(each) for each in PROCESSES), "all pages are closed"
    )
    return running


def connected(deployment, process):
    """Return how many pages are connected to a process."""
    return deployment.metrics(process)["campus_live_sessions",]


def test_order_completes_when_serving_process_is_killed_at_every_step(deployment, visit):
    # Source: specification P5.4.
    page = visit(deployment)
    open_page(page, "/campus")

    def die():
        """Kill the process that has the socket; the other one gets its visitor."""
        mine = 0 if connected(deployment, 0) else 1
        assert connected(deployment, mine) == 1
        deployment.parts.backends[mine].kill()
        eventually(lambda: connected(deployment, 1 - mine) == 1, "the other one has it")
        expect(page.locator(LOST)).to_have_count(0)
        deployment.parts.backends[mine].start()

    choose_campus(page)
    open_restaurant(page)
    add(page, *LUNCH[:2])
    die()
    add(page, *LUNCH[2:])
    expect(page.get_by_test_id("total")).to_have_text("₹380")
    proceed(page)
    page.get_by_role("radio", name="₹10", exact=True).click()
    expect(page.get_by_test_id("grand-total")).to_have_text("₹405")
    die()
    expect(page.get_by_test_id("grand-total")).to_have_text("₹405")
    next_to_details(page)
    give_details(page, Email="behind@students.example")
    page.get_by_role("button", name="NEXT").click()
    expect(page.get_by_text("press NEXT again")).to_be_visible()
    die()
    expect(page.get_by_label("Address")).to_have_value("Hostel 4, B block, room 212")
    confirm_details(page)
    at_waiting_room(page)
    die()
    number = open_payment(page)
    deployment.parts.backends[0].kill()
    pay(page)
    at_confirmation(page)
    expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{number}")
    deployment.wait_until_notified(number)
    (order,) = deployment.rows(ORDERS, "behind@students.example")
    assert (order["number"], order["state"]) == (number, "confirmed")
    deployment.parts.backends[0].start()


def test_operator_override_is_shown_by_both_processes(deployment, visit):
    pages = [visit(deployment) for _ in range(4)]
    for page in pages:
        open_page(page, "/about")
        expect(card(page, 3).get_by_role("link")).to_have_count(1)
    eventually(lambda: all(connected(deployment, each) for each in PROCESSES), "both have pages")
    for is_open, process in ((False, 0), (True, 1)):
        deployment.set_override(3, is_open=is_open, process=process)
        for page in pages:
            closed = card(page, 3).get_by_text("DELIVERY UNAVAILABLE")
            expect(closed).to_have_count(0 if is_open else 1, timeout=GOAL_MS)


def test_order_completes_after_redis_restart_with_all_sessions_lost(deployment, visit):
    page = visit(deployment)
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    deployment.expect_errors(*ERRORS_WITHOUT_REDIS)
    deployment.parts.redis.kill()
    expect(page.locator(LOST)).to_be_visible()
    page.get_by_role("button", name="Add one Mini Thali", exact=True).first.click()
    assert CART in local_storage(page, "cart")
    assert deployment.get("/health").json()["services"]["redis"] == "down"
    deployment.parts.redis.start()
    expect(page.locator(LOST)).to_have_count(0)
    wait_until_hydrated(page)
    expect(page.get_by_test_id("total")).to_have_text(re.compile("₹470"))
    proceed(page)
    next_to_details(page)
    give_details(page, Email="patient@students.example")
    confirm_details(page)
    at_waiting_room(page)
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    deployment.wait_until_notified(number)


def closed_sessions(deployment):
    """Return how many pages have disconnected from the two processes."""
    return sum(deployment.metrics(each)["campus_closed_sessions_total",] for each in PROCESSES)


def test_cart_survives_redis_restart_before_disconnect_is_detected(deployment, visit):
    page = visit(deployment)
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    deployment.expect_errors(*ERRORS_WITHOUT_REDIS)
    before = closed_sessions(deployment)  # those of the pages of other tests
    deployment.parts.redis.kill()
    deployment.parts.redis.start()
    eventually(
        lambda: (
            closed_sessions(deployment) > before
            and any(connected(deployment, each) for each in PROCESSES)
        ),
        "the page has reconnected",
    )
    wait_until_hydrated(page)
    add(page, "Mini Thali")
    expect(page.get_by_test_id("total")).to_have_text("₹470")


class HealthChecks:
    """The requests of /health that a page sends from now on, while its clock stands."""

    def __init__(self, page):
        self.ended = []
        self._page, self._waiting = page, []
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)

    def run_clock(self, milliseconds):
        """Run the clock in steps: the page would cancel a check that waits too long by its clock."""
        for _ in range(milliseconds // 100):
            self._page.clock.run_for(100)
            eventually(lambda: self._page.evaluate("1") and not self._waiting, "it is answered")

    def _begin(self, request):
        if request.url.endswith("/health"):
            self._waiting.append(request)

    def _end(self, request):
        if request in self._waiting:
            self._waiting.remove(request)
            self.ended.append(request)


def test_payment_waits_for_database_restart(deployment, visit):
    page = visit(deployment)
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    proceed(page)
    next_to_details(page)
    give_details(page, Email="database@students.example")
    confirm_details(page)
    at_waiting_room(page)
    freeze_clock(page)
    checks = HealthChecks(page)
    deployment.expect_errors("campus_app.ordering.screens.waiting_room_state", "Traceback")
    deployment.parts.postgres.kill()
    press_pay(page)
    expect(page.get_by_test_id("overlay-countdown")).to_have_text("10")
    assert deployment.get("/health").status_code == 503
    checks.run_clock(5_000)
    assert {each.response().status for each in checks.ended} == {503}
    expect(page.get_by_test_id("overlay-countdown")).to_have_text("5")
    deployment.parts.postgres.start()
    eventually(
        lambda: all(
            deployment.get("/health", process=each).status_code == 200 for each in PROCESSES
        ),
        "orders can be taken again",
    )
    checks.run_clock(5_000)
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    page.clock.resume()
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    deployment.wait_until_notified(number)
    orders = deployment.rows(ORDERS, "database@students.example")
    assert [order["number"] for order in orders] == [number]
