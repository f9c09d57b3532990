"""A stale tab does not overwrite what another tab has stored."""

from playwright.sync_api import expect

from tests.e2e.journey import (
    CART,
    LUNCH,
    add,
    hold_messages_after,
    local_storage,
    open_page,
    release,
    wait_until_hydrated,
)
from tests.helpers.product import eventually

NOTHING = '"sid"'
"""The server's first message on a new connection."""
WHOLE = '"is_hydrated_rx_state_":true'
RECORD = "addEventListener('storage', ({ key, newValue }) => storageEvents.push([key, newValue]))"


def test_stale_tab_does_not_overwrite_cart_filled_in_another_tab(page):
    open_page(page, "/menu/1")
    eventually(lambda: local_storage(page, "clockOffset"), "the page knows the server's time")
    page.evaluate(f"window.storageEvents = []; {RECORD}")
    other = page.context.new_page()
    held = hold_messages_after(other, NOTHING)
    other.goto("/menu/1")
    # The server has sent an empty cart, which the tab has not received yet.
    eventually(
        lambda: other.title() and any(WHOLE in str(message) for _, message in held),
        "the page's own events are answered",
    )
    add(page, *LUNCH)
    release(other, held)
    wait_until_hydrated(other)
    expect(other.get_by_test_id("total")).to_have_text("₹380")
    assert page.evaluate("storageEvents") == []

    add(other, "Mini Thali")
    expect(page.get_by_test_id("total")).to_have_text("₹470")
    add(page, "Mini Thali")
    expect(other.get_by_test_id("total")).to_have_text("₹560")
    assert CART in local_storage(page, "cart")
