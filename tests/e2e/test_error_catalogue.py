"""Each error of the catalogue can occur and is shown. Source: specification 8.1 to 8.28."""

import re
import sqlite3
from contextlib import closing, contextmanager

import pytest
from playwright.sync_api import expect

from tests.e2e.assistant_page import DESKTOP
from tests.e2e.journey import (
    CART,
    at_details,
    card,
    freeze_clock,
    leave_pending,
    local_storage,
    open_page,
    pay,
    press_pay,
    run_clock_until_redirect,
    to_payment,
    to_waiting_room,
    wait_until_hydrated,
)
from tests.e2e.network import INIT, POLL, PageSocket, connection, remove_initial_statuses
from tests.helpers.builders import order_body
from tests.helpers.product import eventually

HOME = re.compile(r"//[^/]+/$")
UNKNOWN_TOKEN = "x" * 43


def at_home_with(page, words):
    """Expect the home screen with this message."""
    page.wait_for_url(HOME)
    expect(page.get_by_text(words)).to_be_visible()


@contextmanager
def without_orders(server):
    """Rename the table of the orders during the block.

    Its errors are expected until the end of the test: a background task may log its own after the block.
    """
    server.expect_errors("InvalidQuery", "invalid statement or missing migration")
    rename_table(server.database, "orders", "orders_elsewhere")
    yield
    rename_table(server.database, "orders_elsewhere", "orders")


def rename_table(database, old, new):
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(f"alter table {old} rename to {new}")


# Statuses


def test_initial_status_request_failure_shows_error(page):
    remove_initial_statuses(page)
    PageSocket(page, is_cut=True)
    page.route(INIT, lambda route: route.abort())
    open_page(page, "/about")
    expect(page.get_by_role("alert")).to_have_text("Failed to load restaurant statuses")
    connection(page).to_have_text("Connecting")
    expect(page.get_by_role("link", name="Pehla Food Point")).to_have_count(0)
    page.clock.run_for(5_000)
    expect(card(page, 1)).to_contain_text("OPEN")
    expect(page.get_by_role("alert")).to_have_text("")


def test_status_poll_failure_shows_connection_error(page):
    socket = PageSocket(page)
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    page.route(POLL, lambda route: route.fulfill(status=500))
    socket.disconnect()
    connection(page).to_have_text("Connecting")
    page.clock.run_for(2_000)
    expect(page.get_by_role("alert")).to_have_text("Connection error")
    expect(card(page, 1)).to_contain_text("OPEN")


def test_manual_refresh_failure_shows_error(page):
    open_page(page, "/about")
    connection(page).to_have_text("LIVE")
    page.route(POLL, lambda route: route.fulfill(status=200, body="no JSON"))
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_role("alert")).to_have_text("Refresh failed")
    connection(page).to_have_text("LIVE")


# Menus


def no_file(file):
    file.unlink()


def empty(file):
    file.write_text("")


def not_a_menu(file):
    file.write_text("dish;cost\nDal;80\n")


def not_text(file):
    file.write_bytes(b"\xff\xfe\x00id,name\xff")


def without_rows(file):
    file.write_text("id,name,description,price,category\n")


SPOILED = {
    1: (no_file, "Failed to load menu (Status: 404)"),
    2: (empty, "Menu data is empty"),
    3: (not_a_menu, "Failed to parse menu data"),
    5: (not_text, "Failed to parse menu data"),
    6: (without_rows, "No menu items found"),
}


def test_menu_load_failure_shows_its_error(own_server, visit):
    # These menus have no last good copy, which would be used otherwise.
    own_server.stop()
    for id_, (spoil, _) in SPOILED.items():
        spoil(own_server.menu_file(id_))
        own_server.delete_last_good_menu(id_)
    own_server.start()
    page = visit(own_server)
    for id_, (_, message) in SPOILED.items():
        open_page(page, f"/menu/{id_}")
        expect(page.get_by_role("alert")).to_have_text(f"Error: {message}")
    own_server.restore_menus()
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pahadi Northern Café")


@pytest.mark.parametrize("address", ["/menu/99", "/menu/0", "/menu/abc", "/menu/१"])
def test_unknown_restaurant_shows_menu_error(page, address):
    open_page(page, address)
    expect(page.get_by_role("alert")).to_have_text("Error: Restaurant not found")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("alert")).to_have_text("Error: Restaurant not found")


# Preparing and opening a payment


