"""Giving money back: what is due is asked for once, and followed until it is known how it ended."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from campus_app.domain.audit import Action, Actor, AuditEntry, audited
from campus_app.domain.constants import CURRENCY
from campus_app.domain.errors import Conflict, PaymentError, ProviderRejected
from campus_app.domain.messages import OperatorMessage
from campus_app.domain.money import ZERO
from campus_app.domain.order import Order, OrderState
from campus_app.domain.payment import PaymentState
from campus_app.domain.refund import RefundRecord, RefundState, state_of_refund
from campus_app.ports.operations import Ledger
from campus_app.ports.orders import StoredOrder
from campus_app.ports.payments import OpenRefund, PaymentProvider, Refund, RefundStore
from campus_app.services.logged import about
from kit.clock import Clock

logger = logging.getLogger(__name__)

_CHECKS_AT_ONCE = 10


@dataclass(frozen=True)
class RefundReport:
    """An order's refunds, after the provider was asked for them."""

    order: Order
    refunds: Sequence[RefundRecord]


@dataclass(frozen=True)
class Refunds:
    """Asks the provider for refunds; the same one is never made twice."""

    store: RefundStore
    ledger: Ledger
    provider: PaymentProvider
    clock: Clock

    async def give_back(self, stored: StoredOrder, by: Actor, *, force: bool) -> RefundReport:
        """Give back what is due of an order's money; with `force` all of it, due or not.

        Repeated, it asks how the same refunds stand.

        Raises:
            Conflict: `nothing_paid`, `not_due`, `amount_unknown` or `other_currency`.
            PaymentError: If the provider does not answer, or refuses.
        """
        await self._require_refundable(stored, force=force)

        def entry_of(refunds: Sequence[RefundRecord]) -> AuditEntry:
            total = sum((each.amount or ZERO for each in refunds), ZERO)
            return audited(
                self.clock.now(),
                by,
                Action.REFUND_ORDER,
                stored.order.id,
                number=stored.order.number,
                amount=str(total),
                refunds=", ".join(each.id for each in refunds) or "none",
            )

        begun = await self.store.begin(stored.payment.id, entry_of, self.clock.now(), whole=force)
        for each in begun:
            await self._ask(each)
        return RefundReport(stored.order, await self.store.of_payment(stored.payment.id))

    async def follow(self, reference: str) -> None:
        """Find out how the open refunds of a payment stand; trouble is logged, not raised."""
        for each in await self.store.open_of(reference):
            await self._ask_quietly(each)

    async def check_due(self) -> int:
        """Find out how refunds stand of which nobody told us; return how many were asked after."""
        due = await self.store.due_for_check(self.clock.now(), _CHECKS_AT_ONCE)
        for each in due:
            await self._ask_quietly(each)
        return len(due)

    async def _require_refundable(self, stored: StoredOrder, *, force: bool) -> None:
        if stored.payment.state is not PaymentState.PAID:
            raise Conflict("nothing_paid", OperatorMessage.NOTHING_PAID)
        refunds = await self.store.of_payment(stored.payment.id)
        if not force and not refunds and stored.order.state is not OrderState.REFUND_DUE:
            raise Conflict("not_due", OperatorMessage.NOT_DUE)
        payment = await self.ledger.payment(stored.order.id)
        if payment.paid is None:
            raise Conflict("amount_unknown", OperatorMessage.AMOUNT_UNKNOWN)
        if payment.paid_currency != CURRENCY:
            text = OperatorMessage.OTHER_CURRENCY.of(currency=payment.paid_currency)
            raise Conflict("other_currency", text)

    async def _ask_quietly(self, open_: OpenRefund) -> None:
        try:
            await self._ask(open_)
        except PaymentError as error:
            kind = type(error).__name__
            logger.warning("refunds: %s: %s", open_.record.id, kind, extra=about(open_.order_id))

    async def _ask(self, open_: OpenRefund) -> None:
        """Ask the provider for a refund, or after it: to it both are the same."""
        record = open_.record
        if record.amount is None:
            return
        refund = Refund(record.id, open_.reference, record.amount, record.reason)
        try:
            reported = await self.provider.refund(refund)
        except ProviderRejected:
            # It certainly was not made: it is due as before, for an operator to look at.
            logger.warning("refunds: %s was refused", record.id, extra=about(open_.order_id))
            await self.store.settle(record.id, RefundState.DUE, self.clock.now())
            raise
        said = state_of_refund(
            reported, refund_id=record.id, reference=open_.reference, amount=record.amount
        )
        if said is not record.state:
            await self.store.settle(record.id, said, self.clock.now())
        if said is RefundState.FAILED:
            logger.error(
                "refunds: %s failed, and its money is due again",
                record.id,
                extra=about(open_.order_id),
            )
        if said is RefundState.CONTRADICTED and said is not record.state:
            logger.error(
                "refunds: the provider's answer about %s is about another refund or sum",
                record.id,
                extra=about(open_.order_id),
            )
