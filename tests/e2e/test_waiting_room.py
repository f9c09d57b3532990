"""The waiting room: its countdown, and a lost connection."""

import re
import sqlite3
from contextlib import closing

from playwright.sync_api import expect

from tests.e2e.journey import (
    CART,
    at_confirmation,
    at_details,
    at_waiting_room,
    confirm_details,
    freeze_clock,
    hold_messages_after,
    local_storage,
    open_payment,
    pay,
    press_pay,
    release,
    set_seconds_to_pay,
    to_payment,
    to_waiting_room,
)

HEALTH = "**/health"
PHONE = "+91 00000 00001"
CONTACT = "Unable to connect to our servers. Please contact the restaurant directly"


def overlay(page):
    return page.get_by_role("alertdialog", name="Technical Issue Detected")


def test_stale_countdown_is_not_shown_on_next_visit(page, server, customer):
    held = hold_messages_after(page, "declined", '"path":"/waiting-room"')
    number = to_payment(page, server, customer)
    pay(page, "Decline payment")
    at_details(page)
    confirm_details(page)
    page.wait_for_url("**/waiting-room")
    expect(page.get_by_role("heading", level=1)).to_have_text("Getting your order ready")
    expect(page.get_by_test_id("countdown")).to_have_text("–:––")
    # The pay event could overtake the open event, and find a started payment.
    expect(page.get_by_role("button", name=re.compile("^PAY"))).to_be_disabled()
    release(page, held)
    at_waiting_room(page)
    assert open_payment(page) == number


def test_pay_button_becomes_try_again_when_countdown_ends(page, server, customer):
    to_waiting_room(page, server, customer)
    set_seconds_to_pay(page, 30)
    expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"0:(30|[12]\d)"))
    page.clock.fast_forward(30_000)
    expect(page.get_by_test_id("countdown")).to_have_text("0:00")
    expect(page.get_by_role("button", name=re.compile("^PAY"))).to_have_count(0)
    page.get_by_role("button", name="Try Again", exact=True).click()
    at_details(page)
    expect(page.get_by_label("Full name")).to_have_value("Aarav Sharma")
    expect(page.get_by_label("Email")).to_have_value(customer)
    assert CART in local_storage(page, "cart")
    confirm_details(page)
    at_waiting_room(page)
    expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"2:\d\d"))
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    assert [order["number"] for order in server.orders(customer)] == [number]


def test_reload_does_not_extend_the_countdown(page, server, customer):
    to_waiting_room(page, server, customer)
    set_seconds_to_pay(page, 119)
    expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"1:\d\d"))
    page.reload()
    expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"1:\d\d"))
    set_seconds_to_pay(page, -1)
    expect(page.get_by_text("Time ran out. Nothing was charged.")).to_be_visible()
    expect(page.get_by_role("button", name="Try Again", exact=True)).to_be_visible()


def test_last_seconds_are_announced_twice(page, server, customer):
    to_waiting_room(page, server, customer)
    set_seconds_to_pay(page, 59)
    expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"0:[345]\d"))
    announced = set()
    freeze_clock(page)
    while page.get_by_test_id("countdown").inner_text() != "0:00":
        page.clock.run_for(500)
        announced |= set(page.get_by_role("status").all_inner_texts())
    assert {"30 seconds left to pay", "10 seconds left to pay"} <= announced
    assert len([words for words in announced if "left to pay" in words]) == 2


def test_lost_connection_overlay_shows_phone_after_ten_seconds(page, server, customer):
    to_waiting_room(page, server, customer)
    expect(page.get_by_text("Connected to the payment service")).to_be_visible()
    page.route(HEALTH, lambda route: route.abort())
    page.clock.fast_forward(5_000)
    expect(overlay(page)).to_be_visible()
    expect(overlay(page)).to_contain_text(CONTACT)
    expect(overlay(page)).to_be_focused()
    expect(page.get_by_test_id("overlay-countdown")).to_have_text(re.compile(r"^(10|\d)$"))
    expect(page.get_by_text(PHONE)).to_have_count(0)
    page.clock.fast_forward(10_000)
    expect(overlay(page).get_by_role("link", name=PHONE)).to_have_attribute(
        "href", "tel:+910000000001"
    )
    # Earlier, a health check of the page could close the overlay before the click.
    page.once("framenavigated", lambda _frame: page.unroute(HEALTH))
    with page.expect_navigation():
        page.get_by_role("button", name="TRY AGAIN", exact=True).click()
    at_waiting_room(page)
    expect(overlay(page)).to_have_count(0)
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    assert [order["number"] for order in server.orders(customer)] == [number]


