"""Waiting for what the browser draws. `requestAnimationFrame` belongs to the tests' clock: it is no real frame."""

from playwright.sync_api import Page

RENDERED = """() => new Promise((done) => {
  new IntersectionObserver((_, observer) => {
    observer.disconnect();
    done();
  }).observe(document.documentElement);
})"""
"""Resolves after the next real frame: every observer is told of what it observes in the first one."""

IN_LAYOUT = """(look) => new Promise((done) => {
  new ResizeObserver((_, observer) => {
    observer.disconnect();
    done(look());
  }).observe(document.documentElement);
})"""
"""Resolves with what `look()` returns between layout and paint of the next real frame, after older observers."""


def wait_for_frames(page: Page, count: int) -> None:
    """Return when the page has been drawn that often."""
    for _ in range(count):
        page.evaluate(RENDERED)


def wait_for_fonts(page: Page) -> None:
    """Return when the fonts are loaded: the layout still moves before that."""
    page.evaluate("document.fonts.ready.then(() => {})")
