"""Check the received mails against the orders that they name.

A mail may arrive twice with one Message-ID if a process or the mail server failed between
accepting the mail and recording that. Source: docs/invariants.md I13.
"""

from collections.abc import Iterator
from itertools import pairwise

from tools.simulation.db_rows import Order
from tools.simulation.evidence import UNCERTAIN_SECONDS, Evidence
from tools.simulation.finding import Finding
from tools.simulation.records import ReceivedMail

_REMAINING_LEASE_SECONDS = 15.0
"""A lease lasts 60 seconds and an effect 45 at most: another process can't claim an interrupted job
sooner.
"""


def confirmation_mails(evidence: Evidence) -> Iterator[Finding]:
    """Customer and restaurant each receive one mail about every confirmed order."""
    mails = evidence.mails_by_recipient()
    for order in evidence.database.orders:
        if order.is_confirmed:
            vendor = evidence.vendors[order.restaurant_id][0]
            for role, recipient in (("customer", order.email), ("restaurant", vendor)):
                found = mails.get((order.number, recipient), [])
                yield from _exactly_one(evidence, order, role, found)


def refund_mails(evidence: Evidence) -> Iterator[Finding]:
    """The customer of a refunded order receives one mail; the restaurant is not notified."""
    mails, calls = evidence.mails_by_recipient(), evidence.calls_by_order()
    for order in evidence.database.orders:
        if order.state != "refund_due":
            continue
        vendor = evidence.vendors[order.restaurant_id][0]
        yield from _exactly_one(
            evidence, order, "customer", mails.get((order.number, order.email), [])
        )
        if mails.get((order.number, vendor)) or calls.get(order.id):
            yield Finding(order.number, "the restaurant was notified of a refunded order")


def _exactly_one(
    evidence: Evidence, order: Order, role: str, mails: list[ReceivedMail]
) -> Iterator[Finding]:
    """Check that there is one mail; a duplicate needs an explanation and the same Message-ID."""
    if not mails:
        yield Finding(order.number, f"no mail to the {role}")
    elif len({mail.message_id for mail in mails}) > 1:
        yield Finding(order.number, f"{len(mails)} different mails to the {role}")
    for first, duplicate in pairwise(mails):
        seconds = duplicate.received_at - first.received_at
        text = f"duplicate mail to the {role} after {seconds:.0f} s"
        yield Finding(order.number, text, _reason_for_duplicate(evidence, first, duplicate))


def _reason_for_duplicate(evidence: Evidence, first: ReceivedMail, duplicate: ReceivedMail) -> str:
    """Return the crash or outage that prevented recording the first mail as sent, or ""."""
    elapsed = (
        evidence.campus_ms(duplicate.received_at) - evidence.campus_ms(first.received_at)
    ) / 1000
    for ended_at in evidence.process_ends:
        is_between = first.received_at - 0.5 <= ended_at <= first.received_at + UNCERTAIN_SECONDS
        if is_between and elapsed >= _REMAINING_LEASE_SECONDS:
            return "a process ended when the mail was accepted"
    for outage in evidence.outages:
        if outage.target == "mail" and abs(outage.begins - first.received_at) < UNCERTAIN_SECONDS:
            return "the mail server's outage began when the mail was accepted"
    return ""
