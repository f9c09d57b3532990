"""Reactions to an order's events: functions that the outbox calls, each with its own retries."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from campus_app.ordering.rules.order import Order
from campus_app.ordering.rules.order_event import OrderEvent
from campus_app.ordering.sql.orders import SqlOrders

Reaction = Callable[[Order], Awaitable[None]]


@dataclass(frozen=True)
class OrderEvents:
    """The reactions to each event, by the topics of their outbox jobs."""

    _reactions: dict[OrderEvent, dict[str, Reaction]] = field(
        default_factory=lambda: defaultdict(dict[str, Reaction])
    )

    def on(self, event: OrderEvent) -> Callable[[Reaction], Reaction]:
        """Return a decorator that registers an async function of the order as a reaction.

        The function runs at least once per order, after the event is stored, in one of the
        processes. If it raises an exception it is retried for a day.

        Raises:
            ValueError: If a reaction to the event has the same name.
        """

        def register(reaction: Reaction) -> Reaction:
            topic = f"{event}.{reaction.__name__}"
            if topic in self._reactions[event]:
                raise ValueError(f"there is a reaction {topic} already")
            self._reactions[event][topic] = reaction
            return reaction

        return register

    def topics(self) -> Mapping[OrderEvent, Sequence[str]]:
        """Return the topics of each event's jobs."""
        return {event: tuple(reactions) for event, reactions in self._reactions.items()}

    def handlers(self, orders: SqlOrders) -> Mapping[str, Callable[[str], Awaitable[None]]]:
        """Return what the jobs of each topic run, with the id of the order."""
        return {
            topic: partial(_react, orders, reaction)
            for reactions in self._reactions.values()
            for topic, reaction in reactions.items()
        }


async def _react(orders: SqlOrders, reaction: Reaction, order_id: str) -> None:
    stored = await orders.by_id(order_id)
    if stored is not None:
        await reaction(stored.order)
