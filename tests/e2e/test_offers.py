"""The offers, and open carts when an offer starts or ends."""

from datetime import datetime

from playwright.sync_api import expect

from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from tests.e2e.journey import add, open_page, proceed


def november(day, hour, minute, second=0):
    return datetime(2026, 11, day, hour, minute, second, tzinfo=CAMPUS_TIME_ZONE)


def test_offers_screen_shows_terms_and_active_offer(page):
    open_page(page, "/campus")
    page.get_by_role("link", name="Offers").click()
    page.wait_for_url("**/offers")
    wednesday, saturday = (page.get_by_test_id(f"offer-{day}") for day in ("wednesday", "saturday"))
    expect(wednesday).to_contain_text("ACTIVE NOW, UNTIL MIDNIGHT")
    expect(wednesday.get_by_role("heading")).to_have_text("Buy one get one free")
    expect(wednesday).to_contain_text("Of every two units of the same item, one is free.")
    expect(saturday).to_contain_text("STARTS SATURDAY 18:00")
    expect(saturday.get_by_role("heading")).to_have_text("10% off, 6PM to 12AM")
    expect(saturday).to_contain_text("Minimum order ₹200.")
    saturday.get_by_role("link", name="Kulhad Café").click()
    page.wait_for_url("**/menu/2")
    page.go_back()
    wednesday.get_by_role("link", name="Slice Theory Pizza").click()
    expect(page.get_by_role("heading", level=1, name="Slice Theory Pizza")).to_be_visible()


def test_restaurant_list_links_to_offers(page):
    open_page(page, "/about")
    page.get_by_role("link", name="Offers").click()
    page.wait_for_url("**/offers")
    expect(page.get_by_role("heading", level=1, name="Two good days")).to_be_focused()


def test_offer_of_closed_restaurant_says_so_and_links_to_its_menu(page, server):
    server.set_override(5, is_open=False)
    open_page(page, "/offers")
    wednesday = page.get_by_test_id("offer-wednesday")
    expect(wednesday).to_contain_text("Slice Theory Pizza is not delivering right now.")
    wednesday.get_by_role("link", name="Slice Theory Pizza").click()
    expect(page.get_by_text("This kitchen takes no orders now.").first).to_be_visible()


def test_open_carts_are_repriced_with_banner_when_offer_starts(own_server, visit):
    own_server.restart(november(17, 23, 59))
    menu, checkout = visit(own_server), visit(own_server)
    for page in (menu, checkout):
        open_page(page, "/menu/5")
        add(page, "Margherita", "Margherita")
        expect(page.get_by_test_id("discount")).to_have_text("₹0")
    proceed(checkout)
    message = "Wednesday: buy one, get one free. It applies from now on"
    expect(menu.get_by_text(message)).to_be_visible(timeout=80_000)
    expect(menu.get_by_test_id("discount")).to_have_text("₹160")
    expect(menu.get_by_test_id("shortfall")).to_contain_text("Add ₹40 more")
    expect(menu.get_by_role("button", name="PROCEED TO CART")).to_be_disabled()
    checkout.wait_for_url("**/menu/5")
    expect(checkout.get_by_text(message)).to_be_visible()
