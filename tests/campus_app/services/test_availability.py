"""Which restaurants take orders now: hours, overrides, and who is told of a change."""

import asyncio
from datetime import timedelta

import pytest

from campus_app.domain.errors import NotFound
from campus_app.domain.messages import OrderMessage
from campus_app.domain.restaurant import RestaurantState
from campus_app.ports.catalogue import RestaurantOverride
from campus_app.services.availability import RestaurantStatus, StatusBoard
from tests.helpers.builders import at
from tests.helpers.databases import sqlite_only
from tests.helpers.tables import execute

pytestmark = pytest.mark.anyio

OPEN, CLOSED, UNAVAILABLE = RestaurantState


@pytest.fixture
def board(services):
    return services.board


def status_of(board, restaurant_id):
    return next(s for s in board.statuses() if s.restaurant_id == restaurant_id)


# The picture


@sqlite_only
def test_the_board_shows_all_eight_restaurants_by_their_hours(board):
    assert [status.restaurant_id for status in board.statuses()] == list(range(1, 9))
    assert [status.state for status in board.statuses()] == [
        OPEN,
        OPEN,
        OPEN,
        CLOSED,
        OPEN,
        OPEN,
        OPEN,
        OPEN,
    ]


@sqlite_only
def test_closed_by_its_hours_is_not_closed_by_the_operator(board):
    # Source: specification R3.
    assert status_of(board, 4) == RestaurantStatus(4, True, "", CLOSED)


@sqlite_only
@pytest.mark.parametrize(
    ("moment", "number", "state"),
    [
        pytest.param(at(10, 29, 59), 1, CLOSED, id="R2: before it opens"),
        pytest.param(at(10, 30), 1, OPEN, id="R2: from open"),
        pytest.param(at(20, 29, 59), 1, OPEN, id="R2: up to close"),
        pytest.param(at(20, 30), 1, CLOSED, id="R2: not including close"),
        pytest.param(at(23, 59, 59), 2, OPEN, id="R2: until midnight"),
        pytest.param(at(0, 0), 2, CLOSED, id="R2: closed at midnight"),
        pytest.param(at(1, 59, 59), 5, OPEN, id="R2: past midnight"),
        pytest.param(at(2, 0), 5, CLOSED, id="R2: closed after the night"),
    ],
)
def test_a_restaurant_is_open_within_its_hours_in_campus_time(board, clock, moment, number, state):
    clock.set(moment)
    assert status_of(board, number).state is state
    assert board.snapshot()


# The operator's override


async def test_the_operator_closes_and_opens_a_restaurant(board):
    closed = await board.set_override(1, is_open=False, message="No gas")
    assert closed == RestaurantStatus(1, False, "No gas", UNAVAILABLE)
    assert status_of(board, 1) == closed
    assert board.is_forced_closed(1)
    opened = await board.set_override(1, is_open=True, message="")
    assert opened == RestaurantStatus(1, True, "", OPEN)
    assert not board.is_forced_closed(1)


@sqlite_only
async def test_a_restaurant_that_is_closed_without_a_word_is_temporarily_closed(board):
    # Source: specification 4.3.
    await board.set_override(1, is_open=False, message="")
    assert status_of(board, 1).message == "Temporarily Closed"


@sqlite_only
async def test_a_word_about_an_open_restaurant_is_neither_kept_nor_shown(services, board):
    store = services.operations.overrides
    assert (await board.set_override(1, is_open=True, message="No gas")).message == ""
    assert await store.all_overrides() == [RestaurantOverride(1, True, "")]
    await execute(services.database, "UPDATE restaurant_overrides SET message = 'No gas'")
    await board.load()
    assert status_of(board, 1).message == ""


@sqlite_only
async def test_the_switch_does_not_open_a_restaurant_outside_of_its_hours(board):
    assert (await board.set_override(4, is_open=True, message="")).state is CLOSED


@sqlite_only
async def test_forced_closed_is_more_than_closed(board):
    assert (await board.set_override(4, is_open=False, message="")).state is UNAVAILABLE


@sqlite_only
@pytest.mark.parametrize("number", [0, 9, -1])
async def test_a_restaurant_that_is_not_there_has_no_switch(board, number):
    with pytest.raises(NotFound) as refused:
        await board.set_override(number, is_open=False, message="")
    assert refused.value.code == "unknown_restaurant"
    assert refused.value.message == OrderMessage.UNKNOWN_RESTAURANT
    assert not board.is_forced_closed(number)


