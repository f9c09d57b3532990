"""The provider's webhooks: each schedules checks durably, then queries the provider."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campus_app.ordering.rules.errors import StaleWebhook
from campus_app.ordering.rules.payment import Payment, PaymentState
from campus_app.ordering.rules.payment_provider import WebhookEvent
from campus_app.ordering.services.payments import Payments
from kit.quota import WEBHOOK, requests_for

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class MatchedEvent:
    """A webhook event and the payment that it is about."""

    payment: Payment
    event: WebhookEvent

    @property
    def is_relevant(self) -> bool:
        """Whether the event may change the payment: unpaid, or paid by another attempt."""
        if self.payment.state is not PaymentState.PAID:
            return True
        paid_by, named = self.payment.provider_payment_id, self.event.provider_payment_id
        return bool(paid_by and named) and named != paid_by


@dataclass(frozen=True)
class PaymentWebhooks:
    """Receives webhooks. An event proves nothing: it only causes a query."""

    payments: Payments

    async def receive(self, headers: Mapping[str, str], body: bytes) -> Sequence[MatchedEvent]:
        """Verify a webhook, schedule checks of its payments durably, and return its events.

        Raises:
            BadSignature: If the provider did not sign exactly these bytes.
        """
        payments = self.payments
        try:
            events = payments.provider.parse_webhook(headers, body, payments.clock.now())
        except StaleWebhook:
            logger.warning("payments: stale webhook ignored")
            return []
        matched = [await self._schedule_check(event) for event in events]
        return [each for each in matched if each is not None]

    async def process(self, matched: Sequence[MatchedEvent]) -> None:
        """Reconcile every payment and refund that the webhook names, ahead of other requesters."""
        with requests_for(WEBHOOK):
            for each in matched:
                if each.event.is_refund:
                    await self.payments.refunds.follow(each.event.reference)
                elif each.is_relevant:
                    await self.payments.check(each.payment, WEBHOOK)

    async def _schedule_check(self, event: WebhookEvent) -> MatchedEvent | None:
        """Schedule a check of the event's payment if it is relevant; None if it is unknown."""
        orders, now = self.payments.orders, self.payments.clock.now()
        if not event.is_refund:
            unpaid = await orders.schedule_unpaid_check(event.reference, now)
            if unpaid is not None:
                return MatchedEvent(unpaid, event)
        stored = await orders.by_reference(event.reference)
        if stored is None:
            logger.warning("payments: webhook for an unknown payment")
            return None
        matched = MatchedEvent(stored.payment, event)
        if not event.is_refund and matched.is_relevant:
            await orders.schedule_check(stored.payment.id, now, even_if_paid=True)
        return matched
