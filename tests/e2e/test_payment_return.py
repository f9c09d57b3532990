"""Coming back from the payment page: every message, and where each leads."""

import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import (
    at_confirmation,
    freeze,
    leave_pending,
    pay,
    stored_for_tab,
    to_payment,
)

NO_ID = "Order ID not found. Redirecting..."
UNKNOWN = "Order not found. Redirecting..."
HOME_UNKNOWN = "Order not found. Please contact support if payment was deducted."
HOME_ERROR = "Payment processing error. Please contact support."


def goes_home(page, message):
    page.clock.run_for(2_000)
    assert not page.url.rstrip("/").endswith(page.evaluate("location.host"))
    page.clock.run_for(1_500)
    page.wait_for_url(re.compile(r"//[^/]+/$"))
    expect(page.get_by_role("status").filter(has_text=message)).to_be_visible()


@pytest.mark.parametrize(
    "address", ["/payment-success", "/cashfree-response", "/forms/response", "/forms/response/"]
)
def test_without_an_order_the_visitor_is_told_and_sent_home(page, address):
    page.goto(address)
    expect(page.get_by_text(NO_ID)).to_be_visible()
    expect(page.get_by_text("Do not refresh this page")).to_be_visible()
    goes_home(page, HOME_ERROR)


@pytest.mark.parametrize(
    "address",
    [
        "/forms/response/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "/cashfree-response?order_id=AS_99999",
        "/payment-success?order_id=nonsense",
    ],
)
def test_an_unknown_order_is_told_and_sent_home(page, address):
    page.goto(address)
    expect(page.get_by_text(UNKNOWN)).to_be_visible()
    goes_home(page, HOME_UNKNOWN)


def test_the_order_of_this_tab_is_found_without_a_token_in_the_address(page, server, customer):
    number = to_payment(page, server, customer)
    page.route("**/forms/response/**", lambda route: route.abort())
    with page.expect_request("**/forms/response/**"):
        pay(page)
    page.goto(f"/payment-success?order_id={number}")
    at_confirmation(page)
    assert stored_for_tab(page, "lastOrderId") == number


def test_the_way_back_leaves_no_entry_in_the_history(page, server, customer):
    to_payment(page, server, customer)
    before = page.evaluate("history.length")
    pay(page)
    at_confirmation(page)
    assert page.evaluate("history.length") == before + 1


def test_errors_of_the_server_are_counted_and_it_goes_on_when_they_end(own_server, visit):
    page = visit(own_server)
    to_payment(page, own_server, "a@students.example", webhook="never")
    pay(page, "Leave pending")
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    with closing(sqlite3.connect(own_server.database)) as connection:
        connection.execute("alter table orders rename to orders_elsewhere")
        for attempt in (1, 2, 3):
            page.clock.run_for(2_000)
            expect(
                page.get_by_text(
                    re.compile(rf"Retrying payment verification\.\.\. \([{attempt}-9]/30\)")
                )
            ).to_be_visible()
        connection.execute("alter table orders_elsewhere rename to orders")
    page.clock.run_for(2_000)
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    assert own_server.troubles() != []


def test_a_server_that_is_gone_is_asked_30_times_every_2_seconds(own_server, visit):
    page = visit(own_server)
    email = "patient@students.example"
    number = to_payment(page, own_server, email)
    leave_pending(page)
    freeze(page)
    own_server.kill()
    retrying = page.get_by_text("Retrying payment verification...")
    for attempt in range(1, 31):
        expect(retrying).to_have_text(f"Retrying payment verification... ({attempt}/30)")
        page.clock.run_for(2_000)
    expect(page.get_by_text("Payment verification failed. Redirecting...")).to_be_visible()
    own_server.start()
    page.clock.resume()
    page.wait_for_url("**/order-confirmation?**hasError=true**")
    page.clock.run_for(2_000)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Could not verify payment status. Please check your email or contact support."
    )
    assert number in page.url


def test_a_server_that_comes_back_while_it_is_asked_confirms(own_server, visit):
    page = visit(own_server)
    number = to_payment(page, own_server, "brief@students.example")
    freeze(page)
    leave_pending(page)
    own_server.kill()
    page.clock.run_for(4_000)
    expect(
        page.get_by_text(re.compile(r"Retrying payment verification\.\.\. \(\d/30\)"))
    ).to_be_visible()
    own_server.start()
    tab = page.context.new_page()
    tab.goto(f"/sandbox/pay?order_id={number}")
    pay(tab)
    page.clock.resume()
    page.clock.run_for(8_000)
    page.wait_for_url("**/order-confirmation**")
