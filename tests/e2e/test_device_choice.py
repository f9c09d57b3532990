"""The choice between page and block screen. Source: specification V2.3 to V2.6."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import expect_no_violations
from tests.e2e.assistant_page import (
    DESKTOP,
    dialog,
    open_page,
    request_demo,
    requests_of,
    to_variants,
)
from tests.e2e.journey import freeze_clock
from tests.helpers.product import eventually
from voice_site.content.company import COMPANY
from voice_site.content.copy import BLOCKED_PRODUCT

PAPER = {"#fbf7f0", "#15110e"}
"""The ordering product's theme colours, light and dark."""
TITLE = "This app cannot be viewed on mobile"
FORCED = {"forceDesktop": "true"}
DESKTOP_AGENT = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/140.0.0.0 Safari/537.36"
)
AGENTS = {
    "Chrome": "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/140.0.0.0 Mobile Safari/537.36",
    "Safari": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Firefox": "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
    "Another browser": "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko)"
    " SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
}


def sized(visit, server, width):
    size = {"viewport": {"width": width, "height": 800}}
    return visit(server, **DESKTOP | size, reduced_motion="reduce")


def is_blocked(page):
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    return page.get_by_role("heading", level=1).inner_text() == TITLE


VIEWS = {
    "mobile up to 767": (767, "/", {}, True),
    "tablet from 768": (768, "/", {}, True),
    "tablet up to 1023": (1023, "/", {}, True),
    "desktop from 1024": (1024, "/", {}, False),
    "desktop=true": (390, "/?desktop=true", {}, False),
    "device=desktop": (390, "/?device=desktop", {}, False),
    "another value of desktop": (390, "/?desktop=1", {}, True),
    "stored forceDesktop": (390, "/", FORCED, False),
    "forceDesktop that is false": (390, "/", {"forceDesktop": "false"}, True),
    "device=mobile": (1280, "/?device=mobile", {}, True),
    "device=tablet": (1280, "/?device=tablet", {}, True),
    "stored tablet": (1280, "/", {"deviceOverride": "tablet"}, True),
    "stored desktop": (390, "/", {"deviceOverride": "desktop"}, False),
    "an old override": (1280, "/", {"deviceOverride": "watch"}, False),
    "an old override, mobile": (390, "/", {"deviceOverride": "watch"}, True),
    "a device that is none": (1280, "/?device=watch", {}, False),
    "query beats stored": (390, "/?device=desktop", {"deviceOverride": "mobile"}, False),
    "forced beats the query": (1280, "/?device=mobile", FORCED, False),
}
"""Width, address and browser storage, and whether the block screen is shown."""
STORE = """stored => {
  localStorage.clear();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
}"""


def test_device_view_follows_width_query_and_storage(visit, server):
    page = sized(visit, server, 1280)
    wrong = []
    for case, (width, address, stored, blocked) in VIEWS.items():
        page.goto("/health")
        page.evaluate(STORE, stored)
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        if is_blocked(page) is not blocked:
            wrong.append(case)
    assert wrong == []


def test_zoom_of_a_computer_does_not_decide_the_view(visit, server):
    # Source: specification S21. Zoom changes the page's width, but not the window's.
    page = sized(visit, server, 1280)
    page.add_init_script(
        "Object.defineProperty(window, 'outerWidth',"
        " { get: () => Number(location.search.match(/outer=(\\d+)/)[1]) })"
    )
    for width, outer, blocked in ((640, 1280, False), (1800, 900, True)):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"/?outer={outer}")
        assert is_blocked(page) is blocked


@pytest.fixture
def desktop_site(visit, server):
    """A phone with 'Desktop site' on: a layout of 980 px, and a desktop user agent."""
    return visit(
        server,
        viewport={"width": 980, "height": 1866},
        screen={"width": 412, "height": 915},
        user_agent=DESKTOP_AGENT,
        has_touch=True,
        is_mobile=False,
    )


@pytest.mark.parametrize("scripts", ["with scripts", "before scripts"])
def test_landing_page_is_shown_when_phone_requests_desktop_site(desktop_site, scripts):
    page = desktop_site
    if scripts == "before scripts":
        page.route("**/assets/*.js", lambda route: route.abort())
    page.goto("/")
    assert not is_blocked(page)
    expect(page.locator(".unforce:visible")).to_have_count(0)
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert page.evaluate(wide) is False


def test_device_override_takes_precedence_over_desktop_site(desktop_site):
    desktop_site.goto("/?device=mobile")
    assert is_blocked(desktop_site)


def test_desktop_site_is_detected_again_after_resize(desktop_site):
    open_page(desktop_site)
    freeze_clock(desktop_site)
    resize(desktop_site, 800)  # which makes the screen equally wide
    desktop_site.clock.run_for(151)
    assert is_blocked(desktop_site)


def test_device_view_is_chosen_before_scripts_load(visit, server):
    """The hydration script never loads, and nothing flashes."""
    page = sized(visit, server, 390)
    page.route("**/assets/*.js", lambda route: route.abort())
    page.goto("/")
    assert is_blocked(page)
    expect(page.locator("details[data-browser=chrome]")).to_have_attribute("open", "")


