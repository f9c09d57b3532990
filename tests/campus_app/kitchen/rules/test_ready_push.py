"""When a push message about a ready order is sent."""

from datetime import timedelta

import pytest

from campus_app.kitchen.rules.ready_push import (
    PushStep,
    can_subscribe,
    is_before_ready,
    push_step,
    seconds_left,
    seconds_until_retry,
)
from campus_app.ordering.rules.cooking import Cooking, CookingState
from campus_app.ordering.rules.order import OrderState
from tests.helpers.builders import at, order

DAY = timedelta(days=1)
READY = Cooking(CookingState.READY, CookingState.SEEN, at(13))


@pytest.mark.parametrize("state", OrderState)
def test_only_confirmed_order_can_be_subscribed_to(state):
    placed = order(state=state, created_at=at(12))
    assert can_subscribe(placed, at(13)) is (state is OrderState.CONFIRMED)


def test_order_can_be_subscribed_to_for_a_day():
    placed = order(state=OrderState.CONFIRMED, created_at=at(12))
    assert can_subscribe(placed, at(12) + DAY - timedelta(seconds=1))
    assert not can_subscribe(placed, at(12) + DAY)


@pytest.mark.parametrize(
    ("state", "is_before"),
    [
        (CookingState.SENT, True),
        (CookingState.SEEN, True),
        (CookingState.READY, False),
        (CookingState.HANDED_OVER, False),
    ],
)
def test_order_is_before_ready_until_the_press(state, is_before):
    assert is_before_ready(Cooking(state)) is is_before


@pytest.mark.parametrize(
    ("state", "step"),
    [
        (CookingState.SENT, PushStep.WAIT),
        (CookingState.SEEN, PushStep.WAIT),
        (CookingState.READY, PushStep.SEND),
        (CookingState.HANDED_OVER, PushStep.DROP),
    ],
)
def test_push_step_depends_on_state_of_cooking(state, step):
    cooking = Cooking(state, CookingState.SEEN, at(13))
    assert push_step(OrderState.CONFIRMED, cooking, at(12), at(13)) is step


@pytest.mark.parametrize("state", [each for each in OrderState if each != OrderState.CONFIRMED])
def test_push_step_drops_message_of_unconfirmed_order(state):
    assert push_step(state, READY, at(12), at(13)) is PushStep.DROP


def test_push_step_drops_subscription_after_a_day():
    now = at(13)
    assert push_step(OrderState.CONFIRMED, READY, now - DAY, now) is PushStep.DROP
    young = now - DAY + timedelta(seconds=1)
    assert push_step(OrderState.CONFIRMED, READY, young, now) is PushStep.SEND


@pytest.mark.parametrize(
    ("now", "seconds", "step"),
    [
        (at(13), 1_800, PushStep.SEND),
        (at(13, 10), 1_200, PushStep.SEND),
        (at(13, 29, 59), 1, PushStep.SEND),
        (at(13, 30), 0, PushStep.DROP),
        (at(14), -1_800, PushStep.DROP),
    ],
)
def test_message_is_delivered_for_thirty_minutes(now, seconds, step):
    assert seconds_left(READY, now) == seconds
    assert push_step(OrderState.CONFIRMED, READY, at(12), now) is step


@pytest.mark.parametrize(
    ("elapsed", "seconds"), [(0, 2), (2, 2), (4, 4), (50, 50), (120, 120), (1_799, 120)]
)
def test_failed_message_is_tried_again_after_a_growing_interval(elapsed, seconds):
    assert seconds_until_retry(READY, at(13) + timedelta(seconds=elapsed)) == seconds