def test_backend_outage_shows_technical_issue_overlay(page, server, customer):
    to_waiting_room(page, server, customer)
    page.route("**/health", lambda route: route.abort())
    page.clock.fast_forward(5_000)
    overlay = page.get_by_role("alertdialog", name="Technical Issue Detected")
    expect(overlay).to_contain_text(
        "Unable to connect to our servers. Please contact the restaurant directly"
    )
    page.clock.fast_forward(10_000)
    expect(overlay.get_by_role("link", name="+91 00000 00001")).to_be_visible()


def test_payment_preparation_failure_shows_technical_issue(own_server, visit):
    page = visit(own_server)
    to_waiting_room(page, own_server, "unlucky@students.example")
    with without_orders(own_server):
        press_pay(page)
        expect(page.get_by_role("alertdialog", name="Technical Issue Detected")).to_be_visible()
        expect(page.get_by_text("Opening the payment page...")).to_have_count(0)
    assert "waiting room: the order could not be prepared" in own_server.log.read_text()


def test_payment_form_returns_503_when_disk_is_full(own_server, visit):
    page = visit(own_server)
    order = page.request.post("/payment/prepare-order", data=order_body()).json()
    amount = order["paymentBreakdown"]["preOrderPayment"]
    own_server.fill_disk()  # the sandbox can't store a payment
    answer = page.request.get(f"/api/payment-form/{amount}?order_id={order['orderId']}")
    own_server.free_disk()
    assert answer.status == 503
    assert answer.json()["success"] is False
    assert answer.json()["error"]["message"] == "Failed to get payment form URL"
    own_server.logged_errors()


# Coming back from the payment


def test_return_redirects_home_when_order_id_is_missing(page):
    arrive_at_return(page, "/payment-success", "Order ID not found. Redirecting...")
    page.clock.fast_forward(3_000)
    at_home_with(page, "Payment processing error. Please contact support.")


def test_return_redirects_home_when_order_is_not_found(page):
    arrive_at_return(page, f"/forms/response/{UNKNOWN_TOKEN}", "Order not found. Redirecting...")
    page.clock.fast_forward(3_000)
    at_home_with(page, "Order not found. Please contact support if payment was deducted.")


def arrive_at_return(page, address, words):
    page.goto("/health")
    freeze_clock(page)
    page.goto(address)
    expect(page.get_by_text("Do not refresh this page")).to_be_visible()
    expect(page.get_by_text(words)).to_be_visible()


def test_return_redirects_to_unverified_confirmation_after_timeout(page, server, customer):
    to_payment(page, server, customer)
    shown_texts = record_texts(page)
    pay(page, "Leave pending")
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    run_clock_until_redirect(page)
    page.wait_for_url("**/order-confirmation?**needsVerification=true**")
    assert "Payment verification taking longer than expected. Redirecting..." in shown_texts()


def test_return_retries_thirty_times_then_reports_failed_verification(own_server, visit):
    page = visit(own_server)
    to_payment(page, own_server, "unlucky@students.example")
    shown_texts = record_texts(page)
    freeze_clock(page)
    leave_pending(page)
    with without_orders(own_server):
        page.clock.run_for(1_000)
        for attempt in range(1, 31):
            retrying = f"Retrying payment verification... ({attempt}/30)"
            expect(page.get_by_text(retrying)).to_be_visible()
            page.clock.run_for(2_000)
        expect(page.get_by_text("Payment verification failed. Redirecting...")).to_be_visible()
        page.clock.run_for(3_000)
        page.wait_for_url("**/order-confirmation?**hasError=true**")
    assert "Payment verification failed. Redirecting..." in shown_texts()


def test_return_redirects_home_when_response_can_not_be_processed(own_server, visit):
    page = visit(own_server)
    number = to_payment(page, own_server, "unlucky@students.example")
    pay(page, "Leave pending")
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    with closing(sqlite3.connect(own_server.database)) as connection, connection:
        connection.execute("update orders set full_name = x'ff'")
    tab = page.context.new_page()
    tab.goto(f"/sandbox/pay?order_id={number}")
    pay(tab)
    eventually(lambda: own_server.status_of(number)["processed"], "the payment is known")
    page.clock.run_for(1_000)
    expect(page.get_by_text("Error processing payment response. Redirecting...")).to_be_visible()
    page.clock.run_for(3_000)
    at_home_with(page, "Payment processing error. Please contact support.")
    tab.close()
    # The mail is retried: later errors would fail the test.
    with closing(sqlite3.connect(own_server.database)) as connection, connection:
        connection.execute("update orders set full_name = 'Asha Rao'")
    own_server.wait_until_notified(number)
    own_server.logged_errors()


