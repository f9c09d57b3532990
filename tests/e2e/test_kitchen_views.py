"""The views of a kitchen board: what they show at once, and on paper. Source: 10.46 to 10.49."""

import re

import pypdfium2
import pytest
from playwright.sync_api import expect

from campus_app.shared.translations import LANGUAGES, t
from kit.translations import use_locale
from tests.e2e.conftest import PHONE, WEDNESDAY, require_build
from tests.e2e.frames import IN_LAYOUT, RENDERED, wait_for_fonts
from tests.e2e.kitchen import (
    TABLET,
    WHEN_STILL,
    at_board,
    choose_view,
    enrol,
    expect_steps,
    order,
    press,
    ticket,
)
from tests.e2e.server import Server, running
from tests.e2e.test_kitchen_board import AUDIO, CHIME, tones
from tests.helpers.product import eventually

CAFE = {"restaurant_id": 2}
SHORT = ({"id": "202", "quantity": 2},)
TEA_FOR_TABLE = ({"id": "202", "quantity": 5},)
LONG = tuple({"id": each, "quantity": 2} for each in ("202", "208", "213", "206", "207"))
SMALL_TABLET = TABLET | {"viewport": {"width": 1024, "height": 768}}
WHOLE = """() => [...document.querySelectorAll(".ticket")]
  .map((each) => each.getBoundingClientRect())
  .filter(({ top, bottom, width }) => width > 0 && top >= 0 && bottom <= innerHeight).length"""
"""The number of tickets that the window shows whole."""
TOO_CLOSE = f"""async () => {{
  scrollTo(0, 0); // the tabs cover what is scrolled below them
  await ({RENDERED})(); // the window has its new size
  const gap = (one, other) => Math.max(
    one.left - other.right, other.left - one.right, one.top - other.bottom, other.top - one.bottom);
  return ({IN_LAYOUT})(() => {{ // what is painted: tickets got their rows
    const buttons = [...document.querySelectorAll(".kitchen button, .kitchen summary")]
      .filter((each) => each.checkVisibility())
      .map((each) => [each.getAttribute("aria-label") || each.innerText, each.getBoundingClientRect()]);
    return buttons.flatMap(([name, box], index) => buttons.slice(index + 1)
      .filter(([, other]) => gap(box, other) < 11.5)
      .map(([other, place]) => `${{name}} and ${{other}}: ${{gap(box, place)}} px`));
  }});
}}"""
"""The buttons with less than 12 px between them; half a pixel is rounding."""


def cafe_order(server, items, **details):
    return order(server, "views@students.example", items=items, **CAFE, **details)


def table(server, slot):
    reserved = {"restaurantId": 2, "timeSlot": slot, "partySize": 4, "date": "2026-11-18"}
    kind = {"isPreReservation": True, "orderType": "pre-reserve", "preReservation": reserved}
    return cafe_order(server, TEA_FOR_TABLE, **kind)


@pytest.fixture(scope="module")
def ordered(tmp_path_factory):
    """A stopped installation with seven orders at restaurant 2: long and short ones, and tables."""
    require_build()
    with running(Server(tmp_path_factory.mktemp("ordered"), WEDNESDAY)) as server:
        no_sugar = "No sugar in the badam milk, and please keep the cold coffees without ice"
        numbers = [
            cafe_order(server, LONG, specialInstructions=no_sugar, noCutlery=True),
            cafe_order(server, SHORT),
            cafe_order(server, LONG, specialInstructions="Jain: no onion, no garlic"),
            cafe_order(server, SHORT, deliveryInstructions="Gate 2"),
            *(table(server, slot) for slot in ("13:30", "15:30", "16:00")),
        ]
    return server, numbers


@pytest.fixture
def mixed(ordered, tmp_path):
    """An installation of one test with these orders."""
    server, numbers = ordered
    with running(server.copy(tmp_path / "copy")) as copy:
        yield copy, numbers


@pytest.fixture(scope="module")
def unpressed(ordered, tmp_path_factory):
    """An installation with these orders, for tests that press no step."""
    server, numbers = ordered
    with running(server.copy(tmp_path_factory.mktemp("unpressed"))) as copy:
        yield copy, numbers


def at_cafe(visit, server, **options):
    page = enrol(visit(server, **options), server, 2)
    expect(page.locator(".ticket").first).to_be_visible()
    return page


@pytest.mark.parametrize("code", LANGUAGES)
def test_cooks_view_shows_seven_mixed_tickets_whole_on_a_tablet(code, visit, unpressed):
    server, numbers = unpressed
    with use_locale(code):
        page = at_cafe(visit, server, **SMALL_TABLET)
        expect(page.locator(".ticket")).to_have_count(len(numbers))
        eventually(lambda: page.evaluate(WHOLE) == len(numbers), "all are whole")


