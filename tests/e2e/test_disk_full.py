"""A disk that is full: nothing is half done, screens say so, and it goes on once there is room."""

from playwright.sync_api import expect

from tests.e2e.journey import (
    CART,
    at_confirmation,
    at_waiting_room,
    open_payment,
    pay,
    press_pay,
    stored,
    to_waiting_room,
)

EMAIL = "patient@students.example"


def test_order_is_rolled_back_when_disk_is_full_and_completes_afterwards(own_server, visit):
    # Source: specification P5.3.
    page = visit(own_server)
    to_waiting_room(page, own_server, EMAIL)
    own_server.fill_disk()
    press_pay(page)
    overlay = page.get_by_role("alertdialog", name="Technical Issue Detected")
    expect(overlay).to_be_visible()
    assert CART in stored(page, "cart")
    assert own_server.orders(EMAIL) == []
    page.clock.fast_forward(5_000)
    expect(overlay).to_have_count(0)
    press_pay(page)
    expect(overlay).to_be_visible()
    own_server.make_room()
    with page.expect_navigation():
        overlay.get_by_role("button", name="TRY AGAIN", exact=True).click()
    at_waiting_room(page)
    number = open_payment(page)

    own_server.fill_disk()
    address = page.url
    pay(page)
    expect(page.get_by_text("unavailable")).to_be_visible()
    (order,) = own_server.orders(EMAIL)
    assert (order["state"], order["payment_state"]) == ("pending", "pending")
    own_server.make_room()
    page.goto(address)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()
    own_server.wait_until_told(number)
    assert [order["number"] for order in own_server.orders(EMAIL)] == [number]
    own_server.troubles()  # of the minutes without room
