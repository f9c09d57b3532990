"""The kitchen boards: tickets of paid orders, presses, and the open pages that show them.

Source: specification 10.25 to 10.27.
"""

from collections.abc import Collection, Mapping, Sequence

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.kitchen.rules.kitchen import KitchenDevice, Press, Ticket, is_on_board
from campus_app.kitchen.sql.tickets import BoardVersion, SqlTickets
from campus_app.ordering.rules.cooking import LONGEST_ON_BOARD, CookingState
from campus_app.ordering.services.order_progress import OrderProgress
from kit.clock import Clock
from kit.open_views import OpenViews


class KitchenBoards:
    """Reads tickets, records presses, and knows which pages of this process show them."""

    def __init__(
        self,
        store: SqlTickets,
        catalogue: CsvCatalogue,
        clock: Clock,
        progress: OrderProgress,
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._clock = clock
        self._progress = progress
        self.boards: OpenViews[KitchenDevice] = OpenViews(progress.changed.set)
        self._unchecked: set[str] = set()

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
        await self._progress.notify()
        return True

    def request_check(self, socket_id: str) -> None:
        """Send a board soon when it was current, also if its press has changed nothing."""
        self._unchecked.add(socket_id)
        self._progress.changed.set()

    def take_unchecked(self) -> set[str]:
        """Return the sockets that a check was requested for since the last call."""
        taken, self._unchecked = self._unchecked, set()
        return taken

    async def version(self) -> BoardVersion:
        """Return the version of all tickets."""
        return await self._store.version(self._clock.now() - LONGEST_ON_BOARD)

    async def open_boards(self) -> Mapping[int, Sequence[Ticket]]:
        """Return the tickets of every kitchen with an open board, by the restaurant's id."""
        return await self._tickets({device.restaurant_id for _, device in self.boards})

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
