"""A page that an extension or a translator has torn: it says so, and opens again with its cart."""

import pytest
from playwright.sync_api import expect

from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import DESKTOP
from tests.e2e.assistant_page import open_page as open_assistant
from tests.e2e.journey import add, local_storage, open_page, units_in, wait_until_hydrated
from tests.helpers.product import eventually

DISH = "Rajma Chawal"
_TEAR = """() => {
  console.error = () => {};
  const { removeChild } = Node.prototype;
  Node.prototype.removeChild = () => {
    Node.prototype.removeChild = removeChild;
    throw new DOMException("The node to be removed is not a child of this node.", "NotFoundError");
  };
}"""
"""Lets the next removal of an element fail once, as it does where a translator has moved it."""
_NO_DIALOGS = """() => {
  console.error = () => {};
  HTMLDialogElement.prototype.showModal = () => { throw new TypeError("showModal"); };
}"""


def expect_failed(page):
    expect(page.get_by_role("heading", name=t("This page has stopped."))).to_be_visible()


@pytest.fixture
def torn(visit, server):
    """A menu with a dish in the cart, as it is after its next change has failed."""
    page = visit(server)
    open_page(page, routes.menu(1))
    add(page, DISH)
    page.evaluate(_TEAR)
    page.get_by_role("button", name=t("Remove one {dish}", dish=DISH), exact=True).first.click()
    expect_failed(page)
    return page


def test_torn_page_says_so_and_opens_again_with_its_cart(torn, server):
    page = torn
    eventually(lambda: "browser: NotFoundError" in server.log.read_text(), "the failure is logged")
    units = units_in(local_storage(page, "cart"))
    page.get_by_role("button", name=t("Open it again")).click()
    wait_until_hydrated(page)
    assert page.url.endswith(routes.menu(1))
    assert units_in(local_storage(page, "cart")) == units
    expect(page.get_by_role("group", name=DISH, exact=True).first).to_be_visible()


def test_torn_page_leads_to_the_restaurants(torn):
    torn.get_by_role("link", name=t("To the restaurants")).press("Enter")
    wait_until_hydrated(torn)
    assert torn.url.endswith(routes.CAMPUS)


def test_torn_page_is_accessible(torn):
    check_accessibility(torn, "a torn page", widths=(320, 390, 768, 1280, 1920))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_failed_page_of_tara_is_accessible(visit, server, scheme):
    page = visit(server, **DESKTOP, color_scheme=scheme)
    open_assistant(page, "/?desktop=true")
    page.evaluate(_NO_DIALOGS)
    page.get_by_role("button", name="Try Demo Version").click()
    expect_failed(page)
    check_accessibility(page, "a failed page of TARA")
