"""The receipt: by the order's link on any device, and printed."""

import re

import pytest
from playwright.sync_api import expect

from kit.translations import use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.frames import wait_for_fonts
from tests.e2e.journey import at_confirmation, hold_messages_after, pay, release, to_payment
from tests.e2e.orders import pay_for, prepare
from tests.e2e.test_small_windows import SMALLEST
from tests.helpers.qr_codes import read_data_address, read_qr_code

OUTLINE_PX = 4.5
"""The outline of the stamp, and its distance."""


def link(prepared):
    return f"/forms/response/{prepared['responseToken']}"


def at_receipt(page, number):
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Order #{number}")


@pytest.fixture
def calm(visit, server):
    """A visitor with reduced motion, so that colours don't fade during the check."""
    return visit(server, reduced_motion="reduce", is_mobile=False, has_touch=False)


def test_receipt_link_works_on_another_device_and_after_reload(page, server, customer):
    prepared = prepare(server, customer)
    number = pay_for(server, prepared)
    page.goto(link(prepared))
    for _ in range(2):
        at_receipt(page, number)
        expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()
        expect(page.locator(".bill-line")).to_have_text(re.compile("2×.*₹220"))
        expect(page.get_by_test_id("grand-total")).to_have_text("₹240")
        expect(page.get_by_test_id("pay-online")).to_have_text("₹45")
        expect(page.get_by_test_id("amount-due")).to_have_text("₹195")
        expect(page.get_by_role("link", name="+91")).to_have_attribute("href", re.compile("^tel:"))
        expect(page.locator(".told dd")).to_have_text(["Sent"] * 3)
        page.clock.fast_forward(60_000)  # no countdown runs here
        page.reload()
    assert page.url.endswith(link(prepared))


def test_confirmation_links_to_receipt(page, server, customer):
    number = to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("THANK YOU, AARAV SHARMA!")
    page.get_by_role("link", name="Your receipt").click()
    at_receipt(page, number)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("link", name="03/ORDERS").click()
    page.get_by_role("link", name=f"#{number}").click()
    at_receipt(page, number)


def test_receipt_and_confirmation_show_upi_code_for_the_amount_due(page, server, customer):
    prepared = prepare(server, customer)
    number = pay_for(server, prepared)
    amount = prepared["paymentBreakdown"]["remainingPayment"]
    confirmation = f"/order-confirmation?order_id={number}&token={prepared['responseToken']}"
    for address, width in ((link(prepared), 320), (confirmation, 1280)):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        page.wait_for_function("() => window.isHydrated")
        page.clock.fast_forward(2_000)
        upi = page.get_by_test_id("upi")
        pays = upi.get_by_role("link", name=f"Pay ₹{amount} by UPI").get_attribute("href")
        assert f"&am={amount:.2f}&" in pays
        code = upi.get_by_role("button", name=f"QR code to pay ₹{amount} by UPI")
        code.press("Enter")
        large = page.get_by_role("dialog", name=f"₹{amount} by UPI").get_by_role("img")
        assert read_data_address(large.get_attribute("src")) == pays
        expect(large).to_be_in_viewport(ratio=1)
        assert read_qr_code(large.screenshot()) == pays
        page.keyboard.press("Escape")
        expect(code).to_be_focused()
        expect(upi.get_by_text("We don’t see this payment")).to_have_count(1)


def test_mail_links_to_receipt(page, server, customer):
    number = pay_for(server, prepare(server, customer))
    mail = next(each for each in server.mails_about(number) if customer in each["To"])
    text = mail.get_body(("plain",)).get_content()
    page.goto(re.search(r"https?://\S+/forms/response/\S+", text)[0])
    at_receipt(page, number)


def test_receipt_shows_nothing_of_previous_order(page, server, customer):
    first, second = prepare(server, customer), prepare(server, "second@students.example")
    number = pay_for(server, first)
    page.goto(link(first))
    at_receipt(page, number)
    held = hold_messages_after(page, '"sid"')
    page.goto(link(second))
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    expect(page.get_by_text(number)).to_have_count(0)
    release(page, held)
    expect(page.get_by_text("Do not refresh this page")).to_be_visible()


def test_confirmation_prints_receipt_only(page, server, customer):
    number = to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_test_id("receipt")).to_have_count(0)
    page.emulate_media(media="print")
    expect(page.get_by_test_id("receipt")).to_be_visible()
    at_receipt(page, number)
    expect(page.get_by_text("Redirecting to home")).to_be_hidden()
    expect(page.get_by_text("Stay on this page")).to_be_hidden()
    expect(page.get_by_text("Notified", exact=True)).to_be_hidden()


def test_print_button_prints(page, server, customer):
    prepared = prepare(server, customer)
    number = pay_for(server, prepared)
    page.add_init_script("window.print = () => { window.printed = true; }")
    page.goto(link(prepared))
    at_receipt(page, number)
    page.get_by_role("button", name="PRINT").click()
    page.wait_for_function("() => window.printed")


def test_stamp_covers_nothing_on_the_smallest_phone(visit, server, customer):
    prepared = prepare(server, customer)
    pay_for(server, prepared)
    with use_locale("hi"):
        page = visit(server, viewport=SMALLEST)
    page.goto(link(prepared))
    progress = page.get_by_test_id("receipt").locator(".kitchen-progress")
    expect(progress).to_be_visible()
    wait_for_fonts(page)
    stamp, beside = page.locator(".receipt .stamp").bounding_box(), progress.bounding_box()
    is_right = stamp["x"] + stamp["width"] + OUTLINE_PX <= beside["x"]
    assert is_right or stamp["y"] + stamp["height"] + OUTLINE_PX <= beside["y"]


def test_receipt_is_accessible(calm, server, customer):
    prepared = prepare(server, customer)
    number = pay_for(server, prepared)
    calm.goto(link(prepared))
    at_receipt(calm, number)
    expect(calm.locator(".told dd")).to_have_text(
        ["Sent"] * 3
    )  # otherwise it changes during the axe run
    check_accessibility(calm, "receipt")
