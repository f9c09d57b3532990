"""Mails: the mail server's books against the orders that they name.

One may come twice with one Message-ID, where a process died or the server went away between
taking it and our knowing. Source: docs/invariants.md I13.
"""

from collections.abc import Iterator
from itertools import pairwise

from tests.simulation.books import UNCERTAIN_SECONDS, Books
from tests.simulation.db_rows import Order
from tests.simulation.finding import Finding
from tests.simulation.records import Letter

_LEASE_LEFT_SECONDS = 15.0
"""What is left of a lease of a minute when its effect has had all of its 45 seconds: sooner than
that nobody takes over what somebody who died had begun."""


def two_mails(books: Books) -> Iterator[Finding]:
    """Customer and kitchen each have a mail of every confirmed order; one alone."""
    letters = books.letters_by_reader()
    for order in books.ours.orders:
        if order.is_confirmed:
            vendor = books.vendors[order.restaurant_id][0]
            for who, reader in (("customer", order.email), ("kitchen", vendor)):
                found = letters.get((order.number, reader), [])
                yield from _one(books, order, who, found)


def refunded(books: Books) -> Iterator[Finding]:
    """Whose order can't be honoured is told once; the kitchen hears nothing of it."""
    letters, calls = books.letters_by_reader(), books.calls_by_order()
    for order in books.ours.orders:
        if order.state != "refund_due":
            continue
        vendor = books.vendors[order.restaurant_id][0]
        yield from _one(books, order, "customer", letters.get((order.number, order.email), []))
        if letters.get((order.number, vendor)) or calls.get(order.id):
            yield Finding(order.number, "the kitchen was told of an order that is not honoured")


def _one(books: Books, order: Order, who: str, letters: list[Letter]) -> Iterator[Finding]:
    """Look whether there is one mail; another one needs a reason, and the same Message-ID."""
    if not letters:
        yield Finding(order.number, f"no mail to the {who}")
    elif len({letter.message_id for letter in letters}) > 1:
        yield Finding(order.number, f"{len(letters)} different mails to the {who}")
    for first, again in pairwise(letters):
        words = f"a mail to the {who} came again after {again.taken_at - first.taken_at:.0f} s"
        yield Finding(order.number, words, _why_again(books, first, again))


def _why_again(books: Books, first: Letter, again: Letter) -> str:
    """Return what kept us from knowing that a mail was taken; "" if nothing did."""
    passed = (books.campus_ms(again.taken_at) - books.campus_ms(first.taken_at)) / 1000
    for ended_at in books.ends_of_processes:
        is_between = first.taken_at - 0.5 <= ended_at <= first.taken_at + UNCERTAIN_SECONDS
        if is_between and passed >= _LEASE_LEFT_SECONDS:
            return "a process was ended in the moment in which the mail was taken"
    for outage in books.outages:
        if outage.what == "mail" and abs(outage.begins - first.taken_at) < UNCERTAIN_SECONDS:
            return "the mail server went away in the moment in which the mail was taken"
    return ""
