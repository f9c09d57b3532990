"""The order summary: amounts paid now and later, and the donation."""

import re

from playwright.sync_api import expect

from tests.e2e.journey import (
    at_checkout,
    at_waiting_room,
    confirm_details,
    connect_at_once,
    give_details,
    next_to_details,
    to_checkout,
)
from tests.e2e.network import PageSocket
from tests.e2e.test_small_windows import ON_ITS_SIDE, SMALLEST, too_wide

PAY_BAR = "pay-bar-amount"

DONATIONS = {
    "No donation": ("₹5", "₹0", "₹400", "₹65"),
    "₹5": ("₹0", "₹5", "₹400", "₹65"),
    "₹10": ("₹0", "₹10", "₹405", "₹70"),
    "₹20": ("₹0", "₹20", "₹415", "₹80"),
    "₹50": ("₹0", "₹50", "₹445", "₹110"),
}


def shows(page, label):
    fee, donation, total, online = DONATIONS[label]
    expect(page.get_by_role("radio", name=label, exact=True)).to_be_checked()
    expect(page.get_by_test_id("convenience-fee")).to_have_text(fee)
    expect(page.get_by_test_id("donation")).to_have_text(donation)
    expect(page.get_by_test_id("grand-total")).to_have_text(total)
    expect(page.get_by_test_id("pay-online")).to_have_text(online)
    expect(page.get_by_test_id("pay-later")).to_have_text("₹335")


def test_donation_replaces_convenience_fee(page, server):
    to_checkout(page, server)
    shows(page, "No donation")
    for label in list(DONATIONS)[1:]:
        page.get_by_role("radio", name=label, exact=True).click()
        shows(page, label)
    page.get_by_role("radio", name="No donation", exact=True).click()
    shows(page, "No donation")


def test_next_button_and_amount_stay_in_view_on_phones(page, server):
    next_button, amount = page.get_by_role("button", name="NEXT"), page.get_by_test_id(PAY_BAR)
    to_checkout(page, server)
    for size in (SMALLEST, {"width": 390, "height": 844}, {"width": 820, "height": 1180}):
        page.set_viewport_size(size)
        for y in (0, 400, 10_000):
            page.evaluate(f"window.scrollTo(0, {y})")
            expect(next_button).to_be_in_viewport(ratio=1)
            expect(amount).to_be_in_viewport(ratio=1)
        assert too_wide(page) <= 0
    page.get_by_role("radio", name="₹50", exact=True).click()
    expect(amount).to_have_text("₹110")
    next_to_details(page)
    expect(next_button).to_be_in_viewport(ratio=1)
    expect(amount).to_have_text("₹110")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(amount).to_be_hidden()  # the slip beside the form has it


def test_low_window_keeps_its_height_for_the_page(page, server):
    to_checkout(page, server)
    page.set_viewport_size(ON_ITS_SIDE)
    expect(page.get_by_role("button", name="NEXT")).not_to_be_in_viewport()


def test_donation_stays_selected_when_connection_is_lost(page, server):
    to_checkout(page, server)
    socket = PageSocket(page)
    page.reload()
    at_checkout(page)
    socket.disconnect()
    chosen = page.get_by_role("radio", name="₹20", exact=True)
    chosen.click()
    expect(chosen).to_be_checked()
    socket.reconnect()
    connect_at_once(page)
    shows(page, "₹20")


def test_amounts_are_to_be_paid_before_the_payment(page, server, customer):
    to_checkout(page, server)
    for heading in ("To pay now", "To pay at the door"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    assert not re.search(r"\bpaid\b", page.locator("main").inner_text(), re.IGNORECASE)
    next_to_details(page)
    expect(page.locator(".bill")).to_contain_text("To pay now")
    give_details(page, Email=customer)
    confirm_details(page)
    at_waiting_room(page)
    for label in ("To pay now", "To pay at the door"):
        expect(page.locator(".pay-panel dt").filter(has_text=label)).to_be_visible()
    assert not re.search(r"\bpaid\b", page.locator("main").inner_text(), re.IGNORECASE)
