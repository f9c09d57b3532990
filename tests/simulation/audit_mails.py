"""Check the received mails against the orders that they name.

A mail may arrive twice with one Message-ID if a process or the mail server failed between
accepting the mail and recording that. Source: docs/invariants.md I13.
"""

from collections.abc import Iterator
from itertools import pairwise

from tests.simulation.db_rows import Order
from tests.simulation.evidence import UNCERTAIN_SECONDS, Evidence
from tests.simulation.finding import Finding
from tests.simulation.records import ReceivedMail

_LEASE_LEFT_SECONDS = 15.0
"""The rest of a one-minute lease after the effect's timeout of 45 seconds: another process can't
take over an interrupted job sooner.
"""


def confirmation_mails(evidence: Evidence) -> Iterator[Finding]:
    """Customer and restaurant each receive one mail about every confirmed order."""
    mails = evidence.mails_by_recipient()
    for order in evidence.database.orders:
        if order.is_confirmed:
            vendor = evidence.vendors[order.restaurant_id][0]
            for who, recipient in (("customer", order.email), ("kitchen", vendor)):
                found = mails.get((order.number, recipient), [])
                yield from _one(evidence, order, who, found)


def refund_mails(evidence: Evidence) -> Iterator[Finding]:
    """The customer of a refunded order receives one mail; the restaurant is not notified."""
    mails, calls = evidence.mails_by_recipient(), evidence.calls_by_order()
    for order in evidence.database.orders:
        if order.state != "refund_due":
            continue
        vendor = evidence.vendors[order.restaurant_id][0]
        yield from _one(evidence, order, "customer", mails.get((order.number, order.email), []))
        if mails.get((order.number, vendor)) or calls.get(order.id):
            yield Finding(order.number, "the kitchen was told of an order that is not honoured")


def _one(
    evidence: Evidence, order: Order, who: str, mails: list[ReceivedMail]
) -> Iterator[Finding]:
    """Check that there is one mail; a repetition needs an explanation and the same Message-ID."""
    if not mails:
        yield Finding(order.number, f"no mail to the {who}")
    elif len({mail.message_id for mail in mails}) > 1:
        yield Finding(order.number, f"{len(mails)} different mails to the {who}")
    for first, again in pairwise(mails):
        text = f"a mail to the {who} came again after {again.received_at - first.received_at:.0f} s"
        yield Finding(order.number, text, _why_again(evidence, first, again))


def _why_again(evidence: Evidence, first: ReceivedMail, again: ReceivedMail) -> str:
    """Return why we could not know that the mail was accepted; "" without a reason."""
    passed = (evidence.campus_ms(again.received_at) - evidence.campus_ms(first.received_at)) / 1000
    for ended_at in evidence.ends_of_processes:
        is_between = first.received_at - 0.5 <= ended_at <= first.received_at + UNCERTAIN_SECONDS
        if is_between and passed >= _LEASE_LEFT_SECONDS:
            return "a process was ended in the moment in which the mail was taken"
    for outage in evidence.outages:
        if outage.what == "mail" and abs(outage.begins - first.received_at) < UNCERTAIN_SECONDS:
            return "the mail server went away in the moment in which the mail was taken"
    return ""
