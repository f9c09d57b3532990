"""Check the provider's payments and refunds against ours, in both directions; in paise."""

from collections import Counter
from collections.abc import Iterator

from tests.simulation.db_rows import Order
from tests.simulation.evidence import Evidence
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
"""The valid final states of an order and its payment."""


def captured_money(evidence: Evidence) -> Iterator[Finding]:
    """The captured money of each order is its online amount, if confirmed, plus refunds."""
    orders = {order.reference: order for order in evidence.database.orders}
    going_back: Counter[str] = Counter()
    for refund in evidence.database.refunds:
        if refund.state not in _WAS_NOT_MADE:
            going_back[refund.order_id] += refund.paise
    for provider_order in evidence.provider_orders:
        order = orders.get(provider_order.reference)
        if order is None:
            if provider_order.captured_paise:
                yield Finding(
                    provider_order.reference,
                    f"{rupees(provider_order.captured_paise)} for no order of ours",
                )
            continue
        kept = order.online_paise if order.is_confirmed else 0
        accounted = kept + going_back[order.id]
        if accounted != provider_order.captured_paise:
            yield Finding(
                order.number,
                f"{rupees(provider_order.captured_paise)} taken, {rupees(kept)} kept for it,"
                f" {rupees(going_back[order.id])} going back",
            )


def confirmed(evidence: Evidence) -> Iterator[Finding]:
    """The provider captured a confirmed order's amount, under the stored payment id."""
    by_reference = {each.reference: each for each in evidence.provider_orders}
    for order in evidence.database.orders:
        if not order.is_confirmed:
            continue
        paid = by_reference[order.reference].payments if order.reference in by_reference else {}
        if paid.get(order.provider_payment_id) != order.online_paise:
            yield Finding(order.number, "confirmed, and the provider took no such payment")
        elif order.paid_paise != order.online_paise or not order.is_paid:
            yield Finding(order.number, "confirmed, and our own payment says otherwise")
    names = Counter(
        each.provider_payment_id for each in evidence.database.orders if each.is_confirmed
    )
    for name, count in names.items():
        if count > 1:
            yield Finding(name, f"one payment confirms {count} orders")


def completed_refunds(evidence: Evidence) -> Iterator[Finding]:
    """The provider's refunds equal our completed refunds, and never exceed the captured money."""
    numbers = {order.id: order.number for order in evidence.database.orders}
    done = {each.id: each for each in evidence.database.refunds if each.state == _WENT_BACK}
    made = {
        name: paise
        for provider_order in evidence.provider_orders
        for name, paise in provider_order.refunds.items()
    }
    known = {each.id for each in evidence.database.refunds}
    for name, refund in done.items():
        if made.get(name) != refund.paise:
            yield Finding(numbers[refund.order_id], "a refund is done, and the provider made none")
    for name in made.keys() - known:
        yield Finding(name, f"{rupees(made[name])} went back, and we know of no such refund")
    for name in (made.keys() & known) - done.keys():
        yield Finding(name, f"{rupees(made[name])} went back, and we do not know that it did")
    for provider_order in evidence.provider_orders:
        if sum(provider_order.refunds.values()) > provider_order.captured_paise:
            yield Finding(provider_order.number, "more went back than was taken")


def totals(evidence: Evidence) -> Iterator[Finding]:
    """A bill's parts add up to its total, which is paid in two parts."""
    for order in evidence.database.orders:
        bill = order.subtotal_paise - order.discount_paise
        bill += sum(getattr(order, part) for part in _PARTS)
        if bill != order.grand_total_paise:
            yield Finding(order.number, f"the parts of the bill make {rupees(bill)}")
        if order.online_paise + order.remaining_paise != order.grand_total_paise:
            yield Finding(order.number, "paid now and due at the door are not the total")
        if min(order.online_paise, order.remaining_paise, order.discount_paise) < 0:
            yield Finding(order.number, "an amount is below nothing")


def requested_amounts(evidence: Evidence) -> Iterator[Finding]:
    """Every order at the provider is stored by us, once, with the same amount."""
    orders = {order.reference: order for order in evidence.database.orders}
    for provider_order in evidence.provider_orders:
        order = orders.get(provider_order.reference)
        if order is None:
            yield Finding(provider_order.reference, "asked for, and no order of ours")
        elif not provider_order.paise == order.amount_paise == order.online_paise:
            yield Finding(order.number, f"{rupees(provider_order.paise)} asked for another amount")
    for name, count in Counter(each.reference for each in evidence.provider_orders).items():
        if count > 1:
            yield Finding(name, f"asked for {count} times")


def numbers(evidence: Evidence) -> Iterator[Finding]:
    """Each number, key and reference belongs to one order."""
    for name in ("number", "key", "reference"):
        for value, count in Counter(
            getattr(each, name) for each in evidence.database.orders
        ).items():
            if count > 1:
                yield Finding(value, f"the {name} of {count} orders")


def ended(evidence: Evidence) -> Iterator[Finding]:
    """Every order is paid or expired in the end, and its payment agrees."""
    for order in evidence.database.orders:
        if not _is_ended(order):
            yield Finding(order.number, f"{order.state}, its payment {order.payment_state}")


def _is_ended(order: Order) -> bool:
    return (order.state, order.payment_state) in _STATES
