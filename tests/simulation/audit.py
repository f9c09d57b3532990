"""The audit: every rupee and every notice, by the books of all who were there.

It sums nothing up as the product does, and believes none of the books alone. What it finds makes
the run fail; what is odd and can be explained by a crash or an outage is told beside it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.simulation import (
    audit_calls,
    audit_kitchens,
    audit_mails,
    audit_money,
    audit_notices,
    audit_people,
)
from tests.simulation.books import Books
from tests.simulation.finding import Finding

Look = Callable[[Books], Iterator[Finding]]


@dataclass(frozen=True)
class Check:
    """One thing that has to hold, and how it is looked at."""

    title: str
    invariants: str
    """Which of docs/invariants.md it is about."""
    looks_at: str
    """How many of what there are, by the name of a part of the books."""
    look: Look


@dataclass(frozen=True)
class Checked:
    """What a check has found."""

    check: Check
    looked_at: int
    findings: list[Finding] = field(default_factory=list)
    explained: list[Finding] = field(default_factory=list)


CHECKS = (
    Check(
        "Every rupee that was taken pays a confirmed order, or goes back",
        "I3 I7",
        "taken",
        audit_money.every_rupee,
    ),
    Check("No order is confirmed without its money", "I6 I7", "orders", audit_money.confirmed),
    Check(
        "What went back is what we asked to go back, once", "I2", "refunds", audit_money.given_back
    ),
    Check(
        "Paid now and due at the door are the total, and every part adds up",
        "I9",
        "orders",
        audit_money.totals,
    ),
    Check(
        "Whatever was asked of a payment stands in our books, for its amount",
        "I1 I2",
        "taken",
        audit_money.asked_for,
    ),
    Check("No two orders have one number", "I17", "orders", audit_money.numbers),
    Check("No order is left half way", "I3 I5", "orders", audit_money.ended),
    Check("A confirmed order is two mails", "I13 I14 I15", "orders", audit_mails.two_mails),
    Check(
        "Whose money goes back has one mail, and the kitchen none",
        "I13 I14",
        "orders",
        audit_mails.refunded,
    ),
    Check(
        "A confirmed order rings once, or the books say why it did not",
        "I13 I15",
        "orders",
        audit_calls.one_call,
    ),
    Check(
        "Nobody is told of an order that is not paid", "I14", "letters", audit_notices.only_of_paid
    ),
    Check(
        "Notices go to the customer and to the kitchen's own contacts",
        "I19",
        "letters",
        audit_notices.right_readers,
    ),
    Check("Nothing waits in the outbox, no mail was given up", "I13", "jobs", audit_notices.left),
    Check("No slot has more guests than seats", "I20", "seats", audit_kitchens.seats),
    Check("A closed kitchen takes no order", "I11", "closures", audit_kitchens.closed),
    Check("Who was told of success had paid", "I5 I6", "told", audit_people.success),
    Check("What customers were told is what is stored", "I8 I17", "told", audit_people.amounts),
)


def audit(books: Books) -> list[Checked]:
    """Return what each check has found, in their order."""
    return [_checked(check, books) for check in CHECKS]


def findings(checked: list[Checked]) -> list[Finding]:
    """Return everything that is not as it has to be."""
    return [finding for each in checked for finding in each.findings]


def _checked(check: Check, books: Books) -> Checked:
    seen = list(check.look(books))
    parts = vars(books) | vars(books.ours)
    return Checked(
        check,
        len(parts[check.looks_at]),
        [finding for finding in seen if not finding.explanation],
        [finding for finding in seen if finding.explanation],
    )
