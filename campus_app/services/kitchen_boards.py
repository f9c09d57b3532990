"""The kitchen boards: tickets of paid orders, presses, and the open pages that show them.

Source: specification 10.25 to 10.27.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
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

    def __iter__(self) -> Iterator[tuple[str, View]]:
        return iter(list(self._views.items()))

    def open(self, socket_id: str, view: View) -> None:
        """Show something on a page, and send it soon, even if the page has shown it before."""
        self._views[socket_id] = view
        self._sent.pop(socket_id, None)
        self._wake()

    def close(self, socket_id: str) -> None:
        """Stop sending to a page."""
        self._views.pop(socket_id, None)
        self._sent.pop(socket_id, None)

    def is_new(self, socket_id: str, content: object) -> bool:
        """Whether a page shows other content than this; it is then remembered as sent."""
        if socket_id not in self._views or self._sent.get(socket_id) == content:
            return False
        self._sent[socket_id] = content
        return True


@dataclass(frozen=True)
class Boards:
    """The contents of all open views at one moment."""

    tickets: Mapping[int, Sequence[Ticket]]
    """By the restaurant's id."""
    cooking: Mapping[str, Cooking]
    """By the order's id."""


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
        """Set when the views may be outdated."""
        self.boards: OpenViews[KitchenDevice] = OpenViews(self.changed.set)
        self.followers: OpenViews[frozenset[str]] = OpenViews(self.changed.set)
        """The customers' pages, with the ids of the orders that each shows."""

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

    async def notify(self) -> None:
        """Update the views of all processes."""
        self.changed.set()
        await self._publish_change()

    async def version(self) -> BoardVersion:
        """Return the version of all tickets."""
        return await self._store.version(self._clock.now() - LONGEST_ON_BOARD)

    async def contents(self) -> Boards:
        """Return what the open views of this process show."""
        restaurants = {device.restaurant_id for _, device in self.boards}
        orders = {order_id for _, ids in self.followers for order_id in ids}
        return Boards(
            await self._tickets(restaurants) if restaurants else {},
            await self.cooking_of(orders),
        )

    async def cooking_of(self, order_ids: Collection[str]) -> Mapping[str, Cooking]:
        """Return the cooking of each of these orders."""
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
