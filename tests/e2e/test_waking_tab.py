"""A tab that wakes up late: what it was told on the way undoes nothing of what another tab did."""

from playwright.sync_api import expect

from tests.e2e.journey import CART, LUNCH, add, answers, arrive, hold_answers_after, release, stored
from tests.helpers.product import eventually

NOTHING = '"sid"'
"""The server opens its line with this word."""
WHOLE = '"is_hydrated_rx_state_":true'
HEAR = "addEventListener('storage', ({ key, newValue }) => heard.push([key, newValue]))"


def test_stale_tab_does_not_overwrite_cart_filled_in_another_tab(page):
    arrive(page, "/menu/1")
    page.evaluate(f"window.heard = []; {HEAR}")
    other = page.context.new_page()
    held = hold_answers_after(other, NOTHING)
    other.goto("/menu/1")
    # The server has told the tab of an empty cart, and the tab has not heard it.
    eventually(
        lambda: other.title() and any(WHOLE in str(message) for _, message in held),
        "the page's own events are answered",
    )
    add(page, *LUNCH)
    release(other, held)
    answers(other)
    expect(other.get_by_test_id("total")).to_have_text("₹380")
    assert page.evaluate("heard") == []

    add(other, "Mini Thali")
    expect(page.get_by_test_id("total")).to_have_text("₹470")
    add(page, "Mini Thali")
    expect(other.get_by_test_id("total")).to_have_text("₹560")
    assert CART in stored(page, "cart")
