"""The HTTP client of Cashfree: headers, rate limits, timeouts, and errors.

Source: Cashfree API reference, 'Create Order' and rate limits.
"""

import asyncio
import logging
import re
import time
import uuid
from collections.abc import Mapping
from typing import Any, cast

import httpx

from campus_app.ordering.providers.cashfree.account import CashfreeAccount, Endpoint
from campus_app.ordering.providers.cashfree.mapping import parse_json
from campus_app.ordering.rules.errors import ProviderBusy, ProviderRejected, ProviderUnavailable
from kit.breaker import CircuitBreaker, CircuitState
from kit.http.client import send_request, ssl_context
from kit.quota import (
    NOTHING_RESERVED,
    RESERVED_FOR_WEBHOOKS,
    Priority,
    Quota,
    Timer,
)
from kit.rate_limit import RateLimited

logger = logging.getLogger(__name__)

_OPEN_SECONDS = 60.0
"""The open time of the circuit breaker, which opens when the credentials are refused."""
_LONGEST_BLOCK_SECONDS = 60.0
_DOWN_SECONDS = 60.0
"""How long Cashfree counts as down after a call without a response, unless another call has one."""
_CODE = re.compile(r"[a-z0-9_.-]{1,64}", re.ASCII)
_DONE, _CLIENT_ERRORS = range(200, 300), range(400, 500)
_REFUSED_CREDENTIALS, _TOO_MANY = {401, 403}, 429
_CALLED_FOR_WEBHOOKS = {Endpoint.ORDER, Endpoint.PAYMENTS, Endpoint.GET_REFUND}


