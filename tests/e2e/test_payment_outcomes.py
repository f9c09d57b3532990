"""The outcomes of the payment page, the delivery of webhooks, and their effects."""

import re
from datetime import timedelta

from playwright.sync_api import expect

from tests.e2e.conftest import WEDNESDAY
from tests.e2e.journey import (
    CART,
    at_confirmation,
    at_details,
    at_waiting_room,
    confirm_details,
    freeze_clock,
    local_storage,
    open_payment,
    pay,
    run_clock_until_redirect,
    to_payment,
)
from tests.helpers.product import eventually

NOT_CHARGED = "Nothing was taken and your cart is kept."

EVENT = re.compile(r'"name": ?"[\w.]+\.(\w+)"')


_NOTE_ANNOUNCEMENT = """() => {
  window.announced = [];
  new MutationObserver(() => {
    const isShown = document.body.innerText.includes("taking longer than expected. Redirecting...");
    if (announced.length < 2 && isShown === !announced.length) announced.push(Date.now());
  }).observe(document, { childList: true, subtree: true, characterData: true });
}"""
"""When an announced redirect appears and disappears, by the page's clock."""


def expect_payment_failed(page, reason):
    at_details(page)
    banner = page.get_by_role("alert").filter(has_text="Payment Failed")
    expect(banner).to_contain_text(f"{reason} {NOT_CHARGED}")
    assert CART in local_storage(page, "cart")


def test_declined_payment_can_be_retried_for_same_order(page, server, customer):
    first = to_payment(page, server, customer)
    pay(page, "Decline payment")
    expect_payment_failed(page, "The payment was declined.")
    assert server.status_of(first)["status"] == "FAILED"

    expect(page.get_by_label("Email")).to_have_value(customer)
    page.get_by_role("button", name="Try the payment again").focus()
    page.keyboard.press("Enter")
    at_waiting_room(page)
    assert open_payment(page) == first
    pay(page)
    at_confirmation(page)
    expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{first}")
    assert [order["state"] for order in server.orders(customer)] == ["confirmed"]
    server.wait_until_notified(first)


def test_pending_payment_is_polled_30_times_and_confirmed_when_it_arrives(page, server, customer):
    number = to_payment(page, server, customer)
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    pay(page, "Leave pending")
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    run_clock_until_redirect(page)
    page.wait_for_url("**/order-confirmation?**needsVerification=true**")
    # The page sends its first query when it opens.
    assert len([text for text in sent if "payment_return_state.poll" in text]) >= 29
    page.clock.fast_forward(2_000)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Payment completed but verification is taking time. Please check your email."
    )
    expect(page.get_by_text("ORDER CONFIRMED")).to_have_count(0)
    expect(page.get_by_text("Payment Successful!")).to_have_count(0)

    page.get_by_role("button", name="Stay on this page").click()
    tab = page.context.new_page()
    tab.goto(f"/sandbox/pay?order_id={number}")
    pay(tab)
    # The receipt, or the confirmation if the tab is back before the payment is recorded.
    paid = re.compile(f"Order #{number}|THANK YOU")
    expect(tab.get_by_role("heading", level=1)).to_have_text(paid)
    server.wait_until_notified(number)
    page.clock.run_for(4_000)
    expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()
    expect(page.get_by_text("Customer & vendor notified")).to_be_visible()
    assert len(server.orders(customer)) == 1


def test_payment_return_announces_redirect_when_verification_takes_long(page, server, customer):
    # Source: specification S16.
    to_payment(page, server, customer)
    freeze_clock(page)
    pay(page, "Leave pending")
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    page.evaluate(_NOTE_ANNOUNCEMENT)
    run_clock_until_redirect(page, step_ms=500)
    page.wait_for_url("**/order-confirmation?**needsVerification=true**")
    eventually(lambda: len(page.evaluate("announced")) == 2, "the announcement is gone")
    shown, gone = page.evaluate("announced")
    assert gone - shown >= 2_500


def test_returning_visitor_is_hydrated_and_redirected_once(page, server, customer):
    sent = []

    def listen(socket):
        socket.on("framesent", lambda frame: sent.extend(EVENT.findall(str(frame))))

    to_payment(page, server, customer)
    page.on("websocket", listen)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()
    assert [sent.count(each) for each in ("hydrate_and_load", "confirm")] == [1, 1]


def test_order_is_confirmed_when_browser_is_closed_after_payment(page, server, customer):
    number = to_payment(page, server, customer, webhook="twice")
    page.route("**/forms/response/**", lambda route: route.abort())
    with page.expect_request("**/forms/response/**"):
        pay(page)
    page.context.close()
    server.wait_until_notified(number)
    assert server.status_of(number)["status"] == "SUCCESS"


def test_missing_and_late_webhooks_are_reconciled_after_restart(own_server, visit):
    def pay_and_leave(route):
        route.fetch(max_redirects=0)
        if webhook == "late":
            own_server.kill()  # at once, before the reconciler can query the payment
        route.abort()

    numbers = {}
    for webhook in ("never", "late"):
        page = visit(own_server)
        numbers[webhook] = to_payment(
            page, own_server, f"{webhook}@students.example", webhook=webhook
        )
        page.route("**/sandbox/pay", pay_and_leave)
        with page.expect_event("requestfailed"):
            pay(page)
        page.context.close()
    (late,) = own_server.orders("late@students.example")
    assert late["payment_state"] == "pending"

    own_server.now = WEDNESDAY + timedelta(minutes=2)
    own_server.start()
    for number in numbers.values():
        own_server.wait_until_notified(number)


def test_unpaid_order_expires_and_its_cart_can_be_ordered_again(own_server, visit):
    page = visit(own_server)
    email = "slow@students.example"
    first = to_payment(page, own_server, email)
    own_server.restart(now=WEDNESDAY + timedelta(minutes=21))
    page.reload()
    expect(page.get_by_text("The time to pay is over. Nothing was charged.")).to_be_visible()
    page.get_by_role("link", name="Back to the shop").click()
    expect_payment_failed(page, "The time to pay ran out.")
    eventually(lambda: own_server.status_of(first)["status"] == "EXPIRED", "the order to lapse")

    confirm_details(page)
    at_waiting_room(page)
    second = open_payment(page)
    assert second != first
    pay(page)
    at_confirmation(page)
    assert [order["state"] for order in own_server.orders(email)][-1] == "confirmed"
    own_server.wait_until_notified(second)
    assert own_server.mails_about(first) == []
