"""Check the provider's payments and refunds against ours, in both directions; in paise."""

from collections import Counter
from collections.abc import Iterator

from tools.simulation.evidence import Evidence
from tools.simulation.finding import Finding, rupees

_FAILED = "failed"
_COMPLETED = "done"
_BILL_PARTS = ("delivery_fee_paise", "convenience_fee_paise", "donation_paise")
_FINAL_STATES = {
    ("confirmed", "paid"),
    ("refund_due", "paid"),
    ("lapsed", "expired"),
    ("replaced", "expired"),
}
"""The valid final states of an order and its payment."""


def captured_money(evidence: Evidence) -> Iterator[Finding]:
    """The money captured for an order is its refunds plus, if confirmed, its online amount."""
    orders = {order.reference: order for order in evidence.database.orders}
    refunded: Counter[str] = Counter()
    for refund in evidence.database.refunds:
        if refund.state != _FAILED:
            refunded[refund.order_id] += refund.paise
    for provider_order in evidence.provider_orders:
        order = orders.get(provider_order.reference)
        if order is None:
            if provider_order.captured_paise:
                yield Finding(
                    provider_order.reference,
                    f"{rupees(provider_order.captured_paise)} captured for an unknown order",
                )
            continue
        earned = order.online_paise if order.is_confirmed else 0
        accounted = earned + refunded[order.id]
        if accounted != provider_order.captured_paise:
            yield Finding(
                order.number,
                f"{rupees(provider_order.captured_paise)} captured, {rupees(earned)} for the order,"
                f" {rupees(refunded[order.id])} refunded",
            )


def confirmed(evidence: Evidence) -> Iterator[Finding]:
    """The provider captured a confirmed order's amount, under the stored payment id."""
    by_reference = {each.reference: each for each in evidence.provider_orders}
    for order in evidence.database.orders:
        if not order.is_confirmed:
            continue
        payments = by_reference[order.reference].payments if order.reference in by_reference else {}
        if payments.get(order.provider_payment_id) != order.online_paise:
            yield Finding(order.number, "confirmed, and the provider captured no such payment")
        elif order.paid_paise != order.online_paise or not order.is_paid:
            yield Finding(order.number, "confirmed, and the stored payment does not match")
    payment_ids = Counter(
        each.provider_payment_id for each in evidence.database.orders if each.is_confirmed
    )
    for payment_id, count in payment_ids.items():
        if count > 1:
            yield Finding(payment_id, f"one payment confirms {count} orders")


def completed_refunds(evidence: Evidence) -> Iterator[Finding]:
    """The provider's refunds equal our completed refunds, and never exceed the captured money."""
    numbers = {order.id: order.number for order in evidence.database.orders}
    completed = {each.id: each for each in evidence.database.refunds if each.state == _COMPLETED}
    reported = {
        id_: paise
        for provider_order in evidence.provider_orders
        for id_, paise in provider_order.refunds.items()
    }
    stored = {each.id for each in evidence.database.refunds}
    for id_, refund in completed.items():
        if reported.get(id_) != refund.paise:
            yield Finding(
                numbers[refund.order_id], "a completed refund was not made by the provider"
            )
    for id_ in reported.keys() - stored:
        yield Finding(id_, f"{rupees(reported[id_])} refunded, and the refund is not stored")
    for id_ in (reported.keys() & stored) - completed.keys():
        yield Finding(id_, f"{rupees(reported[id_])} refunded, and the refund is stored as open")
    for provider_order in evidence.provider_orders:
        if sum(provider_order.refunds.values()) > provider_order.captured_paise:
            yield Finding(provider_order.number, "more was refunded than captured")


def totals(evidence: Evidence) -> Iterator[Finding]:
    """A bill's parts, and its online and remaining amounts, add up to its total."""
    for order in evidence.database.orders:
        bill = order.subtotal_paise - order.discount_paise
        bill += sum(getattr(order, part) for part in _BILL_PARTS)
        if bill != order.grand_total_paise:
            yield Finding(order.number, f"the parts of the bill add up to {rupees(bill)}")
        if order.online_paise + order.remaining_paise != order.grand_total_paise:
            yield Finding(
                order.number, "the online and remaining amounts do not add up to the total"
            )
        if min(order.online_paise, order.remaining_paise, order.discount_paise) < 0:
            yield Finding(order.number, "an amount is negative")


def requested_amounts(evidence: Evidence) -> Iterator[Finding]:
    """Every order at the provider is stored by us, once, with the same amount."""
    orders = {order.reference: order for order in evidence.database.orders}
    for provider_order in evidence.provider_orders:
        order = orders.get(provider_order.reference)
        if order is None:
            yield Finding(provider_order.reference, "requested for an unknown order")
        elif not provider_order.paise == order.amount_paise == order.online_paise:
            yield Finding(order.number, f"requested {rupees(provider_order.paise)}, another amount")
    for reference, count in Counter(each.reference for each in evidence.provider_orders).items():
        if count > 1:
            yield Finding(reference, f"requested {count} times")


def numbers(evidence: Evidence) -> Iterator[Finding]:
    """Each number, key and reference belongs to one order."""
    for name in ("number", "key", "reference"):
        for value, count in Counter(
            getattr(each, name) for each in evidence.database.orders
        ).items():
            if count > 1:
                yield Finding(value, f"the {name} of {count} orders")


def final_states(evidence: Evidence) -> Iterator[Finding]:
    """Every order is in a final state that matches its payment's."""
    for order in evidence.database.orders:
        if (order.state, order.payment_state) not in _FINAL_STATES:
            yield Finding(order.number, f"{order.state}, its payment {order.payment_state}")
