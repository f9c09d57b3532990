"""The size of what a finger hits: every link, button and field of a screen. Source: WCAG 2.5.5."""

from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.e2e.frames import wait_for_frames

MINIMUM_PX = 44

_SMALL = """(minimum) => {
  const place = document.querySelector("dialog[open]") ?? document.querySelector(".overlay") ?? document.body;
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest("[inert], .skip-link, .visually-hidden, [aria-hidden=true]") &&
    getComputedStyle(element).clipPath === "none";
  const lengthAlong = (target, x, y, dx, dy) => {
    const isHit = (length) => target.contains(document.elementFromPoint(x + dx * length, y + dy * length));
    let length = 0;
    for (const step of [6, 1]) while (length < minimum && isHit(length + step)) length += step;
    return length;
  };
  const small = [];
  const controls = place.querySelectorAll("a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary");
  for (const control of controls) {
    const target = control.matches("input, select") ? (control.closest("label") ?? control) : control;
    if (control.type === "hidden" || !isSeen(target)) continue;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const [first] = target.getClientRects();
    const [x, y] = [first.left + first.width / 2, first.top + first.height / 2];
    const name = (target.ariaLabel ?? target.textContent.trim().slice(0, 40)) || target.className;
    const hit = document.elementFromPoint(x, y);
    if (!target.contains(hit)) {
      small.push(`${name}: covered by .${hit?.className}`);
      continue;
    }
    const width = 1 + lengthAlong(target, x, y, -1, 0) + lengthAlong(target, x, y, 1, 0);
    const height = 1 + lengthAlong(target, x, y, 0, -1) + lengthAlong(target, x, y, 0, 1);
    if (width < minimum || height < minimum) small.push(`${name}: ${width} x ${height}`);
  }
  return small;
}"""
"""Returns the controls whose area that takes a tap is narrower or lower than a minimum in pixels.

An area may reach beyond its box, and another element may cover a part of it: points are asked.
"""


def is_for_fingers(page: Page) -> bool:
    """Whether a page is for phones: not the developers' pages, nor the assistant's view of computers."""
    path = urlsplit(page.url).path
    if path == "/":
        return page.locator(".blocked").is_visible()
    return not path.startswith(("/api/", "/sandbox/"))


def small_targets(page: Page) -> list[str]:
    """Return the controls of the current screen or dialog that are hard to hit, with their sizes."""
    wait_for_frames(page, 2)  # a kitchen's tickets overlap until their heights have been observed
    before = page.evaluate("[scrollX, scrollY]")
    small = page.evaluate(_SMALL, MINIMUM_PX)
    page.evaluate("([x, y]) => scrollTo(x, y)", before)
    return small
