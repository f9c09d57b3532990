"""Interface of the stored push subscriptions of orders."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.order import OrderState
from kit.push.subscription import PushSubscription

READY_PRESS_TOPIC: Final = "push.ready_press"
"""The outbox topic of each press that makes an order ready; the subject is the order's id."""
READY_PUSH_TOPIC: Final = "push.ready"
"""The outbox topic of the message to one subscription."""


@dataclass(frozen=True)
class OrderSubscription:
    """A browser that gets a message when an order is ready; `id` is unguessable."""

    id: str
    order_id: str
    browser: PushSubscription
    language: str
    created_at: datetime


@dataclass(frozen=True)
class DuePush:
    """A subscription, and the state of its order."""

    subscription: OrderSubscription
    order_number: str
    restaurant_name: str
    order_state: OrderState
    cooking: Cooking


class PushSubscriptionStore(Protocol):
    """The stored subscriptions; at most one of an order for each endpoint."""

    async def has_board(self, order_id: str, at: datetime) -> bool:
        """Whether the order's kitchen had a device before the payment, and has one at `at`."""
        ...

    async def add(self, subscription: OrderSubscription, limit: int) -> bool:
        """Store a subscription; keys and language replace those of one with the same endpoint.

        False, and nothing changes, if the order does not exist, is ready already, or has `limit`
        subscriptions with other endpoints.
        """
        ...

    async def remove(self, order_id: str, endpoint: str) -> None:
        """Delete the subscription of an order with this endpoint."""
        ...

    async def contains(self, order_id: str, endpoint: str) -> bool:
        """Whether an order has a subscription with this endpoint."""
        ...

    async def enqueue_if_ready(self, order_id: str) -> None:
        """Enqueue a job `READY_PUSH_TOPIC` for each subscription of an order that is ready.

        Once for each subscription and press. The payload's `subscriptionId` is the subscription's
        id, its `readyAt` the time of the press in milliseconds since 1970.
        """
        ...

    async def due(self, subscription_id: str) -> DuePush | None:
        """Return a subscription and the state of its order."""
        ...

    async def delete(self, subscription_id: str) -> None:
        """Delete a subscription."""
        ...

    async def delete_endpoint(self, endpoint: str) -> None:
        """Delete the subscriptions of all orders with this endpoint."""
        ...

    async def delete_before(self, moment: datetime) -> int:
        """Delete all subscriptions that were stored before a time; return their number."""
        ...
