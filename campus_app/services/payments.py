"""Getting paid: open the payment page, and find out what became of it.

Webhook, return, poll and reconciler only nudge; `reconcile` asks the provider and moves the
state once. Each query has a caller, whose priority decides when the provider is called
(kit/quota.py). Source: specification M10.
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
    StaleNotice,
)
from campus_app.domain.messages import OrderMessage, PaymentMessage
from campus_app.domain.money import Rupees
from campus_app.domain.notification import NoticeStatus
from campus_app.domain.order import Order, OrderState
from campus_app.domain.order_number import order_number_value
from campus_app.domain.payment import (
    Agreement,
    Payment,
    PaymentState,
    PublicStatus,
    Settlement,
    Snapshot,
    agreement,
    can_move,
    next_check,
    public_status,
    settle,
    state_said,
    to_record,
)
from campus_app.ports.orders import OrderStore, SeatCheck, StoredOrder
from campus_app.ports.payments import (
    Checkout,
    CheckoutRequest,
    Handover,
    HandoverStore,
    Nudge,
    PaymentProvider,
)
from campus_app.services.logged import about
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
    calls_for,
)

logger = logging.getLogger(__name__)

_CHECKS_AT_ONCE = 20
_RETRY_AFTER_TROUBLE = timedelta(seconds=15)
_HANDOVER_IS_FRESH = timedelta(seconds=30)


@dataclass(frozen=True)
class PaymentProgress:
    """How an order's payment stands, for anyone: no personal data. Source: specification C3.9."""

    status: PublicStatus
    is_processed: bool
    notices: NoticeStatus
    is_refund_due: bool = False
    """Whether money arrived that does not pay for the order: it goes back."""


UNKNOWN = PaymentProgress(PublicStatus.NOT_FOUND, is_processed=False, notices=NoticeStatus())


@dataclass(frozen=True)
class Told:
    """What a notice of the provider is about."""

    payment: Payment
    nudge: Nudge


@dataclass(frozen=True)
class _Query:
    """A query of the provider that is not sent yet, and on whose behalf it is made."""

    context: CallContext
    answer: asyncio.Task[StoredOrder]


def _says_more(payment: Payment, nudge: Nudge) -> bool:
    """Whether a notice names another attempt than the one that paid the order."""
    known = payment.provider_payment_id
    return bool(known and nudge.provider_payment_id) and nudge.provider_payment_id != known


