"""Refunds of payments: their states and ids."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from campus_app.shared.rules.constants import CURRENCY
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import ZERO, Rupees


class RefundState(StrEnum):
    """The state of a refund; DONE and FAILED are final."""

    DUE = "due"
    """The refund is due and not requested yet."""
    ASKED = "asked"
    """Requested, or about to be; requesting it again is the same refund."""
    PENDING = "pending"
    """The provider has accepted it."""
    CONTRADICTED = "contradicted"
    """The provider reports another refund or amount: operators must check its dashboard."""
    DONE = "done"
    FAILED = "failed"


OPEN = frozenset({RefundState.ASKED, RefundState.PENDING, RefundState.CONTRADICTED})
"""States whose outcome must be fetched from the provider."""
_IDENTIFIER_PREFIX = "rf"


@dataclass(frozen=True)
class RefundRecord:
    """A refund of a payment; `id` is also the provider's key of it."""

    id: str
    payment_id: str
    number: int
    """The refund's number within its payment, from 1."""
    amount: Rupees | None
    """None if the provider did not say how much was paid."""
    reason: str
    state: RefundState
    marked_at: datetime
    completed_at: datetime | None = None

    @property
    def is_unfinished(self) -> bool:
        """Whether it is due, or its outcome is not known yet."""
        return self.state is RefundState.DUE or self.state in OPEN


def of_own_payment(refunds: Iterable[RefundRecord]) -> list[RefundRecord]:
    """Return the refunds of the order's own payment that give, or will give, money back.

    A further payment of the same order, and a failed refund, are left out.
    """
    again, failed = RefundReason.PAID_AGAIN, RefundState.FAILED
    return [each for each in refunds if each.reason != again and each.state is not failed]


def total_amount(refunds: Iterable[RefundRecord]) -> Rupees | None:
    """Return the sum of refunds; None if one of the amounts is unknown."""
    total = ZERO
    for each in refunds:
        if each.amount is None:
            return None
        total += each.amount
    return total


def left_to_refund(paid: Rupees | None, refunds: Iterable[RefundRecord]) -> Rupees | None:
    """Return what no refund gives, or will give, of the order's own payment; None if unknown."""
    given = total_amount(of_own_payment(refunds))
    return None if paid is None or given is None else max(paid - given, ZERO)


@dataclass(frozen=True)
class RefundPart:
    """A part of an order's payment that an operator gives back.

    `after` is how many refunds the operator saw: with another number nothing is given back, so that
    two people, or two presses, give back once.
    """

    amount: Rupees
    after: int


@dataclass(frozen=True)
class OpenRefund:
    """A refund whose outcome only the provider knows."""

    record: RefundRecord
    reference: str
    order_id: str


@dataclass(frozen=True)
class ReportedRefund:
    """A refund as the provider reports it, parsed but not yet compared."""

    state: RefundState
    """PENDING, DONE or FAILED."""
    id: str
    reference: str
    """The payment that the refund belongs to."""
    amount: Rupees | None
    currency: str
    """`id`, `reference` and `currency` are empty, and `amount` is None, if they are missing or
    cannot be read."""


def compared_refund_state(
    reported: ReportedRefund, *, refund_id: str, reference: str, amount: Rupees
) -> RefundState:
    """Return the refund's state that follows from a provider's answer.

    CONTRADICTED unless id, payment, amount and currency equal the requested ones.

    Source: specification P3.2.
    """
    figures = (reported.id, reported.reference, reported.amount, reported.currency)
    return (
        reported.state
        if figures == (refund_id, reference, amount, CURRENCY)
        else RefundState.CONTRADICTED
    )


def refund_id(payment_id: str, number: int) -> str:
    """Return the id of a payment's refund, which makes repeated requests idempotent.

    It has letters and digits only, at most 40, which every provider accepts.
    """
    return f"{_IDENTIFIER_PREFIX}{payment_id}{number}"


_NEXT: dict[RefundState, frozenset[RefundState]] = {
    RefundState.DUE: frozenset({RefundState.ASKED}),
    RefundState.ASKED: frozenset(
        {
            RefundState.DUE,
            RefundState.PENDING,
            RefundState.CONTRADICTED,
            RefundState.DONE,
            RefundState.FAILED,
        }
    ),
    RefundState.PENDING: frozenset(
        {RefundState.CONTRADICTED, RefundState.DONE, RefundState.FAILED}
    ),
    RefundState.CONTRADICTED: frozenset(
        {RefundState.PENDING, RefundState.DONE, RefundState.FAILED}
    ),
    RefundState.DONE: frozenset(),
    RefundState.FAILED: frozenset(),
}


def can_refund_transition(current: RefundState, target: RefundState) -> bool:
    """Whether a refund may change from one state to another.

    From ASKED it returns to DUE if the provider rejected it, since it then certainly was not made.
    """
    return target in _NEXT[current]


def refund_states_before(target: RefundState) -> frozenset[RefundState]:
    """Return the states from which a refund may change to this one."""
    return frozenset(state for state in RefundState if can_refund_transition(state, target))
