"""A payment app closes the browser's tab: the paid cart does not return. Source: specification M17."""

import re

import httpx
from playwright.sync_api import expect

from kit.http.client import ssl_context
from tests.e2e.accessibility import expect_no_violations
from tests.e2e.journey import (
    add,
    at_waiting_room,
    confirm_details,
    give_details,
    local_storage,
    next_to_details,
    open_page,
    open_payment,
    open_restaurant,
    proceed,
    to_payment,
)


def pay_elsewhere(server, number):
    """Press the sandbox's button as a payment app does, outside of the browser."""
    fields = {"order_id": number, "button": "pay"}
    httpx.post(f"{server.url}/sandbox/pay", data=fields, verify=ssl_context(), timeout=30)


def test_paid_order_is_named_and_the_next_order_is_another_one(page, server, customer):
    lunch = to_payment(page, server, customer)
    tab = page.context.new_page()
    page.close()
    pay_elsewhere(server, lunch)

    open_page(tab, "/about")
    expect(tab.get_by_text(f"Order #{lunch} is paid.")).to_be_visible()
    expect(tab.get_by_role("link", name=re.compile("^Cart, "))).to_have_count(0)
    assert not local_storage(tab, "cart")
    expect_no_violations(tab, "a list with a paid order")
    tab.get_by_role("link", name="See the order").click()
    expect(tab.get_by_text(f"#{lunch}").first).to_be_visible()

    open_page(tab, "/about")
    open_restaurant(tab)
    add(tab, *["Rajma Chawal"] * 3)
    proceed(tab)
    next_to_details(tab)
    give_details(tab, Email=customer)
    confirm_details(tab)
    at_waiting_room(tab)
    dinner = open_payment(tab)
    orders = {order["number"]: order for order in server.orders(customer)}
    assert (orders[lunch]["state"], orders[dinner]["state"]) == ("confirmed", "pending")
    assert orders[dinner]["subtotal_paise"] == 33_000
