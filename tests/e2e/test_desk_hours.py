"""Today's hours and seats at the desk, and what students see. Source: specification 15.5, 15.7."""

import pytest
from playwright.sync_api import expect

from campus_app.operators.rules.desk import DeskRole
from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.desk import at_desk, enter
from tests.e2e.journey import card, connect_at_once, open_page
from tests.e2e.kitchen import TABLET
from tests.e2e.network import PageSocket
from tests.e2e.pushes import GOAL_MS
from tests.helpers import product_devices


@pytest.fixture
def shop(server):
    """The shop, in which kitchen 2 has its usual hours again afterwards."""
    yield server
    product_devices.set_usual_day(server, 2)


def opened(page, number=2):
    """Open the forms of a kitchen's day; return its card."""
    page.goto("/desk/restaurants")
    kitchen = at_desk(page).get_by_test_id(f"desk-restaurant-{number}")
    kitchen.locator("summary").click()
    return kitchen


def save(kitchen, label, value):
    field = kitchen.get_by_label(t(label))
    field.fill(value)
    field.press("Enter")


def test_hours_of_today_are_shown_to_students_at_once_and_taken_back(visit, shop):
    desk = enter(visit(shop, **TABLET), shop, DeskRole.SUPPORT, "Ravi")
    restaurants, menu = visit(shop), visit(shop)
    open_page(restaurants, "/about")
    open_page(menu, "/menu/2")
    kitchen = opened(desk)
    save(kitchen, "Closes", "12:00")
    shown = card(restaurants, 2)
    expect(shown.locator(".status-badge")).to_have_text("CLOSED", timeout=GOAL_MS)
    expect(shown).to_contain_text("Today 09:00-12:00")
    expect(shown).to_contain_text("Opens 09:00")
    expect(menu.get_by_test_id("restaurant-2")).to_contain_text("Today 09:00-12:00")
    expect(kitchen).to_contain_text("09:00 to 12:00")
    save(kitchen, "Opens", "14:00")
    expect(kitchen.get_by_text("12:00 is after the next day’s opening at 09:00.")).to_be_visible()
    expect(kitchen.get_by_label(t("Opens"))).to_have_value("14:00")
    save(kitchen, "Closes", "23:00")
    expect(shown).to_contain_text("Opens 14:00", timeout=GOAL_MS)
    kitchen.get_by_role("button", name=t("Usual hours")).click()
    expect(shown.locator(".status-badge")).to_have_text("OPEN", timeout=GOAL_MS)
    expect(shown).to_contain_text("09:00-00:00")
    expect(kitchen.get_by_label(t("Closes"))).to_have_value("00:00")
    save(kitchen, "Seats a slot today", "10")
    expect(kitchen).to_contain_text("Today 10 seats a slot")


def test_link_for_the_board_is_shown_at_its_kitchen(visit, shop):
    desk = enter(visit(shop, **TABLET), shop)
    kitchen = opened(desk)
    kitchen.get_by_role("button", name=t("New link for a device")).click()
    expect(kitchen.get_by_test_id("made-link")).to_contain_text("/kitchen/")
    expect(desk.get_by_test_id("made-link")).to_have_count(1)


def test_half_typed_time_stays_through_a_reconnection(visit, shop):
    page = visit(shop, **TABLET)
    socket = PageSocket(page)
    kitchen = opened(enter(page, shop))
    kitchen.get_by_label(t("Closes")).fill("18:00")
    socket.disconnect()
    expect(page.get_by_test_id("connection")).to_have_text(t("Connecting"))
    socket.reconnect()
    connect_at_once(page)
    at_desk(page)
    expect(kitchen.get_by_label(t("Closes"))).to_have_value("18:00")


@pytest.mark.parametrize("code", LANGUAGES)
def test_forms_of_a_day_are_accessible(visit, shop, code):
    with use_locale(code):
        page = visit(shop, **TABLET)
        enter(page, shop, name={"en": "Asha", "hi": "आशा"}[code])
        kitchen = opened(page)
        save(kitchen, "Closes", "")
        expect(kitchen.get_by_text(t("Please type a time like 18:00."))).to_be_visible()
        check_accessibility(page, "desk day")
