"""The events of a kitchen board: what an enrolled device may do, and others may not.

Source: specification 10.24 to 10.29.
"""

import logging
import secrets
from datetime import timedelta

import pytest

from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from campus_app.kitchen.screens.board_json import board_of
from campus_app.kitchen.screens.kitchen_state import KitchenState
from campus_app.kitchen.sql.tables import KitchenPressRow
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.shortage import ShortageReason
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.ordering.sql.tables import CookingRow, ShortageRow
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import PAUSE_MINUTES
from campus_app.shared.rules.messages import KitchenMessage, OrderMessage
from campus_app.shared.rules.money import format_rupees
from kit.clock import to_ms
from tests.helpers.flows import drain, sell
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio

PATH = "/kitchen"
OPERATOR = Actor("a test")
DISH = "104"
"""Rajma Chawal, of restaurant 1."""


@pytest.fixture
def enrol(services):
    """Enrols a device; returns it and its cookie."""

    async def enrol(restaurant_id=1):
        link = await services.kitchen_devices.create_link(restaurant_id, OPERATOR)
        enrolment = await services.kitchen_devices.enrol(link.token)
        return enrolment.device, f"{DEVICE_COOKIE}={enrolment.token}"

    return enrol


@pytest.fixture
async def device(enrol):
    """An enrolled device of restaurant 1, and its cookie."""
    return await enrol()


@pytest.fixture
async def board(open_tab, device):
    """The device's tab with the board."""
    tab = open_tab(cookies=device[1])
    await tab.visit(PATH)
    return tab


@pytest.fixture
async def visitor(open_tab):
    """A tab without a device, on the page of the board."""
    tab = open_tab()
    await tab.visit(PATH)
    return tab


async def report_to(services, order):
    """Report that the order's dish can't be cooked, from a device of its kitchen."""
    by = KitchenActor(order.restaurant_id, "tablet", OPERATOR, order.created_at - timedelta(days=1))
    assert await services.shortages.report(order.id, DISH, ShortageReason.NO_GAS, by)


def press(tab, order, press_id=None):
    press_id = press_id or secrets.token_hex(16)
    return tab.call(KitchenState.press, press_id, order.id, "sent", "seen")


async def cooking_of(services, order):
    return (await services.order_progress.cooking_of([order.id]))[order.id].state


def state_of(services, restaurant_id=1):
    return services.statuses.state_of(services.catalogue.restaurant(restaurant_id))


def open_boards(services):
    return dict(services.kitchen_boards.boards)


# Open and close


async def test_open_shows_the_board_to_an_enrolled_device(board, device, services, paid):
    await paid()
    assert board.get(KitchenState.is_known)
    assert board.get(KitchenState.is_enrolled)
    assert open_boards(services) == {board.socket_id: device[0]}
    await board.call(KitchenState.refresh)
    assert board.get(KitchenState.board) == "", "the tickets are pushed, and never in a session"


async def test_heartbeat_is_answered_when_nothing_has_changed(board):
    """A page that gets no answer says after three seconds that there is no connection."""
    board.sent.clear()
    await board.call(KitchenState.refresh)
    assert board.was_sent(KitchenState.is_enrolled)


async def test_open_shows_nothing_without_a_device(visitor, open_tab, device, services):
    guessed = open_tab(cookies=f"{DEVICE_COOKIE}=guessed")
    await guessed.visit(PATH)
    for tab in (visitor, guessed):
        assert tab.get(KitchenState.is_known)
        assert not tab.get(KitchenState.is_enrolled)
    assert open_boards(services) == {}


EVENTS = ["refresh", "show_day", "press", "pause", "set_dish", "report_shortage", "undo_shortage"]


