"""A menu: tabs, original menu and dishes."""

import pytest
from playwright.sync_api import expect

from campus_app.shared.rules.money import format_rupees, rupees
from tests.e2e.journey import LUNCH, add, open_page, store_cart


def test_menu_tabs_start_with_trending_followed_by_categories(page):
    open_page(page, "/menu/1")
    expect(page.get_by_role("tab")).to_have_text(
        ["Trending", "Thalis", "Curries", "Rice", "Rolls", "Breads", "Drinks and sweets"]
    )
    trending = page.get_by_role("region", name="Trending")
    for number in (104, 112, 121, 131):
        expect(trending.get_by_test_id(f"item-{number}")).to_be_visible()


def test_tab_scrolls_to_its_dishes(page):
    open_page(page, "/menu/1")
    page.get_by_role("tab", name="Breads").click()
    expect(page.get_by_role("heading", level=2, name="Breads")).to_be_in_viewport()
    expect(page.get_by_role("tab", name="Breads")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_test_id("item-125")).to_be_in_viewport()


def test_active_tab_follows_scroll_position(page):
    open_page(page, "/menu/1")
    for place, section in (("scrollHeight", "Drinks and sweets"), ("scrollTop = 0", "Trending")):
        page.evaluate(f"scrollTo(0, document.scrollingElement.{place})")
        tab = page.get_by_role("tab", name=section)
        expect(tab).to_have_attribute("aria-selected", "true")


def test_each_dish_has_one_card(page):
    open_page(page, "/menu/1")
    cards = page.locator("[data-testid^=item-]")
    ids = cards.evaluate_all("all => all.map(c => c.dataset.testid)")
    assert len(ids) == len(set(ids)) == 60


def test_trending_dish_is_repeated_under_its_category(page):
    open_page(page, "/menu/1")
    first, repeated = (page.get_by_test_id(f"{kind}item-104") for kind in ("", "repeated-"))
    repeated.get_by_role("button", name="Add one Rajma Chawal").click()
    for place in (first, repeated):
        expect(place.get_by_test_id("quantity")).to_have_text("1")
    expect(page.locator(".cart .times")).to_have_text(["1×"])


def test_original_menu_dialog_lists_prices_when_there_is_no_picture(visit, own_server):
    restaurants = own_server.menu_file(1).parent / "restaurants.csv"
    lines = restaurants.read_text().splitlines()
    restaurants.write_text(
        "\n".join(line.partition(",front.webp")[0] + "," * ("front" in line) for line in lines)
    )
    own_server.kill()
    own_server.start()
    page = visit(own_server)
    open_page(page, "/menu/1")
    page.get_by_role("button", name="VERIFY OUR PRICES").click()
    dialog = page.get_by_role("dialog", name="Today's prices")
    expect(dialog.get_by_text("has given us no picture of its menu")).to_be_visible()
    expect(dialog.get_by_role("img")).to_have_count(0)
    line = dialog.get_by_role("listitem").filter(has_text="Rajma Chawal")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("₹110")


@pytest.mark.parametrize("way", ["Escape", "Close", "backdrop"])
def test_original_menu_dialog_closes_and_returns_focus(page, way):
    open_page(page, "/menu/1")
    button = page.get_by_role("button", name="VERIFY OUR PRICES")
    button.click()
    dialog = page.get_by_role("dialog", name="The original menu")
    expect(dialog).to_be_visible()
    pictures = dialog.get_by_role("img", name="The original menu of Pehla Food Point")
    expect(pictures).to_have_count(2)
    expect(dialog.get_by_text("Picture taken on 23 November 2026")).to_have_count(2)
    page.wait_for_function(
        "() => [...document.querySelectorAll('dialog[open] img')].every((each) => each.naturalWidth)"
    )
    assert dialog.evaluate("dialog => dialog.contains(document.activeElement)")
    if way == "Escape":
        page.keyboard.press("Escape")
    elif way == "Close":
        dialog.get_by_role("button", name="Close").click()
    else:
        page.mouse.click(3, 3)
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


def test_original_menu_dialog_is_closed_after_going_back(page):
    open_page(page, "/about")
    page.get_by_role("link", name="Pehla Food Point").click()
    page.get_by_role("button", name="VERIFY OUR PRICES").click()
    expect(page.get_by_role("dialog", name="The original menu")).to_be_visible()
    page.go_back()
    page.wait_for_url("**/about")
    page.get_by_role("link", name="Guava & Crumb").click()
    expect(page.get_by_role("heading", level=1, name="Guava & Crumb")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_navigation_between_menus_shows_the_right_dishes(page):
    open_page(page, "/about")
    page.get_by_role("link", name="Pehla Food Point").click()
    expect(page.get_by_test_id("item-104")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Slice Theory Pizza").click()
    expect(page.get_by_test_id("item-501")).to_be_visible()
    expect(page.get_by_test_id("item-104")).to_have_count(0)
    expect(page.get_by_role("tab").first).to_have_attribute("aria-selected", "true")


def test_selected_tab_is_reset_in_next_menu(page):
    open_page(page, "/about")
    page.get_by_role("link", name="Pehla Food Point").click()
    page.get_by_role("tab", name="Curries").click()
    expect(page.get_by_role("tab", name="Curries")).to_have_attribute("aria-selected", "true")
    page.go_back()
    page.get_by_role("link", name="Slice Theory Pizza").click()
    expect(page.get_by_test_id("item-501")).to_be_visible()
    expect(page.get_by_role("tab").first).to_have_attribute("aria-selected", "true")
    expect(page.locator("[role=tab][tabindex='0']")).to_have_count(1)


def test_direct_navigation_between_menus_shows_the_right_dishes(page):
    open_page(page, "/menu/1")
    # as the summary does for a cart of another restaurant
    page.evaluate("window.__reactRouterDataRouter.navigate('/menu/5')")
    expect(page.get_by_test_id("item-501")).to_be_visible()
    expect(page.get_by_test_id("item-104")).to_have_count(0)
    page.go_back()
    expect(page.get_by_test_id("item-104")).to_be_visible()
    expect(page.get_by_test_id("item-501")).to_have_count(0)


def test_proceed_button_is_enabled_only_when_minimum_is_reached(page):
    open_page(page, "/menu/1")
    button = page.get_by_role("button", name="PROCEED TO CART")
    add(page, "Rajma Chawal", "Mini Thali")
    expect(page.get_by_test_id("shortfall")).to_have_text("Minimum ₹200 reached.")
    expect(button).to_be_enabled()
    page.get_by_role("button", name="Remove one Mini Thali").first.click()
    expect(page.get_by_test_id("shortfall")).to_have_text("Add ₹90 more to reach the ₹200 minimum.")
    expect(button).to_be_disabled()


@pytest.mark.parametrize("price", ["20", "20.41", "204", "2000", "2040.82", "99999.50"])
def test_browser_formats_amounts_like_the_server(page, server, price):
    server.change_price(1, "Rajma Chawal", price)
    store_cart(page, server, dishes="104:49")
    open_page(page, "/menu/1")
    amount = format_rupees(rupees(price) * 49)
    dish = page.get_by_test_id("item-104")
    expect(dish.get_by_test_id("line-total")).to_have_text(amount)
    expect(page.get_by_test_id("total")).to_have_text(amount)


def test_paise_are_shown_when_present(page):
    open_page(page, "/menu/1")
    add(page, *LUNCH, "Masala Chaas")
    expect(page.get_by_test_id("item-131").get_by_test_id("line-total")).to_have_text("₹27.50")
    expect(page.get_by_test_id("total")).to_have_text("₹407.50")
