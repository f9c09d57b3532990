"""The return from the payment page: its messages and redirects."""

import re

from playwright.sync_api import expect

from campus_app.shared.rules.constants import SUPPORT_EMAIL
from tests.e2e.journey import (
    at_confirmation,
    freeze_clock,
    hold_messages_after,
    leave_pending,
    pay,
    run_until_reconnecting,
    to_payment,
)
from tests.e2e.network import PageSocket
from tests.e2e.orders import pay_for, prepare
from tests.helpers.product import eventually

UNVERIFIED = "Could not verify payment status. Please check your email or contact support."
_CONFIRMATION = re.compile(r"/assets/_order-confirmation_.*\.js$")
NO_ID = "Order ID not found. Redirecting..."
UNKNOWN = "Order not found. Redirecting..."
HOME_UNKNOWN = "Order not found. Please contact support if payment was deducted."
HOME_ERROR = "Payment processing error. Please contact support."


def expect_redirect_home(page, address, shown, message):
    freeze_clock(page)  # the redirect follows three seconds after the message
    page.goto(address)
    expect(page.get_by_text(shown)).to_be_visible()
    expect(page.get_by_text("Do not refresh this page")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not verified yet")
    page.clock.run_for(2_000)
    assert not page.url.rstrip("/").endswith(page.evaluate("location.host"))
    page.clock.resume()
    page.wait_for_url(re.compile(r"//[^/]+/$"))
    alert = page.get_by_role("alert").filter(has_text=message)
    expect(alert).to_be_visible()
    support = alert.get_by_role("link", name=SUPPORT_EMAIL)
    expect(support).to_have_attribute("href", f"mailto:{SUPPORT_EMAIL}")


def test_return_without_order_shows_message_and_redirects_home(page):
    for address in ("/payment-success", "/cashfree-response", "/forms/response/"):
        expect_redirect_home(page, address, NO_ID, HOME_ERROR)


def test_return_with_unknown_order_shows_message_and_redirects_home(page):
    for address in (
        "/forms/response/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "/cashfree-response?order_id=AS_99999",
        "/payment-success?order_id=nonsense",
    ):
        expect_redirect_home(page, address, UNKNOWN, HOME_UNKNOWN)


def test_return_page_adds_no_history_entry(page, server, customer):
    to_payment(page, server, customer)
    before = page.evaluate("history.length")
    pay(page)
    at_confirmation(page)
    assert page.evaluate("history.length") == before + 1


def exhaust_retries(page):
    """Let thirty attempts fail; expect the message before the redirect."""
    retrying = page.get_by_text("Retrying payment verification...")
    for attempt in range(1, 31):
        expect(retrying).to_have_text(f"Retrying payment verification... ({attempt}/30)")
        page.clock.run_for(2_000)
    announced = page.get_by_text("Payment verification failed. Redirecting...")
    expect(announced).to_be_visible()
    page.clock.run_for(2_500)
    expect(announced).to_be_visible()
    page.clock.run_for(500)
    page.wait_for_url("**/order-confirmation?**hasError=true**")


def expect_unverified(page, number):
    expect(page.get_by_role("heading", level=1)).to_have_text(UNVERIFIED)
    expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{number}")
    support = page.get_by_role("link", name=SUPPORT_EMAIL)
    expect(support).to_be_visible()


def test_return_redirects_to_confirmation_when_server_stays_down(own_server, visit):
    page = visit(own_server)
    number = to_payment(page, own_server, "patient@students.example")
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    leave_pending(page)
    (module, *_) = eventually(
        lambda: page.evaluate("1") and [url for url in requested if _CONFIRMATION.search(url)],
        "the page loads the next screen",
    )
    page.evaluate("(module) => import(module).then(() => {})", module)  # all of it has arrived
    page.evaluate("Math.random = () => 0")
    freeze_clock(page)
    own_server.kill()
    retrying = page.get_by_text("Retrying payment verification...")
    run_until_reconnecting(page, retrying.is_visible)
    exhaust_retries(page)
    expect_unverified(page, number)
    own_server.start()
    page.clock.resume()
    expect(page.get_by_test_id("redirect-countdown")).to_be_visible()
    expect_unverified(page, number)


def test_return_redirects_to_confirmation_when_socket_never_connects(visit, server, customer):
    page = visit(server)
    number = to_payment(page, server, customer)
    freeze_clock(page)
    PageSocket(page, is_cut=True)
    page.goto(f"/payment-success?order_id={number}")
    exhaust_retries(page)
    expect_unverified(page, number)


def test_return_redirects_to_confirmation_when_server_stops_responding(visit, server, customer):
    page = visit(server)
    number = to_payment(page, server, customer)
    freeze_clock(page)
    held = hold_messages_after(page, '"is_hydrated_rx_state_":true')
    page.goto(f"/payment-success?order_id={number}")
    eventually(lambda: page.evaluate("1") and held, "the server's last answer")
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    while page.get_by_text("Verifying your payment...").is_visible():
        page.clock.run_for(100)
    exhaust_retries(page)
    expect(page.get_by_text("Checking your payment")).to_be_visible()
    page.clock.run_for(6_000)
    expect_unverified(page, number)


def test_confirmation_shows_number_while_disconnected_and_order_afterwards(visit, server, customer):
    page = visit(server)
    prepared = prepare(server, customer)
    number = pay_for(server, prepared)
    page.goto("/health")
    freeze_clock(page)
    socket = PageSocket(page, is_cut=True)
    page.goto(f"/order-confirmation?order_id={number}&token={prepared['responseToken']}")
    expect(page.get_by_text("Checking your payment")).to_be_visible()
    # The text is prerendered; the page's 10 s begin when its own socket has failed, the second one:
    # the first is opened while the page's scripts load.
    eventually(lambda: page.evaluate("window.refused > 1"), "an attempt to connect has failed")
    page.clock.run_for(11_000)
    expect_unverified(page, number)
    page.clock.run_for(60_000)  # beyond the attempts of other screens
    socket.reconnect()
    page.clock.run_for(11_000)
    page.clock.resume()
    expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()


def test_return_confirms_order_when_server_recovers_while_polling(own_server, visit):
    page = visit(own_server)
    number = to_payment(page, own_server, "brief@students.example")
    freeze_clock(page)
    leave_pending(page)
    page.evaluate("Math.random = () => 0")
    own_server.kill()
    retrying = re.compile(r"Retrying payment verification\.\.\. \(\d/30\)")
    run_until_reconnecting(page, page.get_by_text(retrying).is_visible)
    own_server.start()
    tab = page.context.new_page()
    tab.goto(f"/sandbox/pay?order_id={number}")
    pay(tab)
    page.clock.resume()
    page.clock.run_for(8_000)
    page.wait_for_url("**/order-confirmation**")
