"""The sandbox payment provider, which simulates a real provider without money.

It has its own table, signs its webhooks and sends them over HTTP. Other code uses it through the
PaymentProvider interface only.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
from sqlalchemy import Connection, Select, bindparam, insert, select, update

from campus_app.ordering.providers.sandbox.tables import SandboxPaymentRow, SandboxRefundRow
from campus_app.ordering.rules.errors import BadSignature, ProviderRejected, StaleWebhook
from campus_app.ordering.rules.order_number import parse_order_number
from campus_app.ordering.rules.payment import PaymentState, Snapshot
from campus_app.ordering.rules.payment_provider import (
    Checkout,
    CheckoutRequest,
    Refund,
    WebhookEvent,
)
from campus_app.ordering.rules.refund import RefundState, ReportedRefund
from campus_app.shared.rules.constants import CURRENCY
from campus_app.shared.rules.messages import PaymentMessage
from campus_app.shared.rules.money import Rupees
from kit.clock import Clock, from_ms, to_ms
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of
from kit.http.client import ssl_context
from kit.outbox.errors import DeliveryPostponed
from kit.outbox.models import NewJob, enqueue
from kit.outbox.store import Job
from kit.secret_file import stored_secret

WEBHOOK_TOPIC = "sandbox.webhook"
SIGNATURE_HEADER = "x-sandbox-signature"
TIMESTAMP_HEADER = "x-sandbox-timestamp"
WEBHOOK_DELAY = timedelta(seconds=20)

_payments = table_of(SandboxPaymentRow)
_refunds = table_of(SandboxRefundRow)
_IS_UNPAID = _payments.c.state != PaymentState.PAID
_NEWEST = select(_payments).order_by(_payments.c.expires_at.desc()).limit(1)
_BY_REFERENCE = _NEWEST.where(_payments.c.reference == bindparam("key"))
_BY_ORDER_NUMBER = _NEWEST.where(_payments.c.order_number == bindparam("key"))
_MAXIMUM_WEBHOOK_AGE = timedelta(hours=72)
_MAXIMUM_TIMESTAMP_LENGTH = 16
_SECRET_BYTES = 32
_RETURN_KEY_LENGTH = 32
_WEBHOOK_TIME_OUT_SECONDS = 10
_KEEPALIVE_SECONDS = 1
"""Far below the keep-alive time of servers, so that no webhook is sent on a closing connection."""


class SandboxButton(StrEnum):
    """The buttons of the hosted page."""

    PAY = "pay"
    DECLINE = "decline"
    CANCEL = "cancel"
    PENDING = "pending"


class WebhookDelivery(StrEnum):
    """How the webhook is delivered, to test failures. Source: specification C4.2."""

    NONE = ""
    LATE = "late"
    NEVER = "never"
    TWICE = "twice"


_OUTCOMES = {
    SandboxButton.PAY: (PaymentState.PAID, "PAYMENT_SUCCESS"),
    SandboxButton.DECLINE: (PaymentState.FAILED, "PAYMENT_FAILED"),
    SandboxButton.CANCEL: (PaymentState.CANCELLED, "PAYMENT_CANCELLED"),
    SandboxButton.PENDING: (PaymentState.PENDING, "PAYMENT_PENDING"),
}
_REASONS = {
    PaymentState.FAILED: PaymentMessage.DECLINED.value,
    PaymentState.CANCELLED: PaymentMessage.CANCELLED.value,
    PaymentState.EXPIRED: PaymentMessage.LAPSED.value,
}


@dataclass(frozen=True)
class SandboxPayment:
    """A payment of the sandbox."""

    reference: str
    order_number: str
    amount: Rupees
    state: PaymentState
    payment_id: str
    return_url: str
    expires_at: datetime


def installation_secret(file: Path) -> bytes:
    """Return this installation's signing secret; created on first use with mode 600."""
    return stored_secret(file, lambda: secrets.token_hex(_SECRET_BYTES)).encode()


