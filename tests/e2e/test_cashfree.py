"""Payments at Cashfree in a browser: with its script, without it, and with the plain form."""

import asyncio
import re
import threading
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from kit.clock import SystemClock
from tests.e2e.conftest import WEDNESDAY, require_build
from tests.e2e.journey import (
    at_confirmation,
    at_details,
    at_waiting_room,
    freeze_clock,
    press_pay,
    to_waiting_room,
)
from tests.e2e.server import Server
from tests.fakes.cashfree import CLIENT_ID, CLIENT_SECRET, FakeCashfree, Fault
from tests.helpers.server import serving

SDK = "https://sdk.cashfree.com/js/v3/cashfree.js"
SCRIPT = """window.Cashfree = ({ mode }) => ({
  checkout: async (given) => {
    const form = document.getElementById("checkout");
    form.dataset.started = "";
    console.info(`checkout ${mode} ${given.paymentSessionId} ${given.redirectTarget}`);
    form.submit();
    return { redirect: true };
  },
});"""


LATE = SCRIPT.replace(
    "form.dataset",
    'await new Promise((done) => addEventListener("load", () => setTimeout(done, 50)));\n    form.dataset',
)


class CashfreeServer(Server):
    """An installation with Cashfree as its payment provider."""

    settings = {}

    def _environment(self):
        return super()._environment() | self.settings


@contextmanager
def running(fake):
    """Serve the fake in a thread; yield its address."""
    loop, address, over = asyncio.new_event_loop(), [], asyncio.Event()
    is_up = threading.Event()

    async def serve():
        async with serving(fake.app) as where:
            address.append(where)
            is_up.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert is_up.wait(20)
    try:
        yield address[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def fake():
    return FakeCashfree(SystemClock.starting_at(WEDNESDAY), allows_http=True)


in_each_mode = pytest.mark.parametrize("shop", ["sdk", "form"], indirect=True)
with_the_script = pytest.mark.parametrize("shop", ["sdk"], indirect=True)


@pytest.fixture(scope="module")
def shop(request, fake, tmp_path_factory):
    require_build()
    server = CashfreeServer(tmp_path_factory.mktemp("cashfree"), WEDNESDAY)
    with running(fake) as address:
        server.settings = {
            "PAYMENT_PROVIDER": "cashfree",
            "CASHFREE_CLIENT_ID": CLIENT_ID,
            "CASHFREE_CLIENT_SECRET": CLIENT_SECRET,
            "CASHFREE_BASE_URL": f"{address}/pg",
            "CASHFREE_CHECKOUT_MODE": request.param,
        }
        server.mode = request.param
        server.start()
        yield server
        server.stop()


@pytest.fixture
def page(visit, shop):
    """A phone; a stub replaces Cashfree's script."""
    opened = visit(shop)
    opened.route(
        f"{SDK}*", lambda route: route.fulfill(body=SCRIPT, content_type="text/javascript")
    )
    return opened


def at_cashfree(page):
    page.wait_for_url("**/view/sessions/checkout")
    expect(page.get_by_role("heading", name=re.compile("^Pay "))).to_be_visible()


@in_each_mode
def test_order_is_paid_at_cashfree_and_confirmed(page, shop, fake, customer):
    console_lines = []
    page.on("console", lambda line: console_lines.append(line.text))
    to_waiting_room(page, shop, customer)
    press_pay(page)
    at_cashfree(page)
    started = [line for line in console_lines if line.startswith("checkout ")]
    order = list(fake.orders.values())[-1]
    by_script = [f"checkout sandbox {order.session} _self"]
    assert started == (by_script if shop.mode == "sdk" else [])
    page.get_by_role("button", name="Pay now").click()
    at_confirmation(page)
    (placed,) = shop.orders(customer)
    assert (placed["state"], placed["payment_state"]) == ("confirmed", "paid")
    shop.wait_until_notified(placed["number"])


@with_the_script
def test_pay_retries_after_countdown_when_provider_is_busy(page, shop, fake, customer):
    to_waiting_room(page, shop, customer)
    fake.fail_next("create", Fault(429, {"x-ratelimit-retry": "6"}))
    freeze_clock(page)
    press_pay(page)
    countdown = page.get_by_test_id("retry-countdown")
    expect(countdown).to_have_text(re.compile(r"Trying again in [1-6] seconds"))
    overlay = page.locator(".overlay.processing")
    expect(overlay).to_contain_text("Your cart is kept and nothing was charged.")
    page.clock.resume()
    at_cashfree(page)
    assert len(fake.calls("create")) >= 2


@in_each_mode
def test_back_from_cashfree_returns_to_waiting_room_with_same_order(page, shop, fake, customer):
    to_waiting_room(page, shop, customer)
    press_pay(page)
    at_cashfree(page)
    page.go_back()
    at_waiting_room(page)
    orders = len(fake.orders)
    press_pay(page)
    at_cashfree(page)
    assert len(fake.orders) == orders


@with_the_script
def test_checkout_page_does_not_redirect_again_when_revisited(page, shop, customer):
    """If the script is slow, our page stays in the tab's history."""
    page.route(f"{SDK}*", lambda route: route.fulfill(body=LATE, content_type="text/javascript"))
    to_waiting_room(page, shop, customer)
    press_pay(page)
    at_cashfree(page)
    page.go_back()
    page.wait_for_url("**/pay/**")
    page.wait_for_load_state("networkidle")
    assert "/pay/" in page.url
    page.get_by_role("button", name="Continue to payment").click()
    at_cashfree(page)


@with_the_script
def test_declined_cashfree_payment_shows_error_on_details(page, shop, customer):
    to_waiting_room(page, shop, customer)
    press_pay(page)
    at_cashfree(page)
    page.get_by_role("button", name="Fail").click()
    at_details(page)
    expect(page.get_by_role("alert").filter(has_text="Payment Failed")).to_be_visible()


@with_the_script
def test_form_redirects_when_cashfree_script_is_blocked(page, shop, customer):
    page.route(f"{SDK}*", lambda route: route.abort())
    to_waiting_room(page, shop, customer)
    press_pay(page)
    at_cashfree(page)


@in_each_mode
def test_button_redirects_when_javascript_is_disabled(visit, shop, page, customer):
    to_waiting_room(page, shop, customer)
    page.route("**/pay/**", lambda route: route.abort())
    with page.expect_request("**/pay/**") as request_info:
        press_pay(page)
    plain = visit(shop, java_script_enabled=False)
    plain.goto(request_info.value.url)
    plain.get_by_role("button", name="Continue to payment").click()
    plain.wait_for_url("**/view/sessions/checkout")
