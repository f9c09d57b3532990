"""The privacy and terms pages of the assistant's site."""

import re
import xml.etree.ElementTree as ET

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import DESKTOP, open_page
from voice_site.content.company import COMPANY
from voice_site.content.legal import LEGAL_PAGES, PRIVACY, TERMS

LIGHT = "rgb(239, 230, 210)"
WIDTHS = (320, 390, 1280)
COLOURS = "metas => metas.map((meta) => meta.content)"


@pytest.fixture(scope="module", params=LEGAL_PAGES, ids=lambda page: page.name)
def legal(request):
    """One of the two pages, as its content module has it."""
    return request.param


def open_legal(page, legal):
    """Open a page and wait until it is hydrated."""
    page.goto(legal.route)
    page.wait_for_function("() => window.isHydrated")
    expect(page.locator("html")).to_have_attribute("data-view", "light")


@pytest.fixture(scope="module")
def unchanged(module_visit, module_server, legal):
    """The page for tests that read it, at any size and in any colour scheme."""
    options = {"reduced_motion": "reduce", "is_mobile": False, "has_touch": False}
    page = module_visit(module_server, **options)
    open_legal(page, legal)
    return page


def test_page_is_readable_on_a_phone_and_a_desktop(unchanged, legal):
    page = unchanged
    expect(page).to_have_title(legal.title)
    expect(page.get_by_role("heading", level=1)).to_have_text([legal.heading])
    titles = [*(section.title for section in legal.sections), "Contact"]
    assert page.get_by_role("heading", level=2).all_inner_texts() == titles
    expect(page.get_by_role("main").get_by_role("link")).to_have_text(
        [COMPANY.email, COMPANY.phone]
    )
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth"), width


def test_page_is_accessible(unchanged, legal):
    check_accessibility(unchanged, f"the page {legal.name} of TARA")


def test_page_has_light_ground_in_a_dark_colour_scheme(unchanged):
    unchanged.emulate_media(color_scheme="dark")
    colours = unchanged.locator("meta[name=theme-color]").evaluate_all(COLOURS)
    assert set(colours) == {"#efe6d2"}
    for element in ("documentElement", "body"):
        ground = f"getComputedStyle(document.{element}).backgroundColor"
        assert unchanged.evaluate(ground) == LIGHT


def test_page_is_readable_without_javascript(visit, server, legal):
    page = visit(server, java_script_enabled=False)
    page.goto(legal.route)
    expect(page.get_by_role("heading", level=1)).to_have_text(legal.heading)
    expect(page.get_by_role("heading", level=2)).to_have_count(len(legal.sections) + 1)
    page.get_by_role("link", name="Back to TARA").click()
    page.wait_for_url(re.compile("//[^/]+/$"))


def test_light_view_is_chosen_before_scripts_load(visit, server, legal):
    page = visit(server)
    page.route("**/assets/**/*.js", lambda route: route.abort())
    page.goto(legal.route)
    expect(page.locator("html")).to_have_attribute("data-view", "light")
    colours = page.locator("meta[name=theme-color]").evaluate_all(COLOURS)
    assert set(colours) == {"#efe6d2"}


def test_keyboard_reaches_every_link_in_order(visit, server, legal):
    page = visit(server, **DESKTOP)
    open_legal(page, legal)
    other = TERMS if legal is PRIVACY else PRIVACY
    for name in (
        "DA'VINCI, to the page of TARA",
        "हिन्दी",
        COMPANY.email,
        COMPANY.phone,
        "Back to TARA",
        other.name,
    ):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=name)).to_be_focused()
        expect(page.get_by_role("link", name=name)).to_be_in_viewport()


def test_links_lead_to_both_pages_and_back(visit, server):
    page = visit(server, **DESKTOP)
    open_page(page)
    page.get_by_role("contentinfo").get_by_role("link", name="Privacy").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Privacy")
    page.get_by_role("link", name="Terms").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Terms")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("link", name="Back to TARA").click()
    expect(page.locator("html")).to_have_attribute("data-view", "page")
    expect(page.locator(".tara-page h1")).to_be_focused()
    page.go_back()
    expect(page.locator("html")).to_have_attribute("data-view", "light")


def test_block_screen_links_to_both_pages(visit, server):
    page = visit(server)
    open_page(page)
    expect(page.locator("html")).to_have_attribute("data-view", "block")
    for name in ("Privacy", "Terms"):
        page.goto("/")
        page.get_by_role("contentinfo").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_pages_are_in_the_sitemap(server):
    places = [place.text for place in ET.fromstring(server.get("/sitemap.xml").text).iter()]
    for legal in LEGAL_PAGES:
        assert f"{server.url}{legal.route}" in places
        assert f'content="{legal.description}"' in server.get(legal.route).text


def test_prices_are_printed_on_white_paper(visit, server):
    page = visit(server, **DESKTOP)
    open_legal(page, TERMS)
    page.emulate_media(media="print")
    expect(page.get_by_role("link", name="Back to TARA")).to_be_hidden()
    expect(page.get_by_role("main")).to_contain_text("TARA PRO ₹24,900")
    # With 'Background graphics' browsers print backgrounds, too.
    for place in ("html", "body", ".tara"):
        expect(page.locator(place)).to_have_css("background-color", "rgb(255, 255, 255)")
