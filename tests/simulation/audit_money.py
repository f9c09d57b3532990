"""Money: the provider's books against ours, both ways; whole paise."""

from collections import Counter
from collections.abc import Iterator

from tests.simulation.books import Books
from tests.simulation.db_rows import Order
from tests.simulation.finding import Finding, rupees

_WAS_NOT_MADE = {"failed"}
_WENT_BACK = "done"
_PARTS = ("delivery_fee_paise", "convenience_fee_paise", "donation_paise")
_STATES = {
    ("confirmed", "paid"),
    ("refund_due", "paid"),
    ("lapsed", "expired"),
    ("replaced", "expired"),
}
"""How an order and its payment may stand once its time is over."""


def every_rupee(books: Books) -> Iterator[Finding]:
    """Each order's takings are its online amount, if it is confirmed, and what goes back."""
    ours = {order.reference: order for order in books.ours.orders}
    going_back: Counter[str] = Counter()
    for refund in books.ours.refunds:
        if refund.state not in _WAS_NOT_MADE:
            going_back[refund.order_id] += refund.paise
    for taken in books.taken:
        order = ours.get(taken.reference)
        if order is None:
            if taken.taken_paise:
                yield Finding(taken.reference, f"{rupees(taken.taken_paise)} for no order of ours")
            continue
        kept = order.online_paise if order.is_confirmed else 0
        accounted = kept + going_back[order.id]
        if accounted != taken.taken_paise:
            yield Finding(
                order.number,
                f"{rupees(taken.taken_paise)} taken, {rupees(kept)} kept for it,"
                f" {rupees(going_back[order.id])} going back",
            )


def confirmed(books: Books) -> Iterator[Finding]:
    """A confirmed order's amount was taken by the provider, under the name that we wrote down."""
    taken = {each.reference: each for each in books.taken}
    for order in books.ours.orders:
        if not order.is_confirmed:
            continue
        paid = taken[order.reference].payments if order.reference in taken else {}
        if paid.get(order.provider_payment_id) != order.online_paise:
            yield Finding(order.number, "confirmed, and the provider took no such payment")
        elif order.paid_paise != order.online_paise or not order.is_paid:
            yield Finding(order.number, "confirmed, and our own payment says otherwise")
    names = Counter(each.provider_payment_id for each in books.ours.orders if each.is_confirmed)
    for name, count in names.items():
        if count > 1:
            yield Finding(name, f"one payment confirms {count} orders")


def given_back(books: Books) -> Iterator[Finding]:
    """The provider's refunds are ours that are done, for the same amounts, within what it took."""
    numbers = {order.id: order.number for order in books.ours.orders}
    done = {each.id: each for each in books.ours.refunds if each.state == _WENT_BACK}
    made = {name: paise for taken in books.taken for name, paise in taken.refunds.items()}
    known = {each.id for each in books.ours.refunds}
    for name, refund in done.items():
        if made.get(name) != refund.paise:
            yield Finding(numbers[refund.order_id], "a refund is done, and the provider made none")
    for name in made.keys() - known:
        yield Finding(name, f"{rupees(made[name])} went back, and we know of no such refund")
    for name in (made.keys() & known) - done.keys():
        yield Finding(name, f"{rupees(made[name])} went back, and we do not know that it did")
    for taken in books.taken:
        if sum(taken.refunds.values()) > taken.taken_paise:
            yield Finding(taken.number, "more went back than was taken")


def totals(books: Books) -> Iterator[Finding]:
    """The parts of a bill add up to its total, and its total is paid in two parts."""
    for order in books.ours.orders:
        bill = order.subtotal_paise - order.discount_paise
        bill += sum(getattr(order, part) for part in _PARTS)
        if bill != order.grand_total_paise:
            yield Finding(order.number, f"the parts of the bill make {rupees(bill)}")
        if order.online_paise + order.remaining_paise != order.grand_total_paise:
            yield Finding(order.number, "paid now and due at the door are not the total")
        if min(order.online_paise, order.remaining_paise, order.discount_paise) < 0:
            yield Finding(order.number, "an amount is below nothing")


def asked_for(books: Books) -> Iterator[Finding]:
    """What the provider was asked to take stands in our books, for the same amount, once."""
    ours = {order.reference: order for order in books.ours.orders}
    for taken in books.taken:
        order = ours.get(taken.reference)
        if order is None:
            yield Finding(taken.reference, "asked for, and no order of ours")
        elif not taken.paise == order.amount_paise == order.online_paise:
            yield Finding(order.number, f"{rupees(taken.paise)} asked for another amount")
    for name, count in Counter(each.reference for each in books.taken).items():
        if count > 1:
            yield Finding(name, f"asked for {count} times")


def numbers(books: Books) -> Iterator[Finding]:
    """Each number and each key is one order's."""
    for name in ("number", "key", "reference"):
        for value, count in Counter(getattr(each, name) for each in books.ours.orders).items():
            if count > 1:
                yield Finding(value, f"the {name} of {count} orders")


def ended(books: Books) -> Iterator[Finding]:
    """Once its time is over an order is paid or lapsed, and its payment says the same."""
    for order in books.ours.orders:
        if not _is_ended(order):
            yield Finding(order.number, f"{order.state}, its payment {order.payment_state}")


def _is_ended(order: Order) -> bool:
    return (order.state, order.payment_state) in _STATES
