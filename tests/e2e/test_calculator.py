"""What your calls cost: the bill, and the link that carries the figures."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import NARROW, check_accessibility
from tests.e2e.assistant_page import DESKTOP, dialog, open_page, still_page, to_variants
from tests.e2e.journey import freeze_clock
from tests.e2e.network import go_back_slowly
from voice_site.domain.estimate import FIGURES

NAMES = [each.name for each in FIGURES]
INITIAL = {each.name: each.initial for each in FIGURES}
GARBAGE = (
    "conversations=%00&agents=%E0%A4&cost=Infinity&attrition=0x20&replacement=NaN&share=%3Cb%3E"
)


@pytest.fixture
def page(visit, server):
    return still_page(visit, server)


@pytest.fixture(scope="module")
def changed(module_visit, module_server):
    return still_page(module_visit, module_server, "/?desktop=true")


@pytest.fixture
def initial(changed):
    """The page with the initial figures, for tests that only change figures."""
    enter(changed, **INITIAL)
    return changed


def calculator(page):
    return page.get_by_test_id("cost-calculator")


def field(page, name):
    return page.locator(f"#calc-{name}")


def enter(page, **figures):
    for name, figure in figures.items():
        field(page, name).fill(str(figure))


def bill(page):
    """Return the texts of the bill's lines and their amounts."""
    lines = calculator(page).locator("dl > div")
    return [tuple(line.split("\n")) for line in lines.all_inner_texts()]


def result(page):
    return calculator(page).locator(".calc__result")


def link_message(page):
    return calculator(page).locator("p[role=status]")


def figures_of(address):
    return {name: value for name, value in parse_qsl(urlsplit(address).query) if name in NAMES}


def expect_figures(page, **figures):
    for name, figure in (INITIAL | figures).items():
        expect(field(page, name)).to_have_value(str(figure))


# The bill


def expect_initial_bill(page):
    assert bill(page) == [
        ("Agents: 6\u00a0×\u00a0₹25,547", "₹1,53,282"),
        ("Replacing 2.7 who leave a year", "not counted"),
        ("Total a month", "₹1,53,282"),
        (
            "TARA PRO",
            "₹24,900",
            "50% of 4,000 conversations =\u00a02,000: above TARA BASE’s 1,000, within 10,000",
        ),
        ("Agents who remain: 3\u00a0×\u00a0₹25,547", "₹76,641"),
        ("Total a month", "₹1,01,541"),
    ]
    expect(result(page)).to_have_text("With these figures TARA costs ₹51,741 less a month.")


def test_bill_is_whole_without_scripts(visit, server):
    page = visit(server, **DESKTOP, java_script_enabled=False)
    page.goto("/")
    expect_figures(page)
    expect_initial_bill(page)


def test_calculator_follows_comparison(initial):
    page = initial
    sections = page.locator("main > section").evaluate_all("all => all.map((each) => each.id)")
    assert sections[sections.index("comparison") + 1] == "calculator"


def test_bill_follows_each_figure_without_the_server(page):
    expect_initial_bill(page)
    page.context.set_offline(True)
    enter(page, conversations=30_000, agents=2, replacement=30_000, share=90)
    assert bill(page) == [
        ("Agents: 2\u00a0×\u00a0₹25,547", "₹51,094"),
        ("Replacing 0.9 who leave a year\u00a0× ₹30,000\u00a0÷\u00a012", "₹2,250"),
        ("Total a month", "₹53,344"),
        (
            "TARA ENTERPRISE",
            "₹74,900",
            "90% of 30,000 conversations =\u00a027,000: above TARA PRO’s 10,000; it has no limit",
        ),
        ("Agents who remain: 1\u00a0×\u00a0₹25,547", "₹25,547"),
        ("Replacing 0.45 who leave a year\u00a0× ₹30,000\u00a0÷\u00a012", "₹1,125"),
        ("Total a month", "₹1,01,572"),
    ]
    expect(result(page)).to_have_text("With these figures TARA costs ₹48,228 more a month.")


