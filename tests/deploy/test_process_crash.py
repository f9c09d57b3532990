"""A process is killed while two hundred visitors order: they complete on the other one."""

import asyncio
from collections import Counter

import pytest

from tests.helpers.deployment import running_deployment
from tests.helpers.product import eventually
from tests.helpers.visitor import STEPS, visitors
from tests.hostile.server import running_server

pytestmark = pytest.mark.anyio

VISITORS = 200
FURTHEST = STEPS.index("pay")
"""The process is killed before any payment: its leased jobs would be delayed by a minute."""


@pytest.fixture
def deployment():
    with running_deployment() as deployment:
        yield deployment


@pytest.fixture
def server(tmp_path):
    """A single process."""
    with running_server(tmp_path) as server:
        yield server


async def go(visitor, steps):
    for step in steps:
        await visitor.step(step)


async def test_orders_complete_on_other_process_when_one_is_killed(deployment):
    # Source: specification P5.3.
    async with visitors(deployment.url, VISITORS) as people:
        reached = [1 + number % FURTHEST for number in range(VISITORS)]
        await asyncio.gather(
            *(go(each, STEPS[:steps]) for each, steps in zip(people, reached, strict=True))
        )
        going_on = [
            asyncio.create_task(go(each, STEPS[steps:]))
            for each, steps in zip(people, reached, strict=True)
        ]
        await asyncio.sleep(0)
        await asyncio.to_thread(deployment.parts.backends[0].kill)
        await asyncio.gather(*going_on)

    moved = [each for each in people if each.reconnected > 1]
    assert VISITORS / 4 < len(moved) < VISITORS * 3 / 4, "about half were on the one that died"
    orders = deployment.rows(
        "select orders.number, orders.email, orders.state, payments.state as paid"
        " from orders join payments on payments.order_id = orders.id"
    )
    assert Counter(order["email"] for order in orders) == Counter(each.email for each in people)
    assert {(order["state"], order["paid"]) for order in orders} == {("confirmed", "paid")}
    eventually(lambda: deployment.open_jobs() == 0, "everybody is told")
    assert len(deployment.mails()) == 2 * VISITORS
    assert Counter(deployment.calls()) == Counter(each.order for each in people)
    assert deployment.logged_errors() == []


async def test_pay_is_idempotent_when_response_was_lost(server):
    async with visitors(server.url, 1) as (visitor,):
        await go(visitor, STEPS[:FURTHEST])
        await visitor.request_payment()
        await visitor.leave()
        await go(visitor, STEPS[FURTHEST:])
    (order,) = server.rows()["orders"]
    assert (order["number"], order["state"]) == (visitor.order, "confirmed")
