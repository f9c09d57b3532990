"""A fake Cashfree: an HTTP server with Cashfree's rules, states, rate limits and webhook signatures."""

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum
from itertools import count
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.fakes.cashfree_rules import (
    SANDBOX_LIMITS,
    VERSIONS,
    ApiError,
    require_order,
    require_refund,
)

CLIENT_ID = "TEST-our-account"
CLIENT_SECRET = "cfsk_ma_test_5ecret"
_MINUTE = 60.0
_PAGE = """<!doctype html><title>Cashfree (fake)</title><h1>Pay {amount}</h1>
<form method="post" action="/pg/fake/press"><input type="hidden" name="session" value="{session}">
{buttons}</form>"""
_WEBHOOK_TYPES = {
    "FAILED": "PAYMENT_FAILED_WEBHOOK",
    "USER_DROPPED": "PAYMENT_USER_DROPPED_WEBHOOK",
}
_BUTTONS = {"pay": "Pay now", "fail": "Fail", "drop": "Go back"}


class Missing(Enum):
    """Stands for a member that the response omits."""

    MISSING = "missing"


MISSING = Missing.MISSING


@dataclass(frozen=True)
class RawJson:
    """A value that is sent as this JSON text, such as a number that Python cannot represent."""

    text: str


@dataclass
class RecordedRequest:
    """A request as the fake received it."""

    call: str
    headers: dict[str, str]
    body: Any
    at: float


@dataclass
class FakeOrder:
    """An order stored by the fake."""

    body: dict[str, Any]
    number: int
    session: str
    expires_at: datetime
    status: str = "ACTIVE"
    attempts: list[dict[str, Any]] = field(default_factory=list)
    refunds: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass
class Fault:
    """A failure of one call, before it is executed or, with `executes_first`, afterwards."""

    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b'{"message": "+919800000001", "code": "internal_error", "type": "api_error"}'
    seconds: float = 0.0
    executes_first: bool = False
    trickles: bool = False


