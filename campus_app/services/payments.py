"""Getting paid: open the payment page, and find out what became of it.

Webhook, return, poll and reconciler only nudge; `reconcile` asks the provider and moves the
state once. Source: DECISIONS M10.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from weakref import WeakValueDictionary

from campus_app.domain.errors import Conflict, NotFound, PaymentError, StaleNotice
from campus_app.domain.messages import OrderMessage, PaymentMessage
from campus_app.domain.money import Rupees
from campus_app.domain.notification import MissedCallStatus, NoticeStatus
from campus_app.domain.order import Order, OrderState
from campus_app.domain.order_number import order_number_value
from campus_app.domain.payment import (
    PUBLIC_STATUS,
    PaymentState,
    PublicStatus,
    Settlement,
    Snapshot,
    can_move,
    next_check,
    settle,
    state_said,
)
from campus_app.ports import (
    Checkout,
    CheckoutRequest,
    Clock,
    OrderStore,
    PaymentProvider,
    SeatCheck,
    StoredOrder,
)
from campus_app.services.ordering import Ordering

logger = logging.getLogger(__name__)

_CHECKS_AT_ONCE = 20
_RETRY_AFTER_TROUBLE = timedelta(seconds=15)
NO_NOTICES = NoticeStatus(0, (), MissedCallStatus.PENDING)


@dataclass(frozen=True)
class PaymentProgress:
    """How an order's payment stands, for anyone: no personal data. Source: CONTRACT HTTP."""

    status: PublicStatus
    is_processed: bool
    notices: NoticeStatus
    reason: str = ""


UNKNOWN = PaymentProgress(PublicStatus.NOT_FOUND, is_processed=False, notices=NO_NOTICES)


