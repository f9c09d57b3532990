"""Tickets and the states of cooking. Source: specification 10.25, 10.26."""

from datetime import time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.restaurant import OpeningHours
from campus_app.kitchen.rules.kitchen import Press, after_press, is_on_board
from campus_app.ordering.rules.cooking import Cooking, CookingState
from campus_app.shared.rules.money import ZERO
from tests.helpers.builders import at, ticket

SENT, SEEN, READY, HANDED_OVER = CookingState
NOON = at(12)


def press(saw, target, moment=NOON, device="tablet"):
    return Press(f"{device}-{moment}", "an-order", device, saw, target, moment)


def cooking(state, previous=SENT, changed_at=NOON):
    return Cooking(state, previous, changed_at, seen_at=NOON)


@pytest.mark.parametrize(
    ("state", "saw", "target", "expected"),
    [
        pytest.param(SENT, SENT, SEEN, SEEN, id="the next state"),
        pytest.param(SENT, SENT, HANDED_OVER, HANDED_OVER, id="a state that skips others"),
        pytest.param(SEEN, SENT, SEEN, SEEN, id="a second device presses the same button"),
        pytest.param(READY, SENT, SEEN, READY, id="a device that is behind the others"),
        pytest.param(SEEN, SENT, READY, READY, id="a device that is behind, but goes further"),
        pytest.param(SEEN, SEEN, SEEN, SEEN, id="no change"),
    ],
)
def test_press_forward_goes_to_the_furthest_state(state, saw, target, expected):
    assert after_press(cooking(state), press(saw, target)).state is expected


@pytest.mark.parametrize(
    ("saw", "target", "seconds", "expected"),
    [
        pytest.param(READY, SEEN, 60, SEEN, id="within a minute"),
        pytest.param(READY, SEEN, 61, READY, id="after a minute"),
        pytest.param(READY, SENT, 1, READY, id="to a state before the previous one"),
        pytest.param(HANDED_OVER, READY, 1, READY, id="of a state that is not reached yet"),
    ],
)
def test_undo_restores_the_previous_state_within_a_minute(saw, target, seconds, expected):
    undo = press(saw, target, NOON + timedelta(seconds=seconds))
    assert after_press(cooking(READY, SEEN), undo).state is expected


def test_undo_has_no_effect_when_another_device_has_pressed_since():
    assert after_press(cooking(HANDED_OVER, READY), press(READY, SEEN)).state is HANDED_OVER


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
