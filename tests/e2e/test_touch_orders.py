"""Whole orders by touch on small phones: delivery and table, from both campuses."""

import pytest
from playwright.sync_api import expect

from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import TOAST_FOLD_SECONDS
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from kit.translations import use_locale
from tests.e2e.journey import (
    at_checkout,
    at_details,
    at_waiting_room,
    give_details,
    text_pattern,
    wait_until_hydrated,
)
from tests.e2e.screenshots import save_window_screenshot
from tests.e2e.visibility import expect_fully_visible

PLACES = {Campus.NORTH: ("North Campus", 15), Campus.SOUTH: ("South Campus", 25)}
NAMES = {
    "en": "Lakshminarasimhan Venkataraghavan P",
    "hi": "वेंकट सत्यनारायण पुरुषोत्तम लक्ष्मीनरसिंह राव चंद्रशेखरन नंबूदिरी राजगोपाल शर्मा"[:80],
}
"""Long names: 35 Latin letters, and the longest that is taken in Devanagari."""

each_visitor = pytest.mark.parametrize(
    ("size", "campus", "code"),
    [
        pytest.param((390, 844), Campus.NORTH, "en", id="390x844-north-en"),
        pytest.param((320, 568), Campus.SOUTH, "hi", id="320x568-south-hi"),
    ],
)


@pytest.fixture(autouse=True)
def visitor_language(code):
    """Every visitor of these tests uses this language."""
    with use_locale(code):
        yield


class Touch:
    """A visitor who taps, and scrolls when needed."""

    def __init__(self, page, size, name):
        self.page = page
        self._name = name
        self._size = size
        self._looks = 0
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))

    def tap(self, role, name, *, exact=False):
        """Tap what has this name, in the visitor's language."""
        self.page.get_by_role(role, name=t(name), exact=exact).first.tap()

    def add(self, dish):
        name = t("Add one {dish}", dish=dish)
        self.page.get_by_role("button", name=name, exact=True).first.tap()

    def look(self):
        """Expect that nothing is wider than the screen; `make screens` saves a picture."""
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self._size[0]
        self._looks += 1
        save_window_screenshot(self.page, f"{self._name}-{self._looks:02}")


@pytest.fixture
def touch(visit, server, size, request):
    page = visit(server, campus="")
    return Touch(page, size, request.node.name)


def pay(touch):
    page = touch.page
    at_waiting_room(page)
    touch.look()
    page.get_by_role("button", name=text_pattern("PAY {amount} NOW")).tap()
    page.wait_for_url("**/sandbox/pay**")
    touch.look()
    page.get_by_role("button", name="Pay successfully").tap()
    page.wait_for_url("**/order-confirmation**")
    page.clock.fast_forward(2_000)
    expect(page.get_by_text(t("ORDER CONFIRMED"))).to_be_visible()
    expect_dock(touch)
    page.clock.run_for((TOAST_FOLD_SECONDS + 3) * 1_000)
    expect(page.locator(".notices.folded")).to_be_visible()
    expect_dock(touch)
    touch.look()
    touch.tap("button", "Stay on this page")
    expect(page.get_by_role("link", name=t("To the restaurants"))).to_be_visible()


def expect_dock(touch):
    """Expect what a student needs at the counter inside the window, and not covered."""
    page = touch.page
    for part in (
        *map(page.get_by_test_id, ("amount-due", "order-id", "redirect-countdown")),
        page.get_by_role("link", name=t("Your receipt")),
        page.get_by_role("button", name=t("Stay on this page")),
    ):
        expect(part).to_be_visible()
        expect_fully_visible(part=part)


def confirm(touch):
    touch.tap("button", "NEXT")
    expect(touch.page.get_by_text(t("Check your details, then press NEXT again"))).to_be_visible()
    touch.tap("button", "NEXT")


@each_visitor
def test_delivery_order_completes_by_touch(touch, server, customer, campus, code):
    page, (place, fee) = touch.page, PLACES[campus]
    page.goto("/campus")
    wait_until_hydrated(page)
    touch.look()
    touch.tap("button", place)
    expect(page.get_by_role("heading", level=1, name=t(place))).to_be_visible()
    touch.look()
    touch.tap("link", "Pehla Food Point")
    expect(page.get_by_role("heading", level=1, name="Pehla Food Point")).to_be_visible()
    touch.look()
    for name in ("Rajma Chawal", "Rajma Chawal", "Paneer Butter Masala"):
        touch.add(name)
    expect(page.get_by_test_id("total")).to_have_text("₹380")
    touch.look()
    touch.tap("button", "PROCEED TO CART")
    at_checkout(page)
    expect(page.get_by_test_id("campus")).to_contain_text(t(place))
    expect(page.get_by_test_id("delivery-fee")).to_have_text(format_rupees(fee))
    touch.look()
    touch.tap("radio", "₹10", exact=True)
    expect(page.get_by_test_id("donation")).to_have_text("₹10")
    touch.tap("button", "NEXT")
    at_details(page)
    touch.look()
    give_details(page, Email=customer, Full_name=NAMES[code])
    confirm(touch)
    pay(touch)
    (order,) = server.orders(customer)
    assert (order["state"], order["campus"]) == ("confirmed", campus.value)


@each_visitor
def test_table_order_completes_by_touch(touch, server, customer, campus, code):
    page, (place, _) = touch.page, PLACES[campus]
    page.goto("/pre-reserve")
    touch.tap("button", place)
    expect(page.get_by_test_id("reservation-day")).to_contain_text("18")
    touch.look()
    # Other tests reserve tables on the same server: any slot may be full.
    slot = page.locator("input[name=slot]:enabled").last.get_attribute("value")
    page.get_by_role("radio", name=slot, exact=True).tap()
    touch.tap("button", "More guests")
    expect(page.get_by_test_id("party-size")).to_have_text("3")
    touch.look()
    touch.tap("button", "Reserve", exact=True)
    page.wait_for_url("**/menu/2?preReserved=true")
    expect(page.get_by_test_id("pre-reserved")).to_contain_text(slot)
    touch.look()
    for _ in range(5):
        page.get_by_test_id("item-202").get_by_role("button").last.tap()
    expect(page.get_by_test_id("item-202").get_by_test_id("quantity")).to_have_text("5")
    touch.look()
    touch.tap("button", "PROCEED TO CART")
    at_checkout(page)
    touch.look()
    touch.tap("button", "NEXT")
    at_details(page)
    expect(page.get_by_label(t("Address"))).to_have_count(0)
    touch.look()
    give_details(page, Email=customer, Address=None, Full_name=NAMES[code])
    confirm(touch)
    pay(touch)
    there = t("PLEASE PAY {amount} AT THE RESTAURANT").partition("{amount}")[2].strip()
    expect(page.locator(".amount-due")).to_contain_text(there)
    (order,) = server.orders(customer)
    assert (order["state"], order["campus"]) == ("confirmed", campus.value)
