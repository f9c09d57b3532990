"""The operator closes a restaurant during an order."""

from playwright.sync_api import expect

from tests.e2e.journey import (
    CART,
    at_confirmation,
    at_details,
    local_storage,
    open_payment,
    pay,
    press_pay,
    store_cart,
    to_checkout,
    to_payment,
    to_waiting_room,
)
from tests.helpers.product import eventually

CLOSED = "Pehla Food Point is not delivering right now. Your cart is kept."


def expect_refused_at(page, path):
    expect(page.get_by_text(CLOSED)).to_be_visible()
    assert page.url.endswith(path)
    assert CART in local_storage(page, "cart")


def test_summary_refuses_to_proceed_and_keeps_cart_when_restaurant_closes(page, server):
    to_checkout(page, server)
    server.set_override(1, is_open=False)
    page.get_by_role("button", name="NEXT").click()
    expect_refused_at(page, "/checkout")

    server.set_override(1, is_open=True)
    page.get_by_role("button", name="NEXT").click()
    at_details(page)
    expect(page.get_by_text(CLOSED)).to_have_count(0)


def test_pay_is_refused_and_cart_kept_when_restaurant_closes(page, server, customer):
    to_waiting_room(page, server, customer)
    server.set_override(1, is_open=False)
    press_pay(page)
    expect_refused_at(page, "/waiting-room")
    assert server.orders(customer) == []

    server.set_override(1, is_open=True)
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    server.wait_until_notified(number)


def test_payment_is_refunded_when_restaurant_closed_before_it(page, server, customer):
    number = to_payment(page, server, customer)
    server.set_override(1, is_open=False)
    pay(page)
    page.wait_for_url("**/order-confirmation**")
    page.clock.fast_forward(2_000)
    expect(page.get_by_text("MONEY COMES BACK")).to_be_visible()
    expect(page.get_by_role("link", name="+91 00000 00001")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("SORRY, AARAV SHARMA.")
    expect(page.locator("main")).to_contain_text("this order can't go ahead")
    expect(page.locator("main")).to_contain_text("₹65 goes back to you. Do not pay again.")
    expect(page.get_by_text("ORDER CONFIRMED")).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text("UPON DELIVERY")
    assert [order["state"] for order in server.orders(customer)] == ["refund_due"]
    (mail,) = eventually(
        lambda: [mail for mail in server.mails_about(number) if customer in mail["to"]], "a mail"
    )
    assert "your money goes back" in mail["subject"]


def test_closed_menu_can_be_read_and_says_when_it_opens(page):
    page.goto("/menu/4")
    expect(page.get_by_role("heading", level=1)).to_have_text("Wok Street")
    notice = page.get_by_text("This kitchen takes no orders now. Opens 17:00")
    expect(notice).to_be_visible()
    expect(page.get_by_test_id("cart-closed")).to_have_text("Opens 17:00")
    dish = page.get_by_test_id("item-401").first
    expect(dish).to_be_visible()
    expect(dish.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("button", name="PROCEED TO CART")).to_be_disabled()


def test_closed_menu_hides_its_buttons_before_hydration(visit, server):
    page = visit(server, java_script_enabled=False)
    for restaurant, count in ((1, 2), (4, 0)):
        page.goto(f"/menu/{restaurant}")
        dish = page.locator(".dish-card").first
        expect(dish.get_by_role("heading")).to_be_visible()
        expect(dish.get_by_role("button")).to_have_count(count)


def test_closed_menu_takes_dishes_out_of_the_kept_cart_alone(page, server):
    store_cart(page, server)
    server.set_override(1, is_open=False)
    page.goto("/menu/1")
    rajma = page.get_by_test_id("item-104").first
    expect(rajma.get_by_role("button", name="Add one Rajma Chawal")).to_have_count(0)
    rajma.get_by_role("button", name="Remove one Rajma Chawal").click()
    expect(rajma.get_by_test_id("quantity")).to_have_text("1")
    server.set_override(1, is_open=True)
    rajma.get_by_role("button", name="Add one Rajma Chawal").click()
    expect(rajma.get_by_test_id("quantity")).to_have_text("2")