def test_payment_service_outage_is_announced(page, server, customer):
    to_waiting_room(page, server, customer)
    services = server.get("/health").json()["services"] | {"payments": "down"}
    page.route(HEALTH, lambda route: route.fulfill(json={"services": services}))
    page.clock.fast_forward(5_000)
    expect(page.get_by_text("The payment service isn't answering right now")).to_be_visible()
    expect(page.get_by_text("Connected to the payment service")).to_have_count(0)
    expect(overlay(page)).to_have_count(0)
    page.unroute(HEALTH)
    page.clock.fast_forward(5_000)
    expect(page.get_by_text("Connected to the payment service")).to_be_visible()
    open_payment(page)


def test_overlay_closes_when_connection_recovers_late(page, server, customer):
    to_waiting_room(page, server, customer)
    page.route(HEALTH, lambda route: route.abort())
    page.clock.fast_forward(5_000)
    expect(overlay(page)).to_be_visible()
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("button", name="TRY AGAIN", exact=True)).to_be_visible()
    page.unroute(HEALTH)
    page.clock.fast_forward(5_000)
    expect(overlay(page)).to_have_count(0)


def test_pay_without_connection_shows_overlay_and_orders_nothing(page, server, customer):
    to_waiting_room(page, server, customer)
    page.route(HEALTH, lambda route: route.abort())
    page.clock.fast_forward(5_000)
    expect(overlay(page)).to_be_visible()
    page.get_by_role("button", name=re.compile("^PAY"), include_hidden=True).dispatch_event("click")
    expect(overlay(page)).to_be_visible()
    assert page.url.endswith("/waiting-room")
    assert server.orders(customer) == []


def test_second_storage_failure_shows_the_restaurants_phone(own_server, visit):
    page = visit(own_server)
    email = "unlucky@students.example"
    to_waiting_room(page, own_server, email)
    freeze_clock(page)
    with closing(sqlite3.connect(own_server.database, timeout=30)) as connection:
        connection.execute("alter table orders rename to orders_elsewhere")
        press_pay(page)
        expect(page.get_by_test_id("overlay-countdown")).to_have_text("10")
        expect(page.get_by_text("Opening the payment page...")).to_have_count(0)
        page.clock.run_for(4_000)
        expect(overlay(page)).to_contain_text("Trying again on our own")
        page.clock.run_for(1_000)
        expect(overlay(page).get_by_role("link", name=PHONE)).to_be_visible()
        connection.execute("alter table orders_elsewhere rename to orders")
    page.clock.run_for(5_000)
    expect(page.get_by_text("Connected to the payment service")).to_have_count(0)
    expect(overlay(page)).to_be_visible()
    assert own_server.logged_errors() != []
    page.clock.resume()
    with page.expect_navigation():
        page.get_by_role("button", name="TRY AGAIN", exact=True).click()
    at_waiting_room(page)
    number = open_payment(page)
    assert [order["number"] for order in own_server.orders(email)] == [number]


def test_payment_is_tried_again_when_preparing_the_order_failed_once(own_server, visit):
    page = visit(own_server)
    to_waiting_room(page, own_server, "lucky@students.example")
    freeze_clock(page)
    with closing(sqlite3.connect(own_server.database, timeout=30)) as connection:
        connection.execute("alter table orders rename to orders_elsewhere")
        press_pay(page)
        expect(page.get_by_test_id("overlay-countdown")).to_be_visible()
        connection.execute("alter table orders_elsewhere rename to orders")
    page.clock.run_for(5_000)
    page.wait_for_url("**/sandbox/pay**")
    assert len(own_server.orders("lucky@students.example")) == 1
    assert own_server.logged_errors() != []


def test_details_can_be_changed_from_waiting_room(page, server, customer):
    to_waiting_room(page, server, customer)
    page.get_by_role("link", name="Change your details").click()
    at_details(page)
    expect(page.get_by_label("Email")).to_have_value(customer)
    page.get_by_label("Address").fill("Hostel 7, room 3")
    confirm_details(page)
    at_waiting_room(page)
    expect(page.locator(".pay-panel")).to_contain_text("Hostel 7, room 3")


def test_connection_is_not_claimed_before_health_is_known(page, server, customer):
    # Source: specification S17.
    def leave_unanswered(route):
        if route.request.is_navigation_request():
            route.continue_()

    page.route(HEALTH, leave_unanswered)
    to_waiting_room(page, server, customer)
    expect(page.get_by_text("Connected to the payment service")).to_have_count(0)
    page.unroute(HEALTH)
    page.clock.fast_forward(5_000)
    expect(page.get_by_text("Connected to the payment service")).to_be_visible()
