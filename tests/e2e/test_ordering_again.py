"""Everything that a returning student uses, in one journey on a phone with a slow line."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import (
    at_confirmation,
    at_details,
    at_waiting_room,
    confirm_details,
    give_details,
    local_storage,
    open_page,
    open_payment,
    pay,
    unfold_instructions,
)
from tests.helpers.product import eventually

SLOW_LINE = {
    "offline": False,
    "latency": 400,
    "downloadThroughput": 50_000,
    "uploadThroughput": 25_000,
}
"""A crowded 3G cell: milliseconds, and bytes a second."""


@pytest.fixture
def page(visit, server):
    """A phone on a slow line."""
    page = visit(server)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_LINE)
    return page


def test_student_finds_orders_and_orders_again_on_a_slow_line(page, server, customer):
    open_page(page, "/about")
    page.get_by_role("searchbox", name="Search all kitchens").fill("rajma")
    found = page.locator(".found-dish").filter(has_text="Pehla Food Point").first
    found.get_by_role("link", name="Rajma Chawal").click()
    page.wait_for_url("**/menu/1?find=*")
    expect(page.get_by_role("searchbox", name="Search dishes")).to_have_value("Rajma Chawal")
    dish = page.get_by_test_id("item-104")
    for _ in range(3):
        dish.get_by_role("button", name="Add one Rajma Chawal").click()
    expect(dish.get_by_test_id("quantity")).to_have_text("3")
    expect(page.get_by_test_id("total")).to_have_text("₹330")

    page.get_by_role("link", name="02/FOOD_points").click()
    page.get_by_role("link", name=re.compile("^Cart, ")).click()
    page.wait_for_url("**/checkout")
    expect(page.get_by_test_id("grand-total")).to_have_text("₹350")
    page.get_by_role("button", name="NEXT").click()
    at_details(page)
    give_details(page, Email=customer)
    unfold_instructions(page)
    page.get_by_label("Note for the kitchen").fill("Less spice")
    page.get_by_label("No cutlery, please").check()
    confirm_details(page)
    at_waiting_room(page)
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    expect(page.get_by_test_id("order-id")).to_contain_text(number)
    expect(page.get_by_test_id("upi").first).to_be_visible()

    page.get_by_role("button", name="Stay on this page").click()
    server.change_price(1, "Rajma Chawal", "120")
    page.get_by_role("link", name="To the restaurants").click()
    page.get_by_role("link", name="03/ORDERS").click()
    order = page.get_by_test_id(f"order-{number}")
    expect(order).to_contain_text("₹350")
    order.get_by_role("button", name="Order again").click()
    page.wait_for_url("**/checkout")
    expect(page.get_by_test_id("grand-total")).to_have_text("₹380")
    expect(page.locator(".notice-band")).to_contain_text("Rajma Chawal")
    eventually(lambda: "104:3" in (local_storage(page, "cart") or ""), "the new cart is stored")
