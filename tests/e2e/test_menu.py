"""A menu: tabs, original menu and dishes."""

import pytest
from playwright.sync_api import expect

from campus_app.shared.rules.money import format_rupees, rupees
from tests.e2e.journey import open_page, store_cart


@pytest.fixture(scope="module")
def unchanged(module_visit, module_server):
    """The menu of restaurant 1 for tests that only read or scroll it."""
    page = module_visit(module_server)
    open_page(page, "/menu/1")
    return page


def test_menu_tabs_start_with_trending_followed_by_categories(unchanged):
    page = unchanged
    expect(page.get_by_role("tab")).to_have_text(
        ["Trending", "Thalis", "Curries", "Rice", "Rolls", "Breads", "Drinks and sweets"]
    )
    trending = page.get_by_role("region", name="Trending")
    for number in (104, 112, 121, 131):
        expect(trending.get_by_test_id(f"item-{number}")).to_be_visible()


def test_tab_scrolls_to_its_dishes(unchanged):
    page = unchanged
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


def test_each_dish_has_one_card(unchanged):
    cards = unchanged.locator("[data-testid^=item-]")
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


def test_original_menu_dialog_closes_and_returns_focus(page):
    open_page(page, "/menu/1")
    button = page.get_by_role("button", name="VERIFY OUR PRICES")
    dialog = page.get_by_role("dialog", name="The original menu")
    for close in (
        lambda: page.keyboard.press("Escape"),
        lambda: dialog.get_by_role("button", name="Close").click(),
        lambda: page.mouse.click(3, 3),
    ):
        button.click()
        expect(dialog).to_be_visible()
        assert dialog.evaluate("dialog => dialog.contains(document.activeElement)")
        close()
        expect(dialog).to_be_hidden()
        expect(button).to_be_focused()


def test_original_menu_dialog_shows_its_pictures(page):
    open_page(page, "/menu/1")
    page.get_by_role("button", name="VERIFY OUR PRICES").click()
    dialog = page.get_by_role("dialog", name="The original menu")
    pictures = dialog.get_by_role("img", name="The original menu of Pehla Food Point")
    expect(pictures).to_have_count(2)
    expect(dialog.get_by_text("Picture taken on 23 November 2026")).to_have_count(2)
    page.wait_for_function(
        "() => [...document.querySelectorAll('dialog[open] img')].every((each) => each.naturalWidth)"
    )


def test_next_menu_shows_its_own_dishes_first_tab_and_no_dialog(page):
    open_page(page, "/about")
    page.get_by_role("link", name="Pehla Food Point").click()
    expect(page.get_by_test_id("item-104")).to_be_visible()
    page.get_by_role("tab", name="Curries").click()
    expect(page.get_by_role("tab", name="Curries")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="VERIFY OUR PRICES").click()
    expect(page.get_by_role("dialog", name="The original menu")).to_be_visible()
    page.go_back()
    page.wait_for_url("**/about")
    page.get_by_role("link", name="Slice Theory Pizza").click()
    expect(page.get_by_test_id("item-501")).to_be_visible()
    expect(page.get_by_test_id("item-104")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
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


def test_browser_formats_amounts_like_the_server(page, server):
    prices = {"101": "20", "102": "20.41", "103": "204", "104": "2000", "105": "2040.82"}

    def edit(row):
        row["price"] = prices.get(row["id"], row["price"])
        return True

    server.edit_menu(1, edit)
    store_cart(page, server, dishes=",".join(f"{dish}:49" for dish in prices))
    open_page(page, "/menu/1")
    for dish, price in prices.items():
        total = page.get_by_test_id(f"item-{dish}").get_by_test_id("line-total")
        expect(total).to_have_text(format_rupees(rupees(price) * 49))
