"""The product in a browser of spring 2022: Chromium without newer features."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.assistant_page import DESKTOP, open_dialog
from tests.e2e.assistant_page import open_page as open_assistant_page
from tests.e2e.journey import (
    LUNCH,
    add,
    at_confirmation,
    choose_campus,
    confirm_details,
    give_details,
    next_to_details,
    open_page,
    open_payment,
    open_restaurant,
    pay,
    proceed,
    store_cart,
    to_checkout,
)

_SCRIPTS_LACK = """
delete AbortSignal.timeout;
delete AbortSignal.any;
delete window.TransformStream;
delete window.TextEncoderStream;
delete window.TextDecoderStream;
delete ReadableStream.prototype.pipeThrough;
delete Array.prototype.findLast;
delete Array.prototype.toSorted;
delete Object.groupBy;
delete Promise.withResolvers;
delete HTMLElement.prototype.inert;
"""
_STYLES_LACK = (
    *(r":has\(", r"color-mix\(", r"@container\b", r"\bsubgrid\b", r"\bcontainer-type\b"),
    *(r"(?<=\d)(?:[dsl]v[hw]|cq[iw])\b", r"(?<=[{;])(?:rotate|translate|scale)(?=:)"),
    r"(?<=\()width(?=[<>])",
)


def _with_lacks(css):
    for known in _STYLES_LACK:
        css = re.sub(known, lambda found: re.sub(r"\w+", "unheard-of", found[0], count=1), css)
    return css


@pytest.fixture
def old(visit, server):
    """Open a page in an old browser."""

    def send(**options):
        page = visit(server, **options)
        page.add_init_script(_SCRIPTS_LACK)

        def answer(route):
            response = route.fetch()
            route.fulfill(response=response, body=_with_lacks(response.text()))

        page.route("**/*.css", answer)
        return page

    return send


def test_order_is_confirmed_in_browser_of_spring_2022(old, server, customer):
    page = old()
    open_page(page, "/campus")
    choose_campus(page)
    open_restaurant(page)
    add(page, *LUNCH)
    proceed(page)
    next_to_details(page)
    give_details(page, Email=customer)
    confirm_details(page)
    number = open_payment(page)
    pay(page)
    at_confirmation(page)
    assert server.status_of(number)["status"] == "SUCCESS"
    due = page.locator(".amount-due b")
    assert due.evaluate("element => parseFloat(getComputedStyle(element).fontSize)") >= 40


def looks(face):
    return face.evaluate(
        "element => [null, '::before'].map((part) => getComputedStyle(element, part).backgroundColor).join()"
    )


def test_chosen_donation_is_marked_without_has_selector(old, server):
    page = old()
    to_checkout(page, server)
    face = page.locator(".choice span").nth(2)
    before = looks(face)
    page.get_by_role("radio").nth(2).click()
    expect(page.get_by_role("radio").nth(2)).to_be_checked()
    assert looks(face) != before


def test_chosen_slot_is_marked_without_has_selector(old):
    page = old()
    open_page(page, "/pre-reserve")
    free = page.locator(".slot input:enabled").last
    face = page.locator(".slot").filter(has=page.locator("input:enabled")).last.locator("span")
    before = looks(face)
    free.check()
    assert looks(face) != before


def test_desktop_columns_are_shown_without_range_queries(old, server):
    page = old(**DESKTOP)
    store_cart(page, server)
    open_page(page, "/checkout")
    columns = page.locator(".two-columns")
    expect(columns).to_be_visible()
    shown = columns.evaluate("element => getComputedStyle(element).gridTemplateColumns")
    assert len(shown.split()) == 2


def test_demo_dialog_is_styled_without_has_selector(old):
    page = old(**DESKTOP)
    open_assistant_page(page)
    open_dialog(page)
    assert page.evaluate("getComputedStyle(document.documentElement).overflow") == "hidden"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(7, 8, 14)"
