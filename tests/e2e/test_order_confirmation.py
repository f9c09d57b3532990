"""The confirmation: shown only for paid orders, with details only for the token's holder."""

import json
import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.e2e.assistant_page import DESKTOP
from tests.e2e.journey import (
    at_confirmation,
    freeze_clock,
    hold_messages_after,
    local_storage,
    pay,
    session_storage,
    to_payment,
)
from tests.e2e.orders import pay_for, prepare
from tests.helpers.product import eventually

PAID_WORDS = ("ORDER CONFIRMED", "Payment Successful!")
UNSURE = "Payment completed but verification is taking time. Please check your email."
FORGED = "order_id={number}&status=SUCCESS&payment_id=pay_1&paymentSuccess=true&fromPayment=true&emailsSent=2&missedCallStatus=success"


def expect_no_paid_text(page):
    for words in PAID_WORDS:
        expect(page.get_by_text(words)).to_have_count(0)


def test_forged_url_confirms_nothing(page, server, customer):
    prepared = prepare(server, customer)
    query = FORGED.format(number=prepared["orderId"]) + f"&token={prepared['responseToken']}"
    page.goto("/health")
    freeze_clock(page)
    page.goto(f"/order-confirmation?{query}")
    expect(page.get_by_text("This takes a moment.")).to_be_visible()
    expect_no_paid_text(page)
    page.clock.run_for(2_500)
    expect(page.get_by_role("heading", level=1)).to_have_text(UNSURE)
    expect_no_paid_text(page)
    expect(page.get_by_text("Notified", exact=True)).to_have_count(0)
    expect(page.get_by_text("MISSED CALL SENT")).to_have_count(0)
    page.clock.run_for(4_500)
    expect_no_paid_text(page)
    assert server.mails_about(prepared["orderId"]) == []


def test_nonexistent_order_redirects_home_with_message(page):
    page.goto("/order-confirmation?order_id=<script>&status=SUCCESS")
    page.wait_for_url(re.compile(r"//[^/]+/$"))
    expect(
        page.get_by_text("Order not found. Please contact support if payment was deducted.")
    ).to_be_visible()


def test_order_number_alone_shows_no_personal_data(page, server, customer):
    number = pay_for(server, prepare(server, customer))
    page.goto(f"/order-confirmation?{FORGED.format(number=number)}")
    page.clock.run_for(2_500)
    expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{number}")
    page.clock.run_for(4_500)
    text = page.locator("html").inner_text() + page.content()
    for secret in ("Meera", "MEERA", customer, "98000", "Hostel 9", "Pehla", "₹"):
        assert secret not in text, secret
    expect(page.get_by_test_id("amount-due")).to_have_count(0)


def test_confirmation_with_token_opens_on_another_device(page, server, customer):
    prepared = prepare(server, customer)
    number = pay_for(server, prepared)
    page.goto(f"/order-confirmation?order_id={number}&token={prepared['responseToken']}")
    at_confirmation(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("THANK YOU, MEERA IYER!")
    page.reload()
    at_confirmation(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("THANK YOU, MEERA IYER!")
    expect(page.get_by_test_id("amount-due")).to_have_text("₹195")


def test_confirmation_redirects_home_after_45_seconds(visit, server, customer):
    page = visit(server, **DESKTOP)
    to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    length = page.evaluate("history.length")
    countdown = page.get_by_test_id("redirect-countdown")
    expect(countdown).to_have_text(re.compile(r"Redirecting to home in [34]\d seconds\.\.\."))
    page.clock.run_for(20_000)
    expect(countdown).to_have_text(re.compile(r"Redirecting to home in [12]\d seconds\.\.\."))
    page.clock.run_for(26_000)
    page.wait_for_url(re.compile(r"//[^/]+/$"))
    assert page.evaluate("history.length") == length
    page.go_back()
    expect(page.get_by_text("This payment is already made.")).to_be_visible()


def test_confirmation_requests_health_once_and_continues_when_it_fails(page, server, customer):
    # Source: specification 7.7.
    to_payment(page, server, customer)
    requested = []

    def fail(route):
        requested.append(route.request.url)
        route.abort()

    page.route("**/health", fail)
    pay(page)
    at_confirmation(page)
    page.clock.run_for(10_000)
    assert len(requested) == 1


def test_unverified_order_shows_polite_warning_at_home(visit, server, customer):
    # Source: specification S19.
    page = visit(server, **DESKTOP)
    prepared = prepare(server, customer)
    query = f"order_id={prepared['orderId']}&token={prepared['responseToken']}"
    page.goto(f"/order-confirmation?{query}")
    page.clock.run_for(2_500)
    expect(page.get_by_role("heading", level=1)).to_have_text(UNSURE)
    page.clock.run_for(46_000)
    page.wait_for_url(re.compile(r"//[^/]+/$"))
    words = "Payment completed but order details unclear. Please check your email."
    warning = page.get_by_role("status").filter(has_text=words)
    expect(warning).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text=words)).to_have_count(0)
    colour = "band => getComputedStyle(band).backgroundColor"
    shown = page.locator(".notice-band").evaluate(colour)
    page.goto("/payment-success")
    page.clock.run_for(4_000)
    page.wait_for_url(re.compile(r"//[^/]+/$"))
    expect(page.get_by_role("alert").filter(has_text="contact support")).to_be_visible()
    assert page.locator(".notice-band").evaluate(colour) != shown