async def test_a_switch_stays_as_it_was_left_when_the_server_starts_again(services, new_services):
    await services.board.set_override(1, is_open=False, message="No gas")
    await services.board.set_override(2, is_open=False, message="")
    await services.board.set_override(2, is_open=True, message="")
    again = new_services().board
    assert not again.is_forced_closed(1)
    await again.load()
    assert again.is_forced_closed(1)
    assert again.statuses() == services.board.statuses()


async def test_a_switch_that_can_not_be_kept_is_not_turned(services):
    class Full:
        async def set_override(self, override, at):
            raise OSError("the disk is full")

    board = StatusBoard(services.catalogue, Full(), services.clock, services.relay.tell)
    with pytest.raises(OSError, match="full"):
        await board.set_override(1, is_open=False, message="")
    assert status_of(board, 1).state is OPEN


# Who is told


@pytest.fixture
async def listen(board):
    """Listens to the board, in as many places as a test wants."""
    listening = []

    async def listen():
        changes = board.changes()
        listening.append(changes)
        await anext(changes)
        return changes

    yield listen
    for changes in listening:
        await changes.aclose()


async def soon(changes):
    async with asyncio.timeout(5):
        return await anext(changes)


@sqlite_only
async def test_who_begins_to_listen_hears_everything_at_once(board):
    changes = board.changes()
    assert await soon(changes) == board.statuses()
    await changes.aclose()


@sqlite_only
async def test_who_listens_hears_of_the_restaurants_that_change_alone(board, listen):
    changes = await listen()
    await board.set_override(3, is_open=False, message="No gas")
    assert await soon(changes) == [RestaurantStatus(3, False, "No gas", UNAVAILABLE)]
    await board.set_override(3, is_open=True, message="")
    assert await soon(changes) == [RestaurantStatus(3, True, "", OPEN)]


@sqlite_only
async def test_everyone_who_listens_hears_the_same(board, listen):
    everyone = [await listen() for _ in range(20)]
    await board.set_override(3, is_open=False, message="")
    heard = [await soon(changes) for changes in everyone]
    assert heard == [[status_of(board, 3)]] * 20


@sqlite_only
async def test_changes_that_come_together_are_heard_together(board, listen):
    changes = await listen()
    await board.set_override(3, is_open=False, message="")
    await board.set_override(1, is_open=False, message="")
    assert [status.restaurant_id for status in await soon(changes)] == [1, 3]


@sqlite_only
async def test_nothing_is_heard_when_nothing_has_changed(board, listen):
    changes = await listen()
    hearing = asyncio.create_task(soon(changes))
    for _ in range(5):
        board.notify_listeners()
        await asyncio.sleep(0)
    assert not hearing.done()
    await board.set_override(3, is_open=False, message="")
    assert [status.restaurant_id for status in await hearing] == [3]


@sqlite_only
async def test_opening_and_closing_by_the_hours_is_heard_when_it_is_announced(board, listen, clock):
    clock.set(at(20, 29))
    changes = await listen()
    clock.set(board.next_boundary())
    board.notify_listeners()
    assert await soon(changes) == [RestaurantStatus(1, True, "", CLOSED)]


@sqlite_only
async def test_who_stops_listening_is_forgotten(board, listen):
    changes = await listen()
    await changes.aclose()
    assert board._listeners == set()
    await board.set_override(3, is_open=False, message="")
    with pytest.raises(StopAsyncIteration):
        await anext(changes)


# Boundaries


@sqlite_only
@pytest.mark.parametrize(
    ("moment", "boundary"),
    [
        pytest.param(at(13), at(17), id="number 4 opens at 17:00"),
        pytest.param(at(17), at(20, 30), id="number 1 closes at 20:30"),
        pytest.param(at(20, 30), at(21), id="numbers 3 and 7 close at 21:00"),
        pytest.param(at(23), at(0, day=19), id="number 2 closes at midnight"),
        pytest.param(at(2, 0), at(4), id="number 7 opens, number 8 closes"),
    ],
)
def test_the_next_boundary_is_when_a_restaurant_opens_or_closes(board, clock, moment, boundary):
    clock.set(moment)
    assert board.next_boundary() == boundary


@sqlite_only
def test_a_day_has_its_boundaries_and_each_changes_the_picture(board, clock):
    clock.set(at(0))
    states = [status.state for status in board.statuses()]
    seen = 0
    while (boundary := board.next_boundary()) <= at(0, day=19):
        clock.set(boundary - timedelta(milliseconds=1))
        assert [status.state for status in board.statuses()] == states
        clock.set(boundary)
        changed = [status.state for status in board.statuses()]
        assert changed != states
        states = changed
        seen += 1
    assert seen > 8
