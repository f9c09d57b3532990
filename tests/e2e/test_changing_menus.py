"""Prices and dishes that change during an order; unreadable menus."""

import os

from playwright.sync_api import expect

from tests.e2e.journey import (
    add,
    at_checkout,
    at_confirmation,
    at_details,
    at_waiting_room,
    card,
    confirm_details,
    connect_at_once,
    freeze_clock,
    local_storage,
    open_page,
    open_payment,
    pay,
    press_pay,
    to_checkout,
    to_waiting_room,
)

HEARTBEAT_MS = 15_000
RETRY_MS = 5_000
MENU = "**/api/menus/1"
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
    page.clock.run_for(HEARTBEAT_MS)
    words = "New prices: Rajma Chawal ₹130 (was ₹110)."
    expect(page.locator(".cart-bar").get_by_text(words)).to_be_visible()
    expect(page.get_by_test_id("total")).to_have_text("₹420")
    expect(page.get_by_test_id("item-104")).to_contain_text("₹260")
    server.change_price(1, "Rajma Chawal", "110")
    page.clock.run_for(HEARTBEAT_MS)
    expect(page.get_by_test_id("total")).to_have_text("₹380")
    expect(page.get_by_text(words)).to_have_count(0)


def price_of_rajma(page):
    return expect(page.get_by_test_id("item-104").locator(".price"))


def test_open_menu_takes_prices_that_changed_while_the_server_was_down(own_server, visit):
    """Source: specification 5.17."""
    page = visit(own_server)
    open_page(page, "/menu/1")
    price_of_rajma(page).to_have_text("₹110")
    own_server.kill()
    file = own_server.menu_file(1)
    file.write_text(file.read_text().replace(",110,", ",130,"))
    os.utime(file, (0, 0))  # it is still, so that the new process reads it at once
    own_server.start()
    connect_at_once(page)
    price_of_rajma(page).to_have_text("₹130")


def test_open_menu_tries_again_when_new_prices_could_not_be_fetched(page, server):
    open_page(page, "/menu/1")
    freeze_clock(page)  # else the page may ask again before the old price is looked at
    page.route(MENU, lambda route: route.abort(), times=1)
    server.change_price(1, "Rajma Chawal", "130")
    with page.expect_event("requestfailed"):
        page.clock.run_for(HEARTBEAT_MS)
    page.evaluate("1")  # the page knows it, and has set the time of its next attempt
    price_of_rajma(page).to_have_text("₹110")
    page.clock.run_for(RETRY_MS)
    price_of_rajma(page).to_have_text("₹130")


def test_menu_is_not_fetched_again_while_it_is_unchanged(page):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    open_page(page, "/menu/1")
    page.clock.run_for(HEARTBEAT_MS)
    open_page(page, "/about")
    card(page, 1).get_by_role("link").click()
    price_of_rajma(page).to_have_text("₹110")
    page.clock.run_for(HEARTBEAT_MS)
    open_page(page, "/terms")
    assert len([each for each in fetched if each.endswith("/api/menus/1")]) == 1


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


def test_menu_shows_load_error_and_retry_when_request_fails(page):
    open_page(page, "/about")
    page.route(MENU, lambda route: route.abort())
    card(page, 1).get_by_role("link").click()
    expect(page.get_by_role("alert")).to_contain_text("Error: Failed to load menu (Status: ")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pehla Food Point")
