"""The messages of the scene loader for each failure, and its success.

Source: specification V4.9 to V4.11, V5.7, V5.8, V8.2 to V8.10, V9.5. A stub replaces the studio's
script.
"""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import check_accessibility
from tests.e2e.assistant_page import open_page
from tests.e2e.conftest import WEDNESDAY, require_build
from tests.e2e.frames import wait_for_frames
from tests.e2e.journey import freeze_clock
from tests.e2e.scene import (
    ABLE,
    control,
    expect_scene,
    expect_still_image,
    open_on_device,
    open_scene,
    scene_note,
    stage,
)
from tests.e2e.server import Server
from tests.helpers.product import eventually

SCRIPT = "https://studio.test/sdk.js"
EMBED = "https://assets.unicorn.studio/embeds/p1"
OPTIONS = {
    "driver": "unicorn",
    "projectId": "p1",
    "jsonFilePath": "",
    "scriptUrl": SCRIPT,
    "width": "100%",
    "height": "100%",
    "scale": 1,
    "dpi": 1.5,
    "fps": 60,
    "lazyLoad": True,
    "production": True,
}
ANYBODY = {"access-control-allow-origin": "*"}
TIME_OUT_MS = 15_000
SCENE = "async () => ({ destroy() { destroyed += 1 }, set paused(is) { paused.push(is) } })"
WIDTHS = (320, 390, 768, 1280, 1920)


def sdk(add_scene):
    """Return a stub of the studio's script with the one function that we call."""
    return (
        "window.added = []; window.destroyed = 0; window.paused = [];"
        f"const add = {add_scene};"
        "window.UnicornStudio = { addScene(wanted) { added.push(wanted); return add(wanted) } };"
    )


class Studio:
    """Stubs of the studio's files, as a test configures them."""

    def __init__(self, page):
        self.page = page
        self.logged = []
        page.on("console", lambda line: self.logged.append(line.text))

    def offers(self, add_scene="", **changes):
        """Serve options, script and scene."""
        self.options(**changes)
        self.serve("**/sdk.js", body=sdk(add_scene or SCENE), content_type="text/javascript")
        self.serve(f"{EMBED}*", json={"layers": [], "options": {}}, headers=ANYBODY)

    def options(self, **changes):
        self.serve("**/api/scene", json=OPTIONS | changes)

    def serve(self, address, **answer):
        self.page.unroute(address)
        self.page.route(address, lambda route: route.fulfill(**answer))

    def refuse(self, address):
        self.page.unroute(address)
        self.page.route(address, lambda route: route.abort())


class StudioServer(Server):
    """An installation with a configured studio scene."""

    def _environment(self):
        return super()._environment() | {"SCENE_PROJECT_ID": "p1", "SCENE_SCRIPT_URL": SCRIPT}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    require_build()
    server = StudioServer(tmp_path_factory.mktemp("studio"), WEDNESDAY)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def page(visit, server):
    return open_on_device(visit, server, ABLE)


@pytest.fixture
def studio(page):
    studio = Studio(page)
    studio.offers()
    return studio


def expect_failed(page, message):
    expect_scene(page, "error")
    expect(scene_note(page).get_by_role("status")).to_contain_text("Error loading scene")
    expect(scene_note(page).locator("p").nth(1)).to_have_text(message)
    expect_still_image(page)
    expect(page.locator(".hero .stage img")).to_be_visible()
    expect(control(page)).to_be_hidden()


# Failures


@pytest.mark.parametrize("way", ["aborted", "404"])
def test_missing_script_shows_error(page, studio, way):
    if way == "aborted":
        studio.refuse("**/sdk.js")
    else:
        studio.serve("**/sdk.js", status=404)
    open_page(page)
    expect_failed(page, "Failed to load UnicornStudio script")


def test_script_without_add_scene_shows_error(page, studio):
    studio.serve("**/sdk.js", body="", content_type="text/javascript")
    open_page(page)
    expect_failed(page, "UnicornStudio.addScene not found")


def test_missing_scene_id_shows_error(page, studio):
    studio.options(projectId="")
    open_page(page)
    expect_failed(page, "No project ID or JSON file path provided")


