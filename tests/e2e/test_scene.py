"""The hero scene: when and where it loads, its budget, and its cleanup."""

import gzip
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import open_page
from tests.e2e.scene import (
    ABLE,
    GRAPHICS,
    STRONG,
    WAITING,
    WATCH,
    control,
    draws,
    expect_scene,
    expect_still_image,
    is_drawing,
    open_on_device,
    open_scene,
    scene_note,
    scroll,
    stage,
)
from tests.helpers.product import eventually

MOST_BYTES = 6 * 1024
SAVING = "Object.defineProperty(navigator, 'connection', { get: () => ({ saveData: true }) });"
PAUSED = "localStorage.setItem('motionPaused', 'true');"
NO_WEBGL = """{
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...how) {
    return kind.startsWith('webgl') ? null : get.call(this, kind, ...how) };
}"""
ONE_PLACE = "Object.defineProperty(navigator, '{0}', {{ get: () => 2 }});"
SLOW = "window.pace = 50;"
TOO_SLOW = "The scene is too slow here"

AWAY = """
window.isAway = false;
Object.defineProperty(document, 'hidden', { get: () => isAway });
"""
TURN_AWAY = (
    "(isAway) => { window.isAway = isAway; document.dispatchEvent(new Event('visibilitychange')) }"
)
OF_SCENE = re.compile(r"/assets/scene_\w+-")


@pytest.fixture
def page(visit, server):
    return open_on_device(visit, server, ABLE, WATCH)


@pytest.fixture(scope="module")
def scene(module_visit, module_server):
    page = open_on_device(module_visit, module_server, ABLE, WATCH, AWAY)
    open_scene(page)
    return page


@pytest.fixture
def running(scene):
    """A page with a running scene at its top; it is hidden between tests, to save time."""
    scene.evaluate(TURN_AWAY, arg=False)
    scroll(scene, "top")
    expect_scene(scene, "loaded")
    yield scene
    scene.evaluate(TURN_AWAY, arg=True)


# When it loads


def test_scene_loads_after_first_view_within_byte_budget(page, server):
    happened, bodies = [], {}
    page.on("load", lambda: happened.append("load"))
    page.on("request", lambda request: happened.append(request.url))
    page.on(
        "response",
        lambda answer: OF_SCENE.search(answer.url) and bodies.update({answer.url: answer}),
    )
    open_scene(page)
    ours = [number for number, url in enumerate(happened) if OF_SCENE.search(url)]
    assert len(ours) == 2
    assert happened.index("load") < ours[0]
    assert not [url for url in happened if "/video/" in url or "unicorn" in url]
    assert not [url for url in happened if url != "load" and not url.startswith(server.url)]
    sizes = {url: len(gzip.compress(answer.body())) for url, answer in bodies.items()}
    assert 1_000 < sum(sizes.values()) < MOST_BYTES, sizes


def test_scene_replaces_still_image_and_moves(running):
    page = running
    expect(page.locator(".stage canvas")).to_have_count(1)
    first = page.locator(".hero .stage").screenshot()
    eventually(lambda: page.locator(".hero .stage").screenshot() != first, "another picture")
    expect(scene_note(page)).to_have_count(0)


def test_scene_causes_no_layout_shift(page):
    # The scene loads after the event `load`; what HTML and fonts move: test_hero_paint.py.
    page.add_init_script(
        "window.shifts = []; new PerformanceObserver((list) => list.getEntries().forEach((each) =>"
        " shifts.push([each.value, each.startTime])))"
        ".observe({ type: 'layout-shift', buffered: true });"
        " addEventListener('load', (event) => { window.loadedAt = event.timeStamp })"
    )
    open_scene(page)
    expect(control(page)).to_be_visible()
    shifts = page.evaluate("shifts.filter(([, at]) => at > loadedAt)")
    assert sum(shift[0] for shift in shifts) < 0.001, shifts
    mark = page.locator(".hero .mark").bounding_box()
    navigation = page.locator(".nav").bounding_box()
    assert mark["y"] + mark["height"] < navigation["height"], "the logo is beside the buttons"


