"""Payments: open the payment page, and find out whether the order is paid.

Webhook, return page, polling and reconciler only trigger `reconcile`, which queries the provider
and changes the state once. Each query has a caller, whose priority decides when the provider is
called (kit/quota.py).

Source: specification M10.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from campus_app.domain.errors import (
    Conflict,
    NotFound,
    PaymentError,
    ProviderBusy,
    ProviderUnavailable,
    StaleWebhook,
)
from campus_app.domain.messages import OrderMessage, PaymentMessage
from campus_app.domain.money import Rupees
from campus_app.domain.notification import NotificationStatus
from campus_app.domain.order import Order, OrderState, is_response_token
from campus_app.domain.order_number import parse_order_number
from campus_app.domain.payment import (
    AmountMatch,
    OrderOutcome,
    Payment,
    PaymentState,
    PublicStatus,
    Snapshot,
    can_transition,
    decide_order_outcome,
    match_amounts,
    next_check,
    public_status,
    reported_state,
    with_recorded_amount,
)
from campus_app.ports.orders import OrderStore, SeatCheck, StoredOrder
from campus_app.ports.payments import (
    Checkout,
    CheckoutRequest,
    CheckoutSession,
    CheckoutSessionStore,
    PaymentProvider,
    WebhookEvent,
)
from campus_app.services.log_fields import order_extra
from campus_app.services.ordering import Ordering
from campus_app.services.query_limits import QueryLimits
from campus_app.services.refunds import Refunds
from kit.clock import Clock
from kit.quota import (
    ANYONE,
    RECONCILER,
    WEBHOOK,
    CallContext,
    Caller,
    Priority,
    calls_for,
)

logger = logging.getLogger(__name__)

_CHECK_BATCH_SIZE = 20
_RETRY_DELAY = timedelta(seconds=15)
_SESSION_REUSE_PERIOD = timedelta(seconds=30)


@dataclass(frozen=True)
class PaymentProgress:
    """The state of an order's payment without personal data, for anyone.

    Source: specification C3.9.
    """

    status: PublicStatus
    is_processed: bool
    notifications: NotificationStatus
    is_refund_due: bool = False
    """Whether a payment arrived that does not pay for the order and is refunded."""


UNKNOWN = PaymentProgress(
    PublicStatus.NOT_FOUND, is_processed=False, notifications=NotificationStatus()
)


@dataclass(frozen=True)
class MatchedEvent:
    """A webhook event and the payment that it is about."""

    payment: Payment
    event: WebhookEvent


@dataclass(frozen=True)
class _Query:
    """A provider query that is not sent yet, with the context of its callers."""

    context: CallContext
    answer: asyncio.Task[StoredOrder]


def _names_other_attempt(payment: Payment, event: WebhookEvent) -> bool:
    """Whether an event names another attempt than the one that paid the order."""
    known = payment.provider_payment_id
    return bool(known and event.provider_payment_id) and event.provider_payment_id != known


@dataclass(frozen=True)
class Payments:
    """Opens payments and learns their state from the provider alone."""

    orders: OrderStore
    provider: PaymentProvider
    ordering: Ordering
    clock: Clock
    origin: str
    refunds: Refunds
    checkout_sessions: CheckoutSessionStore
    limits: QueryLimits
    _pending_queries: dict[str, _Query] = field(default_factory=dict[str, _Query], repr=False)
    _running_contexts: dict[str, CallContext] = field(
        default_factory=dict[str, CallContext], repr=False
    )
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[str, asyncio.Lock], repr=False
    )

    async def open_checkout(self, stored: StoredOrder, caller: Caller = ANYONE) -> Checkout:
        """Return the URL at which an unpaid order is paid; repeated calls open the same payment.

        If the provider's quota is short, callers with different clients are served in turn.

        Raises:
            Conflict: `already_paid`, `order_lapsed`, `restaurant_closed` or
                `slot_unavailable`.
            PaymentError: If the provider cannot take the payment. ProviderUnavailable has the
                time after which to retry.
        """
        payment = stored.payment
        if stored.order.state is OrderState.REFUND_DUE:
            raise Conflict("order_lapsed", OrderMessage.REFUND_DUE)
        if payment.state is PaymentState.PAID:
            raise Conflict("already_paid", OrderMessage.ALREADY_PAID)
        now = self.clock.now()
        is_elsewhere = payment.provider != self.provider.name
        if (
            stored.order.state is not OrderState.PENDING
            or now >= payment.expires_at
            or is_elsewhere
        ):
            raise Conflict("order_lapsed", PaymentMessage.LAPSED)
        self.ordering.require_open_id(stored.order.restaurant_id)
        await self._require_seats(stored.order)
        with calls_for(caller):
            checkout = await self._checkout(stored, now)
        await self.orders.mark_opened(payment.id, next_check(payment, now))
        return checkout

    async def _checkout(self, stored: StoredOrder, now: datetime) -> Checkout:
        payment = stored.payment
        # A second click or tab opens the same page without another call to the provider.
        if token := await self.checkout_sessions.token_since(
            payment.id, now - _SESSION_REUSE_PERIOD
        ):
            return self._own_page(token)
        opened = await self.provider.create(
            CheckoutRequest(
                reference=payment.reference,
                order_number=stored.order.number,
                amount=payment.amount,
                customer_phone=stored.order.customer.phone,
                return_url=self.return_url(stored),
                expires_at=payment.expires_at,
                webhook_url=f"{self.origin}/payment/{self.provider.name}/webhook",
            )
        )
        if isinstance(opened, Checkout):
            return opened
        return self._own_page(await self.checkout_sessions.save(payment.id, opened, now))

    def _own_page(self, token: str) -> Checkout:
        return Checkout(f"{self.origin}/pay/{token}")

    def return_url(self, stored: StoredOrder) -> str:
        """Return the URL to which the browser returns after paying an order."""
        return f"{self.origin}{stored.order.response_path}"

    async def find_checkout_session(self, token: str) -> tuple[StoredOrder, CheckoutSession] | None:
        """Return the order and the checkout session of a token, without querying the provider."""
        opened = await self.checkout_sessions.by_token(token)
        stored = await self.orders.by_payment(opened.payment_id) if opened else None
        return (stored, opened.session) if opened and stored else None

    async def payment_form(self, number: str, amount: Rupees, caller: Caller = ANYONE) -> Checkout:
        """Return the URL at which an order is paid, if the amount is its online amount.

        An order of a browser's cart can be paid from its waiting room only: its number can be
        guessed, and the return from the payment page leads to the order's own link.

        Raises:
            NotFound: If there is no such order, or it belongs to a cart.
            Conflict: `amount_mismatch`, or as `open_checkout`.
        """
        stored = await self.order_by_number(number)
        if stored is None or stored.cart_generation:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        if amount != stored.payment.amount:
            raise Conflict("amount_mismatch", OrderMessage.AMOUNT)
        return await self.open_checkout(stored, caller)

    async def reconcile(self, payment: Payment, caller: Caller = RECONCILER) -> StoredOrder:
        """Query the provider about a payment, change its state, and return its current order.

        Callers that arrive before the query is sent share its answer. Later ones may know of a
        newer event, so one more query is sent for all of them. A query has the highest priority of
        its waiting callers, and so has the running query that it waits for.

        Raises:
            NotFound: If there is no such order any more.
            PaymentError: If the provider does not answer.
        """
        key = payment.id
        query = self._pending_queries.get(key)
        if query is None:
            context = CallContext(caller)
            answer = asyncio.create_task(self._reconcile_serially(payment, context))
            query = self._pending_queries[key] = _Query(context, answer)
            answer.add_done_callback(lambda done: self._discard_query(key, done))
        query.context.raise_to(caller.priority)
        if running := self._running_contexts.get(key):
            running.raise_to(caller.priority)
        return await asyncio.shield(query.answer)

    async def _reconcile_serially(self, payment: Payment, context: CallContext) -> StoredOrder:
        lock = self._locks.setdefault(payment.id, asyncio.Lock())
        async with lock:
            self._pending_queries.pop(payment.id, None)
            current = await self._load(payment)
            if current.payment.state is PaymentState.PAID:
                return current
            self._running_contexts[payment.id] = context
            try:
                with calls_for(context):
                    queried_at = self.clock.now()
                    snapshot = await self._query_provider(current)
                    recorded = await self._apply_snapshot(current, snapshot)
            finally:
                del self._running_contexts[payment.id]
            self.limits.record_answer(payment.id, queried_at)
            return recorded or await self._load(payment)

    async def _load(self, payment: Payment) -> StoredOrder:
        stored = await self.orders.by_id(payment.order_id)
        if stored is None:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        return stored

    def _discard_query(self, key: str, answer: asyncio.Task[StoredOrder]) -> None:
        query = self._pending_queries.get(key)
        if query is not None and query.answer is answer:  # cancelled before it started
            del self._pending_queries[key]

    async def refresh_by_number(self, number: str, caller: Caller = ANYONE) -> StoredOrder | None:
        """Refresh the order with this number, if there is one."""
        stored = await self.order_by_number(number)
        return stored and await self.refresh(stored, caller)

    async def refresh_for_visitor(
        self, stored: StoredOrder | None, number: str, address: str
    ) -> None:
        """Query the provider for the visitor at an IP address, if that is allowed now.

        A visitor who has the order's secret token (then `stored` is given) takes precedence over
        visitors who only name its number.
        """
        if stored is not None:
            await self.refresh(stored, Caller.at(Priority.KNOWN, address))
        else:
            await self.refresh_by_number(number, Caller.at(Priority.ANONYMOUS, address))

    async def refresh(self, stored: StoredOrder, caller: Caller) -> StoredOrder:
        """Return an order after a provider query, if the caller may cause one now.

        Otherwise, or if the provider cannot be queried soon, return it unchanged: webhooks and the
        reconciler update it anyway.
        """
        payment = stored.payment
        if payment.state is PaymentState.PAID:
            return stored
        if payment.id not in self._pending_queries and not self.limits.allows(payment.id, caller):
            return stored
        try:
            return await self.reconcile(payment, caller)
        except PaymentError as error:
            # The scheduled check stays: frequent callers must not postpone it for ever.
            if not isinstance(error, ProviderBusy):  # any visitor can cause it: only counted
                _warn(payment, error)
        except NotFound:
            logger.info("payments: order %s does not exist", payment.order_id)
        return stored

    async def receive_webhook(
        self, headers: Mapping[str, str], body: bytes
    ) -> Sequence[MatchedEvent]:
        """Verify a webhook, schedule checks of its payments durably, and return its events.

        Raises:
            BadSignature: If the provider did not sign exactly these bytes.
        """
        try:
            events = self.provider.parse_webhook(headers, body, self.clock.now())
        except StaleWebhook:
            logger.warning("payments: stale webhook ignored")
            return []
        matched: list[MatchedEvent] = []
        for event in events:
            payment = await self._schedule_check_for(event)
            if payment is None:
                logger.warning("payments: webhook for an unknown payment")
            else:
                matched.append(MatchedEvent(payment, event))
        return matched

    async def _schedule_check_for(self, event: WebhookEvent) -> Payment | None:
        """Schedule a check of the event's payment if the event may be news; return the payment."""
        now = self.clock.now()
        if not event.is_refund:
            unpaid = await self.orders.schedule_unpaid_check(event.reference, now)
            if unpaid is not None:
                return unpaid
        stored = await self.orders.by_reference(event.reference)
        if stored is None:
            return None
        if not event.is_refund and _names_other_attempt(stored.payment, event):
            await self.orders.schedule_check(stored.payment.id, now, even_if_paid=True)
        return stored.payment

    async def process_webhook(self, matched: Sequence[MatchedEvent]) -> None:
        """Reconcile every payment and refund that the webhook names, ahead of other callers."""
        with calls_for(WEBHOOK):
            for each in matched:
                if each.event.is_refund:
                    await self.refunds.follow(each.event.reference)
                elif each.payment.state is not PaymentState.PAID:
                    await self._reconcile_quietly(each.payment, WEBHOOK)
                elif _names_other_attempt(each.payment, each.event):
                    await self._check_second_payment(each.payment)

    async def reconcile_due(self) -> int:
        """Reconcile the payments that are due for a check; return how many there were."""
        due = await self.orders.claim_due_checks(self.clock.now(), _CHECK_BATCH_SIZE)
        await asyncio.gather(*(self._check(payment) for payment in due))
        return len(due)

    async def _check(self, payment: Payment) -> None:
        if payment.state is PaymentState.PAID:
            await self._check_second_payment(payment)
        else:
            await self._reconcile_quietly(payment, RECONCILER)

    async def progress(self, number: str) -> PaymentProgress:
        """Return the payment progress of the order with this number, from the database."""
        stored = await self.order_by_number(number)
        return UNKNOWN if stored is None else await self.progress_of(stored)

    async def progress_of(self, stored: StoredOrder) -> PaymentProgress:
        """Return an order's payment progress, from the database."""
        is_paid = stored.payment.state is PaymentState.PAID
        is_refund_due = is_paid and stored.order.state is OrderState.REFUND_DUE
        notifications = (
            await self.orders.notification_status(stored.order.id)
            if is_paid
            else NotificationStatus()
        )
        return PaymentProgress(
            public_status(stored.payment.state, stored.order.state),
            is_processed=is_paid and not is_refund_due,
            notifications=notifications,
            is_refund_due=is_refund_due,
        )

    async def order_by_token(self, token: str) -> StoredOrder | None:
        """Return the order with a secret token; None if the token is malformed or unknown."""
        return await self.orders.by_token(token) if is_response_token(token) else None

    async def order_by_id(self, order_id: str) -> StoredOrder | None:
        """Return an order by its key; None if the key is empty or unknown."""
        return await self.orders.by_id(order_id) if order_id else None

    async def order_by_number(self, number: str) -> StoredOrder | None:
        """Return the newest order with a number; None if the number is malformed or unknown."""
        if parse_order_number(number) is None:
            return None
        return await self.orders.by_number(number)

    async def _reconcile_quietly(self, payment: Payment, caller: Caller) -> None:
        """Reconcile a payment; if the provider does not answer, schedule a retry."""
        try:
            await self.reconcile(payment, caller)
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
                logger.error(
                    "payments: order %s was paid a second time",
                    stored.order.id,
                    extra=order_extra(stored.order.id),
                )
        await self.orders.schedule_check(payment.id, check_at, even_if_paid=True)

    def _retry_time(self, payment: Payment, error: PaymentError) -> datetime:
        _warn(payment, error)
        wait = error.retry_after_seconds if isinstance(error, ProviderUnavailable) else 0.0
        return self.clock.now() + max(_RETRY_DELAY, timedelta(seconds=wait))

    async def _query_provider(self, stored: StoredOrder) -> Snapshot:
        if stored.payment.provider != self.provider.name:
            logger.error(
                "payments: order %s was opened at another provider",
                stored.order.id,
                extra=order_extra(stored.order.id),
            )
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
        return recorded

    async def _mark_unreadable(self, stored: StoredOrder) -> None:
        """Log once that the provider reports a payment as paid with unreadable amounts."""
        if await self.orders.mark_unreadable(stored.payment.id):
            order_id = stored.order.id
            words = "payments: order %s is reported as paid, with unreadable amounts"
            logger.error(words, order_id, extra=order_extra(order_id))

    async def _transition(self, stored: StoredOrder, state: PaymentState, reason: str) -> None:
        if not await self.orders.transition(stored.payment, state, reason):
            return  # another process changed the state first
        logger.info(
            "payments: order %s is %s", stored.order.id, state, extra=order_extra(stored.order.id)
        )
        if state is PaymentState.EXPIRED:
            await self._close(stored)

    async def _close(self, stored: StoredOrder) -> None:
        """Close the payment of an expired order; if that fails, a late payment is refunded."""
        try:
            await self.provider.cancel(stored.payment.reference)
        except PaymentError as error:
            _warn(stored.payment, error)

    async def _require_seats(self, order: Order) -> None:
        """Require that an order's table is still available and its slot has not started."""
        if order.reservation is None:
            return
        now = self.clock.now()
        if now >= order.reservation.begins_at or not await self.orders.renew_hold(
            order, self._seats_per_slot(order), now
        ):
            raise Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)

    def _seats_per_slot(self, order: Order) -> int:
        restaurant = self.ordering.catalogue.restaurant(order.restaurant_id)
        return restaurant.seats_per_slot if restaurant else 0

    def _decide_order_outcome(
        self, stored: StoredOrder, snapshot: Snapshot, has_seats: SeatCheck
    ) -> OrderOutcome:
        return decide_order_outcome(
            stored.payment,
            stored.order.state,
            snapshot,
            is_forced_closed=self.ordering.board.is_forced_closed(stored.order.restaurant_id),
            has_seats=has_seats(self._seats_per_slot(stored.order)),
        )


def _log_paid(order: Order) -> None:
    if order.state is OrderState.REFUND_DUE:
        words = "payments: order %s is paid and will be refunded: %s"
        logger.warning(words, order.id, order.refund_reason, extra=order_extra(order.id))
    else:
        logger.info("payments: order %s is paid", order.id, extra=order_extra(order.id))


def _warn(payment: Payment, error: PaymentError) -> None:
    kind, order_id = type(error).__name__, payment.order_id
    logger.warning("payments: order %s: %s", order_id, kind, extra=order_extra(order_id))
