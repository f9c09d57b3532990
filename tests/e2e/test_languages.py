"""Hindi and English by the visitor's choice. Source: specification P6.1.

The risks: lost input, another language in a second tab or after going back, mails in the wrong
language, and reload loops.
"""

import re

import pytest
from playwright.sync_api import expect

from campus_app.shared.translations import t
from kit.translations import use_locale
from tests.e2e.assistant_page import open_page as open_tara
from tests.e2e.journey import (
    at_confirmation,
    give_details,
    local_storage,
    open_page,
    pay,
    to_details,
    to_payment,
    to_waiting_room,
    wait_until_hydrated,
)
from tests.e2e.touch_targets import small_targets
from tests.e2e.translated import expect_translated
from tests.helpers.product import eventually
from voice_site.content.copy import BLOCKED_TITLE, FAREWELL, TITLE
from voice_site.translations import t as site_t

ENGLISH_TITLE = "Terms · FOOD_points"


@pytest.fixture
def hindi():
    """The visitor and the expected texts use Hindi."""
    with use_locale("hi"):
        yield


def in_hindi(text, **names):
    with use_locale("hi"):
        return t(text, **names)


def choose_hindi(page):
    page.get_by_role("button", name="हिन्दी").click()
    expect(page.locator("html")).to_have_attribute("lang", "hi-IN")
    wait_until_hydrated(page)


def choose_english(page):
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en-IN")
    wait_until_hydrated(page)


def heading(page):
    return expect(page.get_by_role("heading", level=1))


def test_language_choice_persists_across_screens_and_tabs(page):
    open_page(page, "/campus")
    choose_hindi(page)
    page.get_by_role("button", name=in_hindi("South Campus")).click()
    page.wait_for_url("**/about2")
    heading(page).to_have_text(in_hindi("South Campus"))
    other = page.context.new_page()
    open_page(other, "/offers")
    heading(other).to_have_text(in_hindi("Two good days"))
    (cookie,) = [each for each in page.context.cookies() if each["name"] == "language"]
    assert cookie["value"] == "hi"
    assert cookie["expires"] - page.evaluate("Date.now()") / 1000 > 300 * 24 * 3600
    assert (cookie["sameSite"], cookie["path"]) == ("Lax", "/")


def test_language_button_is_reachable_by_keyboard_and_named_in_its_language(page):
    open_page(page, "/terms")
    button = page.get_by_role("button", name="हिन्दी")
    expect(button).to_have_attribute("lang", "hi-IN")
    for _ in range(8):
        page.keyboard.press("Tab")
        if button.evaluate("element => element === document.activeElement"):
            break
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    heading(page).to_have_text(in_hindi("Plain words"))
    expect(page).to_have_title(in_hindi(ENGLISH_TITLE))
    choose_english(page)
    heading(page).to_have_text("Plain words")


def test_language_switch_keeps_input_and_cart(page, server, customer):
    to_details(page, server)
    give_details(page, Email=customer)
    cart = local_storage(page, "cart")
    choose_hindi(page)
    expect(page.get_by_label(in_hindi("Full name"))).to_have_value("Aarav Sharma")
    expect(page.get_by_label(in_hindi("Email"))).to_have_value(customer)
    assert local_storage(page, "cart") == cart


def test_language_switch_keeps_the_waiting_room_countdown(page, server, customer):
    to_waiting_room(page, server, customer)
    page.clock.fast_forward(20_000)
    choose_hindi(page)
    with use_locale("hi"):
        expect(page.get_by_role("button", name=re.compile("₹"))).to_be_enabled()
    clock = page.locator(".countdown")
    minutes, seconds = (int(part) for part in re.findall(r"\d+", clock.inner_text())[:2])
    assert 60 * minutes + seconds <= 150


def test_back_navigation_shows_the_chosen_language(page):
    open_page(page, "/terms")
    open_page(page, "/offers")
    choose_hindi(page)
    page.go_back()
    heading(page).to_have_text(in_hindi("Plain words"))


