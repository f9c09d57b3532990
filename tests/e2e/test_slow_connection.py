"""What screens show on a slow connection, before everything has loaded."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import (
    at_details,
    give_details,
    hold_messages_after,
    local_storage,
    release,
    set_seconds_to_pay,
    store_cart,
    to_checkout,
    to_details,
    to_waiting_room,
)

NOTHING = '"sid"'
"""The server's first message on a new connection."""
SCRIPTS = "**/assets/**/*.js"
MOST_SHIFT = 0.1
"""Source: docs/usability.md U20."""
SHIFTS = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.shift += each.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""

COLOURS = """(element) => {
  const style = getComputedStyle(element);
  const pen = document.createElement("canvas").getContext("2d");
  return [style.backgroundColor, style.color].map((colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  });
}"""
"""Background and text colour as [red, green, blue, alpha] from 0 to 255, in any notation."""


@pytest.fixture
def unscripted(page):
    """A visitor whose scripts never load."""
    page.route(SCRIPTS, lambda route: None)
    return page


def opened(page, address):
    page.goto(address, wait_until="commit")
    page.wait_for_selector("main")
    return page


def expect_no_placeholders(page):
    text = page.locator("body").inner_text()
    for word in ("undefined", "null", "NaN", "[object"):
        assert word not in text, text


def test_menu_is_shown_before_scripts_load(unscripted):
    page = opened(unscripted, "/menu/1")
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(page.locator(".dish-card").first).to_be_visible()


def test_unknown_menu_shows_skeleton_before_scripts_load(unscripted):
    page = opened(unscripted, "/menu/99")
    expect(page.locator(".menu-picture.skeleton")).to_be_visible()
    expect(page.locator(".dish-skeleton").first).to_be_visible()


def test_payment_return_is_shown_before_scripts_load(unscripted):
    page = opened(unscripted, "/forms/response/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
    expect(page.get_by_text("Verifying your payment...")).to_be_visible()
    expect(page.get_by_text("Do not refresh this page")).to_be_visible()


def test_campus_pressed_before_scripts_load_is_chosen(unscripted):
    for plate, path in (("North Campus", "/about"), ("South Campus", "/about2")):
        page = opened(unscripted, "/campus")
        page.get_by_role("button", name=plate).click()
        page.wait_for_url(re.compile(rf"{path}\??$"), wait_until="commit")
        expect(page.get_by_role("heading", level=1, name=plate)).to_be_visible()


def test_restaurant_list_stores_its_campus_before_scripts_load(unscripted):
    for path, campus in (("/about2", "south"), ("/about", "north")):
        page = opened(unscripted, path)
        opened(page, "/menu/1")
        assert local_storage(page, "selectedCampus") == campus


def test_offers_do_not_change_at_hydration(visit, server):
    # On that Wednesday one of the two offers is active.
    asleep, awake = visit(server), visit(server)
    asleep.route(SCRIPTS, lambda route: None)
    opened(asleep, "/offers")
    awake.goto("/offers")
    expect(awake.get_by_text("ACTIVE NOW, UNTIL MIDNIGHT")).to_be_visible()
    found = {}
    for page in (asleep, awake):
        found[page] = [
            page.get_by_test_id(f"offer-{name}").locator(".coupon").evaluate(COLOURS)
            for name in ("wednesday", "saturday")
        ]
    assert found[asleep] == found[awake]
    wednesday, saturday = found[awake]
    assert wednesday != saturday


def test_waiting_room_shows_no_amount_before_hydration(page, server, customer):
    to_waiting_room(page, server, customer)
    held = hold_messages_after(page, NOTHING)
    set_seconds_to_pay(page, 100)
    expect(page.get_by_role("heading", level=1)).to_have_text("Getting your order ready")
    button = page.get_by_role("button", name=re.compile("^PAY"))
    expect(button).to_be_disabled()
    expect(page.get_by_test_id("countdown")).to_have_text("–:––")
    expect(page.get_by_text("Connected to the payment service")).to_have_count(0)
    expect_no_placeholders(page)
    release(page, held)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your order is ready to pay")
    expect(button).to_have_text(re.compile("PAY ₹65 NOW"))
    expect(button).to_be_enabled()


def test_summary_causes_no_layout_shift_when_it_loads(page, server):
    store_cart(page, server)
    held = hold_messages_after(page, NOTHING)
    page.goto("/checkout")
    expect(page.locator(".loading-screen")).to_be_visible()
    page.evaluate(SHIFTS)
    release(page, held)
    expect(page.get_by_test_id("grand-total")).to_be_visible()
    assert page.evaluate("window.shift") <= MOST_SHIFT


def test_details_to_confirm_are_in_viewport(page, server, customer):
    to_details(page, server)
    give_details(page, Email=customer)
    page.get_by_role("button", name="NEXT").click()
    notice = page.locator(".notice.tip")
    expect(notice).to_be_visible()
    expect(notice).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="NEXT")).to_be_in_viewport(ratio=1)
    confirmed = notice.bounding_box()
    button = page.get_by_role("button", name="NEXT").bounding_box()
    assert 0 <= button["y"] - (confirmed["y"] + confirmed["height"]) < 60


def test_dishes_can_be_changed_from_summary(page, server):
    to_checkout(page, server)
    page.get_by_role("link", name="Change dishes").click()
    page.wait_for_url("**/menu/1")
    expect(page.get_by_role("heading", level=1, name="Pehla Food Point")).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("grand-total")).to_be_visible()


def test_link_to_ordering_is_in_viewport_on_block_screen(page):
    page.goto("/")
    expect(page.get_by_role("link", name="Order food on campus")).to_be_in_viewport(ratio=1)


def test_button_is_busy_until_next_screen_is_shown(page, server):
    to_checkout(page, server)
    held = hold_messages_after(page, 'is_hydrated_rx_state_":true')
    page.reload()
    button = page.get_by_role("button", name="NEXT")
    expect(page.get_by_test_id("grand-total")).to_be_visible()
    expect(button).not_to_have_attribute("aria-busy", "true")
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    release(page, held)
    at_details(page)
    expect(page.get_by_role("button", name="NEXT")).not_to_have_attribute("aria-busy", "true")


def test_button_is_enabled_again_when_proceeding_is_refused(page, server):
    to_checkout(page, server)
    server.set_override(1, is_open=False, message="No gas")
    button = page.get_by_role("button", name="NEXT")
    button.click()
    expect(page.locator(".notice-band")).to_contain_text("not delivering")
    expect(button).not_to_have_attribute("aria-busy", "true")


def test_menu_shows_stored_cart_before_server_responds(page, server):
    store_cart(page, server, dishes="104:49")
    held = hold_messages_after(page, NOTHING)
    page.goto("/menu/1")
    quantity = page.get_by_test_id("item-104").get_by_test_id("quantity")
    expect(quantity).to_have_text("49")
    release(page, held)
    expect(page.get_by_test_id("total")).to_have_text("₹5,390")
    expect(quantity).to_have_text("49")
