"""When a customer's browser gets the push message that an order is ready."""

from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from campus_app.ordering.rules.cooking import Cooking, CookingState
from campus_app.ordering.rules.order import Order, OrderState

MAXIMUM_SUBSCRIPTIONS: Final = 5
"""Browsers per order that get the message."""
LONGEST_SUBSCRIBED: Final = timedelta(days=1)
"""From this age on a subscription is deleted, and an order accepts no new one."""
MESSAGE_LIFETIME: Final = timedelta(minutes=30)
"""How long after 'Ready' was pressed the message is delivered; later it would only confuse."""
_FIRST_RETRY: Final = timedelta(seconds=2)
_LONGEST_RETRY: Final = timedelta(minutes=2)


class PushStep(Enum):
    """What to do with a subscription of an order that was ready."""

    SEND = auto()
    WAIT = auto()
    """The kitchen has undone 'Ready', and may press it again: keep the subscription."""
    DROP = auto()
    """The message would be wrong or late."""


def can_subscribe(order: Order, now: datetime) -> bool:
    """Whether browsers can subscribe to an order: it is confirmed and less than a day old."""
    return order.state is OrderState.CONFIRMED and now - order.created_at < LONGEST_SUBSCRIBED


def is_before_ready(cooking: Cooking) -> bool:
    """Whether the kitchen has not pressed 'Ready' yet, so that the message is still to come."""
    return cooking.state.rank < CookingState.READY.rank


def seconds_left(cooking: Cooking, now: datetime) -> int:
    """Return for how many whole seconds the message of a ready order can still be delivered."""
    ready_at = cooking.changed_at or now  # the time of the press
    return int((ready_at + MESSAGE_LIFETIME - now).total_seconds())


def seconds_until_retry(cooking: Cooking, now: datetime) -> float:
    """Return after how many seconds a failed message of a ready order is tried again: 2 to 120.

    As many as the order has been ready, so that the wait doubles without a count of attempts.
    """
    elapsed = now - (cooking.changed_at or now)
    return min(max(elapsed, _FIRST_RETRY), _LONGEST_RETRY).total_seconds()


def push_step(
    order_state: OrderState, cooking: Cooking, subscribed_at: datetime, now: datetime
) -> PushStep:
    """Return what to do with a subscription after the kitchen has pressed 'Ready'."""
    is_over = order_state is not OrderState.CONFIRMED or cooking.state is CookingState.HANDED_OVER
    if is_over or now - subscribed_at >= LONGEST_SUBSCRIBED:
        return PushStep.DROP
    if is_before_ready(cooking):
        return PushStep.WAIT
    return PushStep.SEND if seconds_left(cooking, now) >= 1 else PushStep.DROP
