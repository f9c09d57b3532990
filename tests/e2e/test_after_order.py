"""Where a phone is led after an order: `/` blocks it. Source: specification 10.56."""

import re

import pytest
from playwright.sync_api import expect

from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.assistant_page import DESKTOP
from tests.e2e.journey import at_confirmation, pay, text_pattern, to_payment
from tests.e2e.network import come_back, go_offline
from tests.e2e.orders import paying, prepare
from tests.e2e.test_small_windows import SMALLEST

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True}
BLOCKED = "This app cannot be viewed on mobile"


@pytest.mark.parametrize(
    ("device", "code"), [(PHONE, "hi"), (TABLET, "en")], ids=["phone-hi", "tablet-en"]
)
def test_phone_is_led_to_its_order_after_45_seconds(device, code, visit, server, customer):
    with use_locale(code):
        page = visit(server, **device)
        number = to_payment(page, server, customer)
        pay(page)
        at_confirmation(page)
        length = page.evaluate("history.length")
        expect(page.get_by_test_id("redirect-countdown")).to_have_text(
            text_pattern("Your order opens in {seconds} seconds...")
        )
        page.clock.run_for(46_000)
        page.wait_for_url("**/forms/response/*")
        assert page.evaluate("history.length") == length
        receipt = page.get_by_test_id("receipt")
        expect(receipt.get_by_role("heading", level=1)).to_contain_text(number)
        expect(receipt.get_by_test_id("amount-due")).to_have_text("₹335")
        expect(receipt.get_by_test_id("kitchen-progress")).to_be_visible()
        expect(receipt.get_by_role("link", name="+91")).to_be_visible()


def test_phone_that_opens_home_is_led_back_to_its_order(visit, server, customer):
    page = visit(server, **PHONE)
    number = to_payment(page, server, customer)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(BLOCKED)
    link = page.get_by_role("link", name=f"Your order #{number}")
    expect(link).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("heading", level=1)).not_to_have_text(BLOCKED)
    expect(link).to_be_hidden()
    page.set_viewport_size(PHONE["viewport"])
    link.click()
    page.wait_for_url("**/forms/response/*")


@pytest.mark.parametrize("code", LANGUAGES)
def test_order_is_in_view_at_home_on_the_smallest_phone(code, visit, server, customer):
    with use_locale(code):
        page = visit(server, **PHONE | {"viewport": SMALLEST})
        number = to_payment(page, server, customer)
        page.goto("/")
        link = page.get_by_role("link", name=t("Your order #{number}", number=number))
        expect(link).to_be_in_viewport(ratio=1)


def test_block_screen_names_no_order_in_a_new_browser(visit, server):
    page = visit(server, **PHONE)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(BLOCKED)
    expect(page.locator("html")).to_have_attribute("data-view", "block")
    expect(page.get_by_role("link", name="Your order")).to_have_count(0)


def test_phone_with_an_unverified_payment_is_led_to_its_orders(visit, server, customer):
    page = visit(server, **PHONE)
    prepared = prepare(server, customer)
    number = prepared["orderId"]
    page.goto(f"/order-confirmation?order_id={number}&token={prepared['responseToken']}")
    page.clock.run_for(2_500)
    expect(page.get_by_test_id("redirect-countdown")).to_be_visible()
    page.clock.run_for(46_000)
    page.wait_for_url("**/underprogress")
    message = page.get_by_role("status").filter(has_text=f"Your order is #{number}.")
    expect(message).to_contain_text("Payment completed but order details unclear.")
    link = message.get_by_role("link", name="See the order")
    expect(link).to_have_attribute("href", re.compile("/forms/response/."))


def test_countdown_stands_still_without_a_network(visit, server, customer):
    page = visit(server, **DESKTOP)
    prepared = prepare(server, customer)
    with paying(server, prepared) as press:
        press()
    token = prepared["responseToken"]
    page.goto(f"/order-confirmation?order_id={prepared['orderId']}&token={token}")
    at_confirmation(page)
    go_offline(page, "The connection is lost. Your order is safe; each tap tries again.")
    countdown = page.get_by_test_id("redirect-countdown")
    shown = countdown.inner_text()
    page.clock.run_for(60_000)
    expect(countdown).to_have_text(shown)
    page.get_by_role("button", name="Stay on this page").click()
    page.clock.resume()  # the attempts to connect of a minute have their own timers
    come_back(page)
    expect(countdown).to_have_count(0)
    assert "/order-confirmation" in page.url


def test_message_at_home_links_to_the_order(visit, server, customer):
    page = visit(server, **DESKTOP)
    prepared = prepare(server, customer)
    query = f"order_id={prepared['orderId']}&token={prepared['responseToken']}"
    page.goto(f"/order-confirmation?{query}")
    page.clock.run_for(2_500)
    expect(page.get_by_test_id("redirect-countdown")).to_be_visible()
    page.clock.run_for(46_000)
    page.wait_for_url(re.compile(r"//[^/]+/$"))
    warning = page.get_by_role("status").filter(has_text=f"Your order is #{prepared['orderId']}.")
    warning.get_by_role("link", name=t("See the order")).click()
    page.wait_for_url(f"**/forms/response/{prepared['responseToken']}")
