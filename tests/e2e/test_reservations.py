"""Table reservations, orders for a table, and expired holds."""

import json
import re
import sqlite3
from contextlib import closing, suppress
from datetime import datetime

import pytest
from playwright.sync_api import expect

from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.translations import t
from kit.translations import COOKIE, use_locale
from tests.e2e.journey import (
    add,
    at_checkout,
    at_confirmation,
    at_details,
    at_waiting_room,
    confirm_details,
    freeze_clock,
    give_details,
    local_storage,
    next_to_details,
    open_page,
    open_payment,
    pay,
    proceed,
    store_cart,
)
from tests.e2e.test_keyboard import tab_to

SLOTS = [f"{hour}:{minute}" for hour in range(12, 18) for minute in ("00", "30")]
OVER = SLOTS[:3]
"""The slots that are over at 13:00."""

FLASKS = "202:5"
"""Five flasks of tea of restaurant 2: 550 rupees."""

ENDED = "Your table is no longer held. Dishes are at the usual prices."


def slot(page, name):
    return page.get_by_role("radio", name=name, exact=True)


def choose(page, name="15:30", guests=4):
    """Choose a slot and the number of guests."""
    open_page(page, "/pre-reserve")
    expect(page.get_by_test_id("reservation-day")).to_contain_text("November")
    slot(page, name).check()
    expect(page.locator(".bill h2")).to_contain_text(name)
    for number in range(3, guests + 1):
        page.get_by_role("button", name="More guests").click()
        expect(page.get_by_test_id("party-size")).to_have_text(str(number))


def reserve(page, name="15:30", guests=4):
    """Reserve a table and open its menu."""
    choose(page, name, guests)
    page.get_by_role("button", name="Reserve", exact=True).click()
    page.wait_for_url("**/menu/2?preReserved=true")
    expect(banner(page)).to_contain_text(f"table for {guests} at {name}, ")


def banner(page):
    return page.get_by_test_id("pre-reserved")


def reservation(page):
    """Return the stored reservation."""
    text = local_storage(page, "preReservation")
    return json.loads(text) if text else None


def give_the_slot_away(server):
    """Give all seats of 17:30 to others, who have paid."""
    for _ in range(3):
        change_holds(
            server,
            "insert into seat_holds"
            " (id, restaurant_id, date, slot, party_size, state, expires_at_ms, order_id)"
            " values (hex(randomblob(16)), 2, '2026-11-18', '17:30', 8, 'firm', 0, '')",
        )


def change_holds(server, statement):
    with closing(sqlite3.connect(server.database, timeout=10)) as connection, connection:
        connection.execute(statement)


def holds(server):
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as connection:
        statement = "select id, slot, party_size, state, order_id from seat_holds"
        return [
            dict(zip(("id", "slot", "party", "state", "order"), row, strict=True))
            for row in connection.execute(statement)
        ]


