"""The audit: compare the records of the database, the provider, mails, calls and customers.

The audit never uses the product's own totals. A finding makes the run fail; a finding that a
crash or an outage explains is only reported.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.simulation import (
    audit_calls,
    audit_customer_logs,
    audit_mails,
    audit_money,
    audit_notifications,
    audit_restaurants,
)
from tests.simulation.evidence import Evidence
from tests.simulation.finding import Finding

CheckFunction = Callable[[Evidence], Iterator[Finding]]


@dataclass(frozen=True)
class Check:
    """One invariant, and the function that checks it."""

    title: str
    invariants: str
    """The invariants of docs/invariants.md that are checked."""
    records: str
    """The name of the checked records, for their count."""
    find: CheckFunction


@dataclass(frozen=True)
class Checked:
    """The result of one check."""

    check: Check
    checked_count: int
    findings: list[Finding] = field(default_factory=list)
    explained: list[Finding] = field(default_factory=list)


CHECKS = (
    Check(
        "Every rupee that was taken pays a confirmed order, or goes back",
        "I3 I7",
        "provider_orders",
        audit_money.captured_money,
    ),
    Check("No order is confirmed without its money", "I6 I7", "orders", audit_money.confirmed),
    Check(
        "What went back is what we asked to go back, once",
        "I2",
        "refunds",
        audit_money.completed_refunds,
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
        "provider_orders",
        audit_money.requested_amounts,
    ),
    Check("No two orders have one number", "I17", "orders", audit_money.numbers),
    Check("No order is left half way", "I3 I5", "orders", audit_money.ended),
    Check(
        "A confirmed order is two mails", "I13 I14 I15", "orders", audit_mails.confirmation_mails
    ),
    Check(
        "Whose money goes back has one mail, and the kitchen none",
        "I13 I14",
        "orders",
        audit_mails.refund_mails,
    ),
    Check(
        "A confirmed order rings once, or the books say why it did not",
        "I13 I15",
        "orders",
        audit_calls.one_call,
    ),
    Check(
        "Nobody is told of an order that is not paid",
        "I14",
        "mails",
        audit_notifications.only_for_paid_orders,
    ),
    Check(
        "Notices go to the customer and to the kitchen's own contacts",
        "I19",
        "mails",
        audit_notifications.right_recipients,
    ),
    Check(
        "Nothing waits in the outbox, no mail was given up",
        "I13",
        "jobs",
        audit_notifications.remaining_jobs,
    ),
    Check("No slot has more guests than seats", "I20", "seats", audit_restaurants.seats),
    Check("A closed kitchen takes no order", "I11", "closures", audit_restaurants.closed),
    Check(
        "Who was told of success had paid", "I5 I6", "customer_logs", audit_customer_logs.success
    ),
    Check(
        "What customers were told is what is stored",
        "I8 I17",
        "customer_logs",
        audit_customer_logs.amounts,
    ),
)


def audit(evidence: Evidence) -> list[Checked]:
    """Return the result of each check, in order."""
    return [_checked(check, evidence) for check in CHECKS]


def findings(checked: list[Checked]) -> list[Finding]:
    """Return all findings without an explanation."""
    return [finding for each in checked for finding in each.findings]


def _checked(check: Check, evidence: Evidence) -> Checked:
    seen = list(check.find(evidence))
    parts = vars(evidence) | vars(evidence.database)
    return Checked(
        check,
        len(parts[check.records]),
        [finding for finding in seen if not finding.explanation],
        [finding for finding in seen if finding.explanation],
    )
