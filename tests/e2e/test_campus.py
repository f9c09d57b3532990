"""The campus of an order: requested once, shown before payment, never assumed.

Source: specification S14.
"""

import re

import pytest
from playwright.sync_api import expect

from campus_app.shared.translations import t
from tests.e2e.journey import (
    LUNCH,
    add,
    choose_campus,
    hold_messages_after,
    local_storage,
    next_to_details,
    open_page,
    proceed,
    release,
    wait_until_hydrated,
)
from tests.e2e.network import line

ASKING = ["/offers", "/menu/1", "/menu/2?preReserved=true", "/pre-reserve"]
"""Screens that ask for a campus."""
SMALL = {"viewport": {"width": 320, "height": 568}}
_COUNT_QUESTIONS = """() => {
  window.questions = 0;
  new MutationObserver(() => {
    window.questions += document.querySelectorAll(".campus-prompt").length;
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""Counts how often the campus prompt is in the page after a change of the page."""


def question(page):
    """Return the heading of the campus prompt."""
    return page.get_by_role("heading", name=t("Which campus are you on?"))


def answer(page):
    page.get_by_role("button", name=t("South Campus")).click()
    expect(question(page)).to_have_count(0)


def content(page):
    """Return the content that is hidden until the campus is chosen."""
    return page.locator("main > :not(.campus-prompt):visible")


@pytest.mark.parametrize("address", ASKING)
def test_screen_asks_for_campus_and_then_continues(address, visit, server):
    page = visit(server, campus="", **SMALL)
    open_page(page, address)
    expect(question(page)).to_be_visible()
    expect(content(page)).to_have_count(0)
    for name in ("North Campus", "South Campus"):
        expect(page.get_by_role("button", name=t(name))).to_be_in_viewport(ratio=1)
    answer(page)
    assert page.url.endswith(address)
    expect(content(page).first).to_be_visible()
    expect(page.locator("main h1")).to_be_focused()
    assert local_storage(page, "selectedCampus") == "south"
    page.reload()
    expect(content(page).first).to_be_visible()
    expect(question(page)).to_have_count(0)


def test_screen_shows_campus_prompt_alone_before_scripts_run(visit, server):
    page = visit(server, campus="")
    page.route("**/assets/*.js", lambda route: route.abort())
    for address in ASKING:
        page.goto(address)
        expect(question(page)).to_be_visible()
        expect(content(page)).to_have_count(0)
        page.get_by_role("button", name=t("South Campus")).click()
        expect(question(page)).to_be_hidden()
        expect(content(page).first).to_be_visible()
        assert local_storage(page, "selectedCampus") == "south"
        page.evaluate("localStorage.removeItem('selectedCampus')")


def test_screen_hides_campus_prompt_when_campus_is_known(page):
    page.route("**/assets/*.js", lambda route: route.abort())
    for address in ASKING:
        page.goto(address)
        expect(content(page).first).to_be_visible()
        expect(question(page)).to_be_hidden()


def test_screen_shows_its_content_when_javascript_is_disabled(visit, server):
    page = visit(server, campus="", java_script_enabled=False)
    page.goto("/offers")
    expect(page.get_by_role("heading", level=1, name=t("Two good days"))).to_be_visible()
    expect(question(page)).to_be_hidden()


def test_answer_before_hydration_reaches_the_server(visit, server):
    page = visit(server, campus="")
    held, is_held = [], True
    page.route("**/assets/*.js", lambda route: held.append(route) if is_held else route.continue_())
    page.goto("/menu/1", wait_until="commit")
    page.get_by_role("button", name=t("South Campus")).click()
    expect(page.get_by_role("heading", level=1, name="Pehla Food Point")).to_be_visible()
    is_held = False
    for route in held:
        route.continue_()
    wait_until_hydrated(page)
    add(page, *LUNCH)
    proceed(page)
    expect(page.get_by_test_id("campus")).to_have_text(t("South Campus"))


def test_answer_while_offline_is_sent_after_reconnect(visit, server):
    page = visit(server, campus="")
    open_page(page, "/menu/1")
    page.context.set_offline(True)
    answer(page)
    expect(page.get_by_role("heading", level=1, name="Pehla Food Point")).to_be_visible()
    page.context.set_offline(False)
    expect(line(page)).to_have_text("")
    add(page, *LUNCH)
    proceed(page)
    expect(page.get_by_test_id("campus")).to_have_text(t("South Campus"))


def test_campus_prompt_adds_no_history_entry(visit, server):
    page = visit(server, campus="")
    open_page(page, "/terms")
    page.goto("/offers")
    wait_until_hydrated(page)
    answer(page)
    page.go_back()
    page.wait_for_url("**/terms")
    page.go_forward()
    page.wait_for_url("**/offers")
    expect(content(page).first).to_be_visible()
    expect(question(page)).to_have_count(0)


