"""The list of restaurants: statuses, filters, and restaurant 4, closed at 13:00 of this clock."""

import re

from playwright.sync_api import expect

from tests.e2e.journey import card, choose_campus, open_page

NORTH, SOUTH = "/about", "/about2"
FILTERS = {
    "All": {1, 2, 3, 4, 5, 6, 7, 8},
    "Indian": {1, 2, 6, 8},
    "Chinese": {4, 6},
    "American": {5, 7},
    "South Indian": {2, 3},
}


def shown(page):
    cards = page.locator("[data-testid^=restaurant-]:visible")
    return {
        int(id_.rsplit("-", 1)[1])
        for id_ in cards.evaluate_all("all => all.map(c => c.dataset.testid)")
    }


def test_filter_tabs_select_restaurants(page):
    open_page(page, SOUTH)
    for name, ids in FILTERS.items():
        page.get_by_role("tab", name=name, exact=True).click()
        expect(page.get_by_role("tab", name=name, exact=True)).to_have_attribute(
            "aria-selected", "true"
        )
        assert shown(page) == ids


def test_filter_tabs_are_one_tab_stop_with_arrow_navigation(page):
    open_page(page, NORTH)
    page.get_by_role("tab", name="All").focus()
    for name in [*list(FILTERS)[1:], "All"]:
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name, exact=True)).to_be_focused()
        assert shown(page) == FILTERS[name]
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="South Indian")).to_be_focused()
    page.keyboard.press("Home")
    expect(page.get_by_role("tab", name="All")).to_be_focused()
    assert page.locator("[role=tab][tabindex='0']").count() == 1


def test_restaurant_card_shows_its_details(page):
    open_page(page, NORTH)
    expect(card(page, 1).get_by_role("heading", name="Pehla Food Point")).to_be_visible()
    for words in ("Indian, thalis, curries, rolls", "4.4", "25-35", "10:30", "20:30", "OPEN"):
        expect(card(page, 1)).to_contain_text(words)


def test_closed_restaurant_can_not_be_opened(page):
    open_page(page, NORTH)
    expect(card(page, 4)).to_contain_text("CLOSED")
    expect(card(page, 4)).to_contain_text("Opens 17:00")
    expect(card(page, 4).get_by_role("link")).to_have_count(0)
    expect(card(page, 4).get_by_role("button")).to_have_count(0)
    card(page, 4).click()
    card(page, 4).get_by_role("heading").click()
    expect(page).to_have_url(re.compile("/about$"))


def test_list_opened_by_url_selects_its_campus(page):
    open_page(page, "/campus")
    choose_campus(page, "South Campus")
    open_page(page, NORTH)
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")
    page.wait_for_function("() => localStorage.getItem('selectedCampus') === 'north'")