def test_table_order_completes_from_slots_to_confirmation(page, server, customer):
    open_page(page, "/about")
    page.get_by_test_id("restaurant-2").get_by_role("link", name="Reserve a table").click()
    page.wait_for_url("**/pre-reserve")
    expect(page.get_by_role("heading", level=1, name="Kulhad Café")).to_be_visible()
    expect(page.get_by_test_id("reservation-day")).to_have_text("Today, Wednesday 18 November.")
    for name in SLOTS:
        (
            expect(slot(page, name)).to_be_disabled
            if name in OVER
            else expect(slot(page, name)).to_be_enabled
        )()

    reserve(page)
    stored = reservation(page)
    assert len(stored.pop("reservationId")) >= 32
    assert datetime.fromisoformat(stored.pop("timestamp")).utcoffset().total_seconds() == 19_800
    assert stored == {
        "restaurant": "Kulhad Café",
        "restaurantId": 2,
        "timeSlot": "15:30",
        "partySize": 4,
        "date": "2026-11-18",
        "discount": 10,
        "isPreReservation": True,
        "orderType": "pre-reserve",
    }
    expect(banner(page)).to_contain_text("10% off this order, from ₹400. No delivery fee.")

    expect(page.get_by_test_id("shortfall")).to_have_text(
        "Add ₹444.44 more. Pre-reserved orders start at ₹400 after the discount."
    )
    add(page, *["Masala Chai, Flask for Four"] * 4)
    expect(page.get_by_test_id("total")).to_have_text("₹396")
    expect(page.get_by_test_id("shortfall")).to_contain_text("Add ₹4.44 more.")
    # The dish that closes the gap is beside it.
    assert (
        page.get_by_test_id("shortfall").bounding_box()["height"]
        <= page.get_by_test_id("closing-dish").bounding_box()["height"]
    )
    expect(page.get_by_role("button", name="PROCEED TO CART")).to_be_disabled()
    add(page, "Masala Chai, Flask for Four")
    expect(page.get_by_test_id("subtotal")).to_have_text("₹550")
    expect(page.get_by_test_id("discount")).to_have_text("₹55")
    expect(page.get_by_test_id("total")).to_have_text("₹495")
    proceed(page)

    expect(banner(page)).to_contain_text("table for 4 at 15:30, Wed 18 Nov")
    for figure, amount in {
        "subtotal": "₹550",
        "discount": "₹55",
        "delivery-fee": "₹0",
        "convenience-fee": "₹5",
        "grand-total": "₹500",
        "pay-online": "₹20",
        "pay-later": "₹480",
    }.items():
        expect(page.get_by_test_id(figure)).to_have_text(amount)
    expect(page.locator("main")).to_contain_text("To pay at the restaurant")
    expect(page.locator("main")).to_contain_text("Pre-reservation: 10% off")

    next_to_details(page)
    expect(page.locator(".bill")).to_contain_text("To pay at the restaurant")
    give_details(page, Email=customer, Address=None)
    confirm_details(page)
    at_waiting_room(page)
    expect(page.locator("main")).to_contain_text("5 dishes, table for 4 at 15:30, Wed 18 Nov")
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_test_id("amount-due")).to_have_text("₹480")
    expect(page.locator("main")).to_contain_text("Your table for 4 at 15:30, Wed 18 Nov.")
    expect(page.locator("main")).to_contain_text("Kulhad Café cooks it for your table.")
    assert reservation(page) is None
    assert not local_storage(page, "cart")

    (order,) = server.orders(customer)
    assert (order["state"], order["reserved_slot"], order["party_size"]) == (
        "confirmed",
        "15:30",
        4,
    )
    assert [each["state"] for each in holds(server) if each["order"] == order["id"]] == ["firm"]
    server.wait_until_notified(number)
    for mail in server.mails_about(number):
        for part in ("plain", "html"):
            text = mail.get_body((part,)).get_content()
            assert "Table for 4" in text
            assert "Wed 18 Nov at 15:30" in text


WIDTHS = {"en": {}, "hi": {"viewport": {"width": 1280, "height": 800}, "is_mobile": False}}
DELIVERY = re.compile(r"deliver|\bdoor\b|hostel|डिलीवरी|पहुँच|दरवाज़|हॉस्टल", re.IGNORECASE)
FREE = re.compile(r"delivery fee|डिलीवरी फ़ीस", re.IGNORECASE)
"""The summary may name the fee that a table does not cost."""


def expect_no_delivery(page):
    """Expect that a screen of a table order does not mention delivery."""
    words = FREE.sub("", page.locator("body").inner_text())
    assert not DELIVERY.search(words), words


