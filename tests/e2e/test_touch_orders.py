"""Whole orders by touch on small phones: delivery and table, from both campuses."""

import pytest
from playwright.sync_api import expect

from campus_app.domain.campus import Campus
from campus_app.domain.money import format_rupees
from tests.e2e.journey import (
    at_checkout,
    at_details,
    at_waiting_room,
    give_details,
    wait_until_hydrated,
)
from tests.e2e.screenshots import save_window_screenshot

PHONES = {"320x568": (320, 568), "390x664": (390, 664)}
PLACES = {Campus.NORTH: ("North Campus", 15), Campus.SOUTH: ("South Campus", 25)}

each_phone = pytest.mark.parametrize("size", PHONES.values(), ids=PHONES)
each_campus = pytest.mark.parametrize("campus", Campus, ids=lambda campus: campus.value)


class Touch:
    """A visitor who taps, and scrolls when needed."""

    def __init__(self, page, size, name):
        self.page = page
        self._name = name
        self._size = size
        self._looks = 0
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))

    def tap(self, role, name, **exact):
        self.page.get_by_role(role, name=name, **exact).first.tap()

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
    touch.tap("button", "PAY ₹")
    page.wait_for_url("**/sandbox/pay**")
    touch.look()
    touch.tap("button", "Pay successfully")
    page.wait_for_url("**/order-confirmation**")
    page.clock.fast_forward(2_000)
    expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()
    for name in ("amount-due", "order-id", "redirect-countdown"):
        expect(page.get_by_test_id(name)).to_be_in_viewport(ratio=1)
    touch.look()


def confirm(touch):
    touch.tap("button", "NEXT")
    expect(touch.page.get_by_text("Check your details, then press NEXT again")).to_be_visible()
    touch.tap("button", "NEXT")


@each_phone
@each_campus
def test_delivery_order_completes_by_touch(touch, server, customer, campus):
    page, (place, fee) = touch.page, PLACES[campus]
    page.goto("/campus")
    wait_until_hydrated(page)
    touch.look()
    touch.tap("button", place)
    expect(page.get_by_role("heading", level=1, name=place)).to_be_visible()
    touch.look()
    touch.tap("link", "Pehla Food Point")
    expect(page.get_by_role("heading", level=1, name="Pehla Food Point")).to_be_visible()
    touch.look()
    for name in ("Rajma Chawal", "Rajma Chawal", "Paneer Butter Masala"):
        touch.tap("button", f"Add one {name}", exact=True)
    expect(page.get_by_test_id("total")).to_have_text("₹380")
    touch.look()
    touch.tap("button", "PROCEED TO CART")
    at_checkout(page)
    expect(page.get_by_test_id("campus")).to_contain_text(place)
    expect(page.get_by_test_id("delivery-fee")).to_have_text(format_rupees(fee))
    touch.look()
    touch.tap("radio", "₹10", exact=True)
    expect(page.get_by_test_id("donation")).to_have_text("₹10")
    touch.tap("button", "NEXT")
    at_details(page)
    touch.look()
    give_details(page, Email=customer)
    confirm(touch)
    pay(touch)
    (order,) = server.orders(customer)
    assert (order["state"], order["campus"]) == ("confirmed", campus.value)


@each_phone
@each_campus
def test_table_order_completes_by_touch(touch, server, customer, campus):
    page, (place, _) = touch.page, PLACES[campus]
    page.goto("/pre-reserve")
    touch.tap("button", place)
    expect(page.get_by_test_id("reservation-day")).to_contain_text("November")
    touch.look()
    # Other tests reserve tables on the same server: any slot may be full.
    slot = page.locator("input[name=slot]:enabled").last.get_attribute("value")
    touch.tap("radio", slot, exact=True)
    touch.tap("button", "More guests")
    expect(page.get_by_test_id("party-size")).to_have_text("3")
    touch.look()
    touch.tap("button", "Reserve", exact=True)
    page.wait_for_url("**/menu/2?preReserved=true")
    expect(page.get_by_test_id("pre-reserved")).to_contain_text(f"table for 3 at {slot}")
    touch.look()
    for _ in range(5):
        page.get_by_test_id("item-202").get_by_role("button", name="Add one").tap()
    expect(page.get_by_test_id("item-202").get_by_test_id("quantity")).to_have_text("5")
    touch.look()
    touch.tap("button", "PROCEED TO CART")
    at_checkout(page)
    touch.look()
    touch.tap("button", "NEXT")
    at_details(page)
    expect(page.get_by_label("Address")).to_have_count(0)
    touch.look()
    give_details(page, Email=customer, Address=None)
    confirm(touch)
    pay(touch)
    expect(page.get_by_text("AT THE RESTAURANT", exact=True)).to_be_visible()
    (order,) = server.orders(customer)
    assert (order["state"], order["campus"]) == ("confirmed", campus.value)
