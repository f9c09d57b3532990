"""Stores of orders and of seat holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Protocol

from campus_app.domain.bill import Bill
from campus_app.domain.campus import Campus
from campus_app.domain.customer import Customer
from campus_app.domain.notification import NoticeStatus
from campus_app.domain.order import Order, OrderLine
from campus_app.domain.payment import Payment, PaymentState, Settlement, Snapshot
from campus_app.domain.reservation import Hold, PreReservation
from campus_app.domain.restaurant import Restaurant


@dataclass(frozen=True)
class OrderDraft:
    """An order that is right, priced and about to be stored."""

    restaurant: Restaurant
    campus: Campus
    customer: Customer
    lines: tuple[OrderLine, ...]
    bill: Bill
    note: str
    reservation: PreReservation | None
    fingerprint: str
    """What makes two requests the same order."""
    idempotency_key: str
    """Two orders never share one; without one it is an order by itself."""
    reservation_id: str = ""
    """The hold on the seats, where the customer says that there is one."""
    wanted_number: int | None = None
    cart_key: str = ""
    cart_generation: int = 0
    """Which order of its cart this is, from 1."""
    replaces: str = ""
    """The key of an unpaid order that this one takes the place of."""
    language: str = "en"


@dataclass(frozen=True)
class StoredOrder:
    """An order with its payment, and the fingerprint it was stored under."""

    order: Order
    payment: Payment
    fingerprint: str
    cart_generation: int


SeatCheck = Callable[[int], bool]
"""Whether an order's table is still its own, or free again, where a slot has so many seats."""


class OrderStore(Protocol):
    """Where orders, payments and their notices are kept; each change is one transaction."""

    async def place(self, draft: OrderDraft, at: datetime, provider: str) -> StoredOrder:
        """Store an order with its payment, once per idempotency key.

        Return the order that already holds the key, if one does. A table's seats are held from
        here on, those of an order that is replaced are free again.

        Raises:
            Conflict: `order_id_taken` if the wanted number is another order's; `already_paid` if
                the order to replace was paid meanwhile; `slot_unavailable` if the seats are gone.
        """
        ...

    async def by_id(self, order_id: str) -> StoredOrder | None:
        """Return the order with this key."""
        ...

    async def by_number(self, number: str) -> StoredOrder | None:
        """Return the order that holds this number, or held it last."""
        ...

    async def by_token(self, response_token: str) -> StoredOrder | None:
        """Return the order that this unguessable token leads to."""
        ...

    async def by_reference(self, reference: str) -> StoredOrder | None:
        """Return the order whose payment the provider knows by this reference."""
        ...

    async def by_payment(self, payment_id: str) -> StoredOrder | None:
        """Return the order of this payment."""
        ...

    async def by_key(self, idempotency_key: str) -> StoredOrder | None:
        """Return the order that was stored under this idempotency key."""
        ...

    async def newest_of_cart(self, cart_key: str) -> StoredOrder | None:
        """Return the newest order of a cart."""
        ...

    async def move(self, payment: Payment, wanted: PaymentState, reason: str) -> bool:
        """Move a payment to a state short of PAID; False if it can't go there any more."""
        ...

    async def opened(self, payment_id: str, check_at: datetime | None) -> None:
        """Say that a payment can be paid, and when to ask after it; one that failed waits again."""
        ...

    async def mark_unreadable(self, payment_id: str) -> bool:
        """Mark a payment that its provider calls paid in figures that cannot be read.

        It waits again if it had failed; operators find it until its state changes. False if it was
        marked before, or is paid.
        """
        ...

    async def record_paid(
        self,
        found: StoredOrder,
        snapshot: Snapshot,
        decide: Callable[[StoredOrder, SeatCheck], Settlement],
        at: datetime,
    ) -> StoredOrder | None:
        """Record that the money arrived: payment, order, seats and notices in one transaction.

        `decide` sees the states as they are under the transaction's lock, whatever they were when
        the order was found. Return it as it is afterwards; None if it was recorded before.
        """
        ...

    async def keep_seats(self, order: Order, seats: int, at: datetime) -> bool:
        """Hold the seats of an unpaid order again if they have lapsed.

        False if others have them; `seats` are those of its slot.
        """
        ...

    async def due_for_check(self, at: datetime, limit: int) -> Sequence[Payment]:
        """Return payments whose truth should be asked for now, each to one caller alone.

        One for which nothing was planned since, as its caller died, comes up again in a minute.
        """
        ...

    async def check_unpaid(self, reference: str, at: datetime) -> Payment | None:
        """Plan to ask after the payment that the provider knows so, and return it.

        None, and nothing is planned, if it is paid or nobody knows it.
        """
        ...

    async def plan_check(
        self, payment_id: str, at: datetime | None, *, even_if_paid: bool = False
    ) -> None:
        """Say when a payment is asked after next; None means never again.

        One that is paid is asked after only where it may have been paid a second time.
        """
        ...

    async def notices(self, order_id: str) -> NoticeStatus:
        """Return how far the order's notices have come."""
        ...


class HoldStore(Protocol):
    """Where seats are kept free for somebody who may still pay for them."""

    async def hold(
        self, wanted: PreReservation, seats: int, at: datetime, *, instead_of: str = ""
    ) -> Hold | None:
        """Hold seats of a slot that has so many, and release the hold `instead_of`.

        None, and nothing is changed, if there are not enough.
        """
        ...

    async def find(self, reservation_id: str) -> Hold | None:
        """Return the hold with this id."""
        ...

    async def release(self, reservation_id: str) -> None:
        """Give the seats of a hold back, unless they are paid for."""
        ...

    async def seats_taken(self, restaurant_id: int, day: date, at: datetime) -> Mapping[time, int]:
        """Return how many seats of each slot of a day are nobody else's to have."""
        ...