@pytest.mark.parametrize("event", EVENTS)
async def test_any_event_closes_the_board_of_a_revoked_device(event, board, device, services, paid):
    order = await paid()
    await services.kitchen_devices.revoke(device[0].id, OPERATOR)
    arguments = {
        "press": (secrets.token_hex(16), order.id, "sent", "seen"),
        "pause": (15,),
        "set_dish": (DISH, False),
        "report_shortage": (order.id, DISH, "no_gas"),
        "undo_shortage": (order.id, DISH),
    }
    await board.call(getattr(KitchenState, event), *arguments.get(event, ()))
    assert not board.get(KitchenState.is_enrolled)
    assert open_boards(services) == {}
    assert await cooking_of(services, order) is CookingState.SENT
    assert state_of(services) is RestaurantState.OPEN
    assert services.statuses.sold_out(1) == ()
    assert await count(services.database, ShortageRow) == 0
    assert board.get(KitchenState.day) == ""


async def test_no_event_has_an_effect_without_a_device(visitor, services, paid):
    order = await paid()
    await press(visitor, order)
    assert await count(services.database, KitchenPressRow) == 0
    assert visitor.get(KitchenState.confirmed) == {}
    await visitor.call(KitchenState.set_dish, DISH, False)
    await visitor.call(KitchenState.report_shortage, order.id, DISH, "no_gas")
    assert services.statuses.sold_out(1) == ()
    assert await count(services.database, ShortageRow) == 0
    for minutes in (15, 0):
        await visitor.call(KitchenState.pause, minutes)
    assert state_of(services) is RestaurantState.OPEN
    await visitor.call(KitchenState.show_day)
    assert (visitor.get(KitchenState.day), visitor.get(KitchenState.day_rows)) == ("", [])


async def test_account_of_the_day_is_removed_when_the_device_is_revoked(
    board, device, services, paid
):
    await paid()
    await board.call(KitchenState.show_day)
    assert board.get(KitchenState.day_rows)
    await services.kitchen_devices.revoke(device[0].id, OPERATOR)
    await board.call(KitchenState.refresh)
    assert board.get(KitchenState.day_rows) == []
    assert board.get(KitchenState.day_sums) == {}
    assert board.get(KitchenState.day) == ""


async def test_close_stops_the_board_of_its_own_page_alone(board, visitor, services):
    await visitor.call(KitchenState.close)
    assert list(open_boards(services)) == [board.socket_id]
    await board.call(KitchenState.close)
    await board.call(KitchenState.close)
    assert open_boards(services) == {}
    await board.call(KitchenState.refresh)
    assert list(open_boards(services)) == [board.socket_id]


# Presses


async def test_press_records_the_step_and_is_confirmed(board, device, services, paid, clock):
    order = await paid()
    await press(board, order, press_id="a-press-0123456789")
    assert await cooking_of(services, order) is CookingState.SEEN
    assert board.get(KitchenState.confirmed) == {"a-press-0123456789": to_ms(clock.now())}
    (row,) = await rows(services.database, KitchenPressRow)
    assert (row.device_id, row.order_id) == (device[0].id, order.id)


async def test_confirmations_of_the_last_presses_are_kept(board, paid):
    order = await paid()
    ids = [f"press-number-{number:04}" for number in range(25)]
    for press_id in ids:
        await press(board, order, press_id=press_id)
    confirmed = list(board.get(KitchenState.confirmed))
    assert confirmed == ids[-len(confirmed) :]
    assert 10 <= len(confirmed) <= 25


async def test_press_on_an_order_of_another_kitchen_has_no_effect(enrol, open_tab, services, paid):
    _, cookie = await enrol(2)
    other = open_tab(cookies=cookie)
    await other.visit(PATH)
    await press(other, await paid())
    assert await count(services.database, KitchenPressRow) == 0
    assert await count(services.database, CookingRow) == 0
    assert len(other.get(KitchenState.confirmed)) == 1, "the page need not send it again"


INVALID = [None, 5, True, 1.5, "", "x" * 5_000, "\x00", "é" * 20, [], ["seen"], {}, {"a": 1}]


