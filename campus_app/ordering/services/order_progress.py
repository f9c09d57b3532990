"""How far kitchens are with orders, and the open pages of customers that show it.

Source: specification 10.27.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.services.open_views import OpenViews
from campus_app.ordering.sql.cooking import SqlCooking


@dataclass(frozen=True)
class FollowedOrders:
    """The orders that a customer's page shows."""

    tokens: Mapping[str, str]
    """The response token of each order, by its id."""
    states: Mapping[str, str]
    """The state of cooking of each order, by its token."""

    def after(self, changed: Mapping[str, Cooking], now: datetime) -> "FollowedOrders":
        """Return the orders with the cooking that has changed, by the order's id."""
        states = {
            self.tokens[id_]: changed[id_].shown_at(now).value
            for id_ in self.tokens
            if id_ in changed
        }
        return FollowedOrders(self.tokens, {**self.states, **states})


class OrderProgress:
    """Reads how far kitchens are, and wakes the pages that show orders when one has changed."""

    def __init__(self, store: SqlCooking, publish_change: Callable[[], Awaitable[None]]) -> None:
        self._store = store
        self._publish_change = publish_change
        self.changed = asyncio.Event()
        """Set when the open pages may be outdated."""
        self.followers: OpenViews[FollowedOrders] = OpenViews(self.changed.set)

    async def notify(self) -> None:
        """Update the open pages of all processes."""
        self.changed.set()
        await self._publish_change()

    async def changed_since(self, moment: datetime) -> Mapping[str, Cooking]:
        """Return the cooking of the orders that was changed then or later, by the order's id."""
        return await self._store.changed_since(moment)

    async def cooking_of(self, order_ids: Collection[str]) -> Mapping[str, Cooking]:
        """Return the cooking of each of these orders, by the order's id."""
        if not order_ids:
            return {}
        found = await self._store.cooking_of(order_ids)
        return {order_id: found.get(order_id, Cooking()) for order_id in order_ids}
