"""The steps on a kitchen board, and orders that arrive on it."""

import sqlite3
from contextlib import closing
from typing import Any

from playwright.sync_api import Locator, Page, expect

from campus_app.ordering.rules.cooking import CookingState
from campus_app.shared.translations import t
from tests.e2e.frames import RENDERED
from tests.e2e.orders import paying, prepare
from tests.e2e.server import Server
from tests.helpers import product_devices

TABLET = {
    "viewport": {"width": 1280, "height": 800},
    "is_mobile": False,
    "has_touch": False,
    "reduced_motion": "reduce",
}
BOARD = "/kitchen"


def enrol(page: Page, server: Server, restaurant_id: int = 1) -> Page:
    """Open a new kitchen link; return when the page shows the kitchen's board."""
    page.goto(product_devices.create_link(server, restaurant_id))
    page.wait_for_url(f"**{BOARD}")
    return at_board(page)


def at_board(page: Page) -> Page:
    """Wait until the board is shown and live."""
    expect(page.get_by_role("tablist", name=t("Kitchen board"))).to_be_visible()
    expect(page.get_by_test_id("connection")).to_have_text(t("LIVE"))
    return page


def order(server: Server, email: str, **details: Any) -> str:
    """Place and pay an order, by default at restaurant 1; return its number."""
    prepared = prepare(server, email, **details)
    with paying(server, prepared) as press:
        press()
    return prepared["orderId"]


def ticket(page: Page, number: str) -> Locator:
    """Return the ticket of an order."""
    return page.get_by_test_id(f"ticket-{number}")


def press(page: Page, number: str, name: str) -> None:
    """Press a button of a ticket, once it has not moved for long enough to be taken."""
    button = ticket(page, number).get_by_role("button", name=t(name), exact=True)
    expect(button).to_be_visible()
    button.evaluate(WHEN_STILL)
    button.click()


WHEN_STILL = f"""button => new Promise((resolve) => {{
  const place = () => JSON.stringify(button.getBoundingClientRect());
  let [last, since] = [place(), performance.now()];
  const look = () => {{
    if (place() !== last) [last, since] = [place(), performance.now()];
    if (performance.now() - since > 750) resolve();
    else ({RENDERED})().then(look); // the board moves its tickets in real frames
  }};
  ({RENDERED})().then(look);
}})"""
"""Waits until a button has been at its place for longer than the board refuses taps."""


def hand_over(page: Page, number: str) -> None:
    """Press 'Handed over' in the cook's view, which shows it of a ticket that is opened."""
    name = t("More of order {number}", number=number)
    more = ticket(page, number).get_by_role("button", name=name)
    if more.get_attribute("aria-expanded") != "true":
        more.evaluate(WHEN_STILL)
        more.click()
    press(page, number, "Handed over")


def undo(page: Page, number: str) -> Locator:
    """Return the button that undoes the last press on a ticket."""
    name = t("Undo for order {number}", number=number)
    return ticket(page, number).get_by_role("button", name=name)


def expect_steps(page: Page, number: str, done: int) -> None:
    """Expect that the first steps of a ticket are done: 0 to 3."""
    state = list(CookingState)[done]
    expect(ticket(page, number)).to_have_attribute("data-state", state)


def choose_view(page: Page, name: str) -> None:
    """Choose a tab of the board."""
    page.get_by_role("tab", name=t(name), exact=True).click()
    expect(page.get_by_role("tab", name=t(name), exact=True)).to_have_attribute(
        "aria-selected", "true"
    )


def presses_of(server: Server, number: str) -> list[dict[str, Any]]:
    """Return the stored presses of an order, oldest first."""
    statement = (
        "select kitchen_presses.* from kitchen_presses join orders on orders.id = order_id"
        " where number = ? order by kitchen_presses.rowid"
    )
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(statement, (number,))]