def test_scene_does_not_load_while_block_screen_is_shown(page):
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    open_page(page, "/?device=mobile")
    page.wait_for_load_state("networkidle")
    assert not [url for url in requested if OF_SCENE.search(url)]
    page.get_by_role("button", name="Force Desktop Version").click()
    expect_scene(page, "loaded")


# Where it loads


@pytest.mark.parametrize(
    ("scripts", "options"),
    [
        ((ABLE,), {"reduced_motion": "reduce"}),
        ((ABLE, SAVING), {}),
        ((ABLE, PAUSED), {}),
    ],
    ids=["reduced motion", "data saver", "paused before"],
)
def test_still_image_stays_when_motion_is_unwanted(visit, server, scripts, options):
    page = open_on_device(visit, server, *scripts, **options)
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    open_page(page)
    page.wait_for_load_state("networkidle")
    expect_scene(page, "still")
    expect_still_image(page)
    expect(control(page)).to_be_hidden()
    assert not [url for url in requested if OF_SCENE.search(url) or "/video/" in url]


@pytest.mark.parametrize(
    ("scripts", "options"),
    [
        ((STRONG, NO_WEBGL), {}),
        ((STRONG,), {}),
        ((ABLE, ONE_PLACE.format("hardwareConcurrency")), {}),
        ((ABLE, ONE_PLACE.format("deviceMemory")), {}),
        ((ABLE,), {"viewport": {"width": 767, "height": 900}}),
        ((GRAPHICS, NO_WEBGL), {"viewport": {"width": 390, "height": 844}}),
    ],
    ids=["no WebGL", "software", "few cores", "little memory", "small", "small, no WebGL"],
)
def test_video_is_shown_when_device_should_not_render_scene(visit, server, scripts, options):
    page = open_on_device(visit, server, *scripts, **options)
    open_page(page, "/?desktop=true")
    expect_scene(page, WAITING)
    page.mouse.move(9, 9)  # otherwise the video starts after three seconds
    expect_scene(page, "video")
    expect(page.locator(".stage video")).to_have_count(1)
    expect(page.locator(".stage canvas")).to_have_count(0)
    expect(scene_note(page)).to_have_count(0)


def test_reduced_motion_change_switches_between_scene_and_still(page):
    open_scene(page)
    page.emulate_media(reduced_motion="reduce")
    expect_scene(page, "still")
    expect_still_image(page)
    expect(control(page)).to_be_hidden()
    page.emulate_media(reduced_motion="no-preference")
    expect_scene(page, "loaded")
    expect(control(page)).to_be_visible()


# How it renders


def test_scene_stops_rendering_when_page_is_hidden(running):
    page = running
    assert is_drawing(page)
    page.evaluate(TURN_AWAY, arg=True)
    assert not is_drawing(page)
    page.evaluate(TURN_AWAY, arg=False)
    assert is_drawing(page)


def test_scene_stops_rendering_when_out_of_viewport(running):
    page = running
    scroll(page, "bottom")
    eventually(lambda: not is_drawing(page), "the scene rests")
    scroll(page, "top")
    eventually(lambda: is_drawing(page), "the scene goes on")


def test_pause_by_key_is_stored_and_can_be_resumed(page):
    open_scene(page)
    control(page).focus()
    page.keyboard.press("Enter")
    expect(control(page, "Resume motion")).to_be_focused()
    assert not is_drawing(page)
    assert page.evaluate("localStorage.getItem('motionPaused')") == "true"
    page.reload()
    open_page(page)
    expect(control(page, "Resume motion")).to_be_visible()
    expect_scene(page, "still")
    assert draws(page) == 0
    control(page, "Resume motion").focus()
    page.keyboard.press("Space")
    expect_scene(page, "loaded")
    expect(control(page)).to_be_focused()
    assert is_drawing(page)
    assert page.evaluate("localStorage.getItem('motionPaused')") is None


