"""The cart: one restaurant, one day, and redirects when it is missing."""

from playwright.sync_api import expect

from tests.e2e.journey import (
    CART,
    add,
    at_checkout,
    connect_at_once,
    local_storage,
    open_page,
    store_cart,
    to_checkout,
    units_in,
    wait_until_hydrated,
)
from tests.e2e.network import PageSocket
from tests.helpers.product import eventually

EMPTY = "Your cart is empty. Choose a restaurant to begin."


def ask_for_a_slice(page, server):
    """Open restaurant 5 with a cart of restaurant 1, and tap a pizza."""
    store_cart(page, server)
    open_page(page, "/menu/5")
    page.get_by_role("button", name="Add one Farmhouse", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Start a new cart?")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text(
        "A new cart empties the one with your dishes of Pehla Food Point."
    )
    return dialog


def test_start_new_cart_replaces_cart_of_other_restaurant(page, server):
    dialog = ask_for_a_slice(page, server)
    dialog.get_by_role("button", name="Start a new cart").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_test_id("item-504").get_by_test_id("quantity")).to_have_text("1")
    expect(page.get_by_test_id("total")).to_have_text("₹220")
    expect(page.get_by_role("button", name="Add one Farmhouse", exact=True).first).to_be_focused()
    open_page(page, "/menu/1")
    expect(page.get_by_test_id("item-104").get_by_test_id("quantity")).to_have_text("0")


def test_keep_cart_leaves_cart_of_other_restaurant_unchanged(page, server):
    dialog = ask_for_a_slice(page, server)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Add one Farmhouse", exact=True).first.click()
    dialog.get_by_role("button", name="Keep my cart").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_test_id("item-504").get_by_test_id("quantity")).to_have_text("0")
    expect(page.get_by_test_id("total")).to_have_text("₹0")
    assert CART in local_storage(page, "cart")
    open_page(page, "/checkout")
    at_checkout(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Pehla Food Point")


def test_quantity_and_line_total_follow_each_step(page):
    open_page(page, "/menu/1")
    dish = page.get_by_test_id("item-104")
    expect(dish.get_by_role("button", name="Remove one Rajma Chawal")).to_be_disabled()
    add(page, "Rajma Chawal", "Rajma Chawal")
    expect(page.get_by_test_id("total")).to_have_text("₹220")
    dish.get_by_role("button", name="Remove one Rajma Chawal").click()
    expect(dish.get_by_test_id("line-total")).to_have_text("₹110")
    dish.get_by_role("button", name="Remove one Rajma Chawal").click()
    expect(dish.get_by_test_id("quantity")).to_have_text("0")
    expect(dish.get_by_test_id("line-total")).to_have_text("")
    # The quantity changes at once; the server stores it a moment later.
    eventually(lambda: "104" not in (local_storage(page, "cart") or ""), "the cart is deleted")


def test_checkout_url_without_cart_redirects_to_campus_with_message(page):
    for address in ("/checkout", "/personal-info", "/waiting-room"):
        page.goto(address)
        page.wait_for_url("**/campus")
        wait_until_hydrated(page)
        expect(page.get_by_text(EMPTY)).to_be_visible()
        expect(page.get_by_role("button", name="North Campus")).to_be_visible()


def test_waiting_room_url_without_details_redirects_to_details_with_message(page, server):
    to_checkout(page, server)
    page.goto("/waiting-room")
    page.wait_for_url("**/personal-info")
    expect(page.get_by_text("Tell us who the food is for, then pay.")).to_be_visible()


def test_invalid_or_expired_stored_cart_is_treated_as_empty(page, server):
    for stored in (
        "nonsense",
        "1|a|aaaaaaaaaaaaaaaaaaaaaa|104:2",
        "1|{now}|aaaaaaaaaaaaaaaaaaaaaa|999:2",
    ):
        store_cart(page, server)
        now = local_storage(page, "cart").split("|")[1]
        page.evaluate("text => localStorage.setItem('cart', text)", stored.format(now=now))
        page.goto("/checkout")
        page.wait_for_url(lambda url: not url.endswith("/checkout"))
        wait_until_hydrated(page)
        open_page(page, "/menu/1")
        # Until the server responds, the page shows the stored cart.
        expect(page.locator(".cart:not(.awaited)")).to_have_count(1)
        expect(page.get_by_test_id("total")).to_have_text("₹0")
        add(page, "Rajma Chawal")
        expect(page.get_by_test_id("total")).to_have_text("₹110")


def test_dish_that_closes_the_gap_is_offered_and_added_once(page, server):
    socket = PageSocket(page)
    offer, mini_thali = page.get_by_test_id("closing-dish"), page.get_by_test_id("item-103").first
    open_page(page, "/menu/1")
    expect(offer).to_have_count(0)
    add(page, "Rajma Chawal")
    expect(offer).to_have_accessible_name("Add Mini Thali ₹90")
    socket.disconnect()
    expect(page.locator(".connection-banner.shown")).to_be_visible()  # it moves the page
    plus = offer.locator("svg").inner_html()
    for _ in range(2):
        offer.click()
        assert offer.locator("svg").inner_html() != plus  # a tick, until the server has answered
        expect(mini_thali.get_by_test_id("quantity")).to_have_text("1")
    socket.reconnect()
    connect_at_once(page)
    expect(page.get_by_test_id("total")).to_have_text("₹200")
    expect(offer).to_have_count(0)
    expect(page.get_by_role("button", name="PROCEED TO CART")).to_be_focused()
    page.keyboard.press("Enter")
    at_checkout(page)
    assert units_in(local_storage(page, "cart")) == 2
