"""The checks of touch targets and of axe's rules find what they must; a search's cross is ours."""

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import expect_no_violations
from tests.e2e.frames import wait_for_frames
from tests.e2e.journey import open_page
from tests.e2e.touch_targets import small_targets

_SMALL_LINK = """() => document.querySelector("main").insertAdjacentHTML("afterbegin",
  "<a href='#' style='display: block; width: 43px; height: 60px'>Small</a>")"""
_COVER = """() => document.body.insertAdjacentHTML("beforeend",
  "<div class='cover' style='position: fixed; inset: 0; z-index: 99'></div>")"""


@pytest.mark.parametrize(
    ("change", "found"), [(_SMALL_LINK, "Small: 43 x"), (_COVER, "covered by .cover")]
)
def test_check_finds_a_small_and_a_covered_link(page, change, found):
    open_page(page, "/terms")
    assert small_targets(page) == []
    page.evaluate(change)
    assert any(found in each for each in small_targets(page))


_IMAGE_WITHOUT_TEXT = """() => [...document.querySelectorAll(".dish-card")].at(-1)
  .insertAdjacentHTML("beforeend", "<img class='odd' src='/images/default.svg'>")"""


def test_control_axe_finds_a_fault_in_a_dish_with_other_parts(page):
    open_page(page, "/menu/1")
    page.evaluate(_IMAGE_WITHOUT_TEXT)
    with pytest.raises(AssertionError, match="image-alt"):
        expect_no_violations(page, "menu")


@pytest.mark.parametrize("address", ["/about", "/menu/1"])
def test_cross_of_a_search_takes_a_tap(page, address):
    open_page(page, address)
    field = page.get_by_role("searchbox")
    field.fill("paneer")
    expect(page.get_by_text("found.").first).to_be_visible()
    wait_for_frames(page, 2)
    box = field.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 24, box["y"] + box["height"] / 2)
    expect(field).to_have_value("")
