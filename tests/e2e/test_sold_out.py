"""Dishes that are sold out, and kitchens that pause, on the screens. Source: specification 10.20."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.journey import LUNCH, add, at_checkout, card, open_page, proceed


@pytest.fixture
def dish(page):
    return page.get_by_test_id("item-104")


def test_menu_that_is_opened_later_shows_sold_out_dishes(page, server, dish):
    server.set_sold_out(1, "104")
    open_page(page, "/menu/1")
    expect(dish.get_by_test_id("sold-out")).to_be_visible()
    open_page(page, "/about")
    page.get_by_role("searchbox").fill("rajma")
    found = page.locator(".found-dish").filter(has_text="Pehla Food Point").first
    expect(found.get_by_test_id("sold-out")).to_be_visible()


def test_cart_says_that_a_dish_is_sold_out_and_can_be_mended(page, server, dish):
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    server.set_sold_out(1, "112")
    line = page.locator(".cart-lines").get_by_text("Paneer Butter Masala · sold out")
    expect(line).to_have_count(1)
    page.get_by_role("button", name="PROCEED TO CART").click()
    expect(page.get_by_text("Sold out: Paneer Butter Masala.")).to_be_visible()
    assert page.url.endswith("/menu/1")
    sold_out = page.get_by_test_id("item-112")
    sold_out.get_by_role("button", name="Remove one Paneer Butter Masala").click()
    expect(line).to_have_count(0)
    proceed(page)


def test_paused_kitchen_says_when_it_is_back(page, server):
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    server.set_override(1, is_open=False, minutes=30)
    back = re.compile(r"Back at \d\d:\d\d")
    expect(page.locator(".notice-band")).to_contain_text(back)
    expect(page.get_by_role("button", name="PROCEED TO CART")).to_be_disabled()
    open_page(page, "/about")
    expect(card(page, 1)).to_contain_text(back)
    server.set_override(1, is_open=True)
    open_page(page, "/checkout")
    at_checkout(page)


def test_cart_bar_says_that_the_kitchen_paused_when_the_menu_is_scrolled(page, server):
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    server.set_override(1, is_open=False, minutes=30)
    said = page.get_by_test_id("cart-closed")
    expect(said).to_have_text(re.compile(r"Paused, back at \d\d:\d\d\. Your cart is kept\."))
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
        expect(said).to_be_in_viewport(ratio=1)
    server.set_override(1, is_open=True)
    expect(said).to_have_count(0)
    proceed(page)


def test_refusal_is_in_view_when_the_menu_is_scrolled(page, server):
    page.set_viewport_size({"width": 390, "height": 640})
    open_page(page, "/menu/1")
    add(page, *LUNCH)
    server.set_sold_out(1, "112")
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    page.get_by_role("button", name="PROCEED TO CART").click()
    expect(page.get_by_text("Sold out: Paneer Butter Masala.")).to_be_in_viewport(ratio=1)


def test_sold_out_dish_is_accessible(visit, server):
    server.set_sold_out(1, "104")
    page = visit(server, reduced_motion="reduce", is_mobile=False, has_touch=False)
    open_page(page, "/menu/1")
    expect(page.get_by_test_id("item-104").get_by_test_id("sold-out")).to_be_visible()
    check_accessibility(page, "menu with a sold-out dish")
