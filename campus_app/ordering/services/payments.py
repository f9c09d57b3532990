"""Payments: query the provider, and record once whether an order is paid.

Webhooks, the return page, polling and the reconciler only trigger `reconcile`. Each query has a
requester, whose priority decides when the provider is called (kit/quota.py).

Source: specification M10.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from campus_app.ordering.rules.errors import PaymentError, ProviderBusy, ProviderUnavailable
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.payment import (
    AmountMatch,
    OrderOutcome,
    Payment,
    PaymentState,
    Snapshot,
    can_transition,
    decide_order_outcome,
    match_amounts,
    next_check,
    reported_state,
    with_recorded_amount,
)
from campus_app.ordering.rules.payment_provider import PaymentProvider
from campus_app.ordering.rules.stored_order import SeatCheck, StoredOrder
from campus_app.ordering.services.order_log import log_order
from campus_app.ordering.services.order_lookup import find_by_number
from campus_app.ordering.services.ordering import Ordering
from campus_app.ordering.services.query_limits import QueryLimits
from campus_app.ordering.services.refunds import Refunds
from campus_app.ordering.services.shared_queries import SharedQueries
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import OrderMessage
from kit.clock import Clock
from kit.quota import ANYONE, RECONCILER, Priority, Requester

logger = logging.getLogger(__name__)
_log = partial(log_order, logger)

_CHECK_BATCH_SIZE = 20
_RETRY_DELAY = timedelta(seconds=15)


@dataclass(frozen=True)
class Payments:
    """Changes the states of payments, as the provider reports them."""

    orders: SqlOrders
    provider: PaymentProvider
    ordering: Ordering
    clock: Clock
    refunds: Refunds
    limits: QueryLimits
    notify_kitchens: Callable[[], Awaitable[None]]
    _queries: SharedQueries[StoredOrder] = field(
        default_factory=SharedQueries[StoredOrder], repr=False
    )

    async def reconcile(self, payment: Payment, requester: Requester = RECONCILER) -> StoredOrder:
        """Query the provider about a payment, change its state, and return its current order.

        Concurrent requesters share a query (shared_queries.py).

        Raises:
            NotFound: If there is no such order any more.
            PaymentError: If the provider does not answer.
        """
        return await self._queries.run(payment.id, requester, lambda: self._reconcile(payment))

    async def _reconcile(self, payment: Payment) -> StoredOrder:
        current = await self._load(payment)
        if current.payment.state is PaymentState.PAID:
            return current
        queried_at = self.clock.now()
        recorded = await self._apply_snapshot(current, await self._query_provider(current))
        self.limits.record_answer(payment.id, queried_at)
        return recorded or await self._load(payment)

    async def _load(self, payment: Payment) -> StoredOrder:
        stored = await self.orders.by_id(payment.order_id)
        if stored is None:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        return stored

    async def refresh_by_number(
        self, number: str, requester: Requester = ANYONE
    ) -> StoredOrder | None:
        """Refresh the order with this number, if there is one."""
        stored = await find_by_number(self.orders, number)
        return stored and await self.refresh(stored, requester)

    async def refresh_for_visitor(
        self, stored: StoredOrder | None, number: str, address: str
    ) -> None:
        """Query the provider for the visitor at an IP address, if that is allowed now.

        A visitor who has the order's secret token (then `stored` is given) takes precedence over
        visitors who only name its number.
        """
        if stored is not None:
            await self.refresh(stored, Requester.at(Priority.KNOWN, address))
        else:
            await self.refresh_by_number(number, Requester.at(Priority.ANONYMOUS, address))

    async def refresh(self, stored: StoredOrder, requester: Requester) -> StoredOrder:
        """Return an order after a provider query, if the requester may cause one now.

        Otherwise, or if the provider cannot be queried soon, return it unchanged: webhooks and the
        reconciler update it anyway.
        """
        payment = stored.payment
        if payment.state is PaymentState.PAID:
            return stored
        if not self._queries.is_waiting(payment.id) and not self.limits.allows(
            payment.id, requester
        ):
            return stored
        try:
            return await self.reconcile(payment, requester)
        except PaymentError as error:
            # The scheduled check stays: frequent requesters must not postpone it for ever.
            if not isinstance(error, ProviderBusy):  # any visitor can cause it: only counted
                _warn(payment, error)
        except NotFound:
            logger.info("payments: order %s does not exist", payment.order_id)
        return stored

    async def reconcile_due(self) -> int:
        """Reconcile the payments that are due for a check; return how many there were."""
        due = await self.orders.claim_due_checks(self.clock.now(), _CHECK_BATCH_SIZE)
        await asyncio.gather(*(self.check(payment) for payment in due))
        return len(due)

    async def check(self, payment: Payment, requester: Requester = RECONCILER) -> None:
        """Reconcile a payment, or look for a second one if it is paid; errors schedule a retry."""
        if payment.state is PaymentState.PAID:
            await self._check_second_payment(payment)
            return
        try:
            await self.reconcile(payment, requester)
        except PaymentError as error:
            await self.orders.schedule_check(payment.id, self._retry_time(payment, error))
        except NotFound:
            logger.info("payments: order %s does not exist", payment.order_id)

    async def _check_second_payment(self, payment: Payment) -> None:
        """Find out whether a paid order was paid a second time. Source: specification M11."""
        stored = await self.orders.by_id(payment.order_id)
        if stored is None:
            return
        now = self.clock.now()
        check_at = next_check(payment, now)
        try:
            snapshot = await self._query_provider(stored)
        except PaymentError as error:
            check_at = self._retry_time(payment, error)
        else:
            if (snapshot.surplus or snapshot.has_unread_surplus) and (
                await self.refunds.store.mark_surplus(
                    payment.id, snapshot.surplus, now, has_unread=snapshot.has_unread_surplus
                )
            ):
                _log(logging.ERROR, "payments: order %s was paid a second time", stored.order.id)
        await self.orders.schedule_check(payment.id, check_at, even_if_paid=True)

    def _retry_time(self, payment: Payment, error: PaymentError) -> datetime:
        _warn(payment, error)
        wait = error.retry_after_seconds if isinstance(error, ProviderUnavailable) else 0.0
        return self.clock.now() + max(_RETRY_DELAY, timedelta(seconds=wait))

    async def _query_provider(self, stored: StoredOrder) -> Snapshot:
        if stored.payment.provider != self.provider.name:
            message = "payments: order %s was opened at another provider"
            _log(logging.ERROR, message, stored.order.id)
            return Snapshot(None)
        if stored.order.state is OrderState.REPLACED:
            return await self.provider.cancel(stored.payment.reference)
        return await self.provider.fetch(stored.payment.reference)

    async def _apply_snapshot(self, stored: StoredOrder, snapshot: Snapshot) -> StoredOrder | None:
        """Apply the provider's answer to an order; return the order if it became paid now."""
        payment, now = stored.payment, self.clock.now()
        state = reported_state(payment, snapshot, now)
        if state is PaymentState.PAID:
            if match_amounts(payment, snapshot) is not AmountMatch.UNREADABLE:
                return await self._record_paid(stored, snapshot, now)
            await self._mark_unreadable(stored)
        elif state is not None and can_transition(payment.state, state):
            await self._transition(stored, state, snapshot.reason)
        await self.orders.schedule_check(payment.id, next_check(payment, now))
        return None

    async def _record_paid(
        self, stored: StoredOrder, snapshot: Snapshot, now: datetime
    ) -> StoredOrder | None:
        recorded = await self.orders.record_paid(
            stored,
            with_recorded_amount(stored.payment, snapshot),
            lambda current, has_seats: self._decide_order_outcome(current, snapshot, has_seats),
            now,
        )
        if recorded:
            _log_paid(recorded.order)
            await self.notify_kitchens()
        return recorded

    async def _mark_unreadable(self, stored: StoredOrder) -> None:
        """Log once that the provider reports a payment as paid with unreadable amounts."""
        if await self.orders.mark_unreadable(stored.payment.id):
            message = "payments: order %s is reported as paid, with unreadable amounts"
            _log(logging.ERROR, message, stored.order.id)

    async def _transition(self, stored: StoredOrder, state: PaymentState, reason: str) -> None:
        if not await self.orders.transition(stored.payment, state, reason):
            return  # another process changed the state first
        _log(logging.INFO, "payments: order %s is %s", stored.order.id, state)
        if state is PaymentState.EXPIRED:
            try:
                await self.provider.cancel(stored.payment.reference)
            except PaymentError as error:  # a late payment is refunded
                _warn(stored.payment, error)

    def _decide_order_outcome(
        self, stored: StoredOrder, snapshot: Snapshot, has_seats: SeatCheck
    ) -> OrderOutcome:
        return decide_order_outcome(
            stored.payment,
            stored.order.state,
            snapshot,
            is_forced_closed=self.ordering.statuses.is_forced_closed(stored.order.restaurant_id),
            has_seats=has_seats(self.ordering.seats_in_slot(stored.order)),
        )


def _log_paid(order: Order) -> None:
    if order.state is OrderState.REFUND_DUE:
        message = "payments: order %s is paid and will be refunded: %s"
        _log(logging.WARNING, message, order.id, order.refund_reason)
    else:
        _log(logging.INFO, "payments: order %s is paid", order.id)


def _warn(payment: Payment, error: PaymentError) -> None:
    _log(logging.WARNING, "payments: order %s: %s", payment.order_id, type(error).__name__)
