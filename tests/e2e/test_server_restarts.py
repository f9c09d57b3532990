"""The server restarts at every step: no cart is lost, and nothing is paid twice."""

from playwright.sync_api import expect

from tests.e2e.frames import wait_for_frames
from tests.e2e.journey import (
    LUNCH,
    add,
    at_confirmation,
    at_waiting_room,
    choose_campus,
    confirm_details,
    connect_at_once,
    give_details,
    next_to_details,
    open_page,
    open_payment,
    open_restaurant,
    pay,
    proceed,
    session_storage,
    wait_until_hydrated,
)
from tests.helpers.product import eventually

LOST = ".connection-banner.shown"
PAYING = "Verifying your payment..."


def test_two_visitors_complete_orders_when_server_restarts_on_every_screen(own_server, visit):
    """One visitor waits; the other reloads each time."""
    waiting, reloading = visitors = [visit(own_server), visit(own_server)]

    def restart():
        own_server.kill()
        own_server.start()
        connect_at_once(waiting)
        reloading.reload()

    for page in visitors:
        open_page(page, "/campus")
    restart()
    wait_until_hydrated(reloading)
    for page in visitors:
        choose_campus(page)
    restart()
    for page in visitors:
        open_restaurant(page)
        add(page, *LUNCH)
    restart()
    for page in visitors:
        expect(page.get_by_test_id("total")).to_have_text("₹380")
        proceed(page)
        page.get_by_role("radio", name="₹10", exact=True).click()
        expect(page.get_by_test_id("grand-total")).to_have_text("₹405")
    restart()
    for page in visitors:
        expect(page.get_by_test_id("grand-total")).to_have_text("₹405")
        next_to_details(page)
    give_details(waiting, Email="waiting@students.example")
    give_details(reloading, Email="reloading@students.example")
    reloading.get_by_label("Address").blur()
    eventually(
        lambda: "Hostel 4" in session_storage(reloading, "checkoutDraft"), "the draft is stored"
    )
    restart()
    for page in visitors:
        expect(page.get_by_label("Full name")).to_have_value("Aarav Sharma")
        expect(page.get_by_label("Address")).to_have_value("Hostel 4, B block, room 212")
        confirm_details(page)
        at_waiting_room(page)
    restart()
    numbers = [at_waiting_room(page) or open_payment(page) for page in visitors]
    restart()
    for page in visitors:
        pay(page, "Leave pending")
        expect(page.get_by_text(PAYING)).to_be_visible()
    restart()
    for page, number in zip(visitors, numbers, strict=True):
        expect(page.get_by_text(PAYING)).to_be_visible()
        tab = page.context.new_page()
        tab.goto(f"/sandbox/pay?order_id={number}")
        pay(tab)
        page.clock.run_for(6_000)
        at_confirmation(page)
        page.get_by_role("button", name="Stay on this page").click()
    own_server.restart()
    reloading.reload()
    at_confirmation(reloading)
    for page, number in zip(visitors, numbers, strict=True):
        expect(page.get_by_test_id("order-id")).to_have_text(f"ORDER_ID: #{number}")
        expect(page.get_by_role("heading", level=1)).to_have_text("THANK YOU, AARAV SHARMA!")
        own_server.wait_until_notified(number)
    for name, number in zip(("waiting", "reloading"), numbers, strict=True):
        orders = own_server.orders(f"{name}@students.example")
        assert [order["number"] for order in orders] == [number]


def test_restart_keeps_scroll_position_and_focus(own_server, visit):
    """The page is never emptied, which would lose scroll position and focus."""
    page = visit(own_server)
    page.set_viewport_size({"width": 390, "height": 500})
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    expect_unchanged_by_restart(page, own_server, "Add one Mini Thali")
    proceed(page)
    expect_unchanged_by_restart(page, own_server, "NEXT")
    next_to_details(page)
    give_details(page, Email="reader@students.example")
    expect_unchanged_by_restart(page, own_server, "NEXT")
    confirm_details(page)
    at_waiting_room(page)
    # A health check during the restart would open the overlay, which takes the focus (4.12).
    healthy = {"status": "ok", "services": {"payments": "ok"}}
    page.route("**/health", lambda route: route.fulfill(json=healthy))
    expect_unchanged_by_restart(page, own_server, "PAY ₹")


def expect_unchanged_by_restart(page, server, button):
    """Restart the server; expect that focus and scroll position stay."""
    focused = page.get_by_role("button", name=button).first
    focused.focus()
    focused.scroll_into_view_if_needed()
    wait_for_frames(page, 2)  # rows that come into view get their heights
    page.evaluate("window.before = [document.activeElement, scrollY]")
    server.kill()
    expect(page.locator(LOST)).to_be_visible()
    server.start()
    connect_at_once(page)
    expect(page.locator(LOST)).to_have_count(0)
    expect(focused).to_be_focused()
    assert page.evaluate("window.before[0] === document.activeElement")
    assert page.evaluate("scrollY - window.before[1]") == 0


def test_pay_after_restart_creates_one_order(own_server, visit):
    page = visit(own_server)
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    proceed(page)
    next_to_details(page)
    give_details(page, Email="once@students.example")
    confirm_details(page)
    at_waiting_room(page)
    own_server.kill()
    page.clock.fast_forward(5_000)
    expect(page.get_by_role("alertdialog")).to_be_visible()
    own_server.start()
    page.clock.fast_forward(5_000)
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    assert [order["number"] for order in own_server.orders("once@students.example")] == [number]
