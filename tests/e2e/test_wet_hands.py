"""Taps on a kitchen board by wet fingers, which tap twice. Source: specification 10.45."""

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, WEDNESDAY, require_build
from tests.e2e.frames import wait_for_fonts, wait_for_frames
from tests.e2e.journey import freeze_clock
from tests.e2e.kitchen import (
    TABLET,
    enrol,
    expect_steps,
    order,
    press,
    presses_of,
    ticket,
    undo,
)
from tests.e2e.server import Server, running
from tests.helpers.product import eventually

HOLD_MS, SETTLE_MS = 2_000, 700
SOON_MS = 50
"""Longer than the board takes to draw a change."""


@pytest.fixture(scope="module")
def ordered(tmp_path_factory):
    """A stopped installation with three equal orders at restaurant 1, and their numbers."""
    require_build()
    with running(Server(tmp_path_factory.mktemp("ordered"), WEDNESDAY)) as server:
        numbers = [order(server, "wet@students.example") for _ in range(3)]
    return server, numbers


@pytest.fixture
def orders(ordered, tmp_path):
    """An installation of one test with these orders."""
    server, numbers = ordered
    with running(server.copy(tmp_path / "copy")) as copy:
        yield copy, numbers


@pytest.fixture
def phone(visit, orders):
    """A phone on the board, whose tickets are in one column; its clock stands still."""
    server, numbers = orders
    page = enrol(visit(server, **PHONE), server)
    for number in numbers:
        expect(ticket(page, number)).to_be_visible()
    stop_clock(page)
    return page


def stop_clock(page):
    """Stop the page's clock when nothing has moved for long enough."""
    wait_for_fonts(page)
    freeze_clock(page)
    page.clock.run_for(SETTLE_MS + SOON_MS)


def spot_of(page, number):
    """Return the middle of a ticket's button 'Ready'."""
    return middle_of(ticket(page, number).get_by_role("button", name="Ready", exact=True))


def middle_of(shown):
    wait_for_frames(shown.page, 2)  # tickets overlap until their heights have been observed
    box = shown.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def expect_no_press(page, server, number):
    """Expect that an order was not pressed, also after everything that waits was sent."""
    page.clock.run_for(HOLD_MS)
    expect_steps(page, number, 0)
    assert presses_of(server, number) == []


@pytest.mark.parametrize("after_ms", [80, 700])
def test_two_quick_taps_at_one_spot_change_one_order(after_ms, phone, orders):
    server, (first, second, third) = orders
    spot = spot_of(phone, first)
    phone.touchscreen.tap(*spot)
    expect_steps(phone, first, 2)
    phone.clock.run_for(after_ms)
    phone.touchscreen.tap(*spot)
    eventually(lambda: presses_of(server, first) != [], "the press arrives")
    for number in (second, third):
        expect_no_press(phone, server, number)
    assert [each["target"] for each in presses_of(server, first)] == ["ready"]


def test_control_later_tap_at_the_spot_marks_the_next_order(phone, orders):
    """The negative control of the test above: the next order moves below the finger."""
    _server, (first, second, _third) = orders
    spot = spot_of(phone, first)
    phone.touchscreen.tap(*spot)
    expect_steps(phone, first, 2)
    phone.clock.run_for(HOLD_MS + SOON_MS)
    phone.clock.run_for(SETTLE_MS + SOON_MS)
    phone.touchscreen.tap(*spot)
    expect_steps(phone, second, 2)


def test_pressed_ticket_keeps_its_place_for_two_seconds(phone, orders):
    _server, (first, second, _third) = orders
    before = [spot_of(phone, each) for each in (first, second)]
    phone.touchscreen.tap(*before[0])
    expect(undo(phone, first)).to_be_visible()
    phone.clock.run_for(HOLD_MS - SOON_MS)
    assert [spot_of(phone, each) for each in (first, second)] == before
    phone.clock.run_for(2 * SOON_MS)
    assert spot_of(phone, second) == before[0]
    assert middle_of(ticket(phone, first))[1] > before[1][1], "it is below those to be cooked"


def test_undo_takes_the_step_back_while_the_ticket_is_held(phone, orders):
    server, (first, *_others) = orders
    phone.touchscreen.tap(*spot_of(phone, first))
    expect_steps(phone, first, 2)
    phone.clock.run_for(SETTLE_MS + SOON_MS)
    undo(phone, first).tap()
    expect_steps(phone, first, 0)
    eventually(lambda: len(presses_of(server, first)) == 2, "both presses arrive")
    stored = [(each["target"], each["has_effect"]) for each in presses_of(server, first)]
    assert stored == [("ready", 1), ("sent", 1)]