@dataclass(frozen=True)
class Payments:
    """Opens payments and learns their truth from the provider alone."""

    orders: OrderStore
    provider: PaymentProvider
    ordering: Ordering
    clock: Clock
    origin: str
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[str, asyncio.Lock], repr=False
    )

    async def open_checkout(self, stored: StoredOrder) -> Checkout:
        """Return where an unpaid order is paid; the same order again is the same payment.

        Raises:
            Conflict: `already_paid`, `order_lapsed`, `restaurant_closed` or `slot_unavailable`.
            PaymentError: If the provider can't take the payment.
        """
        payment = stored.payment
        if payment.state is PaymentState.PAID:
            raise Conflict("already_paid", OrderMessage.ALREADY_PAID)
        now = self.clock.now()
        if stored.order.state is not OrderState.PENDING or now >= payment.expires_at:
            raise Conflict("order_lapsed", PaymentMessage.LAPSED)
        self.ordering.require_open_id(stored.order.restaurant_id)
        await self._require_seats(stored.order)
        checkout = await self.provider.create(
            CheckoutRequest(
                reference=payment.reference,
                order_number=stored.order.number,
                amount=payment.amount,
                customer=stored.order.customer,
                return_url=f"{self.origin}/forms/response/{stored.order.response_token}",
                expires_at=payment.expires_at,
            )
        )
        await self.orders.move(payment, PaymentState.PENDING, "")
        await self.orders.plan_check(payment.id, next_check(payment, now))
        return checkout

    async def payment_form(self, number: str, amount: Rupees) -> Checkout:
        """Return where an order is paid, if the amount is the one to pay online.

        Raises:
            NotFound: If there is no such order.
            Conflict: `amount_mismatch`, or as `open_checkout`.
        """
        stored = await self._by_number(number)
        if stored is None:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        if amount != stored.payment.amount:
            raise Conflict("amount_mismatch", OrderMessage.AMOUNT)
        return await self.open_checkout(stored)

    async def reconcile(self, stored: StoredOrder) -> StoredOrder:
        """Ask the provider how a payment stands, move it there, and return the order as it is now.

        Raises:
            PaymentError: If the provider does not answer.
        """
        lock = self._locks.setdefault(stored.payment.id, asyncio.Lock())
        async with lock:
            current = await self.orders.by_id(stored.order.id) or stored
            if current.payment.state is PaymentState.PAID:
                return current
            snapshot = await self._ask(current)
            await self._follow(current, snapshot)
            return await self.orders.by_id(stored.order.id) or current

    async def nudge(self, number: str) -> StoredOrder | None:
        """Reconcile the order with this number, if there is one; trouble is logged, not raised."""
        stored = await self._by_number(number)
        return None if stored is None else await self._reconcile_quietly(stored)

    async def take_notice(self, headers: Mapping[str, str], body: bytes) -> None:
        """Act on a provider's webhook: verify it, then ask the provider.

        Raises:
            BadSignature: If the provider did not sign exactly these bytes.
        """
        try:
            nudges = self.provider.parse_webhook(headers, body, self.clock.now())
        except StaleNotice:
            logger.warning("payments: an old notice was left aside")
            return
        for nudge in nudges:
            stored = await self.orders.by_reference(nudge.reference)
            if stored is None:
                logger.warning("payments: a signed notice about an unknown payment")
            else:
                await self._reconcile_quietly(stored)

    async def check_due(self) -> int:
        """Reconcile payments that nobody has told us about; return how many were asked after."""
        due = await self.orders.due_for_check(self.clock.now(), _CHECKS_AT_ONCE)
        for payment in due:
            stored = await self.orders.by_id(payment.order_id)
            if stored is not None:
                await self._reconcile_quietly(stored)
        return len(due)

    async def progress(self, number: str) -> PaymentProgress:
        """Return how the payment of the order with this number stands, from our own books."""
        stored = await self._by_number(number)
        return UNKNOWN if stored is None else await self.progress_of(stored)

    async def progress_of(self, stored: StoredOrder) -> PaymentProgress:
        """Return how an order's payment stands, from our own books."""
        is_paid = stored.payment.state is PaymentState.PAID
        notices = await self.orders.notices(stored.order.id) if is_paid else NO_NOTICES
        return PaymentProgress(
            PUBLIC_STATUS[stored.payment.state],
            is_processed=is_paid,
            notices=notices,
            reason=stored.payment.reason,
        )

    async def _by_number(self, number: str) -> StoredOrder | None:
        if order_number_value(number) is None:
            return None
        return await self.orders.by_number(number)

    async def _reconcile_quietly(self, stored: StoredOrder) -> StoredOrder:
        try:
            return await self.reconcile(stored)
        except PaymentError as error:
            logger.warning("payments: order %s: %s", stored.order.id, type(error).__name__)
            later = self.clock.now() + _RETRY_AFTER_TROUBLE
            await self.orders.plan_check(stored.payment.id, later)
            return stored

    async def _ask(self, stored: StoredOrder) -> Snapshot:
        if stored.order.state is OrderState.REPLACED:
            return await self.provider.cancel(stored.payment.reference)
        return await self.provider.fetch(stored.payment.reference)

    async def _follow(self, stored: StoredOrder, snapshot: Snapshot) -> None:
        payment, now = stored.payment, self.clock.now()
        said = state_said(payment, snapshot, now)
        if said is PaymentState.PAID:
            await self.orders.record_paid(
                payment.id,
                snapshot,
                lambda current, has_seats: self._settle(current, snapshot, has_seats),
                now,
            )
            return
        if said is not None and can_move(payment.state, said):
            await self.orders.move(payment, said, snapshot.reason)
        await self.orders.plan_check(payment.id, next_check(payment, now))

    async def _require_seats(self, order: Order) -> None:
        """Refuse to take money for a table that was given away, or whose time has come."""
        if order.reservation is None:
            return
        now = self.clock.now()
        if now >= order.reservation.begins_at or not await self.orders.keep_seats(
            order, self._seats_per_slot(order), now
        ):
            raise Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)

    def _seats_per_slot(self, order: Order) -> int:
        restaurant = self.ordering.catalogue.restaurant(order.restaurant_id)
        return restaurant.seats_per_slot if restaurant else 0

    def _settle(self, stored: StoredOrder, snapshot: Snapshot, has_seats: SeatCheck) -> Settlement:
        return settle(
            stored.payment,
            stored.order.state,
            snapshot,
            is_forced_closed=self.ordering.board.is_forced_closed(stored.order.restaurant_id),
            has_seats=has_seats(self._seats_per_slot(stored.order)),
        )
