"""A process is killed while 200 visitors order; their orders complete on the other process."""

import asyncio
from collections import Counter

import pytest

from tests.helpers.deployment import running_deployment
from tests.helpers.product import eventually
from tests.helpers.visitor import STEPS, open_visitors
from tests.hostile.server import running_server

pytestmark = pytest.mark.anyio

VISITORS = 200
STEPS_BEFORE_PAYMENT = STEPS.index("pay")
"""The process is killed before any payment, because its leased jobs would be delayed by a minute."""


@pytest.fixture
def deployment():
    with running_deployment() as deployment:
        yield deployment


@pytest.fixture
def server(tmp_path):
    """A single process."""
    with running_server(tmp_path) as server:
        yield server


async def run_steps(visitor, steps):
    for step in steps:
        await visitor.step(step)


async def test_orders_complete_on_other_process_when_one_is_killed(deployment):
    # Source: specification P5.3.
    async with open_visitors(deployment.url, VISITORS) as visitors:
        step_counts = [1 + number % STEPS_BEFORE_PAYMENT for number in range(VISITORS)]
        await asyncio.gather(
            *(
                run_steps(each, STEPS[:count])
                for each, count in zip(visitors, step_counts, strict=True)
            )
        )
        tasks = [
            asyncio.create_task(run_steps(each, STEPS[count:]))
            for each, count in zip(visitors, step_counts, strict=True)
        ]
        await asyncio.sleep(0)
        deployment.parts.backends[0].kill()  # in this thread: no visitor goes on meanwhile
        await asyncio.gather(*tasks)

    reconnected = [each for each in visitors if each.connection_count > 1]
    assert VISITORS / 4 < len(reconnected) < VISITORS * 3 / 4, (
        "about half were connected to the killed process"
    )
    orders = deployment.rows(
        "select orders.number, orders.email, orders.state, payments.state as paid"
        " from orders join payments on payments.order_id = orders.id"
    )
    assert Counter(order["email"] for order in orders) == Counter(each.email for each in visitors)
    assert {(order["state"], order["paid"]) for order in orders} == {("confirmed", "paid")}
    eventually(lambda: deployment.open_jobs() == 0, "all notifications are sent")
    assert len(deployment.mails()) == 2 * VISITORS
    assert Counter(deployment.calls()) == Counter(each.order for each in visitors)
    assert deployment.logged_errors() == []


async def test_pay_is_idempotent_when_response_was_lost(server):
    async with open_visitors(server.url, 1) as (visitor,):
        await run_steps(visitor, STEPS[:STEPS_BEFORE_PAYMENT])
        await visitor.request_payment()
        await visitor.leave()
        await run_steps(visitor, STEPS[STEPS_BEFORE_PAYMENT:])
    (order,) = server.rows()["orders"]
    assert (order["number"], order["state"]) == (visitor.order, "confirmed")
