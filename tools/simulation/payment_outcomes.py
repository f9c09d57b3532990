"""Random outcomes of payments, and random deliveries of webhooks."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from random import Random


class PaymentOutcome(StrEnum):
    """A customer's behaviour after the order is prepared."""

    PAYS = "pays"
    PAYS_AT_SECOND_TRY = "pays at the second try"
    PAYS_AND_LEAVES = "pays and closes the tab"
    DECLINED = "is declined"
    CANCELS = "cancels"
    ABANDONS = "abandons"
    PENDING_THEN_PAID = "pending, then paid"
    PENDING_THEN_LATE = "pending, paid after expiry"
    PENDING_FOREVER = "left pending"
    PAYS_TWICE = "pays twice"
    PAYS_SHORT = "pays too little"


SHARES = {
    PaymentOutcome.PAYS: 60.0,
    PaymentOutcome.PAYS_AT_SECOND_TRY: 6.0,
    PaymentOutcome.PAYS_AND_LEAVES: 10.0,
    PaymentOutcome.DECLINED: 5.0,
    PaymentOutcome.CANCELS: 4.0,
    PaymentOutcome.ABANDONS: 8.0,
    PaymentOutcome.PENDING_THEN_PAID: 2.5,
    PaymentOutcome.PENDING_THEN_LATE: 1.2,
    PaymentOutcome.PENDING_FOREVER: 1.5,
    PaymentOutcome.PAYS_TWICE: 1.2,
    PaymentOutcome.PAYS_SHORT: 0.6,
}
"""Percentages, an assumption: three quarters pay at once or at the second try."""


class WebhookDelivery(StrEnum):
    """How the provider's webhook is delivered."""

    PROMPT = "prompt"
    LATE = "late"
    LOST = "lost"
    DOUBLED = "doubled"


_WEBHOOK_SHARES = {
    WebhookDelivery.PROMPT: 70,
    WebhookDelivery.LATE: 12,
    WebhookDelivery.LOST: 10,
    WebhookDelivery.DOUBLED: 8,
}


def distribute(
    rng: Random, shares: Mapping[PaymentOutcome, float], count: int
) -> Sequence[PaymentOutcome]:
    """Return outcomes by their shares in random order, each at least twice if `count` allows."""
    total = sum(shares.values())
    outcomes = [
        outcome for outcome, share in shares.items() for _ in range(int(count * share / total))
    ]
    rare = [outcome for outcome in shares for _ in range(2 - outcomes.count(outcome))]
    outcomes = [*rare, *outcomes][:count]
    outcomes += rng.choices(list(shares), list(shares.values()), k=count - len(outcomes))
    rng.shuffle(outcomes)
    return outcomes


def webhook_delivery(rng: Random) -> WebhookDelivery:
    """Return a random delivery."""
    return rng.choices(list(_WEBHOOK_SHARES), list(_WEBHOOK_SHARES.values()))[0]
