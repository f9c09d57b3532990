"""How far kitchens are with orders, and the open pages of customers that show it.

Source: specification 10.27.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.sql.cooking import SqlCooking

View = TypeVar("View")


class OpenViews(Generic[View]):
    """The pages of this process that show something, by the id of their socket."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._views: dict[str, View] = {}
        self._sent: dict[str, object] = {}
        self._wake = wake

    def __len__(self) -> int:
        return len(self._views)

    def __contains__(self, socket_id: str) -> bool:
        return socket_id in self._views

    def __iter__(self) -> Iterator[tuple[str, View]]:
        return iter(list(self._views.items()))

    def open(self, socket_id: str, view: View) -> None:
        """Show something on a page, and send it soon, even if the page has shown it before."""
        self._views[socket_id] = view
        self._sent.pop(socket_id, None)
        self._wake()

    def replace(self, socket_id: str, view: View) -> None:
        """Change what an open page shows; what was sent to it still counts."""
        if socket_id in self._views:
            self._views[socket_id] = view

    def close(self, socket_id: str) -> None:
        """Stop sending to a page."""
        self._views.pop(socket_id, None)
        self._sent.pop(socket_id, None)

    def is_new(self, socket_id: str, content: object) -> bool:
        """Whether an open page shows other content than this, which then counts as sent."""
        if socket_id not in self._views or self._sent.get(socket_id) == content:
            return False
        self._sent[socket_id] = content
        return True


@dataclass(frozen=True)
class FollowedOrders:
    """The orders that a customer's page shows."""

    tokens: Mapping[str, str]
    """Their response tokens, by their ids."""
    states: Mapping[str, str]
    """Their states of cooking, by their tokens."""

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
