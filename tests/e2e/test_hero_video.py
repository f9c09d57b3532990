"""The hero video for devices that should not render the scene."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import open_page
from tests.e2e.journey import freeze_clock
from tests.e2e.scene import (
    STRONG,
    WAITING,
    control,
    expect_scene,
    expect_still_image,
    open_on_device,
    scroll,
    stage,
)
from tests.e2e.test_scene import AWAY, TURN_AWAY
from tests.helpers.product import ROOT, eventually

VIDEOS = ("ribbons-av1.mp4", "ribbons.mp4")
MOST_BYTES = 350 * 1024

LATE_ENTRIES = """
window.areLate = false;
window.late = [];
const Real = IntersectionObserver;
window.IntersectionObserver = class extends Real {
  constructor(callback, options) {
    super((entries, observer) => {
      if (!areLate || !entries[0].target.matches(".stage__play")) return callback(entries, observer);
      late.push(...entries);
      window.tellLate = () => callback(late, observer);
    }, options);
  }
};
"""
"""A busy page, which is told of the scene's places at once."""


@pytest.fixture
def page(visit, server):
    return open_on_device(visit, server, STRONG)


def hero_video(page):
    return page.locator(".hero .stage video")


def plays(page):
    return page.evaluate("!document.querySelector('.stage video').paused")


def open_video(page):
    open_page(page, "/?desktop=true")
    expect_scene(page, WAITING)
    page.mouse.move(9, 9)
    expect_scene(page, "video")
    expect(page.locator(".stage video[data-drawn]")).to_have_css("opacity", "1")


def test_video_starts_muted_after_first_view(page):
    happened = []
    page.on("load", lambda: happened.append("load"))
    page.on("request", lambda request: happened.append(request.url.split("/")[-1]))
    open_video(page)
    assert happened.index("load") < happened.index(VIDEOS[0])
    assert VIDEOS[1] not in happened
    quiet = "(video) => [video.muted, video.loop, video.playsInline, video.tabIndex]"
    assert hero_video(page).evaluate(quiet) == [True, True, True, -1]
    expect(hero_video(page)).to_have_attribute("aria-hidden", "true")
    before = hero_video(page).evaluate("(video) => video.currentTime")
    eventually(
        lambda: hero_video(page).evaluate("(video) => video.currentTime") > before, "it moves"
    )


def test_video_loads_after_three_seconds_on_page(page):
    requested = []
    page.on("request", lambda request: requested.append(request.url.split("/")[-1]))
    page.goto("/health")
    freeze_clock(page)
    page.goto("/?desktop=true")

    def goes_on():
        page.clock.run_for(100)
        return any("scene_stage" in each for each in requested)

    eventually(goes_on, "the page has settled")
    page.wait_for_load_state("networkidle")
    page.clock.run_for(2_500)
    expect_scene(page, "loading")
    assert not set(VIDEOS) & set(requested)

    def has_stayed():
        # The three seconds start with the script, which may load after the page is idle.
        page.clock.run_for(100)
        return page.locator(".hero .stage__play").get_attribute("data-scene") == "video"

    eventually(has_stayed, "the video")


def test_older_video_format_is_used_when_newer_one_fails(page):
    page.route(re.compile(VIDEOS[0]), lambda route: route.abort())
    open_video(page)
    assert hero_video(page).evaluate("(video) => video.currentSrc").endswith(VIDEOS[1])


def test_playback_failure_is_logged_and_shows_still_image(page):
    page.route("**/video/*", lambda route: route.abort())
    warning = "The hero's video did not play:"
    with page.expect_console_message(lambda line: line.text.startswith(warning)):
        open_page(page)
    expect_scene(page, "still")
    expect_still_image(page)
    expect(control(page)).to_be_hidden()


def test_still_image_is_shown_when_autoplay_is_blocked(page):
    page.add_init_script(
        "HTMLMediaElement.prototype.play = () =>"
        " Promise.reject(new DOMException('not now', 'NotAllowedError'))"
    )
    open_page(page)
    expect(stage(page)).to_have_attribute("data-scene", "still")
    page.wait_for_load_state("networkidle")
    expect_still_image(page)


def test_pause_by_key_is_stored_and_can_be_resumed(page):
    open_video(page)
    control(page).focus()
    page.keyboard.press("Enter")
    expect(control(page, "Resume motion")).to_be_focused()
    assert not plays(page)
    page.reload()
    open_page(page, "/?desktop=true")
    expect(control(page, "Resume motion")).to_be_visible()
    expect_still_image(page)
    control(page, "Resume motion").click()
    expect_scene(page, "video")
    eventually(lambda: plays(page), "the video plays")


def test_video_plays_on_a_busy_page_that_was_scrolled_there_and_back(page):
    page.add_init_script(LATE_ENTRIES)
    open_video(page)
    page.evaluate("areLate = true")
    scroll(page, "bottom")
    eventually(lambda: page.evaluate("late.length") == 1, "the page is busy")
    scroll(page, "top")
    eventually(lambda: page.evaluate("late.length") == 2, "the scene is in view again")
    page.evaluate("tellLate()")
    assert plays(page)


def test_video_pauses_when_not_visible(page):
    page.add_init_script(AWAY)
    open_video(page)
    page.evaluate(TURN_AWAY, arg=True)
    assert not plays(page)
    page.evaluate(TURN_AWAY, arg=False)
    assert plays(page)
    scroll(page, "bottom")
    eventually(lambda: not plays(page), "the video is paused")
    scroll(page, "top")
    eventually(lambda: plays(page), "the video plays")


def test_video_is_released_when_page_is_left(page):
    open_video(page)
    page.evaluate("window.video = document.querySelector('.stage video')")
    page.get_by_role("contentinfo").get_by_role("link", name="Campus food ordering").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Where shall we bring it?")
    state = "[video.paused, video.isConnected, video.currentSrc && video.readyState]"
    released = ([True, False, 0], [True, False, ""])
    eventually(lambda: page.evaluate(state) in released, "the video is released")


def test_page_with_video_is_accessible(page):
    open_video(page)
    check_accessibility(page, "hero video", within=".hero")


@pytest.mark.parametrize("name", VIDEOS)
def test_video_file_is_small_and_supports_range_requests(page, server, name):
    whole = page.request.get(f"{server.url}/video/{name}")
    assert (whole.status, whole.headers["content-type"]) == (200, "video/mp4")
    assert 50_000 < len(whole.body()) < MOST_BYTES
    assert whole.body() == (ROOT / "assets" / "video" / name).read_bytes()
    part = page.request.get(f"{server.url}/video/{name}", headers={"range": "bytes=0-99"})
    assert (part.status, part.body()) == (206, whole.body()[:100])
