"""The link to the cart on every screen that is not a step of the order."""

import re

from playwright.sync_api import expect

from tests.e2e.journey import at_checkout, open_page, store_cart
from tests.e2e.orders import pay_for, prepare

SCREENS = ["/campus", "/about", "/about2", "/offers", "/pre-reserve", "/underprogress", "/terms"]


def test_cart_link_opens_summary_when_cart_is_not_empty(page, server):
    link = page.get_by_role("link", name="Cart, 3 dishes, ₹380")
    open_page(page, "/campus")
    expect(page.get_by_role("link", name="Cart,")).to_have_count(0)
    store_cart(page, server)
    for address in (*SCREENS, "/nowhere"):
        open_page(page, address)
        expect(link).to_be_in_viewport()
    link.click()
    at_checkout(page)


def test_restaurant_selection_from_offers_is_logged(page):
    open_page(page, "/offers")
    with page.expect_request("**/api/log-restaurant-selection") as request:
        page.get_by_test_id("offer-wednesday").get_by_role("link").click()
    assert request.value.post_data_json["restaurantId"] in {5, "5"}


def test_menu_of_another_kitchen_links_to_the_cart(page, server):
    store_cart(page, server)
    open_page(page, "/menu/2")
    link = page.get_by_role("link", name="Cart, 3 dishes, ₹380")
    expect(link).to_be_visible()
    expect(page.get_by_text("Your cart is at Pehla Food Point.")).to_be_visible()
    link.click()
    at_checkout(page)
    open_page(page, "/menu/1")
    expect(page.get_by_role("link", name=re.compile("^Cart,"))).to_have_count(0)


def test_receipt_links_to_the_next_cart(page, server, customer):
    prepared = prepare(server, customer)
    pay_for(server, prepared)
    store_cart(page, server)
    open_page(page, f"/forms/response/{prepared['responseToken']}")
    expect(page.get_by_test_id("receipt")).to_be_visible()
    expect(page.get_by_role("link", name="Cart, 3 dishes, ₹380")).to_be_in_viewport()


def test_cart_says_when_its_kitchen_closes_in_the_last_half_hour(visit, own_server):
    own_server.restart(own_server.now.replace(hour=19, minute=59))
    page = visit(own_server)
    store_cart(page, own_server)
    open_page(page, "/about")
    notice = page.get_by_text("Pehla Food Point closes at 20:30.")
    expect(page.get_by_role("link", name="Cart, 3 dishes, ₹380")).to_be_visible()
    expect(notice).to_have_count(0)
    page.clock.fast_forward(90_000)
    expect(notice).to_be_in_viewport()
    own_server.restart(own_server.now.replace(hour=20, minute=31))
    open_page(page, "/about")
    expect(page.get_by_role("link", name="Cart, 3 dishes, ₹380")).to_be_visible()
    expect(notice).to_have_count(0)
