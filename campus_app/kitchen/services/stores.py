"""Interfaces of the stores behind the kitchen boards."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from campus_app.kitchen.rules.day_sheet import DayLine
from campus_app.kitchen.rules.kitchen import KitchenDevice, KitchenLink, Press, Ticket
from campus_app.ordering.rules.cooking import Cooking
from campus_app.shared.rules.audit import AuditEntry

BoardVersion = tuple[object, ...]
"""Differs after each payment, press and refund by an operator.

Equal versions mean equal tickets.
"""


class KitchenDeviceStore(Protocol):
    """Kitchen links, and the devices that they enrolled. Tokens are stored as hashes."""

    async def add_link(self, link: KitchenLink, entry: AuditEntry) -> None:
        """Store a new link; expired ones are deleted."""
        ...

    async def find_link(self, token_hash: str, at: datetime) -> KitchenLink | None:
        """Return an unused link that has not expired."""
        ...

    async def enrol(
        self, link_hash: str, device: KitchenDevice, token_hash: str, entry: AuditEntry
    ) -> bool:
        """Use up a link and store the device; False if the link is used or expired by then."""
        ...

    async def find_device(self, token_hash: str) -> KitchenDevice | None:
        """Return the device with this token."""
        ...

    async def record_use(self, device_id: str, at: datetime) -> None:
        """Store when a device was used last."""
        ...

    async def devices(self) -> Sequence[KitchenDevice]:
        """Return the devices of all kitchens, by kitchen and in the order of their enrolment."""
        ...

    async def revoke(self, device_id: str, entry: AuditEntry) -> bool:
        """Delete a device; False if there is none with this id."""
        ...


class TicketStore(Protocol):
    """Paid orders as their kitchens see them, and how far these are with them."""

    async def version(self, since: datetime) -> BoardVersion:
        """Return the version of the tickets of all orders paid since then."""
        ...

    async def tickets(self, restaurant_ids: Collection[int], since: datetime) -> Sequence[Ticket]:
        """Return the tickets of the orders of these restaurants that were paid since then.

        The earliest payment comes first.
        """
        ...

    async def press(self, press: Press, restaurant_id: int, since: datetime) -> Cooking | None:
        """Record a press on a restaurant's ticket, once per its id; return the cooking after it.

        The first press to READY enqueues the jobs of that event. None, and nothing is recorded, if
        the restaurant has no such order that was paid since then.
        """
        ...


class UnseenOrderStore(Protocol):
    """Paid orders that no device of their kitchen has marked as seen, five minutes later.

    Only those of kitchens with a device that was enrolled before the payment, and is in use.
    """

    async def unreported(self, at: datetime) -> Sequence[str]:
        """Return the ids of the earliest unseen orders that `report` was not called for."""
        ...

    async def report(self, order_id: str, at: datetime) -> bool:
        """Enqueue the job that calls the kitchen again; False if it was enqueued before."""
        ...

    async def is_unseen(self, order_id: str, at: datetime) -> bool:
        """Whether an order is confirmed and unseen."""
        ...


class DaySheetStore(Protocol):
    """The paid orders of a day."""

    async def lines(
        self, begins: datetime, ends: datetime, restaurant_id: int | None
    ) -> Sequence[DayLine]:
        """Return the orders paid from `begins` until before `ends`, by the time of payment.

        None means those of all restaurants.
        """
        ...