def test_server_html_contains_both_views(server):
    html = server.get("/").text
    assert "Say goodbye to boring and awkward processes interfaces" in html
    assert TITLE in html


def test_device_view_is_updated_150_ms_after_resize(visit, server):
    page = sized(visit, server, 1280)
    open_page(page)
    freeze_clock(page)
    resize(page, 800)
    page.clock.run_for(149)
    assert not is_blocked(page)
    page.clock.run_for(2)
    assert is_blocked(page)
    resize(page, 1280)
    page.clock.run_for(151)
    assert not is_blocked(page)


def resize(page, width):
    """Resize the window, and wait for the page's resize event."""
    page.evaluate(
        "() => { window.resizes = 0; addEventListener('resize', () => { resizes += 1 }) }"
    )
    page.set_viewport_size({"width": width, "height": 800})
    eventually(lambda: page.evaluate("resizes"), "the page is resized")


def test_block_screen_can_be_bypassed_and_restored(page):
    open_page(page)
    page.get_by_role("button", name="Force Desktop Version").click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Say goodbye")
    assert page.evaluate("localStorage.getItem('forceDesktop')") == "true"
    page.reload()
    assert not is_blocked(page)
    page.get_by_role("link", name="Back to the mobile version").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    page.goto("/")
    assert is_blocked(page)


def test_block_screen_can_be_bypassed_when_storage_is_blocked(page):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage',"
        " { configurable: true, get() { throw new Error('blocked') } })"
    )
    open_page(page)
    assert is_blocked(page)
    page.get_by_role("button", name="Force Desktop Version").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Say goodbye")


def test_block_screen_can_be_bypassed_when_storage_is_full(page):
    page.add_init_script(
        "const keep = Storage.prototype.setItem;"
        "Storage.prototype.setItem = function (key, value) {"
        " if (this === localStorage) throw new DOMException('full', 'QuotaExceededError'); keep.call(this, key, value) }"
    )
    open_page(page)
    page.get_by_role("button", name="Force Desktop Version").click()
    page.wait_for_url("**/?desktop=true")
    assert not is_blocked(page)


@pytest.mark.parametrize(("browser_name", "agent"), AGENTS.items())
def test_instructions_of_current_browser_are_expanded(visit, server, browser_name, agent):
    page = visit(server, user_agent=agent)
    open_page(page)
    expect(page.locator("details[open] summary:visible")).to_have_text([browser_name])
    expect(page.locator(".how summary")).to_have_text(
        ["Chrome", "Safari", "Firefox", "Another browser"]
    )


def test_block_screen_says_what_tara_is_and_whom_to_reach(page):
    open_page(page)
    blocked = page.locator(".blocked")
    expect(blocked.get_by_text(BLOCKED_PRODUCT)).to_be_visible()
    expect(blocked.get_by_role("link", name=COMPANY.email)).to_be_visible()
    phone = blocked.get_by_role("link", name=COMPANY.phone)
    expect(phone).to_have_attribute("href", COMPANY.phone_link)
    wide = "document.documentElement.scrollWidth > innerWidth"
    for width in (320, 390, 768, 1023):
        page.set_viewport_size({"width": width, "height": 720})
        assert page.evaluate(wide) is False, width


def test_block_screen_plays_a_call_in_place(page):
    open_page(page)
    page.get_by_role("button", name="Hear TARA").click()
    call = page.locator(".blocked .hero-call")
    expect(call.locator(".c:not([aria-hidden])")).not_to_be_empty()
    expect(page.locator(".hero .hero-call")).to_have_count(0)
    expect_no_violations(page, "block screen, a call")
    page.get_by_role("button", name="Stop").click()
    expect(call).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_css("opacity", "1")


def test_block_screen_opens_the_demo_request(page, server, customer):
    open_page(page)
    page.get_by_role("button", name="Request a demo").click()
    # The demonstration is on the page, which is not shown here.
    expect(dialog(page).get_by_role("button", name="Or try it right now")).to_be_hidden()
    to_variants(page, **{"Business Email": customer})
    request_demo(page)
    expect(dialog(page).get_by_role("heading", name="Thank you.")).to_be_visible()
    (row,) = requests_of(server, customer)
    assert row["source"] == "block"


def test_block_screen_links_to_food_ordering(page):
    open_page(page)
    page.get_by_role("link", name="Order food on campus").click()
    page.wait_for_url("**/campus")
    expect(page.get_by_role("heading", level=1)).to_have_text("Where shall we bring it?")
    expect(page.locator("html")).not_to_have_attribute("data-view", re.compile(".*"))
    colours = page.locator("meta[name=theme-color]")
    shown = colours.evaluate_all("metas => metas.map((meta) => meta.content)")
    assert set(shown) == PAPER


def test_ordering_screens_are_not_blocked_and_home_is_in_history(visit, server):
    page = visit(server)
    page.goto("/campus")
    page.get_by_role("link", name="01/HOME").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Where shall we bring it?")
