"""A new payment provider needs one adapter, one line of the wiring, and its settings."""

import inspect
import re
from pathlib import Path

import pytest

from campus_app import wiring
from campus_app.ordering.rules.payment_provider import PaymentProvider
from campus_app.ordering.wiring import PROVIDERS
from campus_app.shared import current
from campus_app.shared.rules.audit import Actor
from tests.fakes.toy_provider import ToySettings, toy
from tests.helpers.builders import order_body
from tests.helpers.flows import calls, drain, mails
from tests.helpers.settings import DATA, ORIGIN

pytestmark = pytest.mark.anyio

PAGE = (Path(__file__).parents[4] / "docs" / "adding-a-provider.md").read_text(encoding="utf-8")
METHODS = [
    name for name, _ in inspect.getmembers(PaymentProvider, inspect.isfunction) if name[0] != "_"
]


@pytest.fixture
def with_toy(database_url, tmp_path, clock, monkeypatch):
    """The whole product with the toy provider."""
    monkeypatch.setitem(PROVIDERS, "toy", toy)
    chosen = ToySettings(
        _env_file=None,
        database_url=database_url,
        outbox_dir=tmp_path / "outbox",
        public_url=ORIGIN,
        demonstration=True,
        data_dir=DATA,
    )
    services = wiring.build(chosen, clock)
    monkeypatch.setattr(current, "services", lambda: services)
    yield services
    services.close()


async def test_added_provider_handles_payment_webhook_and_refund(api, with_toy, clock):
    provider = with_toy.payments.provider
    order = (await api.post("/payment/prepare-order", json=order_body())).json()
    online = order["paymentBreakdown"]["preOrderPayment"]
    form = await api.get(f"/api/payment-form/{online}", params={"order_id": order["orderId"]})
    page = await api.get(form.json()["paymentFormUrl"])
    assert 'action="https://toy.example/checkout"' in page.text
    assert "form-action 'self' https://toy.example;" in page.headers["content-security-policy"]

    (reference,) = provider.snapshots
    provider.pays(reference)
    stamp, body = clock.now().isoformat(), f'{{"reference": "{reference}"}}'.encode()
    signed = {"x-toy-time": stamp, "x-toy-signature": provider.sign(stamp, body)}
    assert (await api.post("/payment/toy/webhook", content=body)).status_code == 401
    assert (await api.post("/payment/toy/webhook", content=body, headers=signed)).is_success
    status = (await api.get(f"/payment/order-status/{order['orderId']}")).json()["status"]
    assert status == "SUCCESS"
    await drain(with_toy)
    assert (len(mails(with_toy)), len(calls(with_toy))) == (2, 1)

    await with_toy.operations.refund(order["orderId"], Actor("asha"), force=True)
    assert len(provider.refunds) == 1
    assert (await api.post("/payment/sandbox/webhook", content=b"{}")).status_code == 404


async def test_unpaid_order_of_added_provider_expires(api, with_toy, clock):
    order = (await api.post("/payment/prepare-order", json=order_body())).json()
    online = order["paymentBreakdown"]["preOrderPayment"]
    await api.get(f"/api/payment-form/{online}", params={"order_id": order["orderId"]})
    clock.advance(minutes=20)
    await with_toy.payments.reconcile_due()
    (snapshot,) = with_toy.payments.provider.snapshots.values()
    assert snapshot.state == "expired"


def test_guide_describes_each_provider_method_and_names_only_existing_files():
    assert [method for method in METHODS if f"`{method}`" not in PAGE] == []
    assert len(METHODS) == 7
    root = Path(__file__).parents[4]
    named = re.findall(r"`((?:campus_app|tests|docs|assets)/[\w/.]+)`", PAGE)
    assert named
    assert [name for name in named if not (root / name).exists()] == []
