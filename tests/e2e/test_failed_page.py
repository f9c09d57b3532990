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

DISH, OTHER_DISH = "Rajma Chawal", "Masala Chai"
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
_NO_FIRST_RENDER = """
const { get } = Object.getOwnPropertyDescriptor(window, "scrollY");
Object.defineProperty(window, "scrollY", { get() {
  if (sessionStorage.works || !Error().stack.includes("/assets/")) return get.call(window);
  throw new TypeError("scrollY");
} });
"""
"""Lets every render of a page fail, from the first one, until the tab's storage has `works`."""


def expect_failed(page):
    expect(page.get_by_role("heading", name=t("This page has stopped."))).to_be_visible()


@pytest.fixture
def logged(server):
    """How much the server had logged before the test."""
    return len(server.log.read_text())


@pytest.fixture
def torn(visit, server):
    """A menu with two dishes in the cart; the removal of one of them has failed."""
    page = visit(server)
    open_page(page, routes.menu(1))
    add(page, DISH, OTHER_DISH)
    page.evaluate(_TEAR)
    page.get_by_role("button", name=t("Remove one {dish}", dish=DISH), exact=True).first.click()
    expect_failed(page)
    return page


@pytest.fixture
def failing(browser, server):
    """A tab whose pages fail at their first render; React reports that to the console."""
    context = browser.new_context(base_url=server.url, service_workers="block")
    context.clock.install()
    context.add_init_script(_NO_FIRST_RENDER)
    yield context.new_page()
    context.close()


def test_torn_page_says_so_and_opens_again_with_its_cart(logged, torn, server):
    page, failure = torn, "browser: NotFoundError"
    eventually(lambda: failure in server.log.read_text()[logged:], "the failure is logged")
    page.get_by_role("button", name=t("Open it again")).click()
    wait_until_hydrated(page)
    assert page.url.endswith(routes.menu(1))
    expect(page.locator(".cart .times")).to_have_text(["1×"])
    assert units_in(local_storage(page, "cart")) == 1


def test_torn_page_opens_another_one_on_back(torn):
    torn.evaluate("history.pushState({}, '', '/offers')")
    torn.go_back()
    wait_until_hydrated(torn)
    assert torn.url.endswith(routes.menu(1))


def test_page_whose_first_render_fails_can_be_opened_again(failing):
    failing.goto(routes.CAMPUS)
    expect_failed(failing)
    failing.evaluate("sessionStorage.works = true")
    failing.get_by_role("button", name="Open it again").click()
    wait_until_hydrated(failing)


def test_board_that_failed_opens_again_by_itself(failing):
    failing.goto(routes.KITCHEN)
    expect_failed(failing)
    failing.evaluate("sessionStorage.works = true")
    failing.clock.fast_forward(5_000)
    expect(failing.get_by_role("heading", name="This page has stopped.")).to_have_count(0)


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
