"""Prices and dishes that change during an order; unreadable menus."""

import re

from playwright.sync_api import expect

from tests.e2e.journey import (
    CART,
    LUNCH,
    add,
    at_checkout,
    at_confirmation,
    at_details,
    at_waiting_room,
    card,
    confirm_details,
    give_details,
    local_storage,
    open_page,
    open_payment,
    pay,
    press_pay,
    received_messages,
    store_cart,
    to_checkout,
    to_details,
    to_waiting_room,
)
from tests.helpers.product import eventually

CHANGED = "New prices: Rajma Chawal ₹130 (was ₹110). Please look at the new total before you pay."
GONE = (
    "Not on the menu right now: Paneer Butter Masala."
    " If that changes within 30 minutes, your cart has them again."
)


def test_open_menu_takes_new_prices_and_says_what_changed(page, server):
    open_page(page, "/menu/1")
    add(page, "Rajma Chawal", "Rajma Chawal", "Paneer Butter Masala")
    expect(page.get_by_test_id("total")).to_have_text("₹380")
    server.change_price(1, "Rajma Chawal", "130")
    words = "New prices: Rajma Chawal ₹130 (was ₹110)."
    expect(page.locator(".cart-bar").get_by_text(words)).to_be_visible()
    expect(page.get_by_test_id("total")).to_have_text("₹420")
    expect(page.get_by_test_id("item-104")).to_contain_text("₹260")
    server.change_price(1, "Rajma Chawal", "110")
    expect(page.get_by_test_id("total")).to_have_text("₹380")
    expect(page.get_by_text(words)).to_have_count(0)


def test_menu_takes_new_prices_at_the_next_tap(page, server):
    open_page(page, "/menu/1")
    server.change_price(1, "Rajma Chawal", "130")
    add(page, "Rajma Chawal")
    expect(page.get_by_text("New prices: Rajma Chawal ₹130 (was ₹110).")).to_be_visible()
    expect(page.get_by_test_id("item-104")).to_contain_text("₹130")


def test_price_change_during_checkout_shows_new_bill(page, server):
    to_checkout(page, server)
    server.change_price(1, "Rajma Chawal", "130")
    page.get_by_role("button", name="NEXT").click()
    expect(page.get_by_text(CHANGED)).to_be_visible()
    expect(page.get_by_test_id("subtotal")).to_have_text("₹420")
    expect(page.get_by_test_id("grand-total")).to_have_text("₹440")
    assert page.url.endswith("/checkout")
    page.get_by_role("button", name="NEXT").click()
    at_details(page)
    expect(page.locator(".bill")).to_contain_text("₹440")


def test_price_change_during_contact_details_shows_new_bill(page, server, customer):
    to_details(page, server)
    give_details(page, Email=customer)
    server.change_price(1, "Rajma Chawal", "130")
    confirm_details(page)
    at_checkout(page)
    expect(page.get_by_text(CHANGED)).to_be_visible()
    expect(page.get_by_test_id("grand-total")).to_have_text("₹440")


def test_price_change_in_waiting_room_is_shown_before_payment(page, server, customer):
    to_waiting_room(page, server, customer)
    server.change_price(1, "Rajma Chawal", "130")
    press_pay(page)
    at_checkout(page)
    expect(page.get_by_text(CHANGED)).to_be_visible()
    expect(page.get_by_test_id("grand-total")).to_have_text("₹440")
    assert server.orders(customer) == []

    page.get_by_role("button", name="NEXT").click()
    at_details(page)
    expect(page.get_by_label("Email")).to_have_value(customer)
    confirm_details(page)
    at_waiting_room(page)
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    (order,) = server.orders(customer)
    assert (order["number"], order["grand_total_paise"]) == (number, 44_000)


def test_removed_dish_during_checkout_is_reported_and_rest_can_be_ordered(page, server):
    to_checkout(page, server)
    server.remove_dish(1, "Paneer Butter Masala")
    page.get_by_role("button", name="NEXT").click()
    page.wait_for_url("**/menu/1")
    expect(page.get_by_text(GONE)).to_be_visible()
    expect(page.get_by_test_id("total")).to_have_text("₹220")
    page.get_by_role("button", name="PROCEED TO CART").click()
    at_checkout(page)
    expect(page.get_by_text(GONE)).to_have_count(0)
    expect(page.get_by_test_id("subtotal")).to_have_text("₹220")
    assert "112" not in local_storage(page, "cart")
    page.get_by_role("button", name="NEXT").click()
    at_details(page)


