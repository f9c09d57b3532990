"""Our requests and the fake's responses are valid for Cashfree's published models.

Source: specification P2.11.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from campus_app.ordering.providers.cashfree.payments import CashfreePayments
from campus_app.ordering.rules.payment import PaymentState
from tests.fakes.cashfree import CLIENT_ID, CLIENT_SECRET, FakeCashfree
from tests.fakes.cashfree_account import API_VERSION, REFERENCE, REFUND, REQUEST, account_at
from tests.helpers.server import serving

pytestmark = pytest.mark.anyio

OTHER = replace(REQUEST, reference="AS-another")
ACCOUNT = {"x-client-id": CLIENT_ID, "x-client-secret": CLIENT_SECRET, "x-api-version": API_VERSION}
ROOT = Path(__file__).parents[5]
MODELS = ROOT / ".cache" / "cashfree_models"
CHECK = ROOT / "tests" / "cashfree_models" / "check.py"
REQUESTS = {
    "create": "CreateOrderRequest",
    "order": "TerminateOrderRequest",
    "refund": "OrderCreateRefundRequest",
}


def problems(*contents):
    """Return the validation errors of (model name, content) pairs."""
    if not MODELS.exists():
        pytest.fail("Cashfree's models are missing: run make test", pytrace=False)
    done = subprocess.run(
        [sys.executable, str(CHECK)],
        input=json.dumps(contents, default=float),
        env={**os.environ, "PYTHONPATH": str(MODELS)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.fixture
async def orders(clock):
    """The fake's orders and their URL: one attempted, paid and refunded, one terminated."""
    fake = FakeCashfree(clock)
    async with serving(fake.app) as address:
        provider = CashfreePayments(account_at(address), clock)
        await provider.create(REQUEST)
        fake.attempt(REFERENCE, "FAILED")
        fake.attempt(REFERENCE, "SUCCESS")
        assert (await provider.fetch(REFERENCE)).state is PaymentState.PAID
        await provider.refund(REFUND)
        await provider.create(OTHER)
        await provider.cancel(OTHER.reference)
        yield fake, f"{address}/pg/orders"


async def test_our_requests_and_the_fakes_responses_are_valid_for_cashfree(orders):
    fake, address = orders
    sent = [(REQUESTS[each.call], each.body) for each in fake.seen if each.body]
    assert [name for name, _ in sent] == [
        "CreateOrderRequest",
        "OrderCreateRefundRequest",
        "CreateOrderRequest",
        "TerminateOrderRequest",
    ]

    async def get(path, **headers):
        return (await client.get(f"{address}/{path}", headers=headers)).json()

    async with httpx.AsyncClient(headers=ACCOUNT, trust_env=False) as client:
        order, closed = await get(REFERENCE), await get(OTHER.reference)
        attempts = await get(f"{REFERENCE}/payments")
        refund = await get(f"{REFERENCE}/refunds/{REFUND.id}")
        unknown = await get("nobody")
        unauthenticated = await get(REFERENCE, **{"x-client-secret": "another"})
        wrong = (await client.post(address, json={})).json()
    assert (order["order_status"], closed["order_status"]) == ("PAID", "TERMINATED")
    answered = [
        ("OrderEntity", order),
        ("OrderEntity", closed),
        *(("PaymentEntity", attempt) for attempt in attempts),
        ("RefundEntity", refund),
        ("ApiError404", unknown),
        ("BadRequestError", wrong),
        ("AuthenticationError", unauthenticated),
    ]
    assert len(answered) == 8
    assert problems(*sent, *answered) == [[]] * (len(sent) + len(answered))


def test_control_invalid_bodies_are_detected():
    """The negative control of the tests above."""
    assert problems(
        ("OrderEntity", {"order_id": 1}),
        ("OrderEntity", {"order_name": "AS_1"}),
        ("OrderEntity", {"order_meta": {"return_to": "here"}}),
        ("CreateOrderRequest", {"order_currency": "INR"}),
        ("OrderEntity", {"order_id": "1"}),
    ) == [
        ["order_id: Input should be a valid string"],
        ["order_name: no such field"],
        ["order_meta.return_to: no such field"],
        ["order_amount: Field required"],
        [],
    ]
