"""Notices of both kinds: whom they are about, who had them, and what is left of them."""

from collections import Counter
from collections.abc import Iterator

from tests.simulation.books import Books
from tests.simulation.finding import Finding

_OPEN = {"ready", "leased"}
_MAILS = {"mail.customer", "mail.vendor"}


def only_of_paid(books: Books) -> Iterator[Finding]:
    """Every mail and every call is about an order that is paid."""
    paid = {order.number: order for order in books.ours.orders if order.is_paid}
    for letter in books.letters:
        if letter.number not in paid:
            yield Finding(letter.number or letter.reader, "a mail, and no order that is paid")
    rings = {ring.token: ring.order_id for ring in books.ours.rings}
    paid_ids = {order.id for order in paid.values()}
    for call in books.calls:
        if rings.get(call.token) not in paid_ids:
            yield Finding(call.sid, "a call, and no order that is paid")


def right_readers(books: Books) -> Iterator[Finding]:
    """A mail's reader is its order's customer or kitchen; a call goes to the kitchen's phone."""
    orders = {order.number: order for order in books.ours.orders}
    by_id = {order.id: order for order in books.ours.orders}
    for letter in books.letters:
        order = orders.get(letter.number)
        if order and letter.reader not in {order.email, books.vendors[order.restaurant_id][0]}:
            yield Finding(order.number, "a mail went to somebody else")
    rings = {ring.token: ring.order_id for ring in books.ours.rings}
    for call in books.calls:
        order = by_id.get(rings.get(call.token, ""))
        if order and call.to != books.vendors[order.restaurant_id][1]:
            yield Finding(order.number, "another phone than the kitchen's was rung")


def left(books: Books) -> Iterator[Finding]:
    """Nothing waits, no mail is given up, no notice is missing or there twice."""
    numbers = {order.id: order.number for order in books.ours.orders}
    for job in books.ours.jobs:
        number = numbers.get(job.order_id, job.order_id)
        if job.state in _OPEN:
            yield Finding(number, f"{job.topic} still waits: {job.error}")
        elif job.topic in _MAILS and job.state == "dead":
            yield Finding(number, f"{job.topic} was given up: {job.error}")
    for (order_id, topic), count in Counter(
        (job.order_id, job.topic) for job in books.ours.jobs
    ).items():
        if count > 1:
            yield Finding(numbers.get(order_id, order_id), f"{topic} is there {count} times")