class FakeCashfree:
    """The Cashfree account of one merchant, with its HTTP API and payment page."""

    def __init__(
        self,
        clock: Any,
        *,
        allows_http: bool = False,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """`seconds` is the clock of the rate limits."""
        self.clock = clock
        self.refused = 0
        """Number of calls that exceeded the rate limits."""
        self._seconds = seconds
        self.secret = CLIENT_SECRET
        self.orders: dict[str, FakeOrder] = {}
        self.seen: list[RecordedRequest] = []
        self.limits = dict(SANDBOX_LIMITS)
        self.refund_status = "SUCCESS"
        self.wrong_refund: dict[str, Any] = {}
        """Members that replace those of every refund response; MISSING omits a member."""
        self.sends_webhooks = False
        self.pays_before_cancel = False
        self._allows_http = allows_http
        self._faults: dict[str, deque[Fault]] = defaultdict(deque)
        self._responses: dict[str, tuple[bytes, int, Any]] = {}
        self._calls: dict[str, deque[float]] = defaultdict(deque)
        self._deliveries: set[asyncio.Task[None]] = set()
        self._attempt_numbers = count(1_453_002_795)
        self.app = Starlette(
            routes=[
                Route("/pg/orders", self._route("create", self._create), methods=["POST"]),
                Route("/pg/orders/{order}", self._route("order", self._get)),
                Route("/pg/orders/{order}", self._route("order", self._patch), methods=["PATCH"]),
                Route("/pg/orders/{order}/payments", self._route("payments", self._attempts)),
                Route(
                    "/pg/orders/{order}/refunds",
                    self._route("refund", self._refund),
                    methods=["POST"],
                ),
                Route(
                    "/pg/orders/{order}/refunds/{refund}",
                    self._route("get refund", self._get_refund),
                ),
                Route("/pg/view/sessions/checkout", self._page, methods=["POST"]),
                Route("/pg/fake/press", self._press, methods=["POST"]),
            ]
        )

    # Controls for tests

    def fail_next(self, call: str, *faults: Fault) -> None:
        """Make the next calls of a kind fail with these faults."""
        self._faults[call].extend(faults)

    def clear_faults(self) -> None:
        """Remove all planned faults."""
        self._faults.clear()

    def attempt(self, reference: str, status: str, **members: Any) -> dict[str, Any]:
        """Add a payment attempt of the customer; return it."""
        order = self.orders[reference]
        attempt = {
            "cf_payment_id": str(next(self._attempt_numbers)),
            "order_id": reference,
            "payment_status": status,
            "payment_amount": order.body["order_amount"],
            "payment_currency": order.body["order_currency"],
            "payment_message": "of +919800000001",
            "payment_time": (self.clock.now() + timedelta(seconds=len(order.attempts))).isoformat(),
        } | members
        order.attempts.append(attempt)
        if status == "SUCCESS":
            order.status = "PAID"
        return attempt

    def change_attempt(self, reference: str, status: str) -> None:
        """Change the status of the newest attempt."""
        order = self.orders[reference]
        order.attempts[-1]["payment_status"] = status
        order.status = "PAID" if status == "SUCCESS" else order.status

    def webhook(
        self, reference: str, kind: str = "", **payment: Any
    ) -> tuple[dict[str, str], bytes]:
        """Return a webhook about the newest attempt: headers and signed body."""
        order = self.orders.get(reference)
        attempt = order.attempts[-1] if order and order.attempts else {}
        status = str(attempt.get("payment_status", "SUCCESS"))
        content = {
            "data": {
                "order": {
                    "order_id": reference,
                    "order_amount": order.body.get("order_amount") if order else 1,
                    "order_currency": "INR",
                    "order_tags": None,
                },
                "payment": {"payment_status": "SUCCESS", "cf_payment_id": "1"} | attempt | payment,
                "customer_details": {"customer_name": None, "customer_phone": "9800000001"},
            },
            "event_time": self.clock.now().isoformat(),
            "type": kind or _WEBHOOK_TYPES.get(status, "PAYMENT_SUCCESS_WEBHOOK"),
        }
        return self.signed(_json(content))

    def refund_webhook(
        self, reference: str, named: str, **members: Any
    ) -> tuple[dict[str, str], bytes]:
        """Return a webhook about a refund."""
        refund = {"order_id": reference, "refund_id": named, "refund_status": "PENDING"} | members
        content = {"data": {"refund": refund}, "type": "REFUND_STATUS_WEBHOOK"}
        return self.signed(_json(content))

    def signed(
        self, body: bytes, *, secret: str = "", at: datetime | None = None
    ) -> tuple[dict[str, str], bytes]:
        """Return the webhook headers with the signature of this body, and the body."""
        timestamp = str(int((at or self.clock.now()).timestamp() * 1000))
        key = (secret or self.secret).encode()
        digest = hmac.new(key, timestamp.encode() + body, hashlib.sha256).digest()
        headers = {
            "content-type": "application/json",
            "x-webhook-signature": base64.b64encode(digest).decode(),
            "x-webhook-timestamp": timestamp,
            "x-webhook-version": "2025-01-01",
            "x-webhook-attempt": "1",
            "x-idempotency-key": secrets.token_hex(8),
        }
        return headers, body

    def calls(self, call: str) -> list[RecordedRequest]:
        return [each for each in self.seen if each.call == call]

    # The HTTP interface

    def _route(self, call: str, handler: Any) -> Any:
        async def endpoint(request: Request) -> Response:
            raw = await request.body()
            body = json.loads(raw, parse_float=Decimal) if raw else None
            self.seen.append(RecordedRequest(call, dict(request.headers), body, self._seconds()))
            fault = self._faults[call].popleft() if self._faults[call] else None
            if fault and not fault.executes_first:
                return await _failed(fault)
            response = self._respond(call, request, raw, body, handler)
            return await _failed(fault) if fault else response

        return endpoint

    def _respond(
        self, call: str, request: Request, raw: bytes, body: Any, handler: Any
    ) -> Response:
        try:
            self._require_access(request)
            if wait := self._seconds_to_wait(call):
                headers = {"x-ratelimit-retry": str(wait)}
                error = ApiError(429, "rate_limited", "rate_limit_error")
                return JSONResponse(error.body, 429, headers)
            return self._idempotent(request, raw, lambda: handler(request, body))
        except ApiError as error:
            return JSONResponse(error.body, error.status)

    def _require_access(self, request: Request) -> None:
        credentials = (request.headers.get("x-client-id"), request.headers.get("x-client-secret"))
        if credentials != (CLIENT_ID, self.secret):
            raise ApiError(401, "request_failed", "authentication_error")
        if request.headers.get("x-api-version") not in VERSIONS:
            raise ApiError(400, "api_version_invalid")

    def _seconds_to_wait(self, call: str) -> int:
        now, calls = self._seconds(), self._calls[call]
        while calls and calls[0] <= now - _MINUTE:
            calls.popleft()
        if len(calls) >= self.limits[call]:
            self.refused += 1
            return max(1, round(calls[0] + _MINUTE - now))
        calls.append(now)
        return 0

    def _idempotent(self, request: Request, raw: bytes, handler: Any) -> Response:
        """Return the first response to an idempotency key, even an error; reject another body."""
        key = request.headers.get("x-idempotency-key", "")
        if key in self._responses:
            first_body, status, content = self._responses[key]
            if first_body != raw:
                raise ApiError(422, "idempotency_key_reused", "idempotency_error")
            return _json_response(content, status, {"x-idempotency-replayed": "true"})
        status = 200
        try:
            content = handler()
        except ApiError as error:
            status, content = error.status, error.body
        if key:
            self._responses[key] = (raw, status, content)
        return _json_response(content, status, {"x-idempotency-replayed": "false"} if key else {})

    def _create(self, _request: Request, body: Any) -> Any:
        require_order(body, self.clock.now(), allows_http=self._allows_http)
        if body["order_id"] in self.orders:
            raise ApiError(409, "order_already_exists")
        order = FakeOrder(
            body,
            2_149_460_581 + len(self.orders),
            f"session_{secrets.token_urlsafe(48)}payment",
            datetime.fromisoformat(body["order_expiry_time"]),
        )
        self.orders[body["order_id"]] = order
        return self._entity(order)

    def _get(self, request: Request, _body: Any) -> Any:
        return self._entity(self._order(request))

    def _patch(self, request: Request, body: Any) -> Any:
        order = self._order(request)
        if body != {"order_status": "TERMINATED"}:
            raise ApiError(400, "order_status_invalid")
        if self.pays_before_cancel:
            self.attempt(request.path_params["order"], "SUCCESS")
        if order.status != "ACTIVE":
            raise ApiError(400, "order_not_active")
        order.status = "TERMINATED"
        return self._entity(order)

    def _attempts(self, request: Request, _body: Any) -> Any:
        return self._order(request).attempts

    def _refund(self, request: Request, body: Any) -> Any:
        order = self._order(request)
        require_refund(body)
        if order.status != "PAID":
            raise ApiError(400, "order_not_paid")
        if body["refund_id"] in order.refunds:
            raise ApiError(409, "refund_already_exists")
        paid = sum(
            Decimal(each["payment_amount"])
            for each in order.attempts
            if each["payment_status"] == "SUCCESS"
        )
        refunded = sum(each["refund_amount"] for each in order.refunds.values())
        if body["refund_amount"] > paid - refunded:
            raise ApiError(400, "refund_amount_invalid")
        refund = {
            **body,
            "entity": "refund",
            "order_id": request.path_params["order"],
            "refund_currency": order.body["order_currency"],
            "refund_speed": {"requested": body.get("refund_speed", "STANDARD")},
            "refund_status": self.refund_status,
        }
        order.refunds[body["refund_id"]] = refund
        return self._reported(refund)

    def _get_refund(self, request: Request, _body: Any) -> Any:
        refund = self._order(request).refunds.get(request.path_params["refund"])
        if refund is None:
            raise ApiError(404, "refund_not_found")
        return self._reported(refund)

    def _reported(self, refund: dict[str, Any]) -> dict[str, Any]:
        reported = refund | self.wrong_refund
        return {name: value for name, value in reported.items() if value is not MISSING}

    def _order(self, request: Request) -> FakeOrder:
        order = self.orders.get(request.path_params["order"])
        if order is None:
            raise ApiError(404, "order_not_found")
        if order.status == "ACTIVE" and self.clock.now() >= order.expires_at:
            order.status = "EXPIRED"
        return order

    def _entity(self, order: FakeOrder) -> dict[str, Any]:
        return {
            **order.body,
            "cf_order_id": str(order.number),
            "entity": "order",
            "order_status": order.status,
            "payment_session_id": order.session,
        }

    # The payment page

    def _of_session(self, session: Any) -> tuple[str, FakeOrder] | None:
        found = (each for each in self.orders.items() if each[1].session == session)
        return next(found, None)

    async def _page(self, request: Request) -> Response:
        session = (await request.form()).get("payment_session_id")
        found = self._of_session(session)
        if found is None:
            return HTMLResponse("<h1>Invalid session</h1>", 400)
        buttons = "".join(
            f'<button name="button" value="{value}">{text}</button>'
            for value, text in _BUTTONS.items()
        )
        amount = found[1].body["order_amount"]
        return HTMLResponse(_PAGE.format(amount=amount, session=session, buttons=buttons))

    async def _press(self, request: Request) -> Response:
        form = await request.form()
        found = self._of_session(form["session"])
        assert found is not None
        reference, order = found
        status = {"pay": "SUCCESS", "fail": "FAILED", "drop": "USER_DROPPED"}[str(form["button"])]
        self.attempt(reference, status)
        meta = order.body["order_meta"]
        if self.sends_webhooks and "notify_url" in meta:
            task = asyncio.create_task(self.deliver(reference, meta["notify_url"]))
            self._deliveries.add(task)
        return RedirectResponse(meta["return_url"], 303)

    async def deliver(self, reference: str, url: str) -> None:
        """Send a webhook as Cashfree does."""
        headers, body = self.webhook(reference)
        async with httpx.AsyncClient(trust_env=False) as client:
            await client.post(url, content=body, headers=headers)


def _decimal_as_float(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError


def _json(content: Any) -> bytes:
    raw: list[str] = []

    def encode(value: Any) -> Any:
        if not isinstance(value, RawJson):
            return _decimal_as_float(value)
        raw.append(value.text)
        return f"raw JSON {len(raw) - 1}"

    text = json.dumps(content, default=encode)
    for number, each in enumerate(raw):
        text = text.replace(f'"raw JSON {number}"', each)
    return text.encode()


def _json_response(content: Any, status: int, headers: dict[str, str]) -> Response:
    return Response(_json(content), status, headers, "application/json")


async def _failed(fault: Fault) -> Response:
    if fault.trickles:
        return _SlowResponse()
    if fault.seconds:
        await asyncio.sleep(fault.seconds)
    return Response(fault.content, fault.status, fault.headers, "application/json")


class _SlowResponse(Response):
    """A response that is sent byte by byte, for longer than the tests' short timeout."""

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(200):
            await asyncio.sleep(0.02)
            await send({"type": "http.response.body", "body": b" ", "more_body": True})
        await send({"type": "http.response.body", "body": b"{}"})
