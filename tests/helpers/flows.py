"""Steps of an order: payments, webhooks, jobs and time."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx

from campus_app.operators.wiring import Services
from campus_app.ordering.providers.sandbox.payments import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    SandboxButton,
    SandboxPayments,
    WebhookDelivery,
    installation_secret,
    sign,
)
from campus_app.ordering.rules.payment_provider import Checkout
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.services.cart_orders import CartOrders
from campus_app.ordering.services.payment_webhooks import PaymentWebhooks
from campus_app.ordering.services.payments import Payments
from campus_app.ordering.sql.orders import SqlOrders
from kit.clock import to_ms
from kit.http.client import ssl_context
from tests.helpers.clock import ManualClock
from tests.helpers.outbox import run_batch

MENU_HEADER = "id,name,description,price,category"
PAY, DECLINE, CANCEL, PENDING = SandboxButton
PAST_A_LEASE_SECONDS = 61
PAST_A_RETRY_SECONDS = 601


def sandbox(services: Services) -> SandboxPayments:
    provider = services.payments.provider
    assert isinstance(provider, SandboxPayments)
    return provider


async def press(
    services: Services,
    stored: StoredOrder,
    button: SandboxButton = PAY,
    webhook_delivery: WebhookDelivery = WebhookDelivery.NEVER,
) -> bool:
    """Press a button of the sandbox's payment page; by default no webhook is sent."""
    payment = await sandbox(services).payment(stored.payment.reference)
    assert payment is not None
    return await sandbox(services).press(payment, button, webhook_delivery)


async def pay(services: Services, stored: StoredOrder) -> StoredOrder:
    """Open the payment page, pay, and reconcile the payment."""
    await services.checkouts.open(stored)
    assert await press(services, stored)
    return await services.payments.reconcile(stored.payment)


async def pay_at_cashfree(services: Services, checkout: Checkout) -> None:
    """Follow our redirect page to the fake Cashfree, and pay there."""
    found = await services.checkouts.find_session(checkout.url.rpartition("/")[2])
    assert found is not None
    fields = {"session": found[1].fields["payment_session_id"], "button": "pay"}
    url = urljoin(found[1].action, "/pg/fake/press")
    async with httpx.AsyncClient(trust_env=False, verify=ssl_context(), timeout=30) as browser:
        assert (await browser.post(url, data=fields)).status_code == 303


def signed_webhook(
    services: Services, reference: str, **changes: Any
) -> tuple[dict[str, str], bytes]:
    """Return a webhook signed now: headers and body."""
    secret = installation_secret(services.settings.outbox_dir.parent / "sandbox.secret")
    return webhook_signed_with(secret, reference, services.clock.now(), **changes)


def webhook_signed_with(
    secret: bytes, reference: str, at: datetime, **changes: Any
) -> tuple[dict[str, str], bytes]:
    """Return a webhook signed with this secret: headers and body."""
    content = {"type": "PAYMENT_SUCCESS", "data": {"reference": reference}} | changes
    body = json.dumps(content).encode()
    timestamp = str(to_ms(at))
    headers = {
        "content-type": "application/json",
        TIMESTAMP_HEADER: timestamp,
        SIGNATURE_HEADER: sign(secret, timestamp, body),
    }
    return headers, body


async def receive_webhook(payments: Payments, headers: Mapping[str, str], body: bytes) -> None:
    """Receive a webhook and run its follow-up."""
    webhooks = PaymentWebhooks(payments)
    await webhooks.process(await webhooks.receive(headers, body))


def with_orders(services: Services, kind: type[SqlOrders], **given: Any) -> Services:
    """Return the services with an order store of this class, which gets these attributes."""
    orders = kind(services.database, services.outbox.wake.set)
    vars(orders).update(given)
    return with_parts(services, orders=orders)


def with_parts(services: Services, **changed: Any) -> Services:
    """Return the services with another order store (`orders`) or payment provider (`provider`)."""
    parts = {"orders": services.payments.orders, "provider": services.payments.provider} | changed
    ordering = replace(services.ordering, orders=parts["orders"])
    payments = replace(services.payments, ordering=ordering, **parts)
    return replace(
        services,
        ordering=ordering,
        payments=payments,
        carts=CartOrders(payments),
        checkouts=replace(services.checkouts, ordering=ordering, **parts),
        lookup=replace(services.lookup, orders=parts["orders"]),
    )


async def drain(services: Services) -> int:
    """Run all due jobs; return their number."""
    total = 0
    while count := await run_batch(services.worker):
        total += count
    return total


async def settle_down(services: Services, clock: ManualClock) -> None:
    """Advance the clock past every lease and retry, and run all due jobs."""
    for _ in range(3):  # once ends each lease; the others show that nothing is done a second time
        clock.advance(seconds=PAST_A_LEASE_SECONDS)
        await services.payments.reconcile_due()
        await drain(services)
    clock.advance(seconds=PAST_A_RETRY_SECONDS)
    await drain(services)


def mails(services: Services) -> dict[str, EmailMessage]:
    """Return the mails of the outbox folder by topic; of several, the last by its file's name."""
    folder = services.settings.outbox_dir / "mail"
    return {
        file.stem.partition("-")[0]: message_from_bytes(file.read_bytes(), policy=SMTP)
        for file in sorted(folder.glob("*.eml"))
    }


def part(message: EmailMessage, kind: str) -> str:
    """Return a mail's `plain` or `html` part."""
    body = message.get_body((kind,))
    assert body is not None
    return body.get_content().replace("\r\n", "\n")


def calls(services: Services) -> list[dict[str, Any]]:
    """Return the missed calls in the outbox folder."""
    file = services.settings.outbox_dir / "calls.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def sell(folder: Path, restaurant_id: int, dishes: Mapping[str, str] | Iterable[str]) -> None:
    """Replace a restaurant's menu with these dishes: prices by id, or complete CSV rows."""
    lines = (
        [f"{id_},Dish {id_},,{price},Dishes" for id_, price in dishes.items()]
        if isinstance(dishes, Mapping)
        else list(dishes)
    )
    text = "\n".join([MENU_HEADER, *lines, ""])
    (folder / f"menu_{restaurant_id}.csv").write_text(text, encoding="utf-8")
