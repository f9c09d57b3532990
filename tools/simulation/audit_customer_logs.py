"""Check what customers were shown against the stored orders.

Each check yields a finding for every violation of the rule that its docstring states.
"""

from collections.abc import Iterator

from tools.simulation.customer_log import SUCCESS, CustomerLog
from tools.simulation.db_rows import Order
from tools.simulation.evidence import Evidence
from tools.simulation.finding import Finding, rupees

_STORED_KEY = "http:{}"
"""How an order stores the Idempotency-Key of the HTTP request that placed it."""


def success(evidence: Evidence) -> Iterator[Finding]:
    """SUCCESS is shown only after a payment, and no other status is shown afterwards."""
    paid = {order.number for order in evidence.database.orders if order.is_paid}
    refund_due = {order.number for order in evidence.database.orders if order.state == "refund_due"}
    paid_at_provider = {each.number for each in evidence.provider_orders if each.payments}
    for log in evidence.customer_logs:
        success_times = [at for at, status in log.observations if status == SUCCESS]
        if not success_times:
            continue
        if log.number not in paid_at_provider or log.number not in paid:
            yield Finding(log.number, "SUCCESS was shown, and nothing was paid")
        elif not log.paid_at or success_times[0] < log.paid_at:
            yield Finding(log.number, "SUCCESS was shown before the payment")
        if log.number in refund_due:
            yield Finding(log.number, "SUCCESS was shown, and a refund is due")
        if any(status != SUCCESS for at, status in log.observations if at > success_times[0]):
            yield Finding(log.number, f"SUCCESS was shown, then {log.statuses[-1]}")


def amounts(evidence: Evidence) -> Iterator[Finding]:
    """Each order that a customer placed is stored with the shown number and amounts; no others."""
    by_number = {order.number: order for order in evidence.database.orders}
    by_key = {order.key: order for order in evidence.database.orders}
    for log in evidence.customer_logs:
        order = by_key.get(_STORED_KEY.format(log.key)) if log.key else by_number.get(log.number)
        if order is None:
            if log.number:
                yield Finding(log.number, "the shown order is not stored")
            continue
        if log.number and log.number != order.number:
            yield Finding(log.number, f"the shown number is not {order.number}")
        if order.email != log.email:
            yield Finding(order.number, "stored with another e-mail address")
        if log.subtotal_paise and log.subtotal_paise != order.subtotal_paise:
            yield Finding(order.number, f"the subtotal by the menu is {rupees(log.subtotal_paise)}")
        if log.total_paise and _logged_amounts(log) != _stored_amounts(order):
            yield Finding(order.number, "the shown amounts are not the stored ones")
    emails = {log.email for log in evidence.customer_logs}
    for order in evidence.database.orders:
        if order.email not in emails:
            yield Finding(order.number, "stored, and no customer placed it")


def _logged_amounts(log: CustomerLog) -> tuple[int, int, int]:
    return log.online_paise, log.remaining_paise, log.total_paise


def _stored_amounts(order: Order) -> tuple[int, int, int]:
    return order.online_paise, order.remaining_paise, order.grand_total_paise
