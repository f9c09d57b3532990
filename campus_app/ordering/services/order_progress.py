"""How far kitchens are with orders, and the open pages of customers that show it.

Source: specification 10.27.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.shortage import CANCELLED, CHOOSE, ShortageAnswer
from campus_app.ordering.sql.cooking import SqlCooking
from campus_app.ordering.sql.shortages import SqlShortages
from campus_app.shared.rules.constants import ANSWER_MINUTES
from kit.open_views import OpenViews

_LOOK_BACK: Final = timedelta(minutes=ANSWER_MINUTES)
"""How much older than other changes a report may be: an outbox job tells its customer later,
which changes no time of it."""


@dataclass(frozen=True)
class FollowedOrders:
    """The orders that a customer's page shows."""

    tokens: Mapping[str, str]
    """The response token of each order, by its id."""
    states: Mapping[str, str]
    """By the order's token: a `CookingState` as text, `CHOOSE` or `CANCELLED`."""

    @property
    def choosing(self) -> Sequence[str]:
        """The ids of the orders whose customer is asked to choose.

        They are read at each update: a kitchen that takes a report back deletes it, so that
        `changed_since` does not find the order.
        """
        return [id_ for id_, token in self.tokens.items() if self.states.get(token) == CHOOSE]

    def after(self, changed: Mapping[str, str]) -> "FollowedOrders":
        """Return all these orders, with the new states in `changed`, by the order's id."""
        states = {self.tokens[id_]: changed[id_] for id_ in self.tokens if id_ in changed}
        return FollowedOrders(self.tokens, {**self.states, **states})


class OrderProgress:
    """Reads how far kitchens are, and wakes the pages that show orders when one has changed."""

    def __init__(
        self,
        store: SqlCooking,
        shortages: SqlShortages,
        publish_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        self._shortages = shortages
        self._publish_change = publish_change
        self.changed = asyncio.Event()
        """Set when the open pages may be outdated."""
        self.followers: OpenViews[FollowedOrders] = OpenViews(self.changed.set)

    async def notify(self) -> None:
        """Update the open pages of all processes."""
        self.changed.set()
        await self._publish_change()

    async def changed_since(self, moment: datetime, now: datetime) -> Mapping[str, str]:
        """Return the states of the orders that were changed then or later, by the order's id."""
        cooking = await self._store.changed_since(moment)
        short = await self._shortages.changed_since(moment - _LOOK_BACK)
        others = await self.cooking_of([id_ for id_ in short if id_ not in cooking])
        return await self.states_of({*cooking, *short}, now, {**cooking, **others})

    async def states_of(
        self,
        order_ids: Collection[str],
        now: datetime,
        cooking: Mapping[str, Cooking] | None = None,
    ) -> Mapping[str, str]:
        """Return how far the kitchens are with orders, as their customers see it, by their ids.

        `cooking` is that of these orders, if it was read already.
        """
        if not order_ids:
            return {}
        cooking = cooking or await self.cooking_of(order_ids)
        states = {id_: each.shown_at(now).value for id_, each in cooking.items()}
        for shortage in await self._shortages.of_orders(order_ids):
            if shortage.answer is ShortageAnswer.ORDER_BACK:
                states[shortage.order_id] = CANCELLED
            elif shortage.is_open_at(now) and not cooking[shortage.order_id].is_handed_over:
                states[shortage.order_id] = CHOOSE
        return states

    async def cooking_of(self, order_ids: Collection[str]) -> Mapping[str, Cooking]:
        """Return the cooking of each of these orders, by the order's id."""
        if not order_ids:
            return {}
        found = await self._store.cooking_of(order_ids)
        return {order_id: found.get(order_id, Cooking()) for order_id in order_ids}