def test_cooks_view_shows_two_tickets_whole_on_a_phone(visit, unpressed):
    server, _numbers = unpressed
    page = at_cafe(visit, server, **PHONE)
    eventually(lambda: page.evaluate(WHOLE) >= 2, "two are whole")


def test_cooks_view_shows_the_rest_of_a_ticket_after_one_press(visit, unpressed):
    server, numbers = unpressed
    page = at_cafe(visit, server, **SMALL_TABLET)
    shown = ticket(page, numbers[3])
    more = shown.get_by_role("button", name=f"More of order {numbers[3]}")
    hidden = [
        shown.get_by_text("Hostel 9, room 1"),
        shown.get_by_text("Gate 2"),
        shown.get_by_role("link", name="+91 98000 00777"),
        shown.get_by_test_id("to-collect"),
        shown.get_by_role("button", name=f"Print order {numbers[3]}"),
        shown.get_by_role("button", name="Handed over", exact=True),
    ]
    for each in hidden:
        expect(each).to_be_hidden()
    more.evaluate(WHEN_STILL)
    more.click()
    for each in hidden:
        expect(each).to_be_visible()


def test_handed_over_is_smaller_than_the_steps_until_order_is_ready(visit, mixed):
    server, numbers = mixed
    page = at_cafe(visit, server, **SMALL_TABLET)
    choose_view(page, "Counter")
    shown = ticket(page, numbers[1])
    names = ("Seen", "Ready", "Handed over")
    buttons = [shown.get_by_role("button", name=name, exact=True) for name in names]
    seen, ready, handed_over = [each.evaluate(LOOK) for each in buttons]
    assert seen["width"] == ready["width"]
    assert (seen["border"], ready["border"], handed_over["border"]) == ("solid", "solid", "none")
    assert handed_over["letters"] < ready["letters"]
    assert handed_over["background"] == "rgba(0, 0, 0, 0)"
    press(page, numbers[1], "Ready")
    ending = shown.locator(".step.handed_over")
    expect(ending).to_be_visible()
    assert ending.evaluate(LOOK)["width"] >= ready["width"]


LOOK = """button => {
  const style = getComputedStyle(button);
  return {
    width: button.offsetWidth,
    letters: parseFloat(style.fontSize),
    border: style.borderTopStyle,
    background: style.backgroundColor,
  };
}"""


def test_view_stays_chosen_on_the_device_after_a_reload(visit, unpressed):
    server, _numbers = unpressed
    page = at_cafe(visit, server, **SMALL_TABLET)
    choose_view(page, "Counter")
    choose_view(page, "Day")
    page.reload()
    at_board(page)
    counter = page.get_by_role("tab", name="Counter", exact=True)
    expect(counter).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("Gate 2")).to_be_visible()
    page.get_by_role("button", name="हिन्दी").click()
    expect(page.locator("html")).to_have_attribute("lang", "hi-IN")
    with use_locale("hi"):
        counter = page.get_by_role("tab", name=t("Counter"), exact=True)
        expect(counter).to_have_attribute("aria-selected", "true")


_HAVE_COLUMNS = "[...document.querySelectorAll('.tickets > *')].every((it) => it.style.gridColumn)"


def test_tickets_stay_in_their_columns_when_one_leaves(visit, mixed):
    server, numbers = mixed
    page = at_cafe(visit, server, **SMALL_TABLET)
    page.wait_for_function(_HAVE_COLUMNS)
    places = {each: ticket(page, each).bounding_box()["x"] for each in numbers}
    press(page, numbers[1], "Ready")
    expect(ticket(page, numbers[1]).locator(".step.handed_over")).to_be_visible()
    others = {
        each: ticket(page, each).bounding_box()["x"] for each in numbers if each != numbers[1]
    }
    assert others == {each: places[each] for each in others}


def test_orders_of_later_tables_are_counted_apart(visit, own_server):
    page = enrol(visit(own_server, **TABLET), own_server, 2)
    table(own_server, "15:30")
    table(own_server, "16:00")
    heading = page.get_by_test_id("to-cook")
    expect(heading).to_have_text(re.compile(r"^To cook 0\s*Later 2$"))
    expect(page.get_by_test_id("due-dishes").get_by_role("listitem")).to_have_count(0)
    cafe_order(own_server, SHORT)
    expect(heading).to_have_text(re.compile(r"^To cook 1\s*Later 2$"))
    expect(page.get_by_test_id("due-dishes").get_by_role("listitem")).to_have_count(1)


