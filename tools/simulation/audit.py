"""The audit: compare the records of the database, the provider, mails, calls and customers.

The audit never uses the product's own totals. A finding makes the run fail, unless a crash or an
outage explains it: then it is only reported.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tools.simulation import (
    audit_calls,
    audit_customer_logs,
    audit_kitchens,
    audit_mails,
    audit_money,
    audit_notifications,
    audit_restaurants,
)
from tools.simulation.evidence import Evidence
from tools.simulation.finding import Finding

CheckFunction = Callable[[Evidence], Iterator[Finding]]
"""Yields a finding for each violation of the rule that its docstring states."""


@dataclass(frozen=True)
class Check:
    """One invariant, and the function that checks it."""

    title: str
    invariants: str
    """The invariants of docs/invariants.md that are checked."""
    records: str
    """The name of the checked records, for their count."""
    function: CheckFunction


@dataclass(frozen=True)
class CheckResult:
    """The result of one check."""

    check: Check
    checked_count: int
    findings: list[Finding] = field(default_factory=list)
    explained: list[Finding] = field(default_factory=list)


CHECKS = (
    Check(
        "Captured money equals confirmed orders plus refunds",
        "I3 I7",
        "provider_orders",
        audit_money.captured_money,
    ),
    Check("Each confirmed order has a captured payment", "I6 I7", "orders", audit_money.confirmed),
    Check(
        "Each completed refund was requested, and made once",
        "I2",
        "refunds",
        audit_money.completed_refunds,
    ),
    Check(
        "The online and remaining amounts, and the parts of the bill, add up to the total",
        "I9",
        "orders",
        audit_money.totals,
    ),
    Check(
        "Each order at the provider is stored, once and with the same amount",
        "I1 I2",
        "provider_orders",
        audit_money.requested_amounts,
    ),
    Check("Order numbers, keys and references are unique", "I17", "orders", audit_money.numbers),
    Check("Each order is in a final state", "I3 I5", "orders", audit_money.final_states),
    Check(
        "Each confirmed order has one mail to the customer and one to the restaurant",
        "I13 I14 I15",
        "orders",
        audit_mails.confirmation_mails,
    ),
    Check(
        "Each refunded order has one mail to the customer and none to the restaurant",
        "I13 I14",
        "orders",
        audit_mails.refund_mails,
    ),
    Check(
        "Each confirmed order has one ringing call, or a recorded failure",
        "I13 I15",
        "orders",
        audit_calls.one_call,
    ),
    Check(
        "Notifications are sent for paid orders only",
        "I14",
        "mails",
        audit_notifications.only_for_paid_orders,
    ),
    Check(
        "Notifications go to the order's customer and restaurant only",
        "I19",
        "mails",
        audit_notifications.right_recipients,
    ),
    Check(
        "No job is open, and no mail was given up",
        "I13",
        "jobs",
        audit_notifications.remaining_jobs,
    ),
    Check("No slot has more guests than seats", "I20", "seats", audit_restaurants.reserved_seats),
    Check(
        "No order is accepted or confirmed at a closed restaurant",
        "I11",
        "closures",
        audit_restaurants.orders_while_closed,
    ),
    Check(
        "SUCCESS is shown to customers who have paid, and to no others",
        "I5 I6",
        "customer_logs",
        audit_customer_logs.success,
    ),
    Check(
        "The orders and amounts that customers were shown are stored",
        "I8 I17",
        "customer_logs",
        audit_customer_logs.amounts,
    ),
    Check(
        "Each confirmed order is shown on both devices of its kitchen, and on no other device",
        "K-I1",
        "device_logs",
        audit_kitchens.shown_orders,
    ),
    Check(
        "Each press of a cook is stored once, in its device's sequence",
        "K-I2",
        "kitchen_presses",
        audit_kitchens.stored_presses,
    ),
    Check(
        "The state of cooking of each order is what its presses imply",
        "K-I2",
        "cooking",
        audit_kitchens.final_cooking,
    ),
    Check(
        "No order is accepted with a dish that is sold out",
        "K-I3",
        "dish_changes",
        audit_kitchens.sold_out_orders,
    ),
    Check(
        "No press changes an order, a payment or a refund",
        "K-I4",
        "writes",
        audit_kitchens.untouched_money,
    ),
    Check(
        "95% of the paid orders are on a connected board within a second",
        "K-I5",
        "device_logs",
        audit_kitchens.arrival_times,
    ),
)


def audit(evidence: Evidence) -> list[CheckResult]:
    """Return the result of each check, in order."""
    return [_run(check, evidence) for check in CHECKS]


def findings(results: list[CheckResult]) -> list[Finding]:
    """Return all findings without an explanation."""
    return [finding for result in results for finding in result.findings]


def _run(check: Check, evidence: Evidence) -> CheckResult:
    found = list(check.function(evidence))
    records = vars(evidence) | vars(evidence.database)
    return CheckResult(
        check,
        len(records[check.records]),
        [finding for finding in found if not finding.explanation],
        [finding for finding in found if finding.explanation],
    )
