"""The PaymentProvider of Cashfree: Orders API and hosted checkout.

Payment forms are not used, since they do not carry our order id, nor is the SDK, whose base URL
cannot be changed. Source: Cashfree API reference, Payment Gateway.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import httpx

from campus_app.ordering.providers.cashfree.account import CashfreeAccount, Endpoint
from campus_app.ordering.providers.cashfree.client import (
    CashfreeAmbiguous,
    CashfreeClient,
    CashfreeRejected,
)
from campus_app.ordering.providers.cashfree.mapping import (
    ACTIVE,
    PAID,
    Json,
    as_object,
    as_objects,
    order_body,
    order_money,
    refund_body,
    reported_refund,
    snapshot_of,
)
from campus_app.ordering.providers.cashfree.webhooks import parse_events, verify
from campus_app.ordering.rules.errors import ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.payment import ReportedMoney, Snapshot
from campus_app.ordering.rules.payment_provider import (
    Checkout,
    CheckoutRequest,
    CheckoutSession,
    Refund,
    WebhookEvent,
)
from campus_app.ordering.rules.refund import ReportedRefund
from campus_app.shared.rules.constants import CURRENCY
from kit.clock import Clock
from kit.quota import Quota, Timer

logger = logging.getLogger(__name__)

_SCRIPT = "https://sdk.cashfree.com/js/v3/cashfree.js"
_SITES = ("https://sdk.cashfree.com", "https://*.cashfree.com")
_STARTER = "/js/pay_cashfree.js"
_FORM_STARTER = "/js/pay_form.js"
_SESSION = re.compile(r"[A-Za-z0-9_-]{8,1000}", re.ASCII)
_NOT_FOUND = 404
_ALREADY_EXISTS = {409, 422}


class CashfreePayments:
    """The PaymentProvider; every state is fetched, never read from a webhook."""

    name = "cashfree"

    def __init__(
        self,
        account: CashfreeAccount,
        clock: Clock,
        timer: Timer | None = None,
        quota: type[Quota] = Quota,
    ) -> None:
        """`timer` and `quota` replace the clock and the rate limiter in tests."""
        self._account = account
        self._clock = clock
        self._http = CashfreeClient(account, timer, quota)

    async def create(self, request: CheckoutRequest) -> Checkout | CheckoutSession:
        async with self._http.connect() as connection:
            order = await self._opened(connection, request)
        if order_money(order) != ReportedMoney(request.amount, CURRENCY):
            logger.error("cashfree: order %s exists with another amount", request.reference)
            raise ProviderRejected("another amount")
        if order.get("order_status") == PAID:
            return Checkout(request.return_url)  # the return page queries the payment
        if order.get("order_status") != ACTIVE:
            raise ProviderRejected("over")
        session = order.get("payment_session_id")
        if not isinstance(session, str) or not _SESSION.fullmatch(session):
            raise ProviderUnavailable("no session")
        return self._checkout_session(session)

    async def fetch(self, reference: str) -> Snapshot:
        async with self._http.connect() as connection:
            order = await self._order(connection, reference)
            return Snapshot(None) if order is None else await self._snapshot(connection, order)

    def parse_webhook(
        self, headers: Mapping[str, str], body: bytes, at: datetime
    ) -> Sequence[WebhookEvent]:
        verify(headers, body, self._account.secrets, at)
        return parse_events(body)

    async def refund(self, refund: Refund) -> ReportedRefund:
        where = f"orders/{refund.reference}/refunds"
        async with self._http.connect() as connection:
            made = await self._refund(connection, f"{where}/{refund.id}")
            if made is None:
                try:
                    body = refund_body(refund)
                    made = as_object(
                        await self._http.change(connection, Endpoint.REFUND, where, body)
                    )
                except (CashfreeRejected, CashfreeAmbiguous):
                    made = await self._refund(connection, f"{where}/{refund.id}")
                    if made is None:
                        raise
        return reported_refund(made)

    async def cancel(self, reference: str) -> Snapshot:
        async with self._http.connect() as connection:
            order = await self._order(connection, reference)
            if order is None:
                return Snapshot(None)
            if order.get("order_status") == ACTIVE:
                order = await self._terminated(connection, reference) or order
            return await self._snapshot(connection, order)

    async def _opened(self, connection: httpx.AsyncClient, request: CheckoutRequest) -> Json:
        """Create the order, or return the existing one with this reference."""
        try:
            return await self._create(connection, request)
        except CashfreeRejected as error:
            if error.status not in _ALREADY_EXISTS:
                raise
        except CashfreeAmbiguous:
            logger.warning("cashfree: unknown whether order %s was created", request.reference)
        existing = await self._order(connection, request.reference)
        if existing is not None:
            return existing
        return await self._create(connection, request)

    async def _create(self, connection: httpx.AsyncClient, request: CheckoutRequest) -> Json:
        body = order_body(request, self._clock.now())
        answer = await self._http.change(connection, Endpoint.CREATE, "orders", body)
        return _order_of(answer, request.reference)

    async def _order(self, connection: httpx.AsyncClient, reference: str) -> Json | None:
        try:
            answer = await self._http.get(connection, Endpoint.ORDER, f"orders/{reference}")
        except CashfreeRejected as error:
            if error.status == _NOT_FOUND:
                return None
            raise
        return _order_of(answer, reference)

    def is_up(self) -> bool:
        return self._http.is_up()

    async def close(self) -> None:
        """Do nothing: each operation opens and closes its own connection."""

    async def _terminated(self, connection: httpx.AsyncClient, reference: str) -> Json | None:
        """Terminate an order; one that was paid a moment before is returned as it is."""
        body = {"order_status": "TERMINATED"}
        try:
            answer = await self._http.change(
                connection, Endpoint.ORDER, f"orders/{reference}", body, "PATCH"
            )
        except CashfreeRejected:
            return await self._order(connection, reference)
        return _order_of(answer, reference)

    async def _refund(self, connection: httpx.AsyncClient, path: str) -> Json | None:
        try:
            answer = await self._http.get(connection, Endpoint.GET_REFUND, path)
        except CashfreeRejected as error:
            if error.status == _NOT_FOUND:
                return None
            raise
        if not (refund := as_object(answer)):
            raise ProviderUnavailable("no refund")
        return refund

    async def _snapshot(self, connection: httpx.AsyncClient, order: Json) -> Snapshot:
        answer = await self._http.get(
            connection, Endpoint.PAYMENTS, f"orders/{order['order_id']}/payments"
        )
        attempts = as_objects(answer)
        if attempts is None:
            raise ProviderUnavailable("no attempts")
        return snapshot_of(order, attempts)

    def _checkout_session(self, session: str) -> CheckoutSession:
        base = httpx.URL(self._account.base_url)
        host = f"{base.scheme}://{base.netloc.decode()}"
        uses_script = self._account.uses_script
        return CheckoutSession(
            action=f"{self._account.base_url.rstrip('/')}/view/sessions/checkout",
            fields={"payment_session_id": session},
            starter=_STARTER if uses_script else _FORM_STARTER,
            script=_SCRIPT if uses_script else "",
            mode="production" if self._account.is_production else "sandbox",
            sites=(host, *_SITES),
        )


def _order_of(answer: Any, reference: str) -> Json:
    """Return the order of an answer.

    Raises:
        CashfreeAmbiguous: If it is not the requested order.
    """
    order = as_object(answer)
    if order.get("order_id") != reference:
        raise CashfreeAmbiguous("no order")
    return order
