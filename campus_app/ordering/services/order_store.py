"""Interfaces of the stores of orders and seat holds."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Protocol

from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.ordering.rules.bill import Bill
from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.customer import Customer
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.notification import NotificationStatus
from campus_app.ordering.rules.order import Order, OrderLine
from campus_app.ordering.rules.payment import OrderOutcome, Payment, PaymentState, Snapshot
from campus_app.ordering.rules.reservation import PreReservation, SeatHold
from campus_app.shared.rules.campus import Campus


@dataclass(frozen=True)
class OrderDraft:
    """A validated and priced order that is about to be stored."""

    restaurant: Restaurant
    campus: Campus
    customer: Customer
    lines: tuple[OrderLine, ...]
    bill: Bill
    instructions: Instructions
    reservation: PreReservation | None
    fingerprint: str
    """A hash of the request's content; equal for two requests of the same order."""
    idempotency_key: str
    """Unique per order; empty for a request without one."""
    reservation_id: str = ""
    """The id of the customer's seat hold, if there is one."""
    requested_number: int | None = None
    cart_key: str = ""
    cart_generation: int = 0
    """The number of this order within its cart, from 1."""
    replaces: str = ""
    """The id of the unpaid order that this one replaces; empty for none."""
    language: str = "en"
    client: str = ""
    """The key of the client address, whose unpaid seats are limited; empty for no limit."""


@dataclass(frozen=True)
class StoredOrder:
    """An order with its payment and the fingerprint of its request."""

    order: Order
    payment: Payment
    fingerprint: str
    cart_generation: int


SeatCheck = Callable[[int], bool]
"""Whether the order's table is held, or free again, given the number of seats of a slot."""


class OrderStore(Protocol):
    """The stored orders, payments and notifications; each change is one transaction."""

    async def create(self, draft: OrderDraft, at: datetime, provider: str) -> StoredOrder:
        """Store an order with its payment, once per idempotency key.

        Return the existing order if one has the key. The seats of its table are held from now on;
        those of a replaced order are released.

        Raises:
            Conflict: `order_id_taken` if the requested number belongs to another order;
                `already_paid` if the order to replace was paid meanwhile; `slot_unavailable`
                if the seats are taken.
            DishesSoldOut: If dishes are sold out.
        """
        ...

    async def by_id(self, order_id: str) -> StoredOrder | None:
        """Return the order with this id."""
        ...

    async def by_number(self, number: str) -> StoredOrder | None:
        """Return the order that holds this number, or held it last."""
        ...

    async def by_token(self, response_token: str) -> StoredOrder | None:
        """Return the order with this response token."""
        ...

    async def by_tokens(self, response_tokens: Collection[str]) -> Sequence[StoredOrder]:
        """Return the orders with these response tokens, the newest first."""
        ...

    async def by_reference(self, reference: str) -> StoredOrder | None:
        """Return the order whose payment has this reference at the provider."""
        ...

    async def by_payment(self, payment_id: str) -> StoredOrder | None:
        """Return the order with this payment."""
        ...

    async def by_key(self, idempotency_key: str) -> StoredOrder | None:
        """Return the order with this idempotency key."""
        ...

    async def latest_of_cart(self, cart_key: str) -> StoredOrder | None:
        """Return the latest order of a cart."""
        ...

    async def open_ids(self, order_ids: Collection[str]) -> frozenset[str]:
        """Return the ids of those orders that are still unpaid."""
        ...

    async def transition(self, payment: Payment, target: PaymentState, reason: str) -> bool:
        """Change a payment's state, except to PAID; False if that is not allowed any more."""
        ...

    async def mark_opened(self, payment_id: str, check_at: datetime | None) -> None:
        """Record that the payment page is open; schedule a check; FAILED becomes PENDING."""
        ...

    async def mark_unreadable(self, payment_id: str) -> bool:
        """Mark a payment that the provider reports as paid with unreadable amounts.

        A failed payment becomes PENDING; operators can list it until its state changes. False if
        it was marked before, or is paid.
        """
        ...

    async def record_paid(
        self,
        stored: StoredOrder,
        snapshot: Snapshot,
        decide: Callable[[StoredOrder, SeatCheck], OrderOutcome],
        at: datetime,
    ) -> StoredOrder | None:
        """Record a payment as paid: payment, order, seats and notifications in one transaction.

        `decide` is called with the states read under the transaction's row lock, which may differ
        from those of `stored`. Return the order after the change; None if it was already recorded.
        """
        ...

    async def renew_hold(self, order: Order, seats: int, at: datetime) -> None:
        """Hold the seats of an unpaid order again if its hold has expired.

        `seats` is the capacity of the slot.

        Raises:
            Conflict: `slot_unavailable` if the seats are taken, or if the client that held them
                holds too many without having paid.
        """
        ...

    async def claim_due_checks(self, at: datetime, limit: int) -> Sequence[Payment]:
        """Return payments that are due for a check, each to one caller.

        A payment whose caller dies before it schedules the next check is due again in a minute.
        """
        ...

    async def schedule_unpaid_check(self, reference: str, at: datetime) -> Payment | None:
        """Schedule a check of the payment with this reference, and return the payment.

        None, and nothing is scheduled, if it is paid or unknown.
        """
        ...

    async def schedule_check(
        self, payment_id: str, at: datetime | None, *, even_if_paid: bool = False
    ) -> None:
        """Schedule the next check of a payment; None means never again.

        A paid one is checked only where it may have been paid a second time.
        """
        ...

    async def notification_status(self, order_id: str) -> NotificationStatus:
        """Return the progress of the order's notifications."""
        ...


class SeatHoldStore(Protocol):
    """The stored holds on seats."""

    async def hold(
        self,
        table: PreReservation,
        seats: int,
        at: datetime,
        *,
        replaces: Collection[str] = (),
        client: str = "",
    ) -> SeatHold:
        """Hold seats in a slot with this capacity, and release the holds `replaces`.

        An empty `client` is not limited.

        Raises:
            Conflict: `slot_unavailable`, and nothing changes, if too few are free, or if the client
                holds too many without having paid.
        """
        ...

    async def extend(self, reservation_id: str, at: datetime) -> None:
        """Hold unpaid seats for longer, because the contact details are known.

        Nothing changes if the hold has ended.
        """
        ...

    async def find(self, reservation_id: str) -> SeatHold | None:
        """Return the hold with this id."""
        ...

    async def release(self, reservation_id: str) -> None:
        """Release the seats of a hold, unless they are paid for."""
        ...

    async def seats_taken(self, restaurant_id: int, day: date, at: datetime) -> Mapping[time, int]:
        """Return how many seats of each slot of a day are taken."""
        ...


class CookingStore(Protocol):
    """How far kitchens are with orders."""

    async def cooking_of(self, order_ids: Collection[str]) -> Mapping[str, Cooking]:
        """Return the cooking of orders, by their ids; orders without a press are missing."""
        ...

    async def changed_since(self, moment: datetime) -> Mapping[str, Cooking]:
        """Return the cooking of confirmed orders that was changed then or later, by their ids."""
        ...