@pytest.mark.parametrize(("code", "options"), WIDTHS.items(), ids=WIDTHS)
def test_table_order_screens_never_mention_delivery(visit, server, customer, code, options):
    """Source: specification S18."""
    page = visit(server, **options)
    page.context.add_cookies([{"name": COOKIE, "value": code, "url": server.url}])
    store_cart(page, server, restaurant=2, dishes=FLASKS)
    open_page(page, "/pre-reserve")
    slot(page, "15:30").check()
    with use_locale(code):
        page.get_by_role("button", name=t("Reserve"), exact=True).click()
        page.wait_for_url("**/menu/2?preReserved=true")
        proceed(page)
        expect_no_delivery(page)
        next_to_details(page)
        expect(page.get_by_label(t("Address"))).to_have_count(0)
        expect(page.get_by_label(t("Phone number"))).to_have_accessible_description(
            t("The restaurant calls this number.")
        )
        expect_no_delivery(page)
        page.reload()
        at_details(page)
        page.get_by_text(t("Special instructions")).click()
        expect(page.get_by_label(t("Note for the kitchen"))).to_be_visible()
        for label in ("Address", "Note for the door", "No cutlery, please"):
            expect(page.get_by_label(t(label))).to_have_count(0)
        give_details(page, Email=customer, Address=None)
        confirm_details(page)
        at_waiting_room(page)
        expect_no_delivery(page)
        number = open_payment(page)
        pay(page)
        at_confirmation(page)
        expect(page.locator(".amount-due")).to_have_text(
            t("PLEASE PAY {amount} AT THE RESTAURANT", amount="₹480")
        )
        server.wait_until_notified(number)
        expect(page.get_by_text(t("MISSED CALL SENT"))).to_be_visible()
        expect_no_delivery(page)
        page.get_by_role("link", name=t("Your receipt")).click()
        expect(page.get_by_test_id("receipt")).to_be_visible()
        expect_no_delivery(page)
    (order,) = server.orders(customer)
    assert order["address"] == ""
    (vendor,) = [mail for mail in server.mails_about(number) if customer not in mail["to"]]
    assert vendor["subject"].endswith("5 dishes, table for 2 at 15:30, Wed 18 Nov")


def test_details_never_show_address_field_for_table_order(page, server):
    store_cart(page, server, restaurant=2, dishes=FLASKS)
    reserve(page)
    proceed(page)
    next_to_details(page)
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload()
    expect(page.get_by_label("Full name")).to_be_visible()
    expect(page.get_by_label("Address")).to_be_hidden()
    expect(page.locator("main")).not_to_contain_text("at the door")


def test_reserve_button_is_busy_for_two_seconds(page):
    choose(page, "16:30")
    freeze_clock(page)
    page.get_by_role("button", name="Reserve", exact=True).click()
    expect(page.get_by_role("button", name="Reserving...")).to_be_visible()
    assert reservation(page)["timeSlot"] == "16:30"
    page.clock.run_for(1_900)
    assert page.url.endswith("/pre-reserve")
    page.clock.run_for(200)
    page.wait_for_url("**/menu/2?preReserved=true")


def test_reserve_is_refused_when_seats_were_taken(own_server, visit):
    page = visit(own_server)
    choose(page, "17:30", 8)
    give_the_slot_away(own_server)
    page.get_by_role("button", name="Reserve", exact=True).click()
    expect(page.get_by_text("These seats have just been taken.")).to_be_visible()
    expect(slot(page, "17:30")).to_be_disabled()
    expect(page.locator("label", has_text="17:30")).to_contain_text("FULL")
    assert reservation(page) is None


def test_cancel_releases_table_and_keeps_cart(page, server):
    store_cart(page, server, restaurant=2, dishes=FLASKS)
    reserve(page, "14:30")
    page.go_back()
    expect(page.get_by_text("You hold a table for 4 at 14:30")).to_be_visible()
    own = reservation(page)["reservationId"]
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url(re.compile("/about$"))
    expect(page.get_by_text("Your reservation is cancelled.")).to_be_visible()
    assert reservation(page) is None
    assert FLASKS in local_storage(page, "cart")
    # Other tests of this server hold tables too.
    assert [each["state"] for each in holds(server) if each["id"] == own] == ["released"]


