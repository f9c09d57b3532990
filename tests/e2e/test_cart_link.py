"""The link to the cart on every screen that is not a step of the order."""

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import at_checkout, local_storage, open_page, store_cart

SCREENS = ["/campus", "/about", "/about2", "/offers", "/pre-reserve", "/underprogress", "/terms"]


@pytest.mark.parametrize("address", [*SCREENS, "/nowhere"])
def test_cart_link_opens_summary_when_cart_is_not_empty(page, server, address):
    store_cart(page, server)
    open_page(page, address)
    link = page.get_by_role("link", name="Cart, 3 dishes, ₹380")
    expect(link).to_be_in_viewport()
    link.click()
    at_checkout(page)


def test_cart_link_is_hidden_when_cart_is_empty(page):
    for address in SCREENS:
        open_page(page, address)
        expect(page.get_by_role("link", name="Cart,")).to_have_count(0)


def test_restaurant_selection_from_offers_is_logged(page):
    open_page(page, "/offers")
    with page.expect_request("**/api/log-restaurant-selection") as request:
        page.get_by_test_id("offer-wednesday").get_by_role("link").click()
    assert request.value.post_data_json["restaurantId"] in {5, "5"}


def test_last_order_is_shown_in_a_new_tab(page, server):
    open_page(page, "/campus")
    page.evaluate("localStorage.setItem('lastOrderNumber', 'AS_482')")
    page.evaluate("localStorage.setItem('lastOrderToken', 'a-token-that-opens-nothing')")
    other = page.context.new_page()
    open_page(other, f"{server.url}/underprogress")
    expect(other.get_by_role("link", name="#AS_482")).to_be_visible()
    assert local_storage(other, "lastOrderNumber") == "AS_482"