@pytest.mark.parametrize("argument", range(4), ids=["press_id", "order_id", "saw", "target"])
async def test_press_ignores_invalid_arguments(argument, board, services, paid, caplog):
    order = await paid()
    for value in INVALID:
        arguments = [secrets.token_hex(16), order.id, "sent", "seen"]
        arguments[argument] = value
        await board.call(KitchenState.press, *arguments)
        assert await count(services.database, KitchenPressRow) == 0, value
        assert board.get(KitchenState.confirmed) == {}, value
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


# Dishes that can't be cooked


async def test_report_and_undo_of_a_shortage(board, services, paid):
    order = await paid()
    await board.call(KitchenState.report_shortage, order.id, DISH, "no_gas")
    assert services.statuses.sold_out(1) == (DISH,)
    (ticket,) = await services.kitchen_boards.board(1)
    (shown,) = board_of(1, [ticket])["tickets"]
    assert [each["isShort"] for each in shown["lines"]] == [True, False]
    assert [each["name"] for each in shown["shortages"]] == ["Rajma Chawal"]
    await board.call(KitchenState.undo_shortage, order.id, DISH)
    assert await count(services.database, ShortageRow) == 0


async def test_shortage_of_another_kitchens_order_is_not_stored(enrol, open_tab, services, paid):
    order = await paid()
    other = open_tab(cookies=(await enrol(2))[1])
    await other.visit(PATH)
    await other.call(KitchenState.report_shortage, order.id, DISH, "no_gas")
    assert await count(services.database, ShortageRow) == 0
    await report_to(services, order)
    await other.call(KitchenState.undo_shortage, order.id, DISH)
    assert await count(services.database, ShortageRow) == 1


@pytest.mark.parametrize("argument", range(3), ids=["order_id", "dish_id", "reason"])
async def test_shortage_ignores_invalid_arguments(argument, board, services, paid, caplog):
    order = await paid()
    for value in INVALID:
        if argument == 1 and value == "":
            continue  # the whole order
        arguments = [order.id, DISH, "no_gas"]
        arguments[argument] = value
        await board.call(KitchenState.report_shortage, *arguments)
        assert await count(services.database, ShortageRow) == 0, value
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


# Dishes


async def test_set_dish_marks_it_as_sold_out_and_available(board, services):
    await board.call(KitchenState.set_dish, DISH, False)
    assert services.statuses.sold_out(1) == (DISH,)
    await board.call(KitchenState.set_dish, DISH, True)
    assert services.statuses.sold_out(1) == ()
    assert board.get(KitchenState.problem) == ""


async def test_set_dish_of_another_kitchen_is_refused(enrol, open_tab, services):
    _, cookie = await enrol(2)
    other = open_tab(cookies=cookie)
    await other.visit(PATH)
    await other.call(KitchenState.set_dish, DISH, False)
    assert other.get(KitchenState.problem) == OrderMessage.UNKNOWN_DISH
    assert services.statuses.sold_out(1) == services.statuses.sold_out(2) == ()
    await other.call(KitchenState.set_dish, "202", False)
    assert other.get(KitchenState.problem) == ""
    assert services.statuses.sold_out(2) == ("202",)


async def test_set_dish_ignores_arguments_of_another_type(board, services, caplog):
    for dish_id in (104, None, [DISH], {"id": DISH}):
        await board.call(KitchenState.set_dish, dish_id, False)
    for is_available in ("false", 0, None, []):
        await board.call(KitchenState.set_dish, DISH, is_available)
    assert services.statuses.sold_out(1) == ()
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_set_dish_says_that_the_menu_cannot_be_read(board, services, lose_menu):
    lose_menu(1)
    await board.call(KitchenState.set_dish, DISH, False)
    assert board.get(KitchenState.problem)
    assert services.statuses.sold_out(1) == ()


# Pause


