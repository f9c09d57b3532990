"""Hear TARA: a call that plays in the hero, in two languages."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import DESKTOP, open_page
from tests.e2e.test_player import cues
from tests.helpers.product import eventually

KEEP_AUDIO = """
const Made = Audio;
window.Audio = function () { return (window.audio = Object.assign(new Made(), { defaultPlaybackRate: 0.25 })) };
"""
"""Speaks slowly: a sentence lasts until a busy machine has looked at its caption."""
AUDIO_FILE = re.compile(r"\.(webm|m4a)$")


@pytest.fixture
def page(visit, server):
    page = visit(server, **DESKTOP)
    page.add_init_script(KEEP_AUDIO)
    open_page(page)
    return page


def hero(page):
    return page.locator(".hero")


def start_call(page):
    hero(page).get_by_role("button", name="Hear TARA").click()
    expect(status(page)).to_have_text("Speaking...")
    expect(caption(page)).not_to_be_empty()


def status(page):
    return hero(page).locator(".hero-call [role=status], .hero-call[role=status]")


def caption(page):
    return hero(page).locator(".hero-call .c:not([aria-hidden])")


def seconds(page):
    return page.evaluate("audio.currentTime")


def test_no_audio_is_requested_before_a_press(page):
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.wait_for_load_state("networkidle")
    assert [url for url in requested if AUDIO_FILE.search(url) or "hero_stage" in url] == []
    assert page.evaluate("window.audio?.src ?? ''") == ""


def test_one_press_plays_a_call_in_place(page):
    start_call(page)
    expect(caption(page)).to_have_text(cues("en")[0]["text"])
    expect(page.get_by_role("dialog")).to_have_count(0)
    heights = (
        "() => [...document.querySelectorAll('.hero-call .bars i')].map((bar) => bar.style.cssText)"
    )
    before = page.evaluate(heights)
    assert len(before) == 48
    eventually(lambda: page.evaluate(heights) != before, "the bars move")
    expect(hero(page).locator(".hero-call")).to_be_in_viewport(ratio=1)
    expect(hero(page).locator(".stage")).to_be_in_viewport()
    ahead = caption(page).locator(".is-ahead")
    eventually(lambda: ahead.count() < len(cues("en")[0]["words"]) - 1, "words are spoken")


def test_language_change_continues_in_the_same_sentence(page):
    start_call(page)
    english, hindi = cues("en")[2], cues("hi")[2]
    page.evaluate("to => { audio.currentTime = to }", (english["starts"] + english["ends"]) / 2)
    expect(caption(page)).to_have_text(english["text"])
    hero(page).get_by_role("radio", name="Hindi").check(force=True)
    expect(caption(page)).to_have_text(hindi["text"])
    expect(caption(page)).to_have_attribute("lang", "hi")
    middle = (hindi["starts"] + hindi["ends"]) / 2
    eventually(lambda: seconds(page) > middle, "the call goes on")
    assert seconds(page) < hindi["ends"]
    assert not page.evaluate("audio.paused")


def test_language_change_keeps_a_paused_call_paused(page):
    start_call(page)
    hero(page).get_by_role("button", name="Pause", exact=True).click()
    expect(status(page)).to_have_text("Ready to play")
    hero(page).get_by_role("radio", name="Hindi").check(force=True)
    expect(caption(page)).to_have_text(cues("hi")[0]["text"])
    page.wait_for_timeout(300)
    assert page.evaluate("audio.paused")
    hero(page).get_by_role("button", name="Play", exact=True).click()
    expect(status(page)).to_have_text("Speaking...")


def test_stop_shows_the_headline_again(page):
    headline = hero(page).get_by_role("heading", level=1, include_hidden=True)
    expect(headline).to_have_css("opacity", "1")
    page.keyboard.press("Tab")
    hero(page).get_by_role("button", name="Hear TARA").focus()
    page.keyboard.press("Enter")
    expect(status(page)).to_have_text("Speaking...")
    expect(headline).to_have_css("opacity", "0")
    expect(hero(page).get_by_role("button", name="Stop")).to_be_focused()
    page.keyboard.press("Enter")
    expect(headline).to_have_css("opacity", "1")
    expect(hero(page).locator(".hero-call")).to_have_count(0)
    assert page.evaluate("audio.paused")
    start_call(page)
    assert seconds(page) < 2


def test_more_calls_opens_the_player_and_stops_the_hero(page):
    start_call(page)
    hero(page).get_by_role("radio", name="Hindi").check(force=True)
    expect(caption(page)).to_have_text(cues("hi")[0]["text"])
    hero(page).get_by_role("button", name="More calls").click()
    player = page.get_by_role("dialog", name="Listen to TARA")
    expect(player.get_by_role("radio", name="Hindi")).to_be_checked()
    expect(player.get_by_role("status")).to_have_text("Ready to play")
    expect(hero(page).locator(".hero-call")).to_have_count(0)
    assert page.evaluate("audio.paused")


def test_call_that_does_not_load_says_so_and_can_be_retried(page):
    page.route(AUDIO_FILE, lambda route: route.fulfill(status=404))
    hero(page).get_by_role("button", name="Hear TARA").click()
    expect(status(page)).to_contain_text("can’t be played here")
    with page.expect_console_message():  # a request under way would outlive the route
        hero(page).get_by_role("button", name="Play", exact=True).click()
    expect(status(page)).to_contain_text("can’t be played here")
    page.unroute(AUDIO_FILE)
    hero(page).get_by_role("button", name="Play", exact=True).click()
    expect(status(page)).to_have_text("Speaking...")


@pytest.mark.parametrize("missing", ["**/audio/manifest.json", "**/assets/hero_stage-*.js"])
def test_call_without_captions_is_stopped_says_so_and_can_be_retried(page, missing):
    page.route(missing, lambda route: route.abort())
    hero(page).get_by_role("button", name="Hear TARA").click()
    expect(status(page)).to_contain_text("can’t be reached")
    eventually(lambda: page.evaluate("audio.paused"), "no sound without captions")
    page.unroute(missing)
    start_call(page)


def test_request_a_demo_is_the_second_button(page):
    buttons = hero(page).locator(".hero__act button")
    assert buttons.all_inner_texts() == ["Hear TARA", "Request a demo"]
    buttons.last.click()
    expect(page.get_by_role("dialog", name="Request Enterprise Demo")).to_be_visible()


def test_hero_is_accessible_while_a_call_plays(visit, server):
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, "/?desktop=true")
    start_call(page)
    hero(page).get_by_role("button", name="Pause", exact=True).click()
    expect(status(page)).to_have_text("Ready to play")
    check_accessibility(page, "hero, a call", within=".hero")
