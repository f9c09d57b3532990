"""The list of restaurants: live status, filters, and what can't be opened."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import arrive, choose_campus

INIT = "**/api/restaurants/status/init"
POLL = re.compile(r"/api/restaurants/status$")
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


def card(page, restaurant_id):
    return page.get_by_test_id(f"restaurant-{restaurant_id}")


@pytest.mark.parametrize("address", ["/about", "/about2"])
def test_the_tabs_choose_among_the_kitchens(page, address):
    arrive(page, address)
    for name, ids in FILTERS.items():
        page.get_by_role("tab", name=name, exact=True).click()
        expect(page.get_by_role("tab", name=name, exact=True)).to_have_attribute(
            "aria-selected", "true"
        )
        assert shown(page) == ids


def test_the_tabs_are_one_stop_of_the_keyboard_and_the_arrows_choose(page):
    arrive(page, "/about")
    page.get_by_role("tab", name="All").focus()
    for name in [*list(FILTERS)[1:], "All"]:
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name, exact=True)).to_be_focused()
        assert shown(page) == FILTERS[name]
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="South Indian")).to_be_focused()
    page.keyboard.press("Home")
    assert page.locator("[role=tab][tabindex='0']").count() == 1


def test_a_card_shows_what_is_to_know_of_a_kitchen(page):
    arrive(page, "/about")
    expect(card(page, 1).get_by_role("heading", name="Pehla Food Point")).to_be_visible()
    for words in ("Indian, thalis, curries, rolls", "4.4", "25-35", "10:30", "20:30", "OPEN"):
        expect(card(page, 1)).to_contain_text(words)


def test_a_closed_kitchen_can_not_be_opened(page):
    arrive(page, "/about")
    expect(card(page, 4)).to_contain_text("CLOSED")
    expect(card(page, 4)).to_contain_text("Opens 17:00")
    expect(card(page, 4).get_by_role("link")).to_have_count(0)
    expect(card(page, 4).get_by_role("button")).to_have_count(0)
    card(page, 4).click()
    card(page, 4).get_by_role("heading").click()
    expect(page).to_have_url(re.compile("/about$"))


def test_the_operators_switch_reaches_an_open_list_within_its_next_look(page, server):
    arrive(page, "/about")
    expect(card(page, 3)).to_contain_text("OPEN")
    server.turn(3, is_open=False, message="Power cut in the kitchen")
    page.clock.run_for(5_000)
    expect(card(page, 3)).to_contain_text("DELIVERY UNAVAILABLE")
    expect(card(page, 3)).to_contain_text("Power cut in the kitchen")
    expect(card(page, 3).get_by_role("link")).to_have_count(0)
    server.turn(3, is_open=True)
    page.get_by_role("button", name="Refresh").click()
    expect(card(page, 3)).to_contain_text("OPEN")
    expect(card(page, 3).get_by_role("link")).to_have_count(1)


def test_a_kitchen_closed_without_a_word_is_temporarily_closed(page, server):
    server.turn(3, is_open=False)
    arrive(page, "/about")
    expect(card(page, 3)).to_contain_text("Temporarily Closed")


def test_a_first_look_that_fails_says_so_and_the_next_one_mends_it(page):
    page.route(INIT, lambda route: route.abort())
    arrive(page, "/about")
    expect(page.get_by_role("alert")).to_have_text("Failed to load restaurant statuses")
    expect(page.get_by_test_id("connection")).to_have_text("Connecting")
    expect(page.get_by_role("link", name="Pehla Food Point")).to_have_count(0)
    page.clock.run_for(5_000)
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    expect(page.get_by_role("alert")).to_have_text("")
    expect(card(page, 1)).to_contain_text("OPEN")


def test_a_later_look_that_fails_is_a_connection_error(page):
    arrive(page, "/about")
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    page.route(POLL, lambda route: route.fulfill(status=500))
    page.clock.run_for(5_000)
    expect(page.get_by_role("alert")).to_have_text("Connection error")
    expect(page.get_by_test_id("connection")).to_have_text("Connecting")
    expect(card(page, 1)).to_contain_text("OPEN")
    page.unroute(POLL)
    page.clock.run_for(5_000)
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")


def test_a_refresh_that_fails_says_so(page):
    arrive(page, "/about")
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    page.route(POLL, lambda route: route.fulfill(status=200, body="no JSON"))
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_role("alert")).to_have_text("Refresh failed")
    expect(page.get_by_test_id("connection")).to_have_text("Connecting")


def test_a_look_that_is_never_answered_is_given_up_after_ten_seconds(page):
    page.route(INIT, lambda route: None)
    page.route(POLL, lambda route: None)
    arrive(page, "/about")
    expect(page.get_by_test_id("connection")).to_have_text("Connecting")
    expect(page.get_by_role("heading", name="Pehla Food Point")).to_be_visible()
    expect(card(page, 1)).to_contain_text("CHECKING")


def test_statuses_of_the_last_ten_seconds_are_used_again(page):
    asked = []
    page.on(
        "request",
        lambda request: asked.append(request.url) if request.url.endswith("/init") else None,
    )
    arrive(page, "/campus")
    expect(page.get_by_text("7 of 8 kitchens open").first).to_be_visible()
    arrive(page, "/about")
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    assert len(asked) == 1
    page.goto("/health")
    page.clock.fast_forward(11_000)
    arrive(page, "/about2")
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    assert len(asked) == 2


def test_a_picture_that_is_missing_gives_way_to_the_shared_one(page):
    page.route("**/images/01-thali.svg", lambda route: route.abort())
    arrive(page, "/about")
    expect(card(page, 1).locator("img")).to_have_attribute("src", "/images/default.svg")
    expect(card(page, 2).locator("img")).to_have_attribute("src", "/images/02-chai.svg")


def test_the_list_of_a_campus_opened_by_its_address_is_that_campus(page):
    arrive(page, "/campus")
    choose_campus(page, "South Campus")
    arrive(page, "/about")
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")
    page.wait_for_function("localStorage.getItem('selectedCampus') === 'north'")
