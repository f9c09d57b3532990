"""Offers at the desk, and what students see of them. Source: specification 14.8."""

import pytest
from playwright.sync_api import expect

from campus_app.operators.rules.desk import DeskRole
from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.accessibility import check_accessibility
from tests.e2e.desk import at_desk, enter
from tests.e2e.journey import add, open_page
from tests.e2e.kitchen import TABLET
from tests.e2e.pushes import GOAL_MS
from tests.helpers import product_devices

OFFERS = "/desk/offers"


@pytest.fixture
def shop(server):
    """The shop, in which the product's own offers hold again afterwards."""
    yield server
    product_devices.hold_own_offers(server)


@pytest.fixture
def desk(visit, shop):
    """A computer of support, on the desk's offers."""
    page = enter(visit(shop, **TABLET), shop, DeskRole.SUPPORT, "Ravi")
    page.get_by_role("link", name=t("Menus")).first.click()
    page.get_by_role("main").get_by_role("link", name=t("Offers")).click()
    return at_desk(page)


def press(page, name):
    page.get_by_role("button", name=t(name), exact=True).click()


def percentage(page):
    return page.get_by_role("spinbutton", name=t("Percent"), exact=True)


def write_lunch(page, percent="15"):
    press(page, "Add an offer")
    page.get_by_label(t("Name on the bill")).fill("Lunch: less")
    page.get_by_label(t("Restaurant")).select_option("1")
    percentage(page).fill(percent)
    page.get_by_label("Wednesday").check()
    press(page, "Take into the list")


def publish(page, note=""):
    page.get_by_label(t("Note on this version")).fill(note)
    press(page, "Publish")


def test_offer_is_published_shown_to_students_at_once_and_undone(desk, visit, shop):
    menu, offers, restaurants = visit(shop), visit(shop), visit(shop)
    open_page(menu, "/menu/1")
    add(menu, "Everyday Veg Thali", "Everyday Veg Thali")
    open_page(offers, "/offers")
    open_page(restaurants, "/about")
    write_lunch(desk)
    expect(desk.get_by_test_id("menu-difference")).to_contain_text("Lunch: less")
    expect(menu.get_by_test_id("discount")).to_have_text("₹0")
    publish(desk, "Monsoon")
    expect(menu.get_by_text("Lunch: less. It applies from now on")).to_be_visible(timeout=GOAL_MS)
    expect(menu.get_by_test_id("discount")).not_to_have_text("₹0")
    lunch = offers.get_by_test_id("offer-offer-1")
    expect(lunch).to_contain_text("15% off, all day", timeout=GOAL_MS)
    expect(lunch).to_contain_text("ACTIVE NOW, UNTIL MIDNIGHT")
    expect(restaurants.get_by_text("Lunch: less.")).to_be_visible(timeout=GOAL_MS)
    expect(desk.get_by_test_id("offer-history")).to_contain_text("Monsoon")
    late = visit(shop)
    open_page(late, "/offers")
    expect(late.get_by_test_id("offer-offer-1")).to_be_visible()
    press(desk, "Undo last publish")
    expect(lunch).to_have_count(0, timeout=GOAL_MS)
    expect(menu.get_by_test_id("discount")).to_have_text("₹0", timeout=GOAL_MS)
    expect(restaurants.get_by_text("Lunch: less.")).to_have_count(0, timeout=GOAL_MS)


def test_faults_are_at_their_fields_and_what_was_typed_stays(desk):
    write_lunch(desk, percent="95")
    expect(
        desk.get_by_text(t("The percentage is a whole number from 1 to {most}.", most=90))
    ).to_be_visible()
    expect(desk.get_by_label(t("Name on the bill"))).to_have_value("Lunch: less")
    expect(desk.get_by_label("Wednesday")).to_be_checked()
    percentage(desk).fill("20")
    desk.keyboard.press("Enter")
    expect(desk.get_by_test_id("desk-offer-offer-1")).to_contain_text("20%")


def test_offer_is_edited_with_its_values(desk):
    desk.get_by_test_id("desk-offer-saturday").get_by_role("button", name=t("Edit")).click()
    expect(desk.get_by_label(t("From (00:00 to 00:00 is the whole day)"))).to_have_value("18:00")
    expect(desk.get_by_label("Saturday", exact=True)).to_be_checked()
    desk.get_by_test_id("desk-offer-wednesday").get_by_role("button", name=t("Edit")).click()
    expect(desk.get_by_label("Saturday", exact=True)).not_to_be_checked()
    expect(desk.get_by_label(t("What it gives"))).to_have_value("secondFree")


@pytest.mark.parametrize("code", LANGUAGES)
def test_offers_of_the_desk_are_accessible_at_every_width(visit, shop, code):
    with use_locale(code):
        page = enter(visit(shop, **TABLET), shop, name={"en": "Asha", "hi": "आशा"}[code])
        page.goto(OFFERS)
        at_desk(page)
        press(page, "Add an offer")
        press(page, "Take into the list")
        expect(page.get_by_test_id("offer-form").locator(".menu-fault:not(:empty)")).to_have_count(
            3
        )
        check_accessibility(page, "desk-offers")
        for width in (390, 768, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