@pytest.mark.parametrize("after_ms", [80, 600])
def test_tap_is_not_taken_when_the_board_has_just_moved(after_ms, phone, orders, visit):
    server, (first, second, _third) = orders
    spot = move_by_another_device(phone, orders, visit)
    phone.clock.run_for(after_ms)
    phone.touchscreen.tap(*spot)
    expect_no_press(phone, server, second)
    expect_steps(phone, first, 2)


def test_control_tap_is_taken_when_the_board_has_settled(phone, orders, visit):
    """The negative control of the test above."""
    _server, (_first, second, _third) = orders
    spot = move_by_another_device(phone, orders, visit)
    phone.clock.run_for(SETTLE_MS + SOON_MS)
    phone.touchscreen.tap(*spot)
    expect_steps(phone, second, 2)


def move_by_another_device(page, orders, visit):
    """Mark the first order as ready on another device; return the spot where its button was."""
    server, (first, second, _third) = orders
    spot = spot_of(page, first)
    press(enrol(visit(server, **TABLET), server), first, "Ready")
    expect_steps(page, first, 2)
    assert spot_of(page, second) == spot
    return spot


def test_tap_is_not_taken_when_a_dialog_has_just_closed(phone, orders):
    """A second tap on a dialog's button meets what the dialog has covered."""
    server, (first, *_others) = orders
    spot = spot_of(phone, first)
    phone.get_by_role("button", name="Pause orders").tap()
    dialog = phone.get_by_role("dialog")
    expect(dialog).to_be_visible()
    phone.clock.run_for(SETTLE_MS + SOON_MS)
    dialog.get_by_role("button", name="Don’t pause").tap()
    expect(dialog).to_have_count(0)
    phone.touchscreen.tap(*spot)
    expect_no_press(phone, server, first)


def open_shortages(page, number):
    """Open the dialog 'Can't cook it' of a ticket; return the middle of the button that did."""
    shown = ticket(page, number)
    shown.get_by_role("button", name=f"More of order {number}").tap()
    page.clock.run_for(SETTLE_MS + SOON_MS)
    button = shown.get_by_role("button", name=f"Can’t cook order {number}")
    button.scroll_into_view_if_needed()
    page.clock.run_for(SETTLE_MS + SOON_MS)
    spot = middle_of(button)
    button.tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    return spot


@pytest.mark.parametrize("after_ms", [80, 600])
def test_second_tap_reports_no_dish_in_the_dialog_that_has_opened(after_ms, phone, orders):
    server, (first, *_others) = orders
    open_shortages(phone, first)
    dish = phone.get_by_role("dialog").get_by_role("button", name="Rajma Chawal")
    phone.clock.run_for(after_ms)
    dish.tap()
    expect(phone.get_by_role("dialog")).to_be_visible()
    assert shortages_of(server) == 0
    phone.clock.run_for(SETTLE_MS + SOON_MS)
    dish.tap()
    expect(phone.get_by_role("dialog")).to_have_count(0)
    eventually(lambda: shortages_of(server) == 1, "the report arrives")


@pytest.mark.parametrize("after_ms", [80, 600])
def test_second_tap_on_a_dish_presses_nothing_behind_the_dialog(after_ms, phone, orders):
    server, numbers = orders
    open_shortages(phone, numbers[0])
    phone.clock.run_for(SETTLE_MS + SOON_MS)
    spot = middle_of(phone.get_by_role("dialog").get_by_role("button", name="Rajma Chawal"))
    phone.touchscreen.tap(*spot)
    expect(phone.get_by_role("dialog")).to_have_count(0)
    phone.clock.run_for(after_ms)
    phone.touchscreen.tap(*spot)
    eventually(lambda: shortages_of(server) == 1, "the report arrives")
    for number in numbers:
        expect_no_press(phone, server, number)


def shortages_of(server):
    """Return how many dishes are reported that can't be cooked."""
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as connection:
        return connection.execute("select count(*) from shortages").fetchone()[0]


def test_scroll_of_the_visitor_delays_no_tap(phone, orders):
    _server, numbers = orders
    phone.set_viewport_size({"width": 390, "height": 480})
    phone.clock.run_for(SETTLE_MS + SOON_MS)
    phone.evaluate("scrollTo(0, 120)")
    assert phone.evaluate("scrollY") == 120
    phone.touchscreen.tap(*spot_of(phone, numbers[1]))
    expect_steps(phone, numbers[1], 2)


def test_press_by_keyboard_is_taken_when_the_board_has_just_moved(phone, orders, visit):
    """The focus follows the button, so that it is never another one's."""
    _server, (_first, second, _third) = orders
    ready = ticket(phone, second).get_by_role("button", name="Ready", exact=True)
    ready.focus()
    move_by_another_device(phone, orders, visit)
    phone.keyboard.press("Enter")
    expect_steps(phone, second, 2)