def test_bill_says_when_costs_are_equal(initial):
    page = initial
    enter(page, conversations=500, agents=1, cost=9_800, share=100)
    expect(result(page)).to_have_text("With these figures TARA costs the same.")
    assert bill(page)[3] == (
        "TARA BASE",
        "₹9,800",
        "100% of 500 conversations =\u00a0500: within its limit of 1,000",
    )


def test_calculator_says_what_it_does_not_count(initial):
    section = calculator(initial)
    expect(section).to_contain_text("An estimate, not an offer.")
    expect(section).to_contain_text("telephony and integration are not in it")
    expect(section).to_contain_text("Company figure: ₹25,547")
    expect(section).to_contain_text("Company figure: 45%")
    expect(section).to_contain_text("Not counted while it is 0")


def test_invalid_figure_is_named_and_the_bill_keeps_the_last_valid_one(initial):
    page = initial
    for wrong in ("1001", "0", "2.5", ""):
        enter(page, agents=wrong)
        expect(field(page, "agents")).to_have_attribute("aria-invalid", "true")
        expect(field(page, "agents")).to_have_accessible_description(
            "A whole number from 1 to 1,000; the bill has 6"
        )
        expect_initial_bill(page)
    enter(page, agents=7)
    expect(field(page, "agents")).to_have_attribute("aria-invalid", "false")
    expect(calculator(page).locator(".err")).to_have_count(0)
    assert bill(page)[0][1] == "₹1,78,829"


def test_result_is_announced_once_after_the_last_key(page):
    announced = calculator(page).locator("output")
    expect(announced).to_have_attribute("aria-live", "polite")
    expect(announced).to_have_text("")
    page.evaluate(
        "() => { window.announced = []; new MutationObserver(() =>"
        " announced.push(document.querySelector('#calculator output').textContent))"
        ".observe(document.querySelector('#calculator output'),"
        " { childList: true, characterData: true, subtree: true }) }"
    )
    field(page, "agents").focus()
    freeze_clock(page)  # the machine may be slower than the pause that ends the typing
    page.keyboard.press("Control+A")
    for key in "123":
        page.keyboard.press(key)
        page.clock.run_for(60)
    page.clock.resume()
    expect(announced).to_have_text("With these figures TARA costs ₹15,33,467 less a month.")
    assert len(page.evaluate("announced")) == 1


# The link