def test_stay_cancels_the_redirect_home(page, server, customer):
    to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    page.get_by_role("button", name="Stay on this page").click()
    expect(page.get_by_test_id("redirect-countdown")).to_have_count(0)
    page.clock.run_for(60_000)
    expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()
    page.get_by_role("link", name="To the restaurants").click()
    page.wait_for_url("**/about")


IN_2100_MS = 4_102_444_800_000


def test_notification_status_is_shown_step_by_step(page, server, customer):
    prepared = prepare(server, customer)
    number = pay_for(server, prepared)
    order_id = server.orders(customer)[0]["id"]
    with closing(sqlite3.connect(server.database, timeout=30)) as connection:
        left = "select count(*) from outbox where subject = ? and state != 'done'"
        eventually(
            lambda: connection.execute(left, (order_id,)).fetchone() == (0,), "all is recorded"
        )
        hold = "update outbox set state = 'ready', run_at_ms = ? where topic = ? and subject = ?"
        for topic in ("mail.vendor", "call.vendor", "mail.customer"):
            connection.execute(hold, (IN_2100_MS, topic, order_id))
        connection.commit()
        page.goto(f"/order-confirmation?order_id={number}&token={prepared['responseToken']}")
        at_confirmation(page)
        expect(page.get_by_text("Notified", exact=True)).to_have_count(0)
        for topic, words in {
            "mail.customer": "Customer notified",
            "mail.vendor": "Customer & vendor notified",
            "call.vendor": "MISSED CALL SENT",
        }.items():
            connection.execute(
                "update outbox set state = 'done' where topic = ? and subject = ?",
                (topic, order_id),
            )
            connection.commit()
            page.clock.run_for(2_000)
            expect(page.get_by_text(words, exact=True)).to_be_visible()
    expect(page.get_by_text("2/2")).to_be_visible()
    expect(page.get_by_text("Vendor notification sent")).to_be_visible()


def test_page_does_not_scroll_behind_the_overlay(page, server, customer):
    to_payment(page, server, customer)
    hold_messages_after(page, '"is_paid_rx_state_":true', '"is_hydrated_rx_state_":true')
    pay(page)
    page.wait_for_url("**/order-confirmation**")
    expect(page.get_by_text("Payment Successful!")).to_be_visible()
    page.mouse.wheel(0, 600)
    assert page.evaluate("document.scrollingElement.scrollTop") == 0


def open_notified_confirmation(page, server, customer):
    """Pay, and wait until the screen shows all notifications."""
    number = to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    server.wait_until_notified(number)
    page.clock.run_for(3_000)
    expect(page.get_by_text("MISSED CALL SENT")).to_be_visible()


def test_toasts_align_with_bill_on_wide_screen(page, server, customer):
    page.set_viewport_size({"width": 1920, "height": 900})
    open_notified_confirmation(page, server, customer)
    ends = [
        box["x"] + box["width"]
        for box in (page.locator(part).bounding_box() for part in (".toasts", ".amount-due"))
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1)


_WATCH = """
new MutationObserver(() => {
  const texts = JSON.parse(sessionStorage.getItem("shownTexts") || "[]");
  texts.push(document.body?.innerText || "");
  sessionStorage.setItem("shownTexts", JSON.stringify(texts));
}).observe(document, {childList: true, subtree: true, characterData: true});
"""


def test_second_order_in_same_tab_shows_nothing_of_the_first(page, server, customer):
    first = to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{first}")
    second = to_payment(page, server, customer, dishes="104:3")
    page.add_init_script(_WATCH)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{second}")
    shown_texts = json.loads(session_storage(page, "shownTexts"))
    assert [screen for screen in shown_texts if "Checking your payment" in screen]
    assert [screen for screen in shown_texts if first in screen] == []
    assert local_storage(page, f"order_{first}") is None