def sign(secret: bytes, timestamp: str, body: bytes) -> str:
    """Return the signature of a webhook: HMAC-SHA256 over its timestamp and its raw body."""
    digest = hmac.new(secret, timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


class SandboxPayments:
    """The PaymentProvider, and the operations of its hosted page."""

    name = "sandbox"

    def __init__(
        self, database: Database, secret: bytes, origin: str, webhook_url: str, clock: Clock
    ) -> None:
        self._database = database
        self._secret = secret
        self._origin = origin
        self._webhook_url = webhook_url
        self._clock = clock
        self._http_client: httpx.AsyncClient | None = None

    async def create(self, request: CheckoutRequest) -> Checkout:
        values = {
            "reference": request.reference,
            "order_number": request.order_number,
            "amount": request.amount,
            "state": PaymentState.PENDING,
            "payment_id": "",
            "return_url": request.return_url,
            "expires_at": request.expires_at,
        }
        statement = insert_into(self._database.dialect, _payments).values(values)
        # The same reference again reopens a declined or cancelled payment; others stay as they are.
        await self._database.execute(
            statement.on_conflict_do_update(
                index_elements=["reference"],
                set_={"state": PaymentState.PENDING},
                where=_payments.c.state.in_([PaymentState.FAILED, PaymentState.CANCELLED]),
            )
        )
        key = self.return_key(request.reference)
        query = urlencode({"order_id": request.order_number, "key": key})
        return Checkout(f"{self._origin}/sandbox/pay?{query}")

    async def fetch(self, reference: str) -> Snapshot:
        payment = await self.payment(reference)
        if payment is None:
            return Snapshot(None)  # unknown here
        return Snapshot(
            payment.state,
            paid=payment.amount if payment.state is PaymentState.PAID else None,
            provider_payment_id=payment.payment_id,
            reason=_REASONS.get(payment.state, ""),
        )

    def parse_webhook(
        self, headers: Mapping[str, str], body: bytes, at: datetime
    ) -> Sequence[WebhookEvent]:
        timestamp = headers.get(TIMESTAMP_HEADER, "")
        is_number = timestamp.isascii() and timestamp.isdigit()
        if not is_number or len(timestamp) > _MAXIMUM_TIMESTAMP_LENGTH:
            raise BadSignature("no timestamp")
        expected = sign(self._secret, timestamp, body)
        signature = headers.get(SIGNATURE_HEADER, "")
        if not hmac.compare_digest(expected.encode(), signature.encode()):
            raise BadSignature("not signed by the sandbox")
        if abs(at - from_ms(int(timestamp))) > _MAXIMUM_WEBHOOK_AGE:
            raise StaleWebhook("signed too long ago")
        try:
            return [WebhookEvent(str(json.loads(body)["data"]["reference"]))]
        except (ValueError, LookupError, TypeError, RecursionError):
            return []

    async def refund(self, refund: Refund) -> ReportedRefund:
        payment = await self.payment(refund.reference)
        if payment is None or payment.state is not PaymentState.PAID:
            raise ProviderRejected("nothing was paid")
        paid = payment.amount

        def work(connection: Connection) -> bool:
            # The payment's row is the lock: refunds are counted one after the other.
            connection.execute(
                select(_payments.c.reference)
                .where(_payments.c.reference == refund.reference)
                .with_for_update()
            )
            earlier = connection.execute(
                select(_refunds.c.id, _refunds.c.amount).where(
                    _refunds.c.reference == refund.reference
                )
            ).all()
            if any(each.id == refund.id for each in earlier):
                return True
            if sum((each.amount for each in earlier), refund.amount) > paid:
                return False
            values = {"id": refund.id, "reference": refund.reference, "amount": refund.amount}
            connection.execute(insert(_refunds), values)
            return True

        if not await self._database.write(work):
            raise ProviderRejected("more than was paid")
        return ReportedRefund(
            RefundState.DONE, refund.id, payment.reference, refund.amount, CURRENCY
        )

    async def cancel(self, reference: str) -> Snapshot:
        statement = (
            update(_payments)
            .where(_payments.c.reference == reference, _IS_UNPAID)
            .values(expires_at=self._clock.now())  # it expires now; a paid payment stays paid
        )
        await self._database.execute(statement)
        return await self.fetch(reference)

    def is_up(self) -> bool:
        return True

    async def payment(self, reference: str) -> SandboxPayment | None:
        """Return a payment by its reference."""
        return await self._newest(_BY_REFERENCE, reference)

    async def latest_of_order(self, order_number: str) -> SandboxPayment | None:
        """Return the newest payment of the order with this display number."""
        if parse_order_number(order_number) is None:
            return None
        return await self._newest(_BY_ORDER_NUMBER, order_number)

    def return_key(self, reference: str) -> str:
        """Return the key in a payment page's address: only with it the page links to the receipt.

        An order's number can be guessed; the 128 bits of a key, in hex, can't.
        """
        digest = hmac.new(self._secret, f"return {reference}".encode(), hashlib.sha256)
        return digest.hexdigest()[:_RETURN_KEY_LENGTH]

    def is_return_key(self, payment: SandboxPayment, key: str) -> bool:
        """Whether a key is that in the address of the payment's page."""
        return hmac.compare_digest(key.encode(), self.return_key(payment.reference).encode())

    def return_address(self, payment: SandboxPayment, key: str) -> str:
        """Return the link to the order's receipt with the payment's key, else one by its number."""
        if self.is_return_key(payment, key):
            return payment.return_url
        query = urlencode({"order_id": payment.order_number})
        return f"{self._origin}/payment-success?{query}"

    async def press(
        self, payment: SandboxPayment, button: SandboxButton, delivery: WebhookDelivery
    ) -> bool:
        """Apply a button of the hosted page; False if the payment is final.

        The button's webhooks are enqueued in the outbox in the same transaction.
        """
        state, event = _OUTCOMES[button]
        now = self._clock.now()
        payment_id = payment.payment_id or f"sbx_{secrets.token_hex(8)}"
        change = (
            update(_payments)
            .where(
                _payments.c.reference == payment.reference,
                _IS_UNPAID,
                _payments.c.expires_at > now,
            )
            .values(state=state, payment_id=payment_id)
        )
        event_fields = {"reference": payment.reference, "type": event, "paymentId": payment_id}

        def work(connection: Connection) -> bool:
            if connection.execute(change).rowcount != 1:
                return False
            enqueue(connection, _webhook_jobs(event_fields, payment.reference, delivery, now))
            return True

        return await self._database.write(work)

    async def send_webhook(self, job: Job) -> None:
        """Post one signed webhook to our own server, as a real provider does.

        Raises:
            DeliveryPostponed: If our server did not accept the webhook.
        """
        now = self._clock.now()
        body = json.dumps(
            {
                "type": job.payload["type"],
                "event_time": now.isoformat(),
                "data": {
                    "reference": job.payload["reference"],
                    "payment_id": job.payload["paymentId"],
                },
            }
        ).encode()
        timestamp = str(to_ms(now))
        headers = {
            "content-type": "application/json",
            TIMESTAMP_HEADER: timestamp,
            SIGNATURE_HEADER: sign(self._secret, timestamp, body),
        }
        client = self._open_client()
        try:
            response = await client.post(self._webhook_url, content=body, headers=headers)
        except httpx.HTTPError as error:
            raise DeliveryPostponed(type(error).__name__) from error
        if not response.is_success:
            raise DeliveryPostponed(f"answered {response.status_code}")

    async def _newest(self, query: Select[Any], key: str) -> SandboxPayment | None:
        row = await self._database.fetch_one(query, {"key": key})
        if row is None:
            return None
        payment = from_row(SandboxPayment, _payments, row)
        is_over = payment.expires_at <= self._clock.now()
        if payment.state is not PaymentState.PAID and is_over:
            return replace(payment, state=PaymentState.EXPIRED)
        return payment

    def _open_client(self) -> httpx.AsyncClient:
        if self._http_client is None:
            self._http_client = httpx.AsyncClient(
                timeout=_WEBHOOK_TIME_OUT_SECONDS,
                limits=httpx.Limits(keepalive_expiry=_KEEPALIVE_SECONDS),
                trust_env=False,
                verify=ssl_context(),
            )
        return self._http_client

    async def close(self) -> None:
        if self._http_client is not None:
            await self._http_client.aclose()
            self._http_client = None


def _webhook_jobs(
    event_fields: Mapping[str, str], reference: str, delivery: WebhookDelivery, now: datetime
) -> list[NewJob]:
    copies = {WebhookDelivery.NEVER: 0, WebhookDelivery.TWICE: 2}.get(delivery, 1)
    run_at = now + WEBHOOK_DELAY if delivery is WebhookDelivery.LATE else now
    press = secrets.token_hex(8)
    return [
        NewJob(f"{WEBHOOK_TOPIC}:{press}:{copy}", WEBHOOK_TOPIC, reference, event_fields, run_at)
        for copy in range(copies)
    ]