def test_removed_dish_is_reported_at_menu_when_visitor_returns(page, server):
    store_cart(page, server)
    server.remove_dish(1, "Paneer Butter Masala")
    page.goto("/checkout")
    page.wait_for_url("**/menu/1")
    expect(page.get_by_text(GONE)).to_be_visible()
    expect(page.get_by_test_id("total")).to_have_text("₹220")
    page.get_by_role("button", name="PROCEED TO CART").click()
    at_checkout(page)
    expect(page.get_by_test_id("subtotal")).to_have_text("₹220")


def test_removed_dish_in_waiting_room_is_reported_before_payment(page, server, customer):
    to_waiting_room(page, server, customer)
    server.remove_dish(1, "Paneer Butter Masala")
    press_pay(page)
    expect(page.get_by_text(GONE)).to_be_visible()
    assert server.orders(customer) == []
    page.wait_for_url("**/menu/1")
    expect(page.get_by_test_id("total")).to_have_text("₹220")
    page.get_by_role("button", name="PROCEED TO CART").click()
    at_checkout(page)


def test_cart_below_minimum_redirects_to_its_menu(page, server):
    to_checkout(page, server)
    server.change_price(1, "Rajma Chawal", "10")
    page.reload()
    page.wait_for_url("**/menu/1")
    expect(page.locator(".notice-band")).to_have_text("Add ₹20 more to reach the ₹200 minimum.")
    add(page, "Mini Thali")
    page.get_by_role("button", name="PROCEED TO CART").click()
    at_checkout(page)


def test_changed_menu_shows_new_prices_after_reload(page, server):
    open_page(page, "/menu/1")
    add(page, LUNCH[0])
    server.change_price(1, "Rajma Chawal", "130")
    page.reload()
    dish = page.get_by_test_id("item-104")
    expect(dish).to_contain_text("₹130")
    expect(dish.get_by_test_id("line-total")).to_have_text("₹130")
    expect(page.get_by_test_id("total")).to_have_text("₹130")


def test_menu_shows_load_error_and_retry_when_request_fails(page):
    open_page(page, "/about")
    page.route("**/api/menus/1", lambda route: route.abort())
    card(page, 1).get_by_role("link").click()
    expect(page.get_by_role("alert")).to_contain_text("Error: Failed to load menu (Status: ")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pehla Food Point")


def test_last_good_menu_is_used_when_menu_file_is_broken(page, server):
    store_cart(page, server)
    server.menu_file(1).write_text("")
    open_page(page, "/menu/1")
    add(page, "Mini Thali")
    page.get_by_role("button", name="PROCEED TO CART").click()
    at_checkout(page)


def test_cart_is_kept_when_menu_is_unreadable(own_server, visit):
    page = visit(own_server)
    store_cart(page, own_server)
    lose_menu(own_server)
    open_page(page, "/checkout")
    expect(page.locator(".notice-band")).to_be_visible()
    expect(page.locator(".notice-band")).not_to_contain_text("Your cart is empty")
    assert CART in local_storage(page, "cart")
    own_server.restore_menus()
    open_page(page, "/checkout")
    at_checkout(page)


def test_add_shows_error_when_menu_is_broken(own_server, visit):
    page = visit(own_server)
    open_page(page, "/menu/1")
    add(page, LUNCH[0])
    page.get_by_text("Gulab Jamun").scroll_into_view_if_needed()
    messages = received_messages(page)
    lose_menu(own_server)
    # A step without a connection would go into the browser's own cart.
    eventually(
        lambda: page.evaluate("1") and '"is_hydrated_rx_state_":true' in "".join(messages),
        "the page is connected again",
    )
    dish = page.locator("[data-testid^=item-]").last
    button = dish.get_by_role("button", name=re.compile("^Add one "))
    button.click()
    toast = page.get_by_role("alert").filter(has_text="The menu can't be read right now")
    expect(toast).to_be_in_viewport()
    expect(dish.get_by_test_id("quantity")).to_have_text("0")
    own_server.restore_menus()
    button.click()
    expect(toast).to_have_count(0)
    expect(dish.get_by_test_id("quantity")).to_have_text("1")


def lose_menu(server):
    """Break a menu that has no last good copy, as after a move to another machine."""
    server.stop()
    server.menu_file(1).write_text("")
    server.delete_last_good_menu(1)
    server.start()