def test_menu_without_flag_shows_regular_prices_and_link_to_table(page, server):
    store_cart(page, server, restaurant=2, dishes=FLASKS)
    reserve(page, "16:00", 2)
    expect(page.get_by_test_id("discount")).to_have_text("₹55")
    open_page(page, "/menu/2")
    expect(page.get_by_test_id("discount")).to_have_text("₹0")
    expect(banner(page)).to_have_count(0)
    expect(page.get_by_text("You hold a table for 2 at 16:00")).to_be_visible()
    assert reservation(page)["isPreReservation"] is False
    page.get_by_role("link", name="Order for it").click()
    expect(banner(page)).to_be_visible()
    expect(page.get_by_test_id("discount")).to_have_text("₹55")
    assert reservation(page)["isPreReservation"] is True


def test_table_is_kept_after_reload_back_and_in_second_tab(page, server):
    store_cart(page, server, restaurant=2, dishes=FLASKS)
    reserve(page, "15:00", 2)
    page.reload()
    expect(page.get_by_test_id("discount")).to_have_text("₹55")
    proceed(page)
    page.reload()
    at_checkout(page)
    expect(page.get_by_test_id("pay-online")).to_have_text("₹20")
    page.go_back()
    expect(banner(page)).to_be_visible()
    other = page.context.new_page()
    open_page(other, "/checkout")
    at_checkout(other)
    expect(other.get_by_test_id("pay-online")).to_have_text("₹20")
    expect(banner(other)).to_contain_text("table for 2 at 15:00")


@pytest.mark.parametrize("screen", ["menu", "checkout"])
def test_hold_expiry_shows_banner_and_keeps_cart(page, server, screen):
    store_cart(page, server, restaurant=2, dishes=FLASKS)
    reserve(page, "13:30", 2)
    if screen == "checkout":
        proceed(page)
    reservation_id = reservation(page)["reservationId"]
    change_holds(server, f"update seat_holds set expires_at_ms = 0 where id = '{reservation_id}'")
    ended = page.get_by_text(ENDED)
    # The page's timer may start after the first jump of the clock.
    while not ended.is_visible():
        page.clock.fast_forward(31 * 60 * 1000)
        with suppress(AssertionError):  # the page may have lost its connection, and connects again
            expect(ended).to_be_visible(timeout=5_000)
    expect(banner(page)).to_have_count(0)
    expect(page.get_by_test_id("discount")).to_have_text("₹0")
    assert FLASKS in local_storage(page, "cart")
    assert reservation(page) is None


def test_slot_is_disabled_when_it_starts(own_server, visit):
    own_server.restart(datetime(2026, 11, 18, 13, 29, 20, tzinfo=CAMPUS_TIME_ZONE))
    page = visit(own_server)
    open_page(page, "/pre-reserve")
    slot(page, "13:30").check()
    expect(slot(page, "13:30")).to_be_disabled(timeout=60_000)
    expect(page.get_by_text("This time can't be reserved any more.")).to_be_visible()


def test_table_can_be_reserved_by_keyboard(visit, server):
    page = visit(server, viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    open_page(page, "/pre-reserve")
    expect(slot(page, "13:00")).to_be_disabled()
    tab_to(page, slot(page, "13:30"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(slot(page, "14:30")).to_be_checked()
    expect(page.locator(".bill h2")).to_have_text("14:30, two guests")
    tab_to(page, page.get_by_role("button", name="More guests"))
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("party-size")).to_have_text("4")
    tab_to(page, page.get_by_role("button", name="Reserve", exact=True))
    page.keyboard.press("Enter")
    page.wait_for_url("**/menu/2?preReserved=true")
    expect(page.get_by_role("heading", level=1, name="Kulhad Café")).to_be_focused()
    expect(banner(page)).to_contain_text("table for 4 at 14:30")
