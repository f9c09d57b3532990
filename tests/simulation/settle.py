"""After the hour: wait for open payments and jobs, and skip idle time."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from campus_app.domain.constants import PAYMENT_LIFETIME_SECONDS
from tests.simulation.customers import Customer
from tests.simulation.payment_outcomes import PaymentOutcome
from tests.simulation.socket_customers import SocketCustomer
from tests.simulation.stack import Stack

_POLL_SECONDS = 1.0
_QUIET_POLLS = 3
_AT_ONCE_SECONDS = 8.0
_PAST_LEASES_SECONDS = 75
"""The lease of a killed process ends after a minute."""
_PAST_LAPSE_MINUTES = PAYMENT_LIFETIME_SECONDS // 60 + 1
_PAST_ANOTHER_CHECK_MINUTES = 6
_MOST_REFUNDS = 12
_PAID = "select reference from payments where state = 'paid'"
_UNPAID = "select id from payments where state in ('pending', 'failed', 'cancelled')"
_TO_LOOK_AT = "select id from payments where next_check_at_ms <= %s"
_TO_GIVE_BACK = """
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

    async def wait(what: str, is_so: Callable[[], Any]) -> None:
        began = time.monotonic()
        if not await _within(seconds, is_so):
            settled.unfinished.append(what)
        settled.seconds[what] = round(time.monotonic() - began, 1)

    if not await _within(_AT_ONCE_SECONDS, lambda: is_quiet(stack)):
        await stack.advance_clock(seconds=_PAST_LEASES_SECONDS)
    await wait("everybody who paid at noon is told", lambda: is_quiet(stack))
    await stack.advance_clock(minutes=_PAST_LAPSE_MINUTES)
    await wait("every order that nobody paid has lapsed", lambda: _has_no(stack, _UNPAID))
    await _settle_late(customers)
    await stack.advance_clock(minutes=_PAST_ANOTHER_CHECK_MINUTES)
    await wait("money that came late is found", lambda: is_quiet(stack))
    await wait("every payment was asked after once more", lambda: _has_looked(stack))
    await _give_back(stack)
    await wait("nothing is under way any more", lambda: is_quiet(stack))
    return settled


async def is_quiet(stack: Stack) -> bool:
    """Whether all captured money is recorded and no job is open."""
    evidence = (await stack.control.get("/records")).json()
    captured = {each["reference"] for each in evidence["provider_orders"] if each["payments"]}
    paid = {row["reference"] for row in await asyncio.to_thread(stack.deployment.rows, _PAID)}
    return captured <= paid and not await asyncio.to_thread(stack.deployment.open_jobs)


async def _settle_late(customers: "Sequence[Customer | SocketCustomer]") -> None:
    late = [
        each
        for each in customers
        if isinstance(each, Customer) and each.person.outcome is PaymentOutcome.PENDING_THEN_LATE
    ]
    for customer in late:
        if customer.is_pending:
            await customer.settle()


async def _give_back(stack: Stack) -> None:
    """Refund every other due order as the operator; the others stay due."""
    rows = await asyncio.to_thread(stack.deployment.rows, _TO_GIVE_BACK)
    for row in rows[::2][:_MOST_REFUNDS]:
        await asyncio.to_thread(stack.run_ops, "refund", row["number"])


async def _has_no(stack: Stack, statement: str) -> bool:
    return not await asyncio.to_thread(stack.deployment.rows, statement)


async def _has_looked(stack: Stack) -> bool:
    """Whether no due payment query is outstanding."""
    now = round(stack.clock.now().timestamp() * 1000)
    return not await asyncio.to_thread(stack.deployment.rows, _TO_LOOK_AT, now)


async def _within(seconds: float, is_so: Callable[[], Any]) -> bool:
    """Whether a condition holds for several polls before the timeout."""
    deadline, quiet = time.monotonic() + seconds, 0
    while quiet < _QUIET_POLLS:
        quiet = quiet + 1 if await is_so() else 0
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(_POLL_SECONDS)
    return True
