"""Refunds: each is requested once at the provider, and polled until it is final."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from campus_app.ordering.rules.errors import PaymentError, ProviderRejected
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.payment_provider import PaymentProvider, Refund
from campus_app.ordering.rules.refund import (
    OpenRefund,
    RefundPart,
    RefundRecord,
    RefundState,
    compared_refund_state,
)
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.services.order_log import order_extra
from campus_app.ordering.sql.refunds import SqlRefunds
from campus_app.shared.rules.audit import Actor, AuditAction, AuditEntry, audit_entry
from campus_app.shared.rules.constants import CURRENCY
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OperatorMessage
from campus_app.shared.rules.money import ZERO
from kit.clock import Clock

logger = logging.getLogger(__name__)

_CHECK_BATCH_SIZE = 10


@dataclass(frozen=True)
class RefundReport:
    """An order and the current state of its refunds."""

    order: Order
    refunds: Sequence[RefundRecord]


@dataclass(frozen=True)
class Refunds:
    """Requests refunds from the provider; each refund id is made at most once."""

    store: SqlRefunds
    provider: PaymentProvider
    clock: Clock

    async def refund_order(
        self, stored: StoredOrder, by: Actor, *, force: bool, part: RefundPart | None = None
    ) -> RefundReport:
        """Refund the due part of an order's payment; with `force` all of it, due or not.

        With a `part`, that is refunded besides, and the order stays as it is. Repeated, it fetches
        the state of the same refunds.

        Raises:
            Conflict: `nothing_paid`, `not_due`, `amount_unknown` or `other_currency`; with a part
                `refunds_changed` or `part_too_large`.
            PaymentError: If the provider does not answer, or refuses.
        """
        await self._require_refundable(stored, force=force or part is not None)

        def entry_of(refunds: Sequence[RefundRecord]) -> AuditEntry:
            total = sum((each.amount or ZERO for each in refunds), ZERO)
            return audit_entry(
                self.clock.now(),
                by,
                AuditAction.REFUND_ORDER,
                stored.order.id,
                number=stored.order.number,
                amount=str(total),
                refunds=", ".join(each.id for each in refunds) or "none",
            )

        started = await self.store.begin(
            stored.payment.id, entry_of, self.clock.now(), whole=force, part=part
        )
        for each in started:
            await self._request(each)
        return RefundReport(stored.order, await self.store.of_payment(stored.payment.id))

    async def follow(self, reference: str) -> None:
        """Fetch the state of a payment's open refunds; errors are logged, not raised."""
        for each in await self.store.open_refunds_of(reference):
            await self._request_quietly(each)

    async def reconcile_due(self) -> int:
        """Fetch the state of open refunds that are due for a check; return how many there were."""
        due = await self.store.claim_due_checks(self.clock.now(), _CHECK_BATCH_SIZE)
        for each in due:
            await self._request_quietly(each)
        return len(due)

    async def _require_refundable(self, stored: StoredOrder, *, force: bool) -> None:
        if stored.payment.state is not PaymentState.PAID:
            raise Conflict("nothing_paid", OperatorMessage.NOTHING_PAID)
        refunds = await self.store.of_payment(stored.payment.id)
        if not force and not refunds and stored.order.state is not OrderState.REFUND_DUE:
            raise Conflict("not_due", OperatorMessage.NOT_DUE)
        paid, currency = await self.store.paid_amount(stored.payment.id)
        if paid is None:
            raise Conflict("amount_unknown", OperatorMessage.AMOUNT_UNKNOWN)
        if currency != CURRENCY:
            text = OperatorMessage.OTHER_CURRENCY.of(currency=currency)
            raise Conflict("other_currency", text)

    async def _request_quietly(self, open_: OpenRefund) -> None:
        try:
            await self._request(open_)
        except PaymentError as error:
            _log(logging.WARNING, "refunds: %s: %s", open_, type(error).__name__)

    async def _request(self, open_: OpenRefund) -> None:
        """Request a refund, or fetch its state: for the provider both are the same call."""
        record = open_.record
        if record.amount is None:
            return
        refund = Refund(record.id, open_.reference, record.amount, record.reason)
        try:
            reported = await self.provider.refund(refund)
        except ProviderRejected:
            # The refund certainly was not made: it is due again, for an operator to decide.
            _log(logging.WARNING, "refunds: %s was rejected", open_)
            await self.store.record_state(record.id, RefundState.DUE, self.clock.now())
            raise
        state = compared_refund_state(
            reported, refund_id=record.id, reference=open_.reference, amount=record.amount
        )
        if state is not record.state:
            await self.store.record_state(record.id, state, self.clock.now())
        if state is RefundState.FAILED:
            _log(logging.ERROR, "refunds: %s failed; its amount is due again", open_)
        if state is RefundState.CONTRADICTED and state is not record.state:
            message = "refunds: the provider's answer for %s names another refund or amount"
            _log(logging.ERROR, message, open_)


def _log(level: int, message: str, open_: OpenRefund, *arguments: object) -> None:
    """Log a message whose first placeholder is the refund's id."""
    logger.log(level, message, open_.record.id, *arguments, extra=order_extra(open_.order_id))
