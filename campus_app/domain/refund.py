"""Money that goes back: what of it is due, and how far it has come."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from campus_app.domain.constants import CURRENCY
from campus_app.domain.money import Rupees


class RefundState(StrEnum):
    """How far a refund has come; DONE and FAILED are final."""

    DUE = "due"
    """The money has to go back, and nobody has asked the provider yet."""
    ASKED = "asked"
    """The provider was asked, or was about to be: asking again is the same refund."""
    PENDING = "pending"
    """The provider has taken it on."""
    CONTRADICTED = "contradicted"
    """The provider's answer is about another refund or sum: operators look at its books."""
    DONE = "done"
    FAILED = "failed"


OPEN = frozenset({RefundState.ASKED, RefundState.PENDING, RefundState.CONTRADICTED})
"""Refunds of which only the provider knows how they end."""
_IDENTIFIER_PREFIX = "rf"


@dataclass(frozen=True)
class RefundRecord:
    """One refund of a payment; `id` is what the provider knows it by."""

    id: str
    payment_id: str
    number: int
    """Which refund of its payment this is, from 1."""
    amount: Rupees | None
    """None where the provider did not say how much was paid."""
    reason: str
    state: RefundState
    marked_at: datetime
    settled_at: datetime | None = None


@dataclass(frozen=True)
class ReportedRefund:
    """A refund as the provider reports it, parsed and not yet compared."""

    state: RefundState
    """PENDING, DONE or FAILED."""
    id: str
    reference: str
    """The payment that the refund belongs to."""
    amount: Rupees | None
    currency: str
    """`id`, `reference` and `currency` are empty, and `amount` is None, if they are missing or
    cannot be read."""


def state_of_refund(
    said: ReportedRefund, *, refund_id: str, reference: str, amount: Rupees
) -> RefundState:
    """Return the state that a provider's answer puts the refund in that was asked for.

    CONTRADICTED unless its id, payment, amount and currency are all those that were asked for.

    Source: specification P3.2.
    """
    found = (said.id, said.reference, said.amount, said.currency)
    return (
        said.state
        if found == (refund_id, reference, amount, CURRENCY)
        else RefundState.CONTRADICTED
    )


def refund_id(payment_id: str, number: int) -> str:
    """Return the name of a payment's refund: the same one is never made twice under it.

    Letters and digits only, 40 at most: what every provider takes.
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


def refund_may_follow(current: RefundState, said: RefundState) -> bool:
    """Whether a refund may go from one state to another.

    From ASKED back to DUE it goes where the provider refused, so that it certainly was not made.
    """
    return said in _NEXT[current]


def refund_states_before(wanted: RefundState) -> frozenset[RefundState]:
    """Return the states from which a refund may reach this one."""
    return frozenset(state for state in RefundState if refund_may_follow(state, wanted))
