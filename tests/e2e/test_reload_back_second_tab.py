"""Reload, back button and second tab: no state is lost, and no order is duplicated."""

import re

from playwright.sync_api import expect

from tests.e2e.journey import (
    CART,
    DETAILS,
    LUNCH,
    add,
    at_checkout,
    at_confirmation,
    at_details,
    at_waiting_room,
    confirm_details,
    expect_storage_event,
    give_details,
    local_storage,
    next_to_details,
    open_page,
    open_payment,
    open_restaurant,
    pay,
    press_pay,
    proceed,
    to_checkout,
    to_details,
    to_payment,
    to_waiting_room,
    unfold_instructions,
    wait_until_hydrated,
)
from tests.e2e.network import PageSocket


def test_reload_from_menu_to_confirmation_keeps_state(page, server, customer):
    open_page(page, "/about")
    open_restaurant(page)
    add(page, *LUNCH)
    page.reload()
    expect(page.get_by_test_id("item-104").get_by_test_id("quantity")).to_have_text("2")
    expect(page.get_by_test_id("total")).to_have_text("₹380")

    proceed(page)
    page.get_by_role("radio", name="₹20", exact=True).click()
    expect(page.get_by_test_id("donation")).to_have_text("₹20")
    page.reload()
    at_checkout(page)
    expect(page.get_by_role("radio", name="₹20")).to_be_checked()
    expect(page.get_by_test_id("grand-total")).to_have_text("₹415")

    next_to_details(page)
    give_details(page, Email=customer)
    unfold_instructions(page)
    page.get_by_label("Note for the kitchen").fill("No onion")
    page.get_by_label("Note for the door").fill("Gate 2")
    page.get_by_label("No cutlery, please").check()
    page.reload()
    at_details(page)
    expect(page.get_by_label("Note for the kitchen")).to_be_visible()  # not folded
    expect(page.get_by_label("Note for the kitchen")).to_have_value("No onion")
    expect(page.get_by_label("Note for the door")).to_have_value("Gate 2")
    expect(page.get_by_label("No cutlery, please")).to_be_checked()
    expect(page.get_by_label("Full name")).to_have_value("Aarav Sharma")
    expect(page.get_by_label("Address")).to_have_value("Hostel 4, B block, room 212")

    confirm_details(page)
    at_waiting_room(page)
    page.reload()
    at_waiting_room(page)
    expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"2:\d\d"))
    number = open_payment(page)
    page.reload()
    pay(page, "Leave pending")
    expect(page.get_by_text("Do not refresh this page")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()

    tab = page.context.new_page()
    tab.goto(f"/sandbox/pay?order_id={number}")
    pay(tab)
    page.clock.run_for(6_000)
    at_confirmation(page)
    page.reload()
    at_confirmation(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("THANK YOU, AARAV SHARMA!")
    expect(page.get_by_test_id("amount-due")).to_have_text("₹335")
    (order,) = server.orders(customer)
    assert (order["donation_paise"], order["note"]) == (2000, "No onion")
    assert (order["door_note"], order["no_cutlery"]) == ("Gate 2", 1)
    server.wait_until_notified(number)


def test_input_typed_while_disconnected_survives_reload(page, server, customer):
    socket = PageSocket(page)
    to_details(page, server)
    socket.disconnect()
    give_details(page, Email=customer)
    unfold_instructions(page)
    page.get_by_label("Note for the kitchen").fill(" No onion,\nplease")
    cutlery = page.get_by_label("No cutlery, please")
    cutlery.check()
    cutlery.uncheck()
    cutlery.check()
    page.reload()
    at_details(page)
    expect(page.get_by_label("Note for the kitchen")).to_have_value(" No onion,\nplease")
    expect(cutlery).to_be_checked()
    for label, value in (DETAILS | {"Email": customer}).items():
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    confirm_details(page)
    at_waiting_room(page)
    open_payment(page)
    pay(page)
    at_confirmation(page)
    (order,) = server.orders(customer)
    assert (order["note"], order["no_cutlery"]) == ("No onion, please", 1)
    to_details(page, server)
    expect(page.get_by_label("Note for the kitchen")).to_have_value("")
    # Unlike the kitchen's note, this is about the customer, not the order.
    expect(cutlery).to_be_checked()


def test_back_button_returns_from_payment_to_menu_and_order_is_reused(page, server, customer):
    open_page(page, "/about")
    open_restaurant(page)
    add(page, *LUNCH)
    proceed(page)
    next_to_details(page)
    give_details(page, Email=customer)
    confirm_details(page)
    at_waiting_room(page)
    number = open_payment(page)

    page.go_back()
    at_waiting_room(page)
    page.go_back()
    at_details(page)
    expect(page.get_by_label("Full name")).to_have_value("Aarav Sharma")
    page.go_back()
    at_checkout(page)
    page.go_back()
    expect(page.get_by_test_id("item-104").get_by_test_id("quantity")).to_have_text("2")
    assert CART in local_storage(page, "cart")

    proceed(page)
    next_to_details(page)
    confirm_details(page)
    at_waiting_room(page)
    assert open_payment(page) == number
    pay(page)
    at_confirmation(page)
    assert [order["number"] for order in server.orders(customer)] == [number]


def test_back_from_confirmation_creates_no_second_order(page, server, customer):
    number = to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    page.go_back()
    expect(page.get_by_text("This payment is already made.")).to_be_visible()
    page.go_back()
    page.wait_for_url("**/campus")
    expect(page.get_by_text("Your cart is empty. Choose a restaurant to begin.")).to_be_visible()
    assert [order["number"] for order in server.orders(customer)] == [number]


def test_double_click_on_pay_creates_one_order(page, server, customer):
    to_waiting_room(page, server, customer)
    page.get_by_role("button", name=re.compile("^PAY ₹")).dblclick(no_wait_after=True)
    page.wait_for_url("**/sandbox/pay**")
    assert len(server.orders(customer)) == 1


def waiting_room_in_another_tab(page, customer):
    other = page.context.new_page()
    open_page(other, "/checkout")
    at_checkout(other)
    next_to_details(other)
    give_details(other, Email=customer)
    confirm_details(other)
    at_waiting_room(other)
    return other


def test_two_tabs_with_one_cart_create_one_order(page, server, customer):
    to_waiting_room(page, server, customer)
    other = waiting_room_in_another_tab(page, customer)

    number = open_payment(page)
    assert open_payment(other) == number
    pay(page)
    at_confirmation(page)
    pay(other)
    at_confirmation(other)
    assert [order["number"] for order in server.orders(customer)] == [number]
    server.wait_until_notified(number)


def test_pay_in_stale_tab_creates_no_second_order(page, server, customer):
    to_waiting_room(page, server, customer)
    other = waiting_room_in_another_tab(page, customer)
    number = open_payment(other)
    pay(other)
    at_confirmation(other)

    press_pay(page)
    page.wait_for_url(re.compile("/order-confirmation|/campus"))
    assert [order["number"] for order in server.orders(customer)] == [number]
    server.wait_until_notified(number)


def test_dish_added_in_another_tab_is_shown_before_payment(page, server, customer):
    to_waiting_room(page, server, customer)
    other = page.context.new_page()
    open_page(other, "/menu/1")
    await_cart = expect_storage_event(page, "cart")
    add(other, "Mini Thali")
    await_cart()
    press_pay(page)
    at_checkout(page)
    expect(page.get_by_test_id("grand-total")).to_have_text("₹490")
    assert server.orders(customer) == []


def test_later_screen_in_second_tab_redirects_to_summary(page, server):
    to_checkout(page, server)
    for address in ("/personal-info", "/waiting-room"):
        other = page.context.new_page()
        other.goto(address)
        at_checkout(other)
        wait_until_hydrated(other)
        banner = other.locator(".notice-band")
        expect(banner).to_be_visible()
        expect(banner).not_to_contain_text("A price has changed")
        assert CART in local_storage(other, "cart")
