"""The assistant's page: content, navigation and accessibility."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility, expect_no_violations
from tests.e2e.assistant_page import (
    CALLS,
    DESKTOP,
    dialog,
    open_dialog,
    open_page,
    request_demo,
    still_page,
    to_variants,
)
from tests.e2e.frames import wait_for_fonts
from tests.helpers.product import eventually
from voice_site.content.company import COMPANY
from voice_site.content.copy import EXPERTISE, IMPACT, VISION
from voice_site.content.plans import PLANS

WIDTHS = (390, 768, 1280)
HEADLINE = (
    "Say goodbye to boring and awkward processes interfaces and start a new life with DA'VINCI"
)


@pytest.fixture
def page(visit, server):
    return still_page(visit, server)


@pytest.fixture(scope="module")
def unchanged(module_visit, module_server):
    """The page for tests that only read it; one of them may resize it."""
    return still_page(module_visit, module_server, "/?desktop=true")


# The first screen

LAPTOPS = [(1280, 720), (1366, 768), (1280, 800)]


@pytest.mark.parametrize("language", ["en", "hi"])
@pytest.mark.parametrize("size", LAPTOPS)
def test_headline_benefit_and_buttons_are_in_the_first_view(visit, server, size, language):
    page = sized(visit, server, size)
    open_page(page, f"/?language={language}")
    for selector in (
        "h1",
        ".hero__gain",
        ".hero__act button >> nth=0",
        ".hero__act button >> nth=1",
    ):
        expect(page.locator(".hero").locator(selector)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en", "hi"])
def test_navigation_has_room_beside_the_name_at_every_width(visit, server, language):
    page = visit(server, **DESKTOP)
    open_page(page, f"/?desktop=true&language={language}")
    for width in (768, 832, 900, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        listed = page.locator(".nav ul").bounding_box()
        for name in (".nav .mark", ".hero .mark"):
            box = page.locator(name).bounding_box()
            assert box["x"] + box["width"] + 16 <= listed["x"], (name, width)
        assert listed["x"] + listed["width"] <= width, width


def test_navigation_has_a_button_that_opens_the_demo_request(page):
    navigation = page.get_by_role("navigation", name="Sections")
    navigation.get_by_role("button", name="Request a demo").click()
    expect(dialog(page).get_by_role("heading", level=2)).to_be_focused()


def test_submit_of_the_second_step_is_in_view_on_a_laptop(visit, server):
    page = sized(visit, server, LAPTOPS[0])
    open_page(page)
    open_dialog(page)
    to_variants(page)
    for part in ("Request Demo", "Previous"):
        expect(dialog(page).get_by_role("button", name=part)).to_be_in_viewport(ratio=1)


def sized(visit, server, size):
    viewport = {"viewport": dict(zip(("width", "height"), size, strict=True))}
    return visit(server, **DESKTOP | viewport, reduced_motion="reduce")


# Content


def test_headline_and_figures_are_in_server_rendered_html(server):
    html = server.get("/").text
    words = re.sub(r"<[^>]*>", "", html[html.index('id="hero-h"') - 4 :].split("</h1>")[0])
    assert HEADLINE in words.replace("&#x27;", "'")
    for number in ("₹9,800", "₹24,900", "₹74,900", "₹25,547", "45%", "72", "95", "3.5"):
        assert number in html


def test_headline_has_tags_and_introduction(unchanged):
    expect(unchanged.get_by_role("heading", level=1)).to_have_text(HEADLINE)
    for tag in ("artificial", "intelligence"):
        expect(unchanged.get_by_text(tag, exact=True)).to_be_visible()
    expect(unchanged.get_by_role("heading", name="Introduction")).to_be_visible()


def test_navigation_scrolls_to_section_and_moves_focus(page):
    navigation = page.get_by_role("navigation", name="Sections")
    for name, section, title in (
        ("Meet TARA_x1", "tara-variants-section", "Meet TARA_x1"),
        ("About Us", "about-section", "About Us"),
        ("Contact Us", "cta-section", "Let TARA answer"),
    ):
        button = navigation.get_by_role("button", name=name)
        heading = page.get_by_role("heading", level=2, name=title)
        button.click()
        expect(page.locator(f"#{section}")).to_be_in_viewport()
        expect(heading).to_be_focused()
        expect(button).to_have_attribute("aria-current", "true")
        expect(page.locator(".nav")).to_have_attribute("data-on", "")
        box = heading.bounding_box()
        assert box["y"] + box["height"] > page.locator(".nav").bounding_box()["height"]


@pytest.mark.parametrize("width", [320, 1280])
def test_smooth_scroll_ends_at_its_section(visit, server, width):
    page = visit(server, **(DESKTOP | {"viewport": {"width": width, "height": 900}}))
    for section in ("tara-variants-section", "about-section", "cta-section"):
        open_page(page, "/?desktop=true")
        page.locator(f"[data-goto={section}]").click()
        # The last section is shorter than the window, so that its top can't reach the bar.
        reached = f"""() => {{
            const {{ top }} = document.getElementById("{section}").getBoundingClientRect();
            const end = document.documentElement.scrollHeight - innerHeight;
            return (top > 60 && top < 120) || (top > 0 && scrollY >= end - 1);
        }}"""
        eventually(lambda reached=reached: page.evaluate(reached), f"{section} is reached")


def test_plan_shows_price_and_original_price(unchanged):
    for name, price, original in (
        ("TARA BASE", "₹9,800", "₹15,000"),
        ("TARA PRO", "₹24,900", "₹35,000"),
        ("TARA ENTERPRISE", "₹74,900", "₹99,000"),
    ):
        plan = unchanged.get_by_role("article", name=name)
        expect(plan.locator("strong")).to_have_text(price)
        expect(plan.locator("s")).to_have_text(f"Original price {original}")
        expect(plan).to_contain_text("/month")


def test_plan_has_its_theme_colour_on_lines_only(unchanged):
    colours = {
        "TARA BASE": "rgb(92, 134, 255)",
        "TARA PRO": "rgb(163, 119, 255)",
        "TARA ENTERPRISE": "rgb(53, 211, 189)",
    }
    vellum = "rgb(239, 230, 210)"
    for name, colour in colours.items():
        plan = unchanged.get_by_role("article", name=name)
        expect(plan.locator(".plan__name")).to_have_css("border-top-color", colour)
        expect(plan.get_by_role("heading", name=name)).to_have_css("color", vellum)
        expect(plan.locator("strong")).to_have_css("color", vellum)


def test_roadmap_shows_status_of_each_phase(unchanged):
    phases = unchanged.locator("#roadmap li")
    expect(phases).to_have_count(8)
    for word, times in {"Completed": 2, "Active": 1, "Pending": 5}.items():
        expect(phases.get_by_text(word, exact=True)).to_have_count(times)
    expect(unchanged.locator("#roadmap [aria-current=step]")).to_contain_text("Pilot")


@pytest.fixture
def resized(unchanged):
    """Resizes the page for one test."""
    before = unchanged.viewport_size
    yield lambda width: unchanged.set_viewport_size({"width": width, "height": 844})
    unchanged.set_viewport_size(before)


def test_comparison_is_a_table_at_every_width(unchanged, resized):
    for width in (1280, 390):
        resized(width)
        table = unchanged.get_by_role("table", name=re.compile("TARA compared"))
        expect(table.get_by_role("row")).to_have_count(9)
        expect(table.get_by_role("columnheader")).to_have_count(4)
        expect(table.get_by_role("rowheader")).to_have_count(8)
        expect(table.get_by_role("cell")).to_have_count(24)


def test_page_is_at_most_9000_px_high_and_its_plans_are_swiped_on_a_phone(visit, server):
    page = visit(server, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    for language in ("hi", "en"):
        open_page(page, f"/?desktop=true&language={language}")
        wait_for_fonts(page)
        assert page.evaluate("document.documentElement.scrollHeight") <= 9_000, language
    last = page.get_by_role("button", name="Join Waitlist", exact=True)
    expect(last).not_to_be_in_viewport()
    page.get_by_role("button", name="Choose TARA BASE").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport(ratio=1)


def test_market_figures_are_marked_as_company_figures(unchanged):
    assert unchanged.locator("#market dt").all_inner_texts() == ["72%", "95%", "3.5x"]
    expect(unchanged.locator("#market").get_by_text("Company figure", exact=True)).to_have_count(3)
    expect(unchanged.locator("#market .note")).to_have_text(
        "Figures of the market, as the company states them."
    )


def test_founder_card_labels_do_not_wrap(unchanged, resized):
    labels = unchanged.locator(".founder dt")
    expect(labels).to_have_count(3)
    for width in (320, 390, 768, 1280):
        resized(width)
        lines = labels.evaluate_all(
            "(all) => all.map((each) => { const range = document.createRange();"
            " range.selectNodeContents(each); return range.getClientRects().length })"
        )
        assert lines == [1, 1, 1], width


def test_about_section_shows_vision_expertise_impact_and_founder(unchanged):
    about = unchanged.locator("#about-section")
    expect(about.locator(".creed h3")).to_have_text([VISION.title, EXPERTISE.title, IMPACT.title])
    for statement in (VISION, EXPERTISE, IMPACT):
        expect(about.get_by_text(statement.text)).to_be_visible()
    founder = COMPANY.founder
    expect(about.locator(".founder h3")).to_have_text(founder.name)
    expect(about.locator(".founder dt")).to_have_text(["Email", "Education", "Location"])
    expect(about.locator(".founder dd")).to_have_text(
        [founder.email, founder.education, founder.location]
    )


def test_waitlist_block_is_below_three_plan_cards(unchanged):
    plans = unchanged.locator("#tara-variants-section")
    cards = plans.get_by_role("article")
    expect(cards).to_have_count(3)
    expect(plans.get_by_role("heading", name="Need Something Different?")).to_be_visible()
    button = plans.get_by_role("button", name="Join Waitlist", exact=True)
    last = cards.last.bounding_box()
    assert button.bounding_box()["y"] >= last["y"] + last["height"]


def test_founder_mail_link_has_a_subject(unchanged):
    link = unchanged.get_by_role("link", name="Send Message")
    expect(link).to_have_attribute(
        "href", re.compile(r"^mailto:.+\?subject=Lets%20Connect%20-%20Davinci%20Solutions$")
    )


def test_question_is_answered_by_keyboard(unchanged):
    section = unchanged.locator("#questions")
    first = section.locator("details").first
    first.locator("summary").focus()
    unchanged.keyboard.press("Enter")
    expect(first.locator("p")).to_be_visible()
    unchanged.keyboard.press("Enter")
    expect(section.locator("details")).to_have_count(9)  # the facts of the tests add one
    colours = section.evaluate(
        "(it) => { const s = getComputedStyle(it); return [s.backgroundColor, s.color] }"
    )
    assert colours == ["rgb(239, 230, 210)", "rgb(43, 45, 54)"]


def test_contact_section_has_links_to_mail_and_phone(unchanged):
    contact = unchanged.locator("#cta-section .contact")
    expect(contact.get_by_role("link", name=COMPANY.email)).to_be_visible()
    expect(contact.get_by_role("link", name=COMPANY.phone)).to_have_attribute(
        "href", "tel:+911234500000"
    )


def test_greetings_have_lang_attributes(unchanged):
    words = unchanged.locator("#listen .greet [lang]")
    codes = words.evaluate_all("all => all.map((each) => each.lang)")
    assert codes == ["en", "hi", "ta", "te", "kn", "ml", "bn", "mr", "gu", "pa", "or", "ur"]
    expect(unchanged.locator("#listen .greet [lang=ur]")).to_have_attribute("dir", "rtl")


def test_script_fonts_load_when_greetings_are_near_viewport(visit, server):
    page = visit(server, **DESKTOP)
    requested = set()

    def note(request):
        if "noto" in request.url and "own-names" not in request.url:
            requested.add(request.url)

    page.on("request", note)
    open_page(page)
    page.wait_for_load_state("networkidle")
    assert requested == set()
    page.locator("#greetings").scroll_into_view_if_needed()
    expect(page.locator("#greetings")).to_have_attribute("data-near", "")
    eventually(lambda: page.evaluate("1") and len(requested) == 10, "ten fonts are requested")


def test_page_uses_its_own_fonts(unchanged):
    faces = unchanged.evaluate(
        "() => document.fonts.ready.then(() => [...document.fonts].filter((face) =>"
        " face.status === 'loaded' && face.unicodeRange === 'U+0-10FFFF')"
        ".map((face) => `${face.family} ${face.style}`))"
    )
    assert {"Cormorant normal", "Cormorant italic", "Ysabeau Office normal"} <= set(faces)


def test_first_view_stays_within_byte_budget_without_layout_shift(visit, server):
    page = visit(server, **DESKTOP)
    finished = []

    def note(request):
        finished.append(request)

    page.on("requestfinished", note)
    page.add_init_script(
        "window.shifts = []; new PerformanceObserver((list) => list.getEntries().forEach((each) =>"
        " shifts.push([each.value, each.startTime, ...each.sources.map(({ node }) =>"
        " node?.parentElement?.outerHTML.slice(0, 120))])))"
        ".observe({ type: 'layout-shift', buffered: true })"
    )
    open_page(page)
    page.wait_for_load_state("networkidle")
    bodies = {each.url: each.sizes()["responseBodySize"] for each in finished}
    later = ("/assets/", "/video/")
    ours = sum(size for url, size in bodies.items() if not any(part in url for part in later))
    assert 50_000 < ours < 120_000, bodies
    shifts = page.evaluate("shifts")
    # The web fonts move some words of the navigation by some pixels if they arrive after a paint.
    assert sum(shift[0] for shift in shifts) < 0.01, shifts


@pytest.mark.parametrize("language", ["en", "hi"])
def test_layout_hardly_shifts_on_a_slow_connection(visit, server, language):
    page = on_a_slow_connection(sized(visit, server, LAPTOPS[1]))
    page.add_init_script(
        "window.shifted = 0; new PerformanceObserver((list) => list.getEntries().forEach((each) =>"
        " shifted += each.value)).observe({ type: 'layout-shift', buffered: true })"
    )
    open_page(page, f"/?language={language}")
    wait_for_fonts(page)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("shifted") <= 0.05


def on_a_slow_connection(page):
    session = page.context.new_cdp_session(page)
    slow = {"latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False} | slow)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    return page


def test_style_and_picture_pass_the_fonts_on_a_slow_connection(visit, server):
    page = on_a_slow_connection(visit(server, **DESKTOP, service_workers="block"))
    arrived = []
    page.on("requestfinished", lambda request: arrived.append(request.url.rpartition("/")[2]))
    page.goto("/", wait_until="load")
    of_hero = re.compile(r"tara-(cormorant-(normal|italic)|ysabeau-normal)|.*\.css|ribbons\.avif")

    def kinds_of_hero():
        names = [name for name in arrived if of_hero.match(name)]
        return ["font" if name.startswith("tara-") else "first" for name in names]

    eventually(lambda: page.evaluate("1") and kinds_of_hero().count("font") == 3, "three fonts")
    kinds = kinds_of_hero()
    assert kinds == sorted(kinds)  # "first" comes before "font"


def test_assistant_button_opens_player_and_hides_behind_dialog(page):
    button = page.get_by_role("button", name="Assistant: Listen to TARA")
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    open_dialog(page)
    expect(button).to_be_hidden()
    page.keyboard.press("Escape")
    button.click()
    opened = page.get_by_role("dialog", name="Listen to TARA")
    expect(opened.get_by_role("heading", level=2, name="Listen to TARA")).to_be_focused()
    expect(button).to_be_hidden()


def test_assistant_button_never_covers_introduction(unchanged, resized):
    button = unchanged.locator(".fab")
    for width, is_first in ((320, False), (390, False), (1280, True)):
        resized(width)
        unchanged.evaluate("scrollTo(0, 0)")
        expect(button).to_be_visible(visible=is_first)
        unchanged.get_by_role("heading", level=2).last.scroll_into_view_if_needed()
        expect(button).to_be_visible()


def test_footer_links_to_sections_and_food_ordering(page):
    foot = page.get_by_role("contentinfo")
    foot.get_by_role("link", name="Roadmap").click()
    expect(page.locator("#roadmap")).to_be_in_viewport()
    foot.get_by_role("link", name="Campus food ordering").click()
    page.wait_for_url("**/campus")


def test_skip_link_is_the_first_tab_stop(page):
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport()


def test_ordering_page_style_is_unchanged_after_visiting_assistant_page(visit, server):
    """Styles of this page must not remain after it is left."""
    page = visit(server)
    look = (
        "() => { const style = getComputedStyle(document.querySelector('h1'));"
        " return [style.fontFamily, style.fontSize, getComputedStyle(document.body).display,"
        " getComputedStyle(document.documentElement).backgroundColor] }"
    )
    page.goto("/campus")
    before = page.evaluate(look)
    page.goto("/")
    page.get_by_role("link", name="Order food on campus").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Where shall we bring it?")
    eventually(lambda: page.evaluate(look) == before, "it looks as before", within=20)


def test_page_prints_plans_and_answers_on_white_paper(page):
    open_page(page, "/?desktop=true")  # A4 is narrower than a tablet
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    for place in ("html", "body", ".tara", "#questions"):
        expect(page.locator(place)).to_have_css("background-color", "rgb(255, 255, 255)")
    for plan in page.locator(".plan").all():
        box = plan.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 718
    for answer in page.locator(".faq details p").all():
        expect(answer).to_be_visible()
    for pressed in (".nav", ".skip", ".fab", "#replay", ".btn >> nth=0", ".hero .stage"):
        expect(page.locator(pressed)).to_be_hidden()


# Metadata


def test_page_metadata_is_present_once(unchanged, server):
    page = unchanged
    assert page.title() == "TARA, the multilingual voice assistant by DA'VINCI"
    for selector in (
        "link[rel=canonical]",
        "meta[name=description]",
        "meta[property='og:image']",
        "meta[property='og:title']",
    ):
        expect(page.locator(selector)).to_have_count(1)
    canonical = page.locator("link[rel=canonical]").get_attribute("href")
    assert canonical == f"{server.url}/"
    data = json.loads(page.locator("script[type='application/ld+json']").inner_text())
    assert [node["@type"] for node in data["@graph"]] == [
        "Organization",
        ["Product", "SoftwareApplication"],
        "FAQPage",
    ]
    picture = page.locator("meta[property='og:image']").get_attribute("content")
    assert page.request.get(picture).headers["content-type"] == "image/jpeg"


def test_robots_and_sitemap_link_to_existing_pages(server):
    sitemap = server.get("/sitemap.xml").text
    assert f"{server.url}/sitemap.xml" in server.get("/robots.txt").text
    for address in re.findall("<loc>(.*?)</loc>", sitemap):
        assert server.get(address.removeprefix(server.url)).status_code == 200


def test_page_sends_no_request_to_other_hosts(visit, server):
    page = visit(server, **DESKTOP)
    hosts = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    open_page(page)
    page.mouse.wheel(0, 20_000)
    page.wait_for_load_state("networkidle")
    assert hosts == {server.url.removeprefix("http://")}


# Without scripts, in forced colours


def test_buttons_are_links_to_the_form_without_scripts(visit, server):
    page = visit(server, **DESKTOP, java_script_enabled=False)
    page.goto("/")
    assert page.locator("button[type=button]:visible").count() == 0
    links = page.locator("main a[href$='#cta-section']")
    names = ["Request a demo", *(f"Choose {plan.name}" for plan in PLANS), "Join Waitlist"]
    assert links.all_inner_texts() == [*names, "Request a demo"]
    links.nth(2).click()
    form = page.locator("#cta-section form")
    expect(page.locator("#cta-section")).to_be_in_viewport()
    expect(form.get_by_role("button", name="Request Demo")).to_be_visible()
    navigation = page.get_by_role("navigation", name="Sections")
    navigation.get_by_role("link", name="About Us").click()
    expect(page.locator("#about-section")).to_be_in_viewport()


def test_choices_and_old_prices_are_drawn_in_forced_colours(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce", forced_colors="active")
    open_page(page)
    underlined = {"text-decoration-line": "underline"}
    expect_css(page.locator(".replay__pick :checked + span").first, underlined)
    old = page.locator(".plan s").first
    expect_css(old, {"text-decoration-line": "line-through", "z-index": "1"})
    page.get_by_role("button", name="Assistant: Listen to TARA").click()
    expect_css(page.locator(".langs :checked + span"), underlined)
    page.keyboard.press("Escape")
    opened = open_dialog(page)
    to_variants(page)
    opened.get_by_role("radio", name="TARA PRO").check()
    widths = opened.get_by_role("radio").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).borderTopWidth)"
    )
    assert widths == ["1px", "3px", "1px", "1px"]


def expect_css(locator, properties):
    for name, value in properties.items():
        expect(locator).to_have_css(name, value)


# Accessibility


@pytest.fixture
def forced(visit, server):
    return still_page(visit, server, "/?desktop=true")


def test_page_is_accessible(forced):
    forced.get_by_text("Transcript", exact=True).click()
    expect(forced.locator("#listen dd [lang=hi]")).to_be_visible()
    check_accessibility(forced, "page", WIDTHS)


def test_block_screen_is_accessible(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?device=mobile")
    check_accessibility(page, "block screen", WIDTHS)


def test_demo_dialog_is_accessible_at_each_step(forced, customer):
    page = forced
    opened = open_dialog(page)
    check_accessibility(page, "dialog, step 1")
    opened.get_by_role("button", name="Next Step").click()
    expect(opened.get_by_text("Enter your full name.")).to_be_visible()
    check_accessibility(page, "dialog, errors")
    to_variants(page, **{"Business Email": customer})
    opened.get_by_role("radio", name="TARA PRO").check()
    check_accessibility(page, "dialog, step 2")
    request_demo(page)
    expect(opened.get_by_role("heading", name="Thank you.")).to_be_visible()
    check_accessibility(page, "dialog, step 3")


def test_demo_dialog_is_accessible_when_request_fails(forced):
    answer = {"error": {"code": "x", "message": "x", "fields": {"email": "Too odd."}}}
    open_dialog(forced)
    to_variants(forced)
    statuses = iter([422])  # the page tries again by itself after 30 s
    forced.route(CALLS, lambda route: route.fulfill(status=next(statuses, 500), json=answer))
    for status, button in ((422, "Edit"), (500, "Try again now")):
        request_demo(forced)
        expect(dialog(forced).get_by_role("button", name=button)).to_be_visible()
        check_accessibility(forced, f"dialog, {status}")
        if button == "Edit":
            dialog(forced).get_by_role("button", name=button).click()
            dialog(forced).get_by_role("button", name="Next Step").click()


def test_plain_form_response_is_accessible(visit, server):
    page = visit(server, **DESKTOP)
    page.goto("/health")  # a form on our own origin: forms of others are rejected
    page.set_content(
        f'<form method="post" action="{server.url}/api/demo-requests"><button>Send</button></form>'
    )
    page.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not sent yet")
    check_accessibility(page, "plain answer")


def test_page_is_accessible_at_200_percent_text_size(forced):
    forced.set_viewport_size({"width": 640, "height": 400})
    expect_no_violations(forced, "200%")
    open_dialog(forced)
    expect(dialog(forced).get_by_role("button", name="Next Step")).to_be_in_viewport()


def test_animations_are_off_when_reduced_motion_is_preferred(forced):
    running = "document.getAnimations().filter((each) => each.playState === 'running').length"
    forced.get_by_role("button", name="About Us").click()
    assert forced.evaluate(running) == 0


def test_page_loads_no_script_of_the_food_ordering(visit, server):
    page = visit(server, **DESKTOP)
    scripts = []
    page.on("request", lambda request: scripts.append(request.url.rpartition("/")[2]))
    open_page(page, "/?desktop=true")
    page.wait_for_load_state("networkidle")
    assert any(name.startswith("kit-") for name in scripts)
    assert [name for name in scripts if name.startswith("campus_app-")] == []
