"""Customers: what they were told against what was so."""

from collections.abc import Iterator

from tests.simulation.books import Books
from tests.simulation.customer_log import SUCCESS, Told
from tests.simulation.db_rows import Order
from tests.simulation.finding import Finding, rupees

_KEY = "http:{}"


def success(books: Books) -> Iterator[Finding]:
    """Nobody was told of success before paying, or for money that never came, and none unsaid."""
    paid = {order.number for order in books.ours.orders if order.is_paid}
    going_back = {order.number for order in books.ours.orders if order.state == "refund_due"}
    taken = {each.number for each in books.taken if each.payments}
    for told in books.told:
        heard = [at for at, word in told.said if word == SUCCESS]
        if not heard:
            continue
        if told.number not in taken or told.number not in paid:
            yield Finding(told.number, "told of success, and nothing was paid")
        elif not told.paid_at or heard[0] < told.paid_at:
            yield Finding(told.number, "told of success before paying")
        if told.number in going_back:
            yield Finding(told.number, "told of success, and the money goes back")
        if any(word != SUCCESS for at, word in told.said if at > heard[0]):
            yield Finding(told.number, f"told of success, then of {told.words[-1]}")


def amounts(books: Books) -> Iterator[Finding]:
    """A customer's order is stored once, under their key, for the amounts that they were told."""
    by_number = {order.number: order for order in books.ours.orders}
    by_key = {order.key: order for order in books.ours.orders}
    for told in books.told:
        order = by_key.get(_KEY.format(told.key)) if told.key else by_number.get(told.number)
        if order is None:
            if told.number:
                yield Finding(told.number, "told of an order that is not stored")
            continue
        if told.number and told.number != order.number:
            yield Finding(told.number, f"told another number than {order.number}")
        if order.email != told.email:
            yield Finding(order.number, "stored for somebody else")
        if told.subtotal_paise and told.subtotal_paise != order.subtotal_paise:
            yield Finding(order.number, f"the menu says {rupees(told.subtotal_paise)}")
        if told.total_paise and _told(told) != _stored(order):
            yield Finding(order.number, "told other amounts than are stored")
    known = {told.email for told in books.told}
    for order in books.ours.orders:
        if order.email not in known:
            yield Finding(order.number, "stored, and nobody ordered it")


def _told(told: Told) -> tuple[int, int, int]:
    return told.online_paise, told.remaining_paise, told.total_paise


def _stored(order: Order) -> tuple[int, int, int]:
    return order.online_paise, order.remaining_paise, order.grand_total_paise