def test_resume_before_page_is_idle_starts_scene_at_once(page):
    page.add_init_script("localStorage.setItem('motionPaused', 'true')")
    page.add_init_script("window.requestIdleCallback = () => 0")
    open_page(page)
    control(page, "Resume motion").focus()
    page.keyboard.press("Space")
    expect(control(page)).to_be_focused()
    expect_scene(page, "loaded")
    expect(control(page)).to_be_focused()


def test_pause_works_when_storage_is_unavailable(page):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('x') } })"
    )
    open_scene(page)
    control(page).click()
    expect(control(page, "Resume motion")).to_be_visible()
    assert not is_drawing(page)


def test_slow_scene_lowers_resolution_then_shows_still_image(page):
    console_lines = []
    page.on("console", lambda line: console_lines.append(line.text))
    page.add_init_script(SLOW)
    open_page(page)
    eventually(lambda: page.evaluate("1") and TOO_SLOW in console_lines, "the still is back")
    expect_scene(page, "still")
    expect_still_image(page)
    expect(control(page)).to_be_hidden()
    widths = page.evaluate("[...new Set(widths)]")
    full = page.locator(".hero .stage").bounding_box()["width"] / 4
    assert widths == [round(full * scale) for scale in (1, 0.5, 0.25)]
    scroll(page, "bottom")
    scroll(page, "top")
    expect_scene(page, "still")


def test_fast_scene_keeps_its_resolution(page):
    """The negative control of the test above."""
    open_scene(page)
    eventually(lambda: draws(page) > 130, "two measurements of the frame rate")
    expect_scene(page, "loaded")
    assert len(set(page.evaluate("widths"))) == 1


def test_scene_recovers_from_lost_webgl_context(running):
    page = running
    page.evaluate(
        "window.loss = document.querySelector('.stage canvas').getContext('webgl')"
        ".getExtension('WEBGL_lose_context'); loss.loseContext()"
    )
    expect(page.locator("#tara-scene")).to_have_css("opacity", "0")
    page.evaluate("loss.restoreContext()")
    expect(page.locator("#tara-scene")).to_have_css("opacity", "1")
    assert is_drawing(page)


def test_scene_is_released_when_page_is_left(page):
    open_scene(page)
    page.get_by_role("contentinfo").get_by_role("link", name="Campus food ordering").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Where shall we bring it?")
    assert page.evaluate("contexts.length") >= 2
    page.wait_for_function("() => contexts.every((each) => each.isContextLost())")
    assert not is_drawing(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Say goodbye")

    def draws_at_the_top():
        scroll(page, "top")  # the browser restores the scroll position when the page is complete
        return is_drawing(page)

    eventually(draws_at_the_top, "the scene anew")
    expect_scene(page, "loaded")


def test_ribbons_react_to_playing_audio(running):
    page = running
    assert page.evaluate("voiceLevel") == 0
    page.get_by_role("button", name="Assistant: Listen to TARA").click()
    opened = page.get_by_role("dialog", name="Listen to TARA")
    opened.get_by_role("button", name="Play", exact=True).click()
    expect(opened.get_by_role("status")).to_have_text("Speaking...")
    eventually(lambda: page.evaluate("voiceLevel") > 0.1, "the ribbons move with the voice")
    page.keyboard.press("Escape")
    eventually(lambda: page.evaluate("voiceLevel") < 0.01, "the ribbons are at rest")


def test_scene_follows_window_resize(page):
    open_scene(page)
    page.set_viewport_size(
        {"width": 1100, "height": 700}
    )  # below 1024 px it counts as another device
    eventually(lambda: page.evaluate("widths.at(-1)") == 275, "a canvas of the new size")
    expect(stage(page)).to_have_attribute("data-scene", "loaded")


def test_page_is_accessible_while_scene_runs_and_is_paused(page):
    open_scene(page, "/?desktop=true")
    check_accessibility(page, "scene running", within=".hero")
    control(page).click()
    check_accessibility(page, "scene paused", within=".hero")
