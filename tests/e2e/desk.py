"""The desk in a browser: entering it, and its lines."""

from playwright.sync_api import Locator, Page, expect

from campus_app.operators.rules.desk import DeskRole
from campus_app.shared.translations import t
from tests.e2e.server import Server
from tests.helpers import product_devices

DESK = "/desk"


def enter(page: Page, server: Server, role: DeskRole = DeskRole.OWNER, name: str = "Asha") -> Page:
    """Open a new link to the desk; return when the page is live."""
    page.goto(product_devices.create_desk_link(server, role, name))
    page.wait_for_url(f"**{DESK}")
    return at_desk(page)


def at_desk(page: Page) -> Page:
    """Wait until the page of the desk is live."""
    expect(page.get_by_test_id("connection")).to_have_text(t("LIVE"))
    return page


def listed(page: Page, number: str) -> Locator:
    """Return the row of an order."""
    return page.get_by_test_id(f"desk-order-{number}")


def open_order(page: Page, number: str) -> Page:
    """Open the page of an order from its row."""
    listed(page, number).get_by_role("link", name=number).click()
    expect(page.get_by_role("heading", name=number)).to_be_visible()
    return page