def test_other_tab_switches_language_when_it_becomes_visible(page):
    open_page(page, "/terms")
    other = page.context.new_page()
    open_page(other, "/offers")
    choose_hindi(other)
    heading(page).to_have_text("Plain words")
    # Later, because the answer of a script can be lost with the page that it reloads.
    page.evaluate("void setTimeout(() => document.dispatchEvent(new Event('visibilitychange')))")
    heading(page).to_have_text(in_hindi("Plain words"))


def test_missing_translation_is_requested_once(page, server):
    english = page.request.get("/terms").text()
    page.context.add_cookies([{"name": "language", "value": "hi", "url": server.url}])
    requested = []

    def answer(route):
        requested.append(route.request.url)
        route.fulfill(body=english, content_type="text/html")

    page.add_init_script("sessionStorage.documents = 1 + Number(sessionStorage.documents ?? 0)")
    page.route("**/terms", answer)
    open_page(page, "/terms")
    page.wait_for_function("() => sessionStorage.getItem('languageAsked') === 'hi'")
    page.wait_for_function("() => sessionStorage.documents === '2'")
    wait_until_hydrated(page)
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    wait_until_hydrated(page)
    heading(page).to_have_text("Plain words")
    assert len(requested) == 2


def test_landing_page_is_in_the_chosen_language(visit, server, hindi):
    page = visit(server, viewport={"width": 1280, "height": 900}, is_mobile=False)
    open_page(page, "/campus")
    heading(page).to_have_text(t("Where shall we bring it?"))
    page.get_by_role("link", name="01/").click()
    page.wait_for_url(re.compile(r"/$"))
    headline = page.locator(".tara-page h1")
    expect(headline).to_contain_text(site_t(FAREWELL))
    page.reload()
    expect(headline).to_contain_text(site_t(FAREWELL))
    expect(page.locator("html")).to_have_attribute("lang", "hi-IN")


def test_landing_page_has_an_address_for_each_language(visit, server):
    page = visit(server, viewport={"width": 1280, "height": 900}, is_mobile=False)
    page.goto("/")
    headline = page.locator(".tara-page h1")
    expect(headline).to_contain_text(FAREWELL)
    page.get_by_role("navigation").get_by_role("link", name="हिन्दी").click()
    page.wait_for_url("**/?language=hi")
    with use_locale("hi"):
        expect(headline).to_contain_text(site_t(FAREWELL))
        expect(page).to_have_title(site_t(TITLE))
        open_page(page, "/campus")
        heading(page).to_have_text(t("Where shall we bring it?"))
    open_tara(page, "/?language=hi&agents=77")
    page.get_by_role("navigation").get_by_role("link", name="English").click()
    page.wait_for_url("**/?language=en&agents=77")
    expect(headline).to_contain_text(FAREWELL)
    page.goto("/")
    expect(headline).to_contain_text(FAREWELL)


def test_first_visit_is_in_the_language_of_the_browser(visit, server):
    # Source: specification 10.64.
    page = visit(server, locale="hi-IN")
    open_page(page, "/offers")
    heading(page).to_have_text(in_hindi("Two good days"))
    begins = in_hindi("STARTS {day} {time}", day="शनिवार", time="18:00")
    saturday = page.get_by_test_id("offer-saturday")
    expect(saturday).to_contain_text(begins)  # comes over the socket
    assert page.context.cookies() == []
    assert small_targets(page) == []
    page.get_by_role("button", name="English").tap()
    for _ in range(2):
        expect(page.locator("html")).to_have_attribute("lang", "en-IN")
        heading(page).to_have_text("Two good days")
        expect(saturday).to_contain_text("STARTS SATURDAY 18:00")
        page.reload()
    open_page(page, "/menu/1")
    heading(page).to_have_text("Pehla Food Point")
    expect(page.locator("html")).to_have_attribute("lang", "en-IN")
    page.goto("/")
    expect(page.locator(".tara-page h1")).to_contain_text(FAREWELL)