@pytest.mark.parametrize("view", ["Cook", "Counter"])
def test_buttons_have_gaps_for_wet_fingers(view, visit, mixed):
    server, numbers = mixed
    page = at_cafe(visit, server, **TABLET)
    choose_view(page, view)
    for width, number in ((320, numbers[1]), (390, numbers[3]), (1024, numbers[0])):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate(TOO_CLOSE) == [], width
        press(page, number, "Ready")
        assert page.evaluate(TOO_CLOSE) == [], f"{width} px, while the ticket is held"
        expect(ticket(page, number).locator(".step.handed_over")).to_be_visible()
        expect_steps(page, number, 2)
        assert page.evaluate(TOO_CLOSE) == [], f"{width} px, in the list of ready orders"


def test_ticket_of_another_width_is_laid_out_once_a_frame(visit, unpressed):
    page = at_cafe(visit, unpressed[0], **TABLET)
    page.evaluate("() => { window.errors = []; onerror = (message) => { errors.push(message); }; }")
    for width in (320, 1024, 900, 600, 390, 1024, 1300):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate(TOO_CLOSE) == [], width
    assert page.evaluate("errors") == []


# Sound


SILENT_UNTIL_TOUCHED = """(() => {
  let isTouched = false;
  addEventListener("pointerup", () => (isTouched = true), true);
  const Real = AudioContext;
  window.AudioContext = class extends Real {
    constructor() {
      super();
      if (!isTouched) this.suspend();
    }
    resume() {
      return isTouched ? super.resume() : Promise.resolve();
    }
  };
})()"""
"""Starts audio as browsers do whose policy requires a touch; the tests' browser has none."""


def test_sound_returns_with_one_touch_after_a_reload(visit, own_server):
    page = visit(own_server, **TABLET)
    page.add_init_script(AUDIO)
    page.add_init_script(SILENT_UNTIL_TOUCHED)
    enrol(page, own_server)
    page.get_by_role("button", name="Turn on sound").click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    page.reload()
    at_board(page)
    waiting = page.get_by_role("button", name="No sound yet: touch the screen")
    expect(waiting).to_have_attribute("aria-pressed", "false")
    number = order(own_server, "sound@students.example")
    expect(ticket(page, number)).to_be_visible()
    assert tones(page) == 0
    page.get_by_role("heading", level=1).click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    eventually(lambda: tones(page) >= CHIME, "it rings for the order that is unseen")
    page.get_by_role("button", name="Sound is on").click()
    page.reload()
    at_board(page)
    expect(page.get_by_role("button", name="Turn on sound")).to_be_visible()


# The account of the day


def test_day_is_read_without_sideways_scroll_on_a_phone(visit, unpressed):
    server, numbers = unpressed
    page = at_cafe(visit, server, **PHONE)
    choose_view(page, "Day")
    rows = page.get_by_role("row").filter(has_text="AS_")
    expect(rows).to_have_count(len(numbers))
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for element in (page.locator("html"), page.locator(".day-table")):
            assert element.evaluate("each => each.scrollWidth - each.clientWidth") <= 0, width
    first = rows.filter(has_text=numbers[0])
    for text in ("13:0", "2 x Cold Coffee", "₹55"):
        expect(first).to_contain_text(text)
    label = first.get_by_role("cell").nth(2)
    assert label.evaluate("each => getComputedStyle(each, '::before').content") == '"Paid online"'


# Paper


def test_each_printed_ticket_has_a_page_as_high_as_its_content(visit, own_server):
    page = enrol(visit(own_server, **TABLET), own_server, 2)
    numbers = [
        cafe_order(own_server, LONG if each % 2 else SHORT, specialInstructions="Mild, " * each)
        for each in range(8)
    ]
    expect(page.locator(".ticket")).to_have_count(len(numbers))
    sheets = sheets_of(page)
    assert len(sheets) == len(numbers)
    for number, (width, height, blank, text) in zip(numbers, sheets, strict=True):
        assert number in text
        assert "Collect" in text, "all of the ticket is on its page"
        assert (round(width), height < 250) == (80, True)
        assert blank < 12, f"{blank} mm of {height} mm are blank"


def sheets_of(page):
    """Print the page; return width, height and blank end in mm, and the text, of each sheet."""
    wait_for_fonts(page)
    with pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True)) as document:
        return [sheet_of(sheet) for sheet in document]


def sheet_of(sheet):
    width, height = sheet.get_size()
    text = sheet.get_textpage()
    ends = [text.get_rect(index)[1] for index in range(text.count_rects())]
    return *(each / 72 * 25.4 for each in (width, height, min(ends))), text.get_text_bounded()
