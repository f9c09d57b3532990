"""What your calls cost: the estimate, the bill, the link that carries the figures."""

import random
import re
from fractions import Fraction
from math import ceil, floor
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import NARROW, check_accessibility
from tests.e2e.assistant_page import DESKTOP, dialog, open_page, to_variants
from tests.helpers.product import ROOT
from voice_site.content.plans import PLANS
from voice_site.domain.estimate import FIGURES

NAMES = [each.name for each in FIGURES]
INITIAL = {each.name: each.initial for each in FIGURES}
RULES = (ROOT / "assets" / "js" / "voice_site" / "estimate.js").read_text(encoding="utf-8")
IMPORT = "await import('data:text/javascript;charset=utf-8,' + encodeURIComponent(source))"
JS_PLANS = [
    {
        "id": plan.id,
        "name": plan.name,
        "price": plan.price_rupees,
        "limit": plan.monthly_interactions,
    }
    for plan in PLANS
]
JS_FIELDS = [
    {"name": each.name, "minimum": each.minimum, "maximum": each.maximum, "initial": each.initial}
    for each in FIGURES
]

GOLDEN = {
    # (conversations, agents, cost, attrition, replacement, share):
    # (conversations of TARA, plan, agents who remain, rupees today, rupees with TARA)
    (4_000, 6, 25_547, 45, 0, 50): (2_000, "TARA PRO", 3, 153_282, 101_541),
    (4_000, 6, 25_547, 45, 30_000, 50): (2_000, "TARA PRO", 3, 160_032, 104_916),
    (1_000, 1, 25_547, 45, 0, 100): (1_000, "TARA BASE", 0, 25_547, 9_800),
    (1_001, 1, 25_547, 45, 0, 100): (1_001, "TARA PRO", 0, 25_547, 24_900),
    (10_000, 1, 25_547, 45, 0, 100): (10_000, "TARA PRO", 0, 25_547, 24_900),
    (10_001, 1, 25_547, 45, 0, 100): (10_001, "TARA ENTERPRISE", 0, 25_547, 74_900),
    (2_001, 5, 20_000, 45, 0, 50): (1_001, "TARA PRO", 3, 100_000, 84_900),
    (500, 2, 10_000, 45, 0, 0): (0, "TARA BASE", 2, 20_000, 29_800),
    (500, 1, 9_800, 0, 0, 100): (500, "TARA BASE", 0, 9_800, 9_800),
    (1, 1, 0, 1, 600, 0): (0, "TARA BASE", 1, 1, 9_801),
    (1, 1, 0, 1, 599, 0): (0, "TARA BASE", 1, 0, 9_800),
    (1_000_000, 1_000, 500_000, 200, 1_000_000, 1): (
        10_000,
        "TARA PRO",
        990,
        666_666_667,
        660_024_900,
    ),
}
GARBAGE = [
    "conversations=abc&agents=&cost=-5&attrition=4e1&replacement=1.5&share=101",
    "conversations=0&agents=1001&cost=500001&attrition=201&replacement=1000001&share=-1",
    "conversations=%00&agents=%E0%A4&cost=Infinity&attrition=0x20&replacement=NaN&share=%3Cb%3E",
    "conversations=99999999999999999999&agents=१२&cost=+5&attrition=%2045&share[]=3&agents[]=2",
]


@pytest.fixture
def page(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page)
    return page


@pytest.fixture
def rules(browser):
    """A page that calls a function of `estimate.js` with each of several lists of arguments."""
    page = browser.new_page()
    call = f"async ([source, name, all]) => {{ const rules = {IMPORT}; return all.map((each) => rules[name](...each)) }}"
    yield lambda name, *calls: page.evaluate(call, [RULES, name, [list(each) for each in calls]])
    page.close()


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


def summary(estimated):
    """Return the five numbers of `GOLDEN` for a bill of the browser."""
    return (
        estimated["taken"],
        estimated["plan"]["name"],
        estimated["remaining"]["agents"],
        estimated["today"]["total"],
        estimated["total"],
    )


# The estimate


def computed(conversations, agents, cost, attrition, replacement, share):
    """Compute the values of `GOLDEN` with exact fractions."""

    def month(people):
        leaving = Fraction(people * attrition, 100 * 12)
        return people * cost + floor(leaving * replacement + Fraction(1, 2))

    taken = ceil(Fraction(conversations * share, 100))
    remaining = ceil(agents * (1 - Fraction(share, 100)))
    plan = next(p for p in PLANS if (p.monthly_interactions or taken) >= taken)
    return taken, plan.name, remaining, month(agents), plan.price_rupees + month(remaining)


