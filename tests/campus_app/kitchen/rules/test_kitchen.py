"""Tickets and the states of cooking. Source: specification 10.25, 10.26."""

from datetime import time, timedelta
from functools import reduce
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.kitchen.rules.kitchen import Press, after_press, is_on_board
from campus_app.ordering.rules.cooking import Cooking, CookingState
from campus_app.shared.rules.constants import UNDO_SECONDS
from campus_app.shared.rules.money import ZERO
from kit.clock import to_ms
from tests.helpers.browser_rules import call_in_node, read_cases
from tests.helpers.builders import at, ticket

SENT, SEEN, READY, HANDED_OVER = CookingState
NOON = at(12)
CASES = read_cases("kitchen_presses")
TICKETS = "campus_app/kitchen/kitchen_tickets.js"


def press(saw, target, moment=NOON):
    return Press(f"tablet-{moment}", "an-order", "tablet", saw, target, moment)


def cooking(state, previous=SENT):
    return Cooking(state, previous, changed_at=NOON, seen_at=NOON)


def named(cases):
    return [pytest.param(case, id=name) for name, case in cases.items()]


def given_cooking(case):
    return cooking(CookingState(case["state"]), CookingState(case.get("previous", SENT)))


def given_presses(case):
    return [
        press(CookingState(saw), CookingState(target), NOON + timedelta(seconds=seconds))
        for saw, target, seconds in case["presses"]
    ]


def state_after(current, presses):
    return reduce(after_press, presses, current).state


def states_in_browser(calls):
    """Return the states that a board shows after presses, before the server has confirmed them."""
    shown = call_in_node(TICKETS, "shownTicket", (_board_call(*each) for each in calls))
    return [each["state"] for each in shown]


def _board_call(current, presses):
    """Return a ticket as `screens/board_json.py` sends it, and presses as the board keeps them."""
    undo_until = current.changed_at + timedelta(seconds=UNDO_SECONDS)
    ticket = {
        "id": "an-order",
        "state": current.state,
        "previous": current.previous,
        "undoUntil": to_ms(undo_until),
        "shortages": [],
    }
    made = [
        {"orderId": each.order_id, "saw": each.saw, "target": each.target, "at": to_ms(each.at)}
        for each in presses
    ]
    return ticket, made, to_ms(NOON)


@pytest.mark.parametrize("case", named(CASES["forward"]))
def test_press_forward_goes_to_the_furthest_state(case):
    assert state_after(given_cooking(case), given_presses(case)) == case["expected"]


@pytest.mark.parametrize("case", named(CASES["undo"]))
def test_undo_restores_the_previous_state_within_a_minute(case):
    assert state_after(given_cooking(case), given_presses(case)) == case["expected"]


def test_browser_shows_the_states_of_the_table():
    cases = CASES["forward"] | CASES["undo"]
    shown = states_in_browser((given_cooking(case), given_presses(case)) for case in cases.values())
    assert dict(zip(cases, shown, strict=True)) == {
        name: case["expected"] for name, case in cases.items()
    }


def test_browser_and_server_agree_on_every_press_of_every_state():
    moments = [NOON + timedelta(seconds=seconds) for seconds in (0, UNDO_SECONDS, UNDO_SECONDS + 1)]
    calls = [
        (cooking(state, previous), [press(saw, target, moment)])
        for state, previous, saw, target in product(CookingState, repeat=4)
        for moment in moments
    ]
    assert states_in_browser(calls) == [state_after(*each) for each in calls]


def test_undo_cannot_be_repeated():
    undone = after_press(cooking(READY, SEEN), press(READY, SEEN))
    assert after_press(undone, press(SEEN, SENT)) == undone


def test_undo_to_sent_makes_the_order_unseen_again():
    seen = after_press(Cooking(), press(SENT, SEEN))
    assert seen.seen_at == NOON
    assert after_press(seen, press(SEEN, SENT)).seen_at is None


def test_first_press_sets_the_time_at_which_the_order_was_seen():
    ready = after_press(Cooking(), press(SENT, READY))
    later = after_press(ready, press(READY, HANDED_OVER, NOON + timedelta(minutes=9)))
    assert later.seen_at == NOON


_states = st.sampled_from(list(CookingState))


@given(st.lists(st.tuples(_states, _states), max_size=12))
def test_state_only_goes_back_by_an_undo(presses):
    current = Cooking()
    for saw, target in presses:
        after = after_press(current, press(saw, target))
        if after.state.rank < current.state.rank:
            assert (saw, target) == (current.state, current.previous)
        current = after


@given(st.permutations([(SENT, SEEN), (SENT, READY), (SEEN, READY), (READY, HANDED_OVER)]))
def test_presses_of_several_devices_end_in_the_same_state(presses):
    current = Cooking()
    for saw, target in presses:
        current = after_press(current, press(saw, target))
    assert current.state is HANDED_OVER


HOURS_FROM_10_30 = ticket().hours


@pytest.mark.parametrize(
    ("paid_at", "now", "expected"),
    [
        pytest.param(at(10, 30), at(23), True, id="paid at the opening"),
        pytest.param(at(10, 29), at(10, 29), True, id="paid before the opening, which is to come"),
        pytest.param(at(10, 29), at(10, 30), False, id="paid before the last opening"),
        pytest.param(at(23), at(9, day=19), True, id="paid late, until the next opening"),
    ],
)
def test_board_shows_orders_paid_since_the_last_opening(paid_at, now, expected):
    shown = ticket(paid_at=paid_at)
    assert is_on_board(shown.ticket, shown.hours, now) is expected


@pytest.mark.parametrize(
    ("day", "paid_at", "expected"),
    [
        pytest.param(19, at(18), True, id="a table of today, paid yesterday"),
        pytest.param(18, at(18), False, id="a table of yesterday"),
        pytest.param(19, at(11), False, id="paid more than a day ago"),
    ],
)
def test_board_shows_tables_of_today_that_were_paid_within_a_day(day, paid_at, expected):
    shown = ticket(paid_at=paid_at, table_on=at(13, day=day).date())
    assert is_on_board(shown.ticket, shown.hours, at(12, day=19)) is expected


def test_cancelled_ticket_collects_nothing():
    assert ticket(is_cancelled=True).ticket.to_collect == ZERO


def test_ticket_of_a_table_is_due_from_its_slot():
    assert ticket(table_on=at(13).date()).ticket.due_from == at(13)
    assert ticket().ticket.due_from == at(12)


def test_order_of_a_restaurant_that_never_closes_stays_for_a_day():
    shown = ticket(paid_at=at(10, 29)).ticket
    never_closes = OpeningHours(time(10, 30), time(10, 30))
    assert is_on_board(shown, never_closes, at(10, 31))
    assert not is_on_board(shown, never_closes, at(10, 30, day=19))