_WORDS = """
new MutationObserver(() => {
  const texts = JSON.parse(sessionStorage.getItem("shownTexts") || "[]");
  texts.push(document.body?.innerText || "");
  sessionStorage.setItem("shownTexts", JSON.stringify(texts));
}).observe(document, {childList: true, subtree: true, characterData: true});
"""


def record_texts(page):
    """Record all texts that pages show from now on; return a function that reads them."""
    page.add_init_script(_WORDS)
    return lambda: page.evaluate(
        "JSON.parse(sessionStorage.getItem('shownTexts') || '[]').join('|')"
    )


# On the confirmation, and home


def test_unclear_payment_redirects_home_with_message(visit, server, customer):
    page = visit(server, **DESKTOP)
    to_payment(page, server, customer)
    pay(page, "Leave pending")
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    run_clock_until_redirect(page)
    page.wait_for_url("**/order-confirmation?**")
    page.clock.run_for(3_000)
    expect(page.get_by_text(re.compile("Redirecting to home in"))).to_be_visible()
    page.clock.run_for(46_000)
    at_home_with(page, "Payment completed but order details unclear. Please check your email.")


def test_needs_verification_parameter_shows_its_hint(page, server, customer):
    hint(page, server, customer, "needsVerification")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Payment completed but verification is taking time. Please check your email."
    )


def test_has_error_parameter_shows_its_hint(page, server, customer):
    hint(page, server, customer, "hasError")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Could not verify payment status. Please check your email or contact support."
    )


def hint(page, server, customer, flag):
    number = to_payment(page, server, customer)
    page.goto(f"/order-confirmation?order_id={number}&{flag}=true")
    expect(page.get_by_text("This takes a moment.")).to_be_visible()
    page.clock.fast_forward(2_000)


def test_failed_payment_shows_banner_and_keeps_cart(page, server, customer):
    to_payment(page, server, customer)
    pay(page, "Decline payment")
    at_details(page)
    banner = page.get_by_role("alert").filter(has_text="Payment Failed")
    expect(banner).to_contain_text("The payment was declined.")
    assert CART in local_storage(page, "cart")


def test_notification_poll_failure_leaves_confirmation_unchanged(own_server, visit):
    page = visit(own_server)
    to_payment(page, own_server, "unlucky@students.example")
    pay(page)
    page.wait_for_url("**/order-confirmation**")
    page.clock.fast_forward(2_000)
    expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()
    own_server.wait_until_notified(own_server.orders("unlucky@students.example")[0]["number"])
    shown_texts = page.locator("main").inner_text()
    with without_orders(own_server):
        page.clock.run_for(4_000)
        shown_later = page.locator("main").inner_text()
        assert re.sub(r"\d+ seconds", "", shown_later) == re.sub(r"\d+ seconds", "", shown_texts)


# Images and closed restaurants


def test_restaurant_image_falls_back_to_default_when_it_fails(page):
    page.route("**/images/01-thali.svg", lambda route: route.abort())
    open_page(page, "/about")
    expect(card(page, 1).locator("img")).to_have_attribute("src", "/images/default.svg")
    expect(card(page, 2).locator("img")).to_have_attribute("src", "/images/02-chai.svg")


@pytest.mark.parametrize(
    ("address", "logo", "name"),
    [
        ("/campus", ".site-bar", "FOOD_points"),
        ("/?desktop=true", ".tara-page .hero__logo", "DA'VINCI"),
    ],
)
def test_logo_stays_visible_when_all_images_fail(page, address, logo, name):
    """The logos are text; a failed image shows no alternative text."""
    page.route(re.compile(r"\.(svg|png|webp|avif|jpg)$"), lambda route: route.abort())
    page.goto(address)
    expect(page.locator(logo)).to_contain_text(name)
    expect(page.locator(f"{logo} img")).to_have_count(0)
    failed = (
        "() => [...document.images].filter((each) => each.complete && !each.naturalWidth)"
        ".map((each) => each.alt)"
    )
    eventually(lambda: page.evaluate(failed), "a picture fails")
    assert set(page.evaluate(failed)) == {""}


def test_closed_restaurant_card_does_not_navigate(page):
    open_page(page, "/about")
    expect(card(page, 4)).to_contain_text("CLOSED")
    card(page, 4).click()
    card(page, 4).get_by_role("heading").click()
    wait_until_hydrated(page)
    expect(page).to_have_url(re.compile("/about$"))
