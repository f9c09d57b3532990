"""After the hour: wait for open payments and jobs, and skip idle time."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from campus_app.shared.rules.constants import PAYMENT_LIFETIME_SECONDS
from tools.simulation.customers import Customer
from tools.simulation.payment_outcomes import PaymentOutcome
from tools.simulation.socket_customers import SocketCustomer
from tools.simulation.stack import Stack

_POLL_SECONDS = 1.0
_STABLE_POLLS = 3
_FIRST_TIMEOUT_SECONDS = 8.0
_LONGER_THAN_LEASES_SECONDS = 75
"""The leases of a killed process end after a minute."""
_LONGER_THAN_PAYMENTS_MINUTES = PAYMENT_LIFETIME_SECONDS // 60 + 1
_LONGER_THAN_CHECK_INTERVAL_MINUTES = 6
_MAXIMUM_REFUNDS = 12
_PAID = "select reference from payments where state = 'paid'"
_UNPAID = "select id from payments where state in ('pending', 'failed', 'cancelled')"
_UNSEEN = """
    select o.id from orders o left join cooking c on c.order_id = o.id
    where o.state = 'confirmed' and c.seen_at_ms is null"""
_DUE_CHECKS = "select id from payments where next_check_at_ms <= %s"
_DUE_REFUNDS = """
    select distinct o.number from refunds r join payments p on p.id = r.payment_id
    join orders o on o.id = p.order_id where r.state = 'due' order by o.number"""


@dataclass
class Settled:
    """Seconds of each settlement step, and the steps that did not finish."""

    seconds: dict[str, float] = field(default_factory=dict)
    unfinished: list[str] = field(default_factory=list)


async def settle(
    stack: Stack, customers: "Sequence[Customer | SocketCustomer]", seconds: float
) -> Settled:
    """Settle the run step by step, each within `seconds`."""
    settled = Settled()

    async def wait(step: str, condition: Callable[[], Any]) -> None:
        began = time.monotonic()
        if not await _holds_within(seconds, condition):
            settled.unfinished.append(step)
        settled.seconds[step] = round(time.monotonic() - began, 1)

    if not await _holds_within(_FIRST_TIMEOUT_SECONDS, lambda: is_settled(stack)):
        await stack.advance_clock(seconds=_LONGER_THAN_LEASES_SECONDS)
    await wait("all payments of the hour are recorded and notified", lambda: is_settled(stack))
    await stack.advance_clock(minutes=_LONGER_THAN_PAYMENTS_MINUTES)
    await wait("all unpaid orders have lapsed", lambda: _is_empty(stack, _UNPAID))
    await _complete_late_payments(customers)
    await stack.advance_clock(minutes=_LONGER_THAN_CHECK_INTERVAL_MINUTES)
    await wait("late payments are recorded", lambda: is_settled(stack))
    await wait("all due payment checks are done", lambda: _has_no_due_check(stack))
    await _refund_due_orders(stack)
    await wait("no job is open", lambda: is_settled(stack))
    return settled


async def is_settled(stack: Stack) -> bool:
    """Whether all captured money is recorded, no job is open, and all orders are seen.

    A later campus time would make the product call the kitchens of unseen orders again.
    """
    records = (await stack.control.get("/records")).json()
    captured = {each["reference"] for each in records["provider_orders"] if each["payments"]}
    paid = {row["reference"] for row in await asyncio.to_thread(stack.deployment.rows, _PAID)}
    has_open_jobs = await asyncio.to_thread(stack.deployment.open_jobs)
    return captured <= paid and not has_open_jobs and await _is_empty(stack, _UNSEEN)


async def _complete_late_payments(customers: "Sequence[Customer | SocketCustomer]") -> None:
    late = [
        each
        for each in customers
        if isinstance(each, Customer) and each.planned.outcome is PaymentOutcome.PENDING_THEN_LATE
    ]
    for customer in late:
        if customer.is_pending:
            await customer.settle()


async def _refund_due_orders(stack: Stack) -> None:
    """Refund every second due order, as an operator does; the others stay due."""
    rows = await asyncio.to_thread(stack.deployment.rows, _DUE_REFUNDS)
    for row in rows[::2][:_MAXIMUM_REFUNDS]:
        await asyncio.to_thread(stack.run_ops, "refund", row["number"])


async def _is_empty(stack: Stack, statement: str) -> bool:
    return not await asyncio.to_thread(stack.deployment.rows, statement)


async def _has_no_due_check(stack: Stack) -> bool:
    """Whether no payment is due to be checked."""
    now = round(stack.clock.now().timestamp() * 1000)
    return not await asyncio.to_thread(stack.deployment.rows, _DUE_CHECKS, now)


async def _holds_within(seconds: float, condition: Callable[[], Any]) -> bool:
    """Whether a condition holds for several polls before the timeout."""
    deadline, stable_polls = time.monotonic() + seconds, 0
    while stable_polls < _STABLE_POLLS:
        stable_polls = stable_polls + 1 if await condition() else 0
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(_POLL_SECONDS)
    return True
