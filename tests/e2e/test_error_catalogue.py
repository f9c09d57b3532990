"""Errors of statuses, menus and images are shown. Source: specification 8.1 to 8.5, 8.25, 8.26."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import card, freeze_clock, open_page
from tests.e2e.network import INIT, PageSocket, connection, remove_initial_statuses
from tests.helpers.product import eventually

# Statuses


def test_initial_status_request_failure_shows_error(page):
    remove_initial_statuses(page)
    PageSocket(page, is_cut=True)
    page.route(INIT, lambda route: route.abort())
    page.goto("/health")
    freeze_clock(page)  # the message goes after some seconds
    open_page(page, "/about")
    expect(page.get_by_role("alert")).to_have_text("Failed to load restaurant statuses")
    connection(page).to_have_text("Connecting")
    expect(page.get_by_role("link", name="Pehla Food Point")).to_have_count(0)
    page.clock.resume()
    page.clock.run_for(5_000)
    expect(card(page, 1)).to_contain_text("OPEN")
    expect(page.get_by_role("alert")).to_have_text("")


# Menus


def test_unknown_restaurant_shows_menu_error(page):
    for address in ("/menu/99", "/menu/0", "/menu/abc", "/menu/१"):
        open_page(page, address)
        expect(page.get_by_role("alert")).to_have_text("Error: Restaurant not found")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("alert")).to_have_text("Error: Restaurant not found")


# Images


def test_restaurant_image_falls_back_to_default_when_it_fails(page):
    page.route("**/images/01-thali.svg", lambda route: route.abort())
    open_page(page, "/about")
    expect(card(page, 1).locator("img")).to_have_attribute("src", "/images/default.svg")
    expect(card(page, 2).locator("img")).to_have_attribute("src", "/images/02-chai.svg")


@pytest.mark.parametrize(
    ("address", "logo", "name"),
    [
        ("/campus", ".site-bar", "FOOD_points"),
        ("/?desktop=true", ".tara-page .hero__logo", "DA'VINCI"),
    ],
)
def test_logo_stays_visible_when_all_images_fail(page, address, logo, name):
    """The logos are text; a failed image shows no alternative text."""
    page.route(re.compile(r"\.(svg|png|webp|avif|jpg)$"), lambda route: route.abort())
    page.goto(address)
    expect(page.locator(logo)).to_contain_text(name)
    expect(page.locator(f"{logo} img")).to_have_count(0)
    failed = (
        "() => [...document.images].filter((each) => each.complete && !each.naturalWidth)"
        ".map((each) => each.alt)"
    )
    eventually(lambda: page.evaluate(failed), "a picture fails")
    assert set(page.evaluate(failed)) == {""}
