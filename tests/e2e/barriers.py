"""What shuts people out of a page: what axe finds, and what a narrow screen has no room for."""

from collections.abc import Sequence

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.e2e.screens import keep_screens
from tests.e2e.wording import expect_translated

NARROW = {"width": 320, "height": 640}
_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that a colour scheme can break; all others find the same in both."""

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
"""But for addresses and what has several parts: they may go on in the next line."""


def examine(page: Page, state: str, widths: Sequence[int] = (390, 1280)) -> None:
    """Look at what is on the screen now, at each width and in both schemes."""
    expect_translated(page, state)
    before = page.viewport_size
    page.set_viewport_size(NARROW)
    too_wide = page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
    assert too_wide <= 0, f"{state}: {too_wide} px too wide at 320 px"
    broken = page.evaluate(_BROKEN_WORDS)
    assert not broken, f"{state}: words broken at 320 px: {broken}"
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="light")
        expect_no_barrier(page, f"{state}, {width} px, light")
        page.emulate_media(color_scheme="dark")
        expect_no_barrier(page, f"{state}, {width} px, dark", _COLOURS)
    keep_screens(page, state)
    page.set_viewport_size(before or NARROW)


def expect_no_barrier(page: Page, state: str, rules: Sequence[str] = ()) -> None:
    """Let axe look with these rules, or with all that it has."""
    if page.evaluate("!window.axe"):
        page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"]}
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    found = AxeResults(page.evaluate("options => axe.run(options)", options | only))
    assert found.violations_count == 0, f"{state}:\n{found.generate_report()}"