FAILURES = {
    "() => { throw new Error('weird') }": "weird",
    "async () => null": "Failed to initialize scene",
    "async () => { throw new Error('status 404') }": "Resource not found",
    "() => { throw new Error('Network timeout') }": "Network error occurred",
    "async () => { throw new TypeError('Failed to fetch') }": "Resource not found",
    "async () => { throw new Error('the network is down') }": "Network error occurred",
    "async () => { throw new Error('Failed to fetch: network') }": "Resource not found",
    "async () => { throw new Error('timeout of 5 s') }": "Loading timeout",
}
"""What adds a scene, and the message; equal messages do not follow each other."""


def test_failing_scene_shows_its_error(page, studio):
    (first, message), *others = FAILURES.items()
    studio.offers(first)
    open_page(page)
    expect_failed(page, message)
    assert page.evaluate("added.length") == 1
    for add_scene, message in others:
        page.evaluate(f"() => {{ window.UnicornStudio.addScene = {add_scene}; }}")
        scene_note(page).get_by_role("button", name="Try again").click()
        expect_failed(page, message)


@pytest.mark.parametrize("named", ["project", "file"])
def test_missing_scene_file_shows_error(page, studio, named):
    if named == "file":
        studio.options(projectId="", jsonFilePath="/scenes/hero.json")
        studio.refuse("**/scenes/hero.json")
    else:
        studio.serve(f"{EMBED}*", status=404, headers=ANYBODY)
    open_page(page)
    expect_failed(page, "Resource not found")
    assert page.evaluate("added.length") == 0


def test_invalid_options_show_error(page, studio):
    for driver, changes, message in (
        ("ribbons", {"scale": 2}, "Invalid scale: 2. Scale must be between 0.25 and 1.0"),
        ("unicorn", {"scale": 0.2}, "Invalid scale: 0.2. Scale must be between 0.25 and 1.0"),
        ("ribbons", {"fps": 45}, "Invalid fps: 45. FPS must be one of: 15, 24, 30, 60, 120"),
    ):
        studio.options(driver=driver, **changes)
        open_page(page)
        expect_failed(page, message)


def test_missing_own_scene_shows_error(page, studio):
    studio.options(driver="ribbons")
    page.route(re.compile("scene_ribbons"), lambda route: route.abort())
    open_page(page)
    expect_failed(page, "Resource not found")


def test_missing_loader_shows_error(page):
    page.route(re.compile("scene_stage"), lambda route: route.abort())
    open_page(page)
    expect_failed(page, "Resource not found")


def test_failed_shader_link_shows_error(page, studio):
    studio.options(driver="ribbons")
    page.add_init_script(
        "WebGLRenderingContext.prototype.linkProgram = function () {};"
        "WebGLRenderingContext.prototype.getProgramParameter = function () { return false };"
    )
    open_page(page)
    expect_failed(page, "Failed to initialize scene")


def fail_and_pause_clock(page, studio):
    """Let a first attempt fail, then pause the clock."""
    studio.refuse("**/sdk.js")
    open_page(page)
    expect_failed(page, "Failed to load UnicornStudio script")
    freeze_clock(page)


def test_scene_initialization_times_out_after_15_seconds(page, studio):
    fail_and_pause_clock(page, studio)
    late = "() => new Promise((resolve) => { window.comeUp = resolve })"
    studio.offers(late)
    scene_note(page).get_by_role("button", name="Try again").click()
    page.wait_for_function("() => window.added?.length === 1", polling=50)
    page.clock.run_for(TIME_OUT_MS - 1)
    expect_scene(page, "loading")
    page.clock.run_for(2)
    expect_failed(page, "Loading timeout")
    expect(scene_note(page)).to_have_attribute("data-raw", "Scene initialization timeout")
    assert "The scene did not load: Scene initialization timeout" in studio.logged
    page.evaluate("comeUp({ destroy() { destroyed += 1 } })")
    page.wait_for_function("() => destroyed === 1", polling=50)