class CashfreeRejected(ProviderRejected):
    """Cashfree rejected the call; `status` is the HTTP status."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")
        self.status = status


class CashfreeAmbiguous(ProviderUnavailable):
    """The request was sent, but its outcome is unknown."""


class CashfreeClient:
    """The rate limits and the circuit breaker that all calls of this process share."""

    def __init__(
        self, account: CashfreeAccount, timer: Timer | None = None, quota: type[Quota] = Quota
    ) -> None:
        self._account = account
        self._quotas = {
            call: quota(call.value, account.calls_per_minute(call), _reserved(call), timer)
            for call in Endpoint
        }
        self._breaker = CircuitBreaker(
            _OPEN_SECONDS,
            _OPEN_SECONDS,
            lambda reason, left: ProviderUnavailable(reason, retry_after_seconds=left),
        )
        self._down_until = 0.0

    def connect(self) -> httpx.AsyncClient:
        """Return an HTTP client for the calls of one operation, which share its connection."""
        account = self._account
        return httpx.AsyncClient(
            base_url=account.base_url,
            headers={
                "accept": "application/json",
                "x-client-id": account.client_id,
                "x-client-secret": account.client_secret.get_secret_value(),
                "x-api-version": account.api_version,
            },
            timeout=account.timeout_seconds,
            follow_redirects=False,
            trust_env=False,
            verify=ssl_context(),
        )

    async def get(self, connection: httpx.AsyncClient, call: Endpoint, path: str) -> Any:
        """Fetch a resource.

        Raises:
            CashfreeRejected: If it does not exist (404), or the call is invalid.
            ProviderUnavailable: If a retry may succeed.
        """
        return await self._send(connection, call, connection.build_request("GET", path))

    async def change(
        self,
        connection: httpx.AsyncClient,
        call: Endpoint,
        path: str,
        body: Mapping[str, Any],
        method: str = "POST",
    ) -> Any:
        """Change a resource; return Cashfree's answer.

        Each request has its own idempotency key, since Cashfree repeats the answer to a key even
        if it was an error. Duplicates are prevented by the resource's own id.

        Raises:
            CashfreeRejected: If nothing was changed, and a retry would not help.
            CashfreeAmbiguous: If it may have been changed.
            ProviderUnavailable: If nothing was changed, and a retry may succeed.
        """
        headers = {"x-idempotency-key": str(uuid.uuid4())}
        request = connection.build_request(method, path, json=body, headers=headers)
        return await self._send(connection, call, request)

    @property
    def waiting(self) -> int:
        """The number of calls that wait for a permit of their quota."""
        return sum(each.waiting for each in self._quotas.values())

    def is_up(self) -> bool:
        """Whether Cashfree responded to the last call and accepts the credentials."""
        is_down = self._down_until > time.monotonic()
        return not is_down and self._breaker.state is not CircuitState.OPEN

    async def _send(
        self, connection: httpx.AsyncClient, call: Endpoint, request: httpx.Request
    ) -> Any:
        """Send one call within its limits; return the JSON of its response, money as decimals."""
        self._breaker.check()
        try:
            await self._quotas[call].acquire()
        except RateLimited as limited:
            raise ProviderBusy("too busy", retry_after_seconds=limited.seconds) from None
        request.headers["x-request-id"] = str(uuid.uuid4())
        try:
            async with asyncio.timeout(self._account.timeout_seconds):
                status, headers, body = await send_request(connection, request)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise self._mark_down(ProviderUnavailable(type(error).__name__)) from None
        except (httpx.HTTPError, TimeoutError) as error:
            self._log(call, request, type(error).__name__)
            raise self._mark_down(CashfreeAmbiguous(type(error).__name__)) from None
        return self._parsed(call, request, status, headers, body)

    def _parsed(
        self,
        call: Endpoint,
        request: httpx.Request,
        status: int,
        headers: httpx.Headers,
        body: bytes,
    ) -> Any:
        answer = _json(body)
        if status in _DONE and answer is not None:
            self._mark_up()
            return answer
        code = _code(answer)
        self._log(call, request, f"{status} {code}")
        if status in _REFUSED_CREDENTIALS:
            logger.error("cashfree: credentials rejected; no calls for a minute")
            raise self._breaker.record_failure("credentials refused")
        if status == _TOO_MANY:
            seconds = _retry_after(headers)
            self._quotas[call].block(seconds)
            raise ProviderBusy("too many calls", retry_after_seconds=seconds)
        if status not in _CLIENT_ERRORS:
            raise self._mark_down(CashfreeAmbiguous(f"{status} {code}"))
        self._mark_up()
        raise CashfreeRejected(status, code)

    def _mark_down(self, error: ProviderUnavailable) -> ProviderUnavailable:
        self._down_until = time.monotonic() + _DOWN_SECONDS
        return error

    def _mark_up(self) -> None:
        self._down_until = 0.0
        self._breaker.record_success()

    def _log(self, call: Endpoint, request: httpx.Request, reason: str) -> None:
        request_id = request.headers["x-request-id"]
        logger.warning("cashfree: %s %s: %s (%s)", request.method, call, reason, request_id)


def _reserved(call: Endpoint) -> Mapping[Priority, float]:
    return RESERVED_FOR_WEBHOOKS if call in _CALLED_FOR_WEBHOOKS else NOTHING_RESERVED


def _json(body: bytes) -> Any:
    try:
        return parse_json(body)
    except (ValueError, RecursionError):
        return None


def _code(answer: Any) -> str:
    """Return Cashfree's error code; its error message may contain personal data."""
    code = cast("dict[str, Any]", answer).get("code") if isinstance(answer, dict) else None
    return code if isinstance(code, str) and _CODE.fullmatch(code) else "without a code"


def _retry_after(headers: httpx.Headers) -> float:
    """Return the seconds until Cashfree accepts such calls again."""
    text = headers.get("x-ratelimit-retry", "") or headers.get("retry-after", "")
    seconds = float(text) if text.isascii() and text.isdigit() else _LONGEST_BLOCK_SECONDS
    return min(max(seconds, 1.0), _LONGEST_BLOCK_SECONDS)
