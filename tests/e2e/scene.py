"""Simulated devices for the hero scene, and what is visible of the scene."""

import re

from playwright.sync_api import expect

from tests.e2e.assistant_page import DESKTOP, open_page

STRONG = """
Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 8, configurable: true });
Object.defineProperty(navigator, 'deviceMemory', { get: () => 8, configurable: true });
"""
GRAPHICS = """{
  const ask = WebGLRenderingContext.prototype.getParameter;
  const UNMASKED_RENDERER = 37446;
  WebGLRenderingContext.prototype.getParameter = function (name) {
    return name === UNMASKED_RENDERER ? 'ANGLE (A graphics processor)' : ask.call(this, name) };
}"""
"""The browser of these tests renders in software; this script hides that."""

COARSE = "Object.defineProperty(window, 'devicePixelRatio', { get: () => 0.25 });"
"""A sixteenth of the pixels, which software renders in time even on a busy machine."""

PACED = """{
  const ask = window.requestAnimationFrame;
  let now = performance.now();
  let frame = 0;
  window.pace = 1000 / 60;
  window.requestAnimationFrame = (then) => ask((real) => {
    if (real !== frame) now += pace;  // once for all callbacks of this frame
    frame = real;
    then(now) });
}"""
"""Frames arrive at a constant rate, regardless of the machine's load."""

ABLE = STRONG + GRAPHICS + COARSE + PACED
WATCH = """
window.draws = 0; window.contexts = []; window.voiceLevel = 0; window.widths = [];
{
  const draw = WebGLRenderingContext.prototype.drawElements;
  WebGLRenderingContext.prototype.drawElements = function (...how) {
    draws += 1; return draw.apply(this, how) };
  const find = WebGLRenderingContext.prototype.getUniformLocation;
  const named = new WeakMap();
  WebGLRenderingContext.prototype.getUniformLocation = function (program, name) {
    const place = find.call(this, program, name); named.set(place, name); return place };
  const set = WebGLRenderingContext.prototype.uniform1f;
  WebGLRenderingContext.prototype.uniform1f = function (place, value) {
    if (named.get(place) === 'level') voiceLevel = value; return set.call(this, place, value) };
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (...how) {
    const made = get.apply(this, how); if (made) contexts.push(made); return made };
  new MutationObserver((changes) => changes.forEach(({ target }) => widths.push(target.width)))
    .observe(document, { subtree: true, attributes: true, attributeFilter: ['width'] });
}"""
FRAMES = "(n) => new Promise((done) => { const next = () => n-- ? requestAnimationFrame(next) : done(); next() })"


def open_on_device(visit, server, *scripts, **options):
    """Return a tab of a device that these scripts simulate."""
    page = visit(server, **(DESKTOP | options))
    for script in scripts:
        page.add_init_script(script)
    return page


def stage(page):
    return page.locator(".hero .stage__play")


WAITING = re.compile("loading|video")
"""The state until the visitor moves, and that of a page that took more than three seconds."""


def expect_scene(page, state):
    expect(stage(page)).to_have_attribute("data-scene", state)


def expect_still_image(page):
    """Expect the still image without a canvas or video."""
    expect(page.locator(".stage canvas, .stage video")).to_have_count(0)


def open_scene(page, address="/"):
    open_page(page, address)
    expect_scene(page, "loaded")
    expect(page.locator("#tara-scene[data-drawn]")).to_have_css("opacity", "1")


def draws(page):
    return page.evaluate("draws")


def is_drawing(page):
    """Whether the scene renders during twelve frames."""
    before = draws(page)
    page.evaluate(FRAMES, 12)
    return draws(page) > before


def scroll(page, place):
    """Scroll to the top or the bottom of the page."""
    page.evaluate(
        "(place) => scrollTo({ behavior: 'instant', top: place === 'top' ? 0 : document.body.scrollHeight })",
        place,
    )


def control(page, name="Pause motion"):
    return page.get_by_role("button", name=name, exact=True)


def scene_note(page):
    return page.locator(".scene-note[data-on]")
