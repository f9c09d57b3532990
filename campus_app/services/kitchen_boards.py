"""The kitchen boards: tickets of paid orders, presses, and the open pages that show them.

Source: specification 10.25 to 10.27.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from campus_app.domain.kitchen import (
    LONGEST_ON_BOARD,
    Cooking,
    CookingState,
    KitchenDevice,
    Press,
    Ticket,
    is_on_board,
)
from campus_app.ports.catalogue import Catalogue
from campus_app.ports.kitchens import BoardVersion, TicketStore
from kit.clock import Clock

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

    def after(self, changed: Mapping[str, Cooking]) -> "FollowedOrders":
        """Return the orders with the cooking that has changed, by the order's id."""
        states = {
            self.tokens[id_]: changed[id_].state.value for id_ in self.tokens if id_ in changed
        }
        return FollowedOrders(self.tokens, {**self.states, **states})


class KitchenBoards:
    """Reads tickets, records presses, and knows which pages of this process show them."""

    def __init__(
        self,
        store: TicketStore,
        catalogue: Catalogue,
        clock: Clock,
        publish_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._clock = clock
        self._publish_change = publish_change
        self.changed = asyncio.Event()
        """Set when the open pages may be outdated."""
        self.boards: OpenViews[KitchenDevice] = OpenViews(self.changed.set)
        self._unchecked: set[str] = set()
        self.followers: OpenViews[FollowedOrders] = OpenViews(self.changed.set)

    async def board(self, restaurant_id: int) -> Sequence[Ticket]:
        """Return the tickets of a kitchen, the earliest payment first."""
        return (await self._tickets([restaurant_id]))[restaurant_id]

    async def press(
        self,
        device: KitchenDevice,
        press_id: str,
        order_id: str,
        *,
        saw: CookingState,
        target: CookingState,
    ) -> bool:
        """Record a press of a device; False if its kitchen has no such order of the last day."""
        now = self._clock.now()
        press = Press(press_id, order_id, device.id, saw, target, now)
        since = now - LONGEST_ON_BOARD
        if await self._store.press(press, device.restaurant_id, since) is None:
            return False
        await self.notify()
        return True

    def request_check(self, socket_id: str) -> None:
        """Send a board soon when it was current, also if its press has changed nothing."""
        self._unchecked.add(socket_id)
        self.changed.set()

    def take_unchecked(self) -> set[str]:
        """Return the sockets that a check was requested for since the last call."""
        taken, self._unchecked = self._unchecked, set()
        return taken

    async def notify(self) -> None:
        """Update the views of all processes."""
        self.changed.set()
        await self._publish_change()

    async def version(self) -> BoardVersion:
        """Return the version of all tickets."""
        return await self._store.version(self._clock.now() - LONGEST_ON_BOARD)

    async def open_boards(self) -> Mapping[int, Sequence[Ticket]]:
        """Return the tickets of every kitchen with an open board, by the restaurant's id."""
        return await self._tickets({device.restaurant_id for _, device in self.boards})

    async def changed_since(self, moment: datetime) -> Mapping[str, Cooking]:
        """Return the cooking of the orders that was changed then or later, by the order's id."""
        return await self._store.changed_since(moment)

    async def cooking_of(self, order_ids: Collection[str]) -> Mapping[str, Cooking]:
        """Return the cooking of each of these orders, by the order's id."""
        if not order_ids:
            return {}
        found = await self._store.cooking_of(order_ids)
        return {order_id: found.get(order_id, Cooking()) for order_id in order_ids}

    async def _tickets(self, restaurant_ids: Collection[int]) -> Mapping[int, Sequence[Ticket]]:
        now = self._clock.now()
        known = {
            restaurant.id: restaurant.hours
            for restaurant in self._catalogue.restaurants()
            if restaurant.id in restaurant_ids
        }
        tickets: dict[int, list[Ticket]] = {id_: [] for id_ in restaurant_ids}
        for ticket in await self._store.tickets(list(known), now - LONGEST_ON_BOARD):
            if is_on_board(ticket, known[ticket.restaurant_id], now):
                tickets[ticket.restaurant_id].append(ticket)
        return tickets