@pytest.mark.parametrize("given", GOLDEN, ids=str)
def test_golden_table_agrees_with_exact_fractions(given):
    assert computed(*given) == GOLDEN[given]


def test_browser_estimates_match_golden_table(rules):
    calls = [(dict(zip(NAMES, given, strict=True)), JS_PLANS) for given in GOLDEN]
    estimates = rules("estimate", *calls)
    assert [summary(each) for each in estimates] == list(GOLDEN.values())
    assert [each["increase"] for each in estimates] == [
        with_tara - today for *_, today, with_tara in GOLDEN.values()
    ]


def test_browser_estimates_match_fractions_for_1000_random_figures(rules):
    chance = random.Random(18)
    cases = [
        tuple(chance.randint(each.minimum, each.maximum) for each in FIGURES) for _ in range(1_000)
    ]
    calls = [(dict(zip(NAMES, given, strict=True)), JS_PLANS) for given in cases]
    estimates = rules("estimate", *calls)
    assert [summary(each) for each in estimates] == [computed(*given) for given in cases]


def test_browser_groups_digits_as_in_india(rules):
    numbers = {0: "0", 999: "999", 1_000: "1,000", 100_000: "1,00,000", 12_345_678: "1,23,45,678"}
    numbers |= {2.7: "2.7", 1_350.25: "1,350.25"}
    assert rules("grouped", *((number,) for number in numbers)) == list(numbers.values())


def test_invalid_figures_of_a_query_are_left_out(rules):
    assert rules("figuresIn", *((query, JS_FIELDS) for query in GARBAGE)) == [{}] * len(GARBAGE)


def test_link_replaces_figures_and_keeps_other_parameters(rules):
    address = "https://tara.example/?device=desktop&agents=3&language=hi#plans"
    [link] = rules("linkTo", (address, INITIAL))
    assert link.startswith("https://tara.example/?device=desktop&")
    assert link.endswith("#calculator")
    query = parse_qsl(urlsplit(link).query)
    assert dict(query) == {"device": "desktop", "language": "hi"} | {
        name: str(figure) for name, figure in INITIAL.items()
    }
    assert len(query) == len(dict(query))


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


def test_calculator_follows_comparison(page):
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


def test_bill_says_when_costs_are_equal(page):
    enter(page, conversations=500, agents=1, cost=9_800, share=100)
    expect(result(page)).to_have_text("With these figures TARA costs the same.")
    assert bill(page)[3] == (
        "TARA BASE",
        "₹9,800",
        "100% of 500 conversations =\u00a0500: within its limit of 1,000",
    )


def test_calculator_says_what_it_does_not_count(page):
    section = calculator(page)
    expect(section).to_contain_text("An estimate, not an offer.")
    expect(section).to_contain_text("telephony and integration are not in it")
    expect(section).to_contain_text("Company figure: ₹25,547")
    expect(section).to_contain_text("Company figure: 45%")
    expect(section).to_contain_text("Not counted while it is 0")


def test_invalid_figure_is_named_and_the_bill_keeps_the_last_valid_one(page):
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
    page.keyboard.press("Control+A")
    page.keyboard.type("123", delay=60)
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


def test_copied_link_restores_the_figures_in_another_tab(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, "/?desktop=true")
    chosen = {"conversations": 9_000, "agents": 12, "cost": 30_000, "attrition": 30}
    chosen |= {"replacement": 15_000, "share": 70}
    enter(page, **chosen)
    shown = bill(page)
    calculator(page).get_by_role("button", name="Copy link").click()
    expect(link_message(page)).to_have_text("Link copied")
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
    open_page(page, f"/?{GARBAGE[2]}#calculator")
    expect(page.get_by_role("heading", name="What your calls cost")).to_be_focused()
    expect_figures(page)
    expect_initial_bill(page)


def test_valid_figures_beside_invalid_ones_are_restored(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?agents=8&share=seventy&cost=99999999999#calculator")
    expect_figures(page, agents=8)


def test_page_does_not_scroll_to_calculator_without_a_link(page):
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == 0


# The demo request


def test_demo_button_preselects_the_plan_that_fits(page):
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


def test_calculator_works_by_keyboard_alone(page):
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
        page,
        conversations=1_000,
        agents=3,
        cost=20_000,
        attrition=40,
        replacement=5_000,
        share=99,
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


def test_controls_of_the_calculator_are_at_least_44_px_high(page):
    open_page(page, "/?desktop=true")  # a narrow window shows the block screen otherwise
    page.set_viewport_size({"width": 390, "height": 844})
    controls = calculator(page).locator("input, button")
    expect(controls).to_have_count(len(NAMES) + 2)
    heights = controls.evaluate_all("all => all.map((it) => it.getBoundingClientRect().height)")
    assert min(heights) >= 44, heights