@pytest.mark.parametrize(
    ("viewport", "title"),
    [
        pytest.param({"width": 390, "height": 844}, BLOCKED_TITLE, id="the phone's block screen"),
        pytest.param({"width": 1280, "height": 900}, FAREWELL, id="the page"),
    ],
)
def test_landing_page_follows_the_browser_and_leads_back_in_one_tap(visit, server, viewport, title):
    # Source: specification 10.64.
    page = visit(server, locale="hi-IN", viewport=viewport)
    page.goto("/")
    headline = page.locator("h1:visible")
    with use_locale("hi"):
        expect(headline).to_contain_text(site_t(title))
    page.locator("a.lang:visible", has_text="English").tap()
    expect(headline).to_contain_text(title)
    page.goto("/tara/privacy")
    expect(page.locator("html")).to_have_attribute("lang", "en-IN")


@pytest.mark.parametrize("scripts", [True, False])
def test_legal_page_follows_the_browser_and_leads_back_in_one_tap(visit, server, scripts):
    page = visit(server, locale="hi-IN", java_script_enabled=scripts)
    page.goto("/tara/privacy")
    expect(page.locator("html")).to_have_attribute("lang", "hi-IN")
    page.locator("a:visible", has_text="English").tap()
    page.wait_for_url("**/tara/privacy?language=en")
    expect(page.locator("html")).to_have_attribute("lang", "en-IN")


def test_offline_page_is_in_the_language_of_the_browser(visit, server):
    page = visit(server, service_workers="allow", locale="hi-IN")
    open_page(page, "/menu/1")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    is_kept = "async () => await caches.match('/menu/1') !== undefined"
    eventually(lambda: page.evaluate(is_kept), "the menu is kept")
    page.context.set_offline(offline=True)
    page.goto("/offers")
    heading(page).to_have_text(in_hindi("This page can't be reached."))
    page.goto("/menu/1")
    expect(page.locator("html")).to_have_attribute("lang", "hi-IN")
    expect(page.get_by_role("tab").first).to_have_text(in_hindi("Trending"))
    page.context.set_offline(offline=False)


def test_landing_page_changes_language_without_scripts(visit, server):
    page = visit(server, java_script_enabled=False, viewport={"width": 390, "height": 844})
    page.goto("/?language=hi")
    with use_locale("hi"):
        expect(page.locator(".tara-page h1")).to_contain_text(site_t(FAREWELL))
    page.goto("/terms")
    expect(page.locator("html")).to_have_attribute("lang", "hi-IN")


def test_order_in_hindi_sends_customer_mail_in_hindi(visit, server, customer, hindi):
    page = visit(server)
    number = to_payment(page, server, customer)
    pay(page)
    at_confirmation(page)
    heading(page).to_have_text(re.compile("AARAV SHARMA"))
    server.wait_until_notified(number)
    expect_translated(page, "confirmation")
    page.get_by_role("link", name=t("Your receipt")).click()
    heading(page).to_have_text(t("Order #{number}", number=number))
    expect(page.locator(".told dd")).to_have_text([t("Sent")] * 3)
    expect_translated(page, "receipt")
    mails = {mail["to"]: mail for mail in server.mails_about(number)}
    ours = next(mail for to, mail in mails.items() if customer in to)
    kitchens = next(mail for to, mail in mails.items() if customer not in to)
    text = ours.get_body(("plain",)).get_content()
    html = ours.get_body(("html",)).get_content()
    for words in ("Paid online", "Grand total", "To pay upon delivery", "North Campus"):
        assert t(words) in text, words
        assert words not in text
    assert 'lang="hi-IN"' in html
    assert t("Your receipt") in html
    assert number in ours["subject"]
    assert re.search("[\u0900-\u097f]", ours["subject"])
    assert "Grand total" in kitchens.get_body(("plain",)).get_content()
    assert not re.search("[\u0900-\u097f]", kitchens.as_string())


def test_offline_page_is_in_hindi(visit, server):
    page = visit(server, service_workers="allow")
    open_page(page, "/terms")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    choose_hindi(page)
    kept = "async () => await (await caches.match('/offline.html'))?.text()"
    eventually(lambda: "hi-IN" in (page.evaluate(kept) or ""), "the offline page is kept in Hindi")
    page.context.set_offline(offline=True)
    page.goto("/about")
    heading(page).to_have_text(in_hindi("This page can't be reached."))
    page.context.set_offline(offline=False)
