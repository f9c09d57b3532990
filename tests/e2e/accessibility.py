"""Accessibility checks: axe rules, the layout at a width of 320 px, and the size of touch targets."""

from collections.abc import Sequence

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from kit.translations import ENGLISH, language
from tests.e2e.frames import wait_for_fonts, wait_for_frames
from tests.e2e.screenshots import save_screenshots
from tests.e2e.touch_targets import is_for_fingers, small_targets
from tests.e2e.translated import expect_translated

NARROW = {"width": 320, "height": 640}
PHONE_WIDTHS = (320, 390)
SCHEMES = ("light", "dark")
_RUN_AXE = """async (within) => {
  const fading = document.getAnimations().filter((each) =>
    each.playState === "running" && each.effect.getComputedTiming().endTime <= 2000);
  await Promise.allSettled(fading.map(({ finished }) => finished));
  const times = new Map();
  const isRepeated = (card) => {
    const parts = [...card.querySelectorAll("*")];
    const look = parts.map((each) => [each.tagName, each.getAttribute("class"), each.disabled]).join();
    times.set(look, (times.get(look) ?? 0) + 1);
    return times.get(look) > 2;
  };
  return axe.run({
    include: [document.querySelector(within || ":root")],
    exclude: [...document.querySelectorAll(".dish-card")].filter(isRepeated),
  }, {
    resultTypes: ["violations"],
    preload: false,  // fetches each style sheet again, for a rule that does not run
  });
}"""
"""Runs axe without the dishes of a menu that have the same parts as two before them, once no colour changes."""

_BROKEN_WORDS = """() => {
  const isSeen = (element) =>
    !element ||
    (getComputedStyle(element).clipPath === "none" &&
      element.ariaHidden !== "true" &&
      isSeen(element.parentElement));
  const broken = [];
  const place = document.querySelector("dialog[open]") ?? document.body;
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    for (const word of data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, word.index);
      range.setEnd(walker.currentNode, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
      const isOne = !/[-\u2013/@.]\\S/.test(word[0]);
      if (lines.size > 1 && isOne && isSeen(parentElement))
        broken.push(word[0]);
    }
  }
  return broken;
}"""
"""Addresses and words of several parts may wrap."""


def check_accessibility(
    page: Page, state: str, widths: Sequence[int] = (390, 1280), within: str = ""
) -> None:
    """Check the current screen at each width, axe's rules in one of the two colour schemes at each.

    English and the other languages have opposite schemes: a screen that is checked in two languages
    is checked in both schemes at each width, any other in one. No colour depends on the language.

    Args:
        page: A screen that stands still.
        state: The name of the screen and its state.
        widths: In pixels.
        within: A CSS selector of the part to which axe is limited; empty for the whole page.
    """
    expect_translated(page, state)
    wait_for_fonts(page)
    # Asked now: the assistant's view of computers becomes another one when it is narrow.
    before, is_touched = page.viewport_size, is_for_fingers(page)
    page.set_viewport_size(NARROW)
    wait_for_frames(page, 2)  # the page follows its size a frame later
    too_wide = page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
    assert too_wide <= 0, f"{state}: {too_wide} px too wide at 320 px"
    broken = page.evaluate(_BROKEN_WORDS)
    assert not broken, f"{state}: words broken at 320 px: {broken}"
    if is_touched:
        for width in PHONE_WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            wait_for_frames(page, 2)
            small = small_targets(page)
            assert not small, f"{state}: hard to hit at {width} px: {small}"
    for number, width in enumerate(widths):
        scheme = scheme_of(number)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        expect_no_violations(page, f"{state}, {width} px, {scheme}", within)
    save_screenshots(page, state)
    page.set_viewport_size(before or NARROW)


def scheme_of(number: int) -> str:
    """Return the colour scheme of one of several sizes: by turns, and English begins with light."""
    return SCHEMES[(number + (language() != ENGLISH)) % 2]


def expect_no_violations(page: Page, state: str, within: str = "") -> None:
    """Run axe on the page, or on the part that a CSS selector names."""
    if page.evaluate("!window.axe"):
        page.evaluate(Axe().axe_script)
    wait_for_frames(page, 2)  # the page may follow its size a frame later
    found = AxeResults(page.evaluate(_RUN_AXE, within))
    assert found.violations_count == 0, f"{state}:\n{found.generate_report()}"
