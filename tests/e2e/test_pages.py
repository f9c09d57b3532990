"""Terms, orders and unknown addresses, and what all screens have in common."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.journey import (
    choose_campus,
    freeze_clock,
    open_page,
    open_restaurant,
    proceed,
    store_cart,
    wait_until_hydrated,
)

LINKS = {
    "01/HOME": r"//[^/]+/$",
    "02/FOOD_points": "/about$",
    "03/ORDERS": "/underprogress$",
    "04/TERMS": "/terms$",
}


def test_unknown_address_returns_404_with_link(page):
    for address in ("/nowhere", "/menu", "/menu/1/2", "/about3", "/checkout/x", "/%F0%9F%8D%95"):
        answer = page.goto(address)
        assert answer.status == 404
        expect(page.get_by_role("heading", level=1)).to_have_text("Nothing is cooking here")
    wait_until_hydrated(page)
    page.get_by_role("link", name="To the restaurants").click()
    page.wait_for_url("**/about")


@pytest.mark.parametrize(
    "address",
    [
        "/campus",
        "/about",
        "/about2",
        "/menu/1",
        "/pre-reserve",
        "/offers",
        "/checkout",
        "/personal-info",
        "/waiting-room",
        "/order-confirmation",
        "/cashfree-response",
        "/payment-success",
        "/forms/response/abc",
        "/underprogress",
        "/terms",
        "/",
        "/tara/privacy",
        "/tara/terms",
    ],
)
def test_screen_is_served_at_its_address(server, address):
    answer = server.get(address)
    assert answer.status_code == 200
    assert "text/html" in answer.headers["content-type"]
    sheets = re.findall(r'href="(/assets/[^"]+\.css)"', answer.text)
    own_style = any(".site-bar" in server.get(sheet).text for sheet in sheets)
    assert own_style == (address != "/" and not address.startswith("/tara/"))
    # Unknown attributes that Reflex treats as styles would add an emotion class.
    assert "data-emotion" not in answer.text


def test_theme_color_matches_color_scheme(page):
    page.goto("/campus")
    for scheme, paper in (("light", "#fbf7f0"), ("dark", "#15110e")):
        page.emulate_media(color_scheme=scheme)
        shown = page.locator("meta[name=theme-color]").evaluate_all(
            "metas => metas.filter((meta) => matchMedia(meta.media).matches).map((meta) => meta.content)"
        )
        assert shown == [paper]


def test_navigation_bar_links_to_every_section_and_marks_it(page):
    open_page(page, "/campus")
    for name, address in reversed(LINKS.items()):
        page.get_by_role("link", name=name).click()
        page.wait_for_url(re.compile(address))
        if name != "01/HOME":  # which has another bar
            expect(page.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")
            expect(page.locator("[aria-current=page]")).to_have_count(1)


def test_clock_shows_the_next_minute_of_the_campus_when_it_begins(visit, server):
    page = visit(server, timezone_id="America/New_York")
    open_page(page, "/campus")
    freeze_clock(page)
    clock = page.get_by_test_id("clock")
    expect(clock).to_have_text(re.compile(r"^WED13:\d\d$"))
    before = clock.inner_text()
    left = page.evaluate("60000 - (Date.now() + Number(localStorage.clockOffset ?? 0)) % 60000")
    page.clock.run_for(left + 1_000)
    expect(clock).not_to_have_text(before)


def test_terms_have_four_sections(page):
    page.goto("/terms")
    for name in ("Service", "Delivery", "Privacy", "Contact"):
        expect(page.get_by_role("region", name=name)).to_be_visible()
    service = page.get_by_role("region", name="Service")
    expect(service).to_contain_text("at the prices that you see before you pay")


def test_orders_screen_is_marked_as_under_progress(page):
    page.goto("/underprogress")
    expect(page.get_by_role("heading", level=1)).to_have_text("Under progress")
    words = "The list of all your orders is under progress. Those of this browser are here."
    expect(page.get_by_text(words)).to_be_visible()


def test_navigation_moves_focus_to_heading_of_new_screen(visit, server):
    page = visit(server, campus="")
    store_cart(page, server)
    open_page(page, "/campus")
    assert page.evaluate("document.activeElement === document.body")
    page.get_by_role("link", name="04/TERMS").click()
    expect(page.get_by_role("heading", level=1, name="Plain words")).to_be_focused()
    page.get_by_role("link", name="02/FOOD_points").click()
    expect(page.get_by_role("heading", level=1, name="Where shall we bring it?")).to_be_focused()
    choose_campus(page)
    expect(page.get_by_role("heading", level=1, name="North Campus")).to_be_focused()
    open_restaurant(page)
    expect(page.get_by_role("heading", level=1, name="Pehla Food Point")).to_be_focused()
    proceed(page)
    expect(page.get_by_role("heading", level=1, name="Pehla Food Point")).to_be_focused()
    assert page.evaluate("window.scrollY") == 0


def test_back_button_restores_scroll_position_of_list(page):
    open_page(page, "/about")
    page.get_by_role("link", name="Dum & Handi").scroll_into_view_if_needed()
    before = page.evaluate("window.scrollY")
    assert before > 300
    page.get_by_role("link", name="Dum & Handi").click()
    expect(page.get_by_role("heading", level=1, name="Dum & Handi")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="Dum & Handi")).to_be_in_viewport()


def test_skip_link_skips_the_navigation_bar(page):
    open_page(page, "/about")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Change campus")).to_be_focused()


@pytest.mark.parametrize(
    ("address", "own", "others"),
    [
        ("/menu/1", "VERIFY OUR PRICES", "Need Something Different?"),
        ("/", "Need Something Different?", "VERIFY OUR PRICES"),
    ],
)
def test_screen_loads_no_code_of_the_other_product(page, address, own, others):
    scripts = []
    page.on("response", lambda answer: ".js" in answer.url and scripts.append(answer))
    page.goto(address)
    page.wait_for_function("() => window.isHydrated")  # scripts load after the first paint
    page.wait_for_load_state("networkidle")
    code = "".join(script.text() for script in scripts)
    assert own in code
    assert others not in code
