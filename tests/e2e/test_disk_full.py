"""A full disk: no order is stored partially, errors are shown, and orders work again afterwards."""

from playwright.sync_api import expect

from tests.e2e.journey import (
    CART,
    at_confirmation,
    at_waiting_room,
    local_storage,
    open_payment,
    pay,
    press_pay,
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
    assert CART in local_storage(page, "cart")
    assert own_server.orders(EMAIL) == []
    page.clock.fast_forward(5_000)  # then the page tries once more
    again = overlay.get_by_role("button", name="TRY AGAIN", exact=True)
    expect(again).to_be_visible()
    own_server.free_disk()
    with page.expect_navigation():
        again.click()
    at_waiting_room(page)
    number = open_payment(page)

    own_server.fill_disk()
    address = page.url
    pay(page)
    expect(page.get_by_text("unavailable")).to_be_visible()
    (order,) = own_server.orders(EMAIL)
    assert (order["state"], order["payment_state"]) == ("pending", "pending")
    own_server.free_disk()
    page.goto(address)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_text("ORDER CONFIRMED")).to_be_visible()
    own_server.wait_until_notified(number)
    assert [order["number"] for order in own_server.orders(EMAIL)] == [number]
    own_server.logged_errors()  # the errors while the disk was full