@dataclass(frozen=True)
class Payments:
    """Opens payments and learns their truth from the provider alone."""

    orders: OrderStore
    provider: PaymentProvider
    ordering: Ordering
    clock: Clock
    origin: str
    refunds: Refunds
    handovers: HandoverStore
    limits: QueryLimits
    _waiting: dict[str, _Query] = field(default_factory=dict[str, _Query], repr=False)
    _asking: dict[str, CallContext] = field(default_factory=dict[str, CallContext], repr=False)
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[str, asyncio.Lock], repr=False
    )

    async def open_checkout(self, stored: StoredOrder, caller: Caller = ANYONE) -> Checkout:
        """Return where an unpaid order is paid; the same order again is the same payment.

        Callers with different clients take turns where the provider's quota is short.

        Raises:
            Conflict: `already_paid`, `order_lapsed`, `restaurant_closed` or `slot_unavailable`.
            PaymentError: If the provider can't take the payment. A ProviderUnavailable says when to
                come back.
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
        await self.orders.opened(payment.id, next_check(payment, now))
        return checkout

    async def _checkout(self, stored: StoredOrder, now: datetime) -> Checkout:
        payment = stored.payment
        # A second click or a second tab finds the same page, and costs the provider nothing.
        if token := await self.handovers.token_since(payment.id, now - _HANDOVER_IS_FRESH):
            return self._own_page(token)
        opened = await self.provider.create(
            CheckoutRequest(
                reference=payment.reference,
                order_number=stored.order.number,
                amount=payment.amount,
                customer_phone=stored.order.customer.phone,
                return_url=self.return_url(stored),
                expires_at=payment.expires_at,
                notice_url=f"{self.origin}/payment/{self.provider.name}/webhook",
            )
        )
        if isinstance(opened, Checkout):
            return opened
        return self._own_page(await self.handovers.keep(payment.id, opened, now))

    def _own_page(self, token: str) -> Checkout:
        return Checkout(f"{self.origin}/pay/{token}")

    def return_url(self, stored: StoredOrder) -> str:
        """Return where the browser comes back to from paying an order."""
        return f"{self.origin}{stored.order.response_path}"

    async def handed_over(self, token: str) -> tuple[StoredOrder, Handover] | None:
        """Return the order and the handover that a token leads to, from our own books alone."""
        found = await self.handovers.by_token(token)
        stored = await self.orders.by_payment(found.payment_id) if found else None
        return (stored, found.handover) if found and stored else None

    async def payment_form(self, number: str, amount: Rupees, caller: Caller = ANYONE) -> Checkout:
        """Return where an order is paid, if the amount is the one to pay online.

        One that a browser's cart has placed is paid from its waiting room alone: numbers can be
        guessed, and who comes back from paying comes back to the order's own link.

        Raises:
            NotFound: If there is no such order, or it is a cart's.
            Conflict: `amount_mismatch`, or as `open_checkout`.
        """
        stored = await self._by_number(number)
        if stored is None or stored.cart_generation:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        if amount != stored.payment.amount:
            raise Conflict("amount_mismatch", OrderMessage.AMOUNT)
        return await self.open_checkout(stored, caller)

    async def reconcile(self, payment: Payment, caller: Caller = RECONCILER) -> StoredOrder:
        """Ask the provider how a payment stands, move it there, and return its order as it is now.

        Whoever comes before the provider was asked shares its answer; whoever comes later may
        know of something newer, and it is asked once more for all of them. The query has the
        highest priority of all who wait for it, and so has the one that it waits for itself.

        Raises:
            NotFound: If there is no such order any more.
            PaymentError: If the provider does not answer.
        """
        key = payment.id
        query = self._waiting.get(key)
        if query is None:
            context = CallContext(caller)
            answer = asyncio.create_task(self._in_turn(payment, context))
            query = self._waiting[key] = _Query(context, answer)
            answer.add_done_callback(lambda done: self._no_longer_waits(key, done))
        query.context.raise_to(caller.priority)
        if asking := self._asking.get(key):
            asking.raise_to(caller.priority)
        return await asyncio.shield(query.answer)

    async def _in_turn(self, payment: Payment, context: CallContext) -> StoredOrder:
        lock = self._locks.setdefault(payment.id, asyncio.Lock())
        async with lock:
            self._waiting.pop(payment.id, None)
            current = await self._of(payment)
            if current.payment.state is PaymentState.PAID:
                return current
            self._asking[payment.id] = context
            try:
                with calls_for(context):
                    asked_at = self.clock.now()
                    snapshot = await self._ask(current)
                    followed = await self._follow(current, snapshot)
            finally:
                del self._asking[payment.id]
            self.limits.record_answer(payment.id, asked_at)
            return followed or await self._of(payment)

    async def _of(self, payment: Payment) -> StoredOrder:
        stored = await self.orders.by_id(payment.order_id)
        if stored is None:
            raise NotFound("unknown_order", OrderMessage.UNKNOWN_ORDER)
        return stored

    def _no_longer_waits(self, key: str, answer: asyncio.Task[StoredOrder]) -> None:
        query = self._waiting.get(key)
        if query is not None and query.answer is answer:  # it was ended before it began
            del self._waiting[key]

    async def nudge(self, number: str, caller: Caller = ANYONE) -> StoredOrder | None:
        """Refresh the order with this number, if there is one."""
        stored = await self._by_number(number)
        return stored and await self.refresh(stored, caller)

    async def refresh(self, stored: StoredOrder, caller: Caller) -> StoredOrder:
        """Return an order after a query of the provider, if the caller may cause one now.

        Else, or where the provider can't be queried soon, return it as it is: webhooks and the
        reconciler bring it up to date, whatever visitors ask.
        """
        payment = stored.payment
        if payment.state is PaymentState.PAID:
            return stored
        if payment.id not in self._waiting and not self.limits.allows(payment.id, caller):
            return stored
        try:
            return await self.reconcile(payment, caller)
        except PaymentError as error:
            # The reconciler's plan stands: whoever asks often must not put it off for ever.
            if not isinstance(error, ProviderBusy):  # anyone can cause that; it is counted
                _warn(payment, error)
        except NotFound:
            logger.info("payments: order %s is gone", payment.order_id)
        return stored

    async def receive(self, headers: Mapping[str, str], body: bytes) -> Sequence[Told]:
        """Verify a provider's webhook and note durably what to ask after; return it.

        Raises:
            BadSignature: If the provider did not sign exactly these bytes.
        """
        try:
            nudges = self.provider.parse_webhook(headers, body, self.clock.now())
        except StaleNotice:
            logger.warning("payments: an old notice was left aside")
            return []
        told: list[Told] = []
        for nudge in nudges:
            payment = await self._noted(nudge)
            if payment is None:
                logger.warning("payments: a signed notice about an unknown payment")
            else:
                told.append(Told(payment, nudge))
        return told

    async def _noted(self, nudge: Nudge) -> Payment | None:
        """Plan to ask after the payment of a notice, if it may know of something new; return it."""
        now = self.clock.now()
        if not nudge.is_refund:
            unpaid = await self.orders.check_unpaid(nudge.reference, now)
            if unpaid is not None:
                return unpaid
        stored = await self.orders.by_reference(nudge.reference)
        if stored is None:
            return None
        if not nudge.is_refund and _says_more(stored.payment, nudge):
            await self.orders.plan_check(stored.payment.id, now, even_if_paid=True)
        return stored.payment

    async def follow_up(self, told: Sequence[Told]) -> None:
        """Ask the provider after everything that it told us of, before anyone else may ask it."""
        with calls_for(WEBHOOK):
            for each in told:
                if each.nudge.is_refund:
                    await self.refunds.follow(each.nudge.reference)
                elif each.payment.state is not PaymentState.PAID:
                    await self._reconcile_quietly(each.payment, WEBHOOK)
                elif _says_more(each.payment, each.nudge):
                    await self._look_for_more(each.payment)

    async def check_due(self) -> int:
        """Reconcile payments that nobody has told us about; return how many were asked after."""
        due = await self.orders.due_for_check(self.clock.now(), _CHECKS_AT_ONCE)
        await asyncio.gather(*(self._check(payment) for payment in due))
        return len(due)

    async def _check(self, payment: Payment) -> None:
        if payment.state is PaymentState.PAID:
            await self._look_for_more(payment)
        else:
            await self._reconcile_quietly(payment, RECONCILER)

    async def progress(self, number: str) -> PaymentProgress:
        """Return how the payment of the order with this number stands, from our own books."""
        stored = await self._by_number(number)
        return UNKNOWN if stored is None else await self.progress_of(stored)

    async def progress_of(self, stored: StoredOrder) -> PaymentProgress:
        """Return how an order's payment stands, from our own books."""
        is_paid = stored.payment.state is PaymentState.PAID
        is_refund_due = is_paid and stored.order.state is OrderState.REFUND_DUE
        notices = await self.orders.notices(stored.order.id) if is_paid else NoticeStatus()
        return PaymentProgress(
            public_status(stored.payment.state, stored.order.state),
            is_processed=is_paid and not is_refund_due,
            notices=notices,
            is_refund_due=is_refund_due,
        )

    async def _by_number(self, number: str) -> StoredOrder | None:
        if order_number_value(number) is None:
            return None
        return await self.orders.by_number(number)

    async def _reconcile_quietly(self, payment: Payment, caller: Caller) -> None:
        """Reconcile a payment; if the provider does not answer, plan to ask it again later."""
        try:
            await self.reconcile(payment, caller)
        except PaymentError as error:
            await self.orders.plan_check(payment.id, self._later(payment, error))
        except NotFound:
            logger.info("payments: order %s is gone", payment.order_id)

    async def _look_for_more(self, payment: Payment) -> None:
        """Find out whether an order that is paid was paid a second time.

        Source: specification M11.
        """
        stored = await self.orders.by_id(payment.order_id)
        if stored is None:
            return
        now = self.clock.now()
        next_look = next_check(payment, now)
        try:
            snapshot = await self._ask(stored)
        except PaymentError as error:
            next_look = self._later(payment, error)
        else:
            if (snapshot.surplus or snapshot.has_unread_surplus) and (
                await self.refunds.store.mark_surplus(
                    payment.id, snapshot.surplus, now, has_unread=snapshot.has_unread_surplus
                )
            ):
                logger.error(
                    "payments: order %s was paid a second time",
                    stored.order.id,
                    extra=about(stored.order.id),
                )
        await self.orders.plan_check(payment.id, next_look, even_if_paid=True)

    def _later(self, payment: Payment, error: PaymentError) -> datetime:
        _warn(payment, error)
        wait = error.retry_after_seconds if isinstance(error, ProviderUnavailable) else 0.0
        return self.clock.now() + max(_RETRY_AFTER_TROUBLE, timedelta(seconds=wait))

    async def _ask(self, stored: StoredOrder) -> Snapshot:
        if stored.payment.provider != self.provider.name:
            logger.error(
                "payments: order %s was opened at another provider",
                stored.order.id,
                extra=about(stored.order.id),
            )
            return Snapshot(None)
        if stored.order.state is OrderState.REPLACED:
            return await self.provider.cancel(stored.payment.reference)
        return await self.provider.fetch(stored.payment.reference)

    async def _follow(self, stored: StoredOrder, snapshot: Snapshot) -> StoredOrder | None:
        """Move an order where the provider says; return it if that was recorded as paid now."""
        payment, now = stored.payment, self.clock.now()
        said = state_said(payment, snapshot, now)
        if said is PaymentState.PAID:
            if agreement(payment, snapshot) is not Agreement.UNREADABLE:
                return await self._record_paid(stored, snapshot, now)
            await self._mark_unreadable(stored)
        elif said is not None and can_move(payment.state, said):
            await self._move(stored, said, snapshot.reason)
        await self.orders.plan_check(payment.id, next_check(payment, now))
        return None

    async def _record_paid(
        self, stored: StoredOrder, snapshot: Snapshot, now: datetime
    ) -> StoredOrder | None:
        recorded = await self.orders.record_paid(
            stored,
            to_record(stored.payment, snapshot),
            lambda current, has_seats: self._settle(current, snapshot, has_seats),
            now,
        )
        if recorded:
            _log_paid(recorded.order)
        return recorded

    async def _mark_unreadable(self, stored: StoredOrder) -> None:
        """Tell operators of a payment that the provider calls paid in unreadable figures, once."""
        if await self.orders.mark_unreadable(stored.payment.id):
            order_id = stored.order.id
            words = "payments: order %s is called paid, in figures that cannot be read"
            logger.error(words, order_id, extra=about(order_id))

    async def _move(self, stored: StoredOrder, said: PaymentState, reason: str) -> None:
        if not await self.orders.move(stored.payment, said, reason):
            return  # somebody else was first
        logger.info("payments: order %s is %s", stored.order.id, said, extra=about(stored.order.id))
        if said is PaymentState.EXPIRED:
            await self._close(stored)

    async def _close(self, stored: StoredOrder) -> None:
        """Let nobody pay an order that has lapsed; if that fails, the money goes back."""
        try:
            await self.provider.cancel(stored.payment.reference)
        except PaymentError as error:
            _warn(stored.payment, error)

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


def _log_paid(order: Order) -> None:
    if order.state is OrderState.REFUND_DUE:
        words = "payments: order %s is paid, and its money goes back: %s"
        logger.warning(words, order.id, order.refund_reason, extra=about(order.id))
    else:
        logger.info("payments: order %s is paid", order.id, extra=about(order.id))


def _warn(payment: Payment, error: PaymentError) -> None:
    kind, order_id = type(error).__name__, payment.order_id
    logger.warning("payments: order %s: %s", order_id, kind, extra=about(order_id))