def test_address_carries_the_figures_after_a_change(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?device=desktop")
    page.wait_for_timeout(600)
    assert urlsplit(page.url).query == "device=desktop"
    entries = page.evaluate("history.length")
    enter(page, conversations=1_200, agents=4)
    page.wait_for_url(re.compile("agents=4.*#calculator$"))
    expected = INITIAL | {"conversations": 1_200, "agents": 4}
    assert figures_of(page.url) == {name: str(figure) for name, figure in expected.items()}
    assert "device=desktop" in page.url
    assert page.evaluate("history.length") == entries


def test_address_of_another_page_gets_no_figures(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    page.goto("/tara/terms")
    page.wait_for_function("() => window.isHydrated")
    page.locator("header").get_by_role("link", name="TARA").click()
    page.wait_for_url(lambda address: urlsplit(address).path == "/")
    open_page(page)
    freeze_clock(page)
    enter(page, agents=4)
    go_back_slowly(page, "/tara/terms", "**/assets/_tara_._terms_*.js")
    expect(calculator(page)).to_have_count(0)
    assert page.url.endswith("/tara/terms")


def test_copied_link_restores_the_figures_in_another_tab(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, "/?desktop=true")
    chosen = {"conversations": 9_000, "agents": 12, "cost": 30_000, "attrition": 30}
    chosen |= {"replacement": 15_000, "share": 70}
    enter(page, **chosen)
    shown = bill(page)
    freeze_clock(page)  # the message goes after some seconds
    calculator(page).get_by_role("button", name="Copy link").click()
    expect(link_message(page)).to_have_text("Link copied")
    page.clock.resume()
    link = page.evaluate("navigator.clipboard.readText()")
    other = page.context.new_page()
    open_page(other, link)
    expect_figures(other, **chosen)
    assert bill(other) == shown
    heading = other.get_by_role("heading", name="What your calls cost")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    assert "desktop=true" in other.url
    expect(calculator(other).locator("output")).to_have_text("")
    expect(link_message(page)).to_have_text("")


def test_link_is_shown_for_copying_when_clipboard_is_denied(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
    )
    open_page(page)
    enter(page, agents=9)
    calculator(page).get_by_role("button", name="Copy link").click()
    expect(link_message(page)).to_contain_text("Copy it from here")
    link = page.get_by_role("textbox", name="Link with your figures")
    expect(link).to_be_focused()
    address = link.input_value()
    assert page.evaluate("getSelection().toString()") == address
    assert figures_of(address)["agents"] == "9"


def test_garbage_in_a_link_leaves_the_initial_figures(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, f"/?{GARBAGE}#calculator")
    expect(page.get_by_role("heading", name="What your calls cost")).to_be_focused()
    expect_figures(page)
    expect_initial_bill(page)


def test_page_does_not_scroll_to_calculator_without_a_link(page):
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == 0


# The demo request


def test_demo_button_preselects_the_plan_that_fits(initial):
    page = initial
    for conversations, plan in {
        1_000: "TARA BASE",
        4_000: "TARA PRO",
        50_000: "TARA ENTERPRISE",
    }.items():
        enter(page, conversations=conversations)
        calculator(page).get_by_role("button", name="Request a demo").click()
        expect(dialog(page)).to_be_visible()
        to_variants(page)
        expect(dialog(page).get_by_role("radio", name=plan)).to_be_checked()
        dialog(page).get_by_role("button", name="Close").click()
        expect(dialog(page)).to_be_hidden()


# Accessibility


def test_calculator_works_by_keyboard_alone(initial):
    page = initial
    field(page, "conversations").focus()
    for name, keys in {
        "conversations": "1000",
        "agents": "3",
        "cost": "20000",
        "attrition": "40",
        "replacement": "5000",
    }.items():
        expect(field(page, name)).to_be_focused()
        page.keyboard.press("Control+A")
        page.keyboard.type(keys)
        page.keyboard.press("Tab")
    expect(field(page, "share")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect_figures(
        page, conversations=1_000, agents=3, cost=20_000, attrition=40, replacement=5_000, share=99
    )
    expect(field(page, "share")).to_have_attribute("aria-valuetext", "99%")
    page.keyboard.press("Tab")
    expect(calculator(page).get_by_role("button", name="Request a demo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(calculator(page).get_by_role("button", name="Request a demo")).to_be_focused()
    page.keyboard.press("Tab")
    expect(calculator(page).get_by_role("button", name="Copy link")).to_be_focused()


def test_calculator_is_accessible_with_an_error_and_a_link(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error())")
    open_page(page, "/?desktop=true")
    enter(page, agents="", replacement=1_000_000, cost=500_000, conversations=1_000_000)
    calculator(page).get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("textbox", name="Link with your figures")).to_be_focused()
    check_accessibility(page, "calculator", (390, 768, 1280), within="#calculator")


def test_largest_figures_fit_at_each_width(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    largest = {each.name: each.maximum for each in FIGURES} | {"share": 1}
    query = "&".join(f"{name}={figure}" for name, figure in largest.items())
    open_page(page, f"/?desktop=true&{query}#calculator")
    expect_figures(page, **largest)
    expect(result(page)).to_contain_text("₹66,41,767 less")
    overflow = "(it) => it.scrollWidth - it.clientWidth"
    for width in (320, 390, 768, 1280):
        page.set_viewport_size(NARROW | {"width": width})
        for element in calculator(page).locator("dl > div, .calc__row, .calc__result, input").all():
            assert element.evaluate(overflow) <= 0, (width, element.inner_text())
        assert page.locator("html").evaluate(overflow) <= 0, width


def test_controls_of_the_calculator_are_at_least_44_px_high(initial):
    before = initial.viewport_size
    initial.set_viewport_size({"width": 390, "height": 844})
    controls = calculator(initial).locator("input, button")
    expect(controls).to_have_count(len(NAMES) + 2)
    heights = controls.evaluate_all("all => all.map((it) => it.getBoundingClientRect().height)")
    initial.set_viewport_size(before)
    assert min(heights) >= 44, heights