def test_campus_prompt_is_answered_in_all_tabs(visit, server):
    page = visit(server, campus="")
    open_page(page, "/offers")
    other = page.context.new_page()
    open_page(other, "/menu/1")
    answer(other)
    expect(question(page)).to_have_count(0)
    expect(content(page).first).to_be_visible()


def test_campus_prompt_follows_the_chosen_language(visit, server):
    page = visit(server, campus="")
    open_page(page, "/pre-reserve")
    page.locator("button.language").click()
    expect(page.locator("html")).not_to_have_attribute("lang", re.compile(t("en")))
    wait_until_hydrated(page)
    expect(content(page)).to_have_count(0)
    page.locator(".campus-buttons button").last.click()
    expect(content(page).first).to_be_visible()
    assert page.url.endswith("/pre-reserve")
    assert local_storage(page, "selectedCampus") == "south"


def tab_without_campus(page):
    """Return another tab of a visitor with a cart, whose browser has lost the campus."""
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    page.goto("/health")
    page.evaluate("localStorage.removeItem('selectedCampus')")
    tab = page.context.new_page()
    page.close()
    return tab


def test_summary_asks_for_campus_when_opened_without_one(visit, server):
    tab = tab_without_campus(visit(server))
    tab.goto("/personal-info")
    tab.wait_for_url("**/checkout")
    expect(question(tab)).to_be_visible()
    answer(tab)
    expect(tab.get_by_test_id("delivery-fee")).to_have_text("₹25")


def test_answer_is_kept_when_an_earlier_server_message_arrives(visit, server):
    tab = tab_without_campus(visit(server))
    held = hold_messages_after(tab, "_redirect")
    tab.goto("/personal-info")
    tab.wait_for_url("**/checkout")
    # The server's answer that no campus is chosen is still on its way.
    tab.get_by_role("button", name=t("South Campus")).click()
    expect(question(tab)).to_have_count(0)
    tab.evaluate(_COUNT_QUESTIONS)
    release(tab, held)
    expect(tab.get_by_test_id("delivery-fee")).to_have_text("₹25")
    expect(question(tab)).to_have_count(0)
    assert tab.evaluate("window.questions") == 0


def test_change_campus_updates_the_bill(page):
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    proceed(page)
    expect(page.get_by_test_id("campus")).to_have_text(t("North Campus"))
    expect(page.get_by_test_id("grand-total")).to_have_text("₹400")
    page.get_by_role("button", name=t("Change campus")).click()
    dialog = page.get_by_role("dialog")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name=t("Change campus"))).to_be_focused()
    page.get_by_role("button", name=t("Change campus")).click()
    dialog.get_by_role("button", name=t("South Campus")).click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_test_id("campus")).to_have_text(t("South Campus"))
    expect(page.get_by_test_id("delivery-fee")).to_have_text("₹25")
    expect(page.get_by_test_id("grand-total")).to_have_text("₹410")
    page.reload()
    expect(page.get_by_test_id("campus")).to_have_text(t("South Campus"))
    next_to_details(page)


def test_summary_updates_when_another_tab_changes_campus(page):
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    proceed(page)
    expect(page.get_by_test_id("grand-total")).to_have_text("₹400")
    other = page.context.new_page()
    open_page(other, "/about2")
    expect(page.get_by_test_id("campus")).to_have_text(t("South Campus"))
    expect(page.get_by_test_id("grand-total")).to_have_text("₹410")


@pytest.mark.parametrize(("campus", "address"), [("", "/campus"), ("south", "/about2")])
def test_restaurant_links_open_the_list_of_the_campus(campus, address, visit, server):
    page = visit(server, campus=campus)
    for screen, link in (("/terms", "02/FOOD_points"), ("/underprogress", "To the restaurants")):
        open_page(page, screen)
        page.get_by_role("link", name=t(link)).click()
        page.wait_for_url(f"**{address}")


def test_restaurant_link_uses_campus_before_hydration(visit, server):
    page = visit(server, campus="south")
    page.route("**/assets/*.js", lambda route: route.abort())
    page.goto("/terms")
    page.get_by_role("link", name="02/FOOD_points").click()
    page.wait_for_url("**/about2")


def test_restaurant_list_links_back_to_campus_chooser(page):
    open_page(page, "/about")
    page.get_by_role("link", name=t("Change campus")).click()
    page.wait_for_url("**/campus")
    choose_campus(page, "South Campus")
    assert page.url.endswith("/about2")