@pytest.mark.parametrize("minutes", PAUSE_MINUTES)
async def test_pause_ends_by_itself_or_by_the_kitchen(minutes, board, services, clock):
    await board.call(KitchenState.pause, minutes)
    assert state_of(services) is RestaurantState.UNAVAILABLE
    clock.advance(minutes=minutes)
    assert state_of(services) is RestaurantState.OPEN
    await board.call(KitchenState.pause, minutes)
    await board.call(KitchenState.pause, 0)
    assert state_of(services) is RestaurantState.OPEN
    assert state_of(services, 2) is RestaurantState.OPEN


async def test_pause_ignores_other_lengths(board, services, caplog):
    for minutes in (1, -15, 16, 10**9, 15.5, "x", True, False, None, [], {}):
        await board.call(KitchenState.pause, minutes)
        assert state_of(services) is RestaurantState.OPEN, minutes
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("minutes", [0, 15])
async def test_pause_does_not_change_an_operators_closing(minutes, board, services):
    await services.statuses.set_override(1, is_open=False, message="Inspection")
    await board.call(KitchenState.pause, minutes)
    assert board.get(KitchenState.problem) == KitchenMessage.CLOSED_BY_OPERATOR
    status = services.statuses.all()[0]
    assert (status.is_open, status.message) == (False, "Inspection")
    await services.statuses.set_override(1, is_open=True, message="")
    await board.call(KitchenState.pause, 15)
    assert board.get(KitchenState.problem) == ""


async def test_open_removes_the_last_problem(board, services):
    await services.statuses.set_override(1, is_open=False, message="")
    await board.call(KitchenState.pause, 15)
    assert board.get(KitchenState.problem)
    await board.visit(PATH)
    assert board.get(KitchenState.problem) == ""


# The account of the day


async def test_board_and_day_isolate_names_in_urdu(board, services, paid, menus):
    # Source: specification 10.55.
    sell(menus.folder, 1, ["104,بریانی,,210,Rice"])
    order = await paid(quantities={"104": 2}, note="بغیر پیاز")
    await board.call(KitchenState.show_day)
    (row,) = board.get(KitchenState.day_rows)
    assert row["dishes"] == "2 x \u2068بریانی\u2069"
    (ticket,) = board_of(1, await services.kitchen_boards.board(1))["tickets"]
    assert ticket["number"] == order.number
    assert ticket["lines"][0]["name"] == "\u2068بریانی\u2069"
    assert ticket["note"] == "\u2068بغیر پیاز\u2069"


async def test_day_equals_the_operators_day_sheet(board, services, paid, clock):
    for quantities in ({"104": 2, "112": 1}, {"104": 3}, {"112": 4}):
        await paid(quantities=quantities)
        clock.advance(minutes=7)
    await paid(restaurant_id=2, quantities={"202": 5})
    await drain(services)
    await board.call(KitchenState.show_day)
    sheet = await services.day_sheets.of(None, 1)
    assert len(sheet.lines) == 3
    assert board.get(KitchenState.day) == "Wednesday 18 November"
    shown = [
        (row["number"], row["dishes"], row["paid"], row["to_collect"])
        for row in board.get(KitchenState.day_rows)
    ]
    assert shown == [
        (line.number, line.dishes, format_rupees(line.paid), format_rupees(line.to_collect))
        for line in sheet.lines
    ]
    assert [row["paid_at"] for row in board.get(KitchenState.day_rows)] == [
        "13:00",
        "13:07",
        "13:14",
    ]
    assert board.get(KitchenState.day_sums) == {
        "orders": "3",
        "paid": format_rupees(sheet.sums.paid),
        "to_collect": format_rupees(sheet.sums.to_collect),
        "refunded": format_rupees(sheet.sums.refunded + sheet.sums.refund_due),
    }


async def test_day_has_no_personal_data(board, paid):
    order = await paid()
    await board.call(KitchenState.show_day)
    shown = str(board.get(KitchenState.day_rows))
    customer = order.customer
    for text in (customer.full_name, customer.email, customer.phone, customer.address):
        assert text not in shown