@pytest.mark.parametrize("held_up", ["**/sdk.js", f"{EMBED}*"], ids=["script", "scene"])
def test_scene_file_request_times_out_after_15_seconds(page, studio, held_up):
    fail_and_pause_clock(page, studio)
    studio.offers()
    requested = []

    def hold(route):
        requested.append(route)

    page.unroute(held_up)
    page.route(held_up, hold)
    scene_note(page).get_by_role("button", name="Try again").click()
    eventually(lambda: page.evaluate("1") and requested, "the file is requested")
    page.clock.run_for(TIME_OUT_MS - 1)
    expect_scene(page, "loading")
    page.clock.run_for(2)
    expect_failed(page, "Loading timeout")
    requested[0].abort()


# Success


def test_studio_scene_is_requested_with_configured_options(page, studio):
    studio.offers(scale=0.5, fps=30, dpi=1)
    open_scene(page)
    assert page.evaluate("added") == [
        {
            "elementId": "tara-scene",
            "projectId": "p1",
            "scale": 0.5,
            "dpi": 1,
            "fps": 30,
            "lazyLoad": True,
            "production": True,
            "altText": "",
        }
    ]
    expect(scene_note(page)).to_have_count(0)
    expect(page.locator("#tara-scene")).to_have_attribute("style", "width: 100%; height: 100%;")


def test_exported_scene_is_requested_by_its_address(page, studio):
    studio.options(projectId="", jsonFilePath="/scenes/hero.json")
    studio.serve("**/scenes/hero.json", json={"layers": []})
    open_scene(page)
    assert page.evaluate("added[0].filePath") == "/scenes/hero.json"
    assert "projectId" not in json.loads(page.evaluate("JSON.stringify(added[0])"))


def test_studio_scene_pauses_and_is_destroyed_with_the_page(page, studio):
    open_scene(page)
    control(page).click()
    assert page.evaluate("paused") == [False, True]
    control(page, "Resume motion").click()
    assert page.evaluate("paused") == [False, True, False]
    page.get_by_role("contentinfo").get_by_role("link", name="Campus food ordering").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Where shall we bring it?")
    page.wait_for_function("() => destroyed === 1")


def test_own_scene_plays_when_options_can_not_be_loaded(page, studio):
    studio.serve("**/api/scene", status=500)
    open_scene(page)
    expect(page.locator(".stage canvas")).to_have_count(1)
    assert "The scene's options did not load: status 500" in studio.logged


# After a failure


def test_retry_button_makes_one_more_attempt(page, studio):
    studio.offers("() => { throw new Error('weird') }")
    open_page(page)
    expect_failed(page, "weird")
    again = scene_note(page).get_by_role("button", name="Try again")
    again.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => added.length === 2")
    expect_failed(page, "weird")
    page.evaluate(f"window.UnicornStudio.addScene = {SCENE}")
    expect(again).to_be_focused()
    page.keyboard.press("Enter")
    expect_scene(page, "loaded")
    expect(scene_note(page)).to_have_count(0)
    expect(control(page)).to_be_focused()


def test_offline_error_mentions_the_connection(page, studio):
    page.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    studio.refuse(f"{EMBED}*")
    open_page(page)
    expect_failed(page, "Resource not found")
    expect(scene_note(page)).to_contain_text("check your connection")


def test_error_is_hidden_when_reduced_motion_is_preferred(page, studio):
    studio.refuse("**/sdk.js")
    open_page(page)
    expect_failed(page, "Failed to load UnicornStudio script")
    page.emulate_media(reduced_motion="reduce")
    expect(scene_note(page)).to_have_count(0)
    expect(stage(page)).to_have_attribute("data-scene", "still")


def test_error_is_accessible_and_overlaps_no_text(page, studio):
    studio.refuse("**/sdk.js")
    open_page(page, "/?desktop=true")
    expect_failed(page, "Failed to load UnicornStudio script")
    check_accessibility(page, "scene error", within=".hero")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wait_for_frames(page, 2)
        box = scene_note(page).bounding_box()
        for words in ("#hero-h", ".hero .mark", ".nav ul"):
            other = page.locator(words).bounding_box()
            apart = (
                box["y"] + box["height"] <= other["y"]
                or other["y"] + other["height"] <= box["y"]
                or box["x"] + box["width"] <= other["x"]
                or other["x"] + other["width"] <= box["x"]
            )
            assert apart, f"{width} px: {box} lies on {words}, {other}"
