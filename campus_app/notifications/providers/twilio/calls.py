"""Missed calls through Twilio: the phone rings, and an answered call is hung up.

Source: Twilio Voice API, Call resource.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import httpx
from twilio.base.exceptions import TwilioException  # pyright: ignore[reportMissingTypeStubs]
from twilio.rest import Client  # pyright: ignore[reportMissingTypeStubs]

from campus_app.notifications.providers.phone_numbers import dialable
from campus_app.notifications.providers.twilio.client import (
    TwilioAccount,
    create_client,
    open_http_client,
)
from campus_app.notifications.providers.twilio.webhooks import SID, parse_status_callback, status_of
from campus_app.notifications.rules.missed_call import CallReport
from kit.breaker import CircuitBreaker, CircuitState
from kit.clock import Clock
from kit.outbox.errors import (
    ChannelDown,
    DeliveryPostponed,
    DeliveryRejected,
    OutcomeUnknown,
)

logger = logging.getLogger(__name__)
Answer = TypeVar("Answer")

_TWIML = "<Response><Hangup/></Response>"
_EVENTS = ["initiated", "ringing", "answered", "completed"]
_SEARCHED_CALLS = 50
_FIRST_BREAK_SECONDS = 5.0
_LONGEST_BREAK_SECONDS = 300.0
_CLIENT_ERRORS = range(400, 500)
_BUSY_STATUSES = {429, 503}
_BUSY_CODES = {20429, 20503}
_ACCOUNT_STATUSES = {401, 403}
_ACCOUNT_CODES = {10001, 10005, 20003, 20005}
"""Wrong credentials, or an account that may not call; an operator must fix it."""
_CALL_CODES = range(21200, 21300)
"""Errors of a single call, with any HTTP status."""
_CONFIGURATION_CODES = {21208, 21210, 21212, 21215}
"""The caller number, or a country that the account may not call; an operator must fix it."""


class TwilioCalls:
    """The calls of a Twilio account, with a circuit breaker."""

    name = "twilio"
    """Part of the URL of its status webhooks."""

    def __init__(self, account: TwilioAccount, clock: Clock) -> None:
        self._account = account
        self._breaker = CircuitBreaker(
            _FIRST_BREAK_SECONDS,
            _LONGEST_BREAK_SECONDS,
            ChannelDown,
            clock.monotonic,
        )

    async def create_call(self, phone: str, webhook_url: str) -> CallReport:
        """Call a phone; an answered call is silent.

        Raises:
            OutcomeUnknown: If the call may have been made, but the response was lost.
            DeliveryRejected: If the call was not made, and a retry would not help.
            ChannelDown: If the call was not made, and a retry may succeed.
        """
        try:
            to = dialable(phone)
        except ValueError as error:
            raise DeliveryRejected(f"the restaurant's phone number: {error}") from None
        self._breaker.check()
        if self._breaker.state is not CircuitState.CLOSED:
            await self._probe()
        return await self._send(
            lambda client: client.calls.create_async(
                to=to,
                from_=self._account.caller_number,
                twiml=_TWIML,
                timeout=self._account.ring_seconds,
                **_callback_parameters(webhook_url),
            ),
            _report,
            OutcomeUnknown,
        )

    async def find_calls(
        self, phone: str, since: datetime, until: datetime
    ) -> Sequence[CallReport]:
        """Return the calls to a phone created between `since` and `until`, newest first.

        Raises:
            DeliveryRejected: If the service rejects the request.
            DeliveryPostponed: If a retry may succeed.
        """
        # Not filtered by start time: a queued call has none.
        return await self._read(
            lambda client: client.calls.page_async(
                to=dialable(phone), from_=self._account.caller_number, page_size=_SEARCHED_CALLS
            ),
            lambda page: [_report(call) for call in page if _is_within(call, since, until)],
        )

    async def fetch_call(self, sid: str) -> CallReport:
        """Return the status of a call.

        Raises:
            DeliveryRejected: If the service rejects the request.
            DeliveryPostponed: If a retry may succeed.
        """
        return await self._read(lambda client: client.calls(sid).fetch_async(), _report)

    def parse_webhook(self, url: str, headers: Mapping[str, str], body: bytes) -> CallReport:
        """Verify a status webhook that was sent to `url`; return its report.

        Raises:
            BadSignature: If the service did not sign it, or it cannot be parsed.
        """
        return parse_status_callback(self._account, url, headers, body)

    def is_up(self) -> bool:
        """Whether the last calls suggest that calls can be made now."""
        return self._breaker.state is not CircuitState.OPEN

    async def _probe(self) -> None:
        """Send a harmless request after an outage: without an answer, no phone was called.

        Raises:
            ChannelDown: If Twilio does not answer.
        """
        try:
            await self._read(
                lambda client: client.calls.page_async(page_size=1), lambda _page: None
            )
        except DeliveryPostponed:
            self._breaker.check()
            raise

    async def _read(
        self, request: Callable[[Client], Awaitable[Any]], parse: Callable[[Any], Answer]
    ) -> Answer:
        self._breaker.check()
        return await self._send(request, parse, lambda: DeliveryPostponed("Twilio does not answer"))

    async def _send(
        self,
        request: Callable[[Client], Awaitable[Any]],
        parse: Callable[[Any], Answer],
        response_lost: Callable[[], Exception],
    ) -> Answer:
        """Send one API request; `response_lost` returns the error to raise for a lost response."""
        account = self._account
        try:
            async with open_http_client(account) as http_client:
                answer = parse(await request(create_client(account, http_client)))
        except TwilioException as error:
            raise self._translated(error, response_lost) from None
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise self._record_outage(type(error).__name__) from None
        except (httpx.HTTPError, TimeoutError, ValueError) as error:
            self._record_outage(type(error).__name__)
            raise response_lost() from None
        self._breaker.record_success()
        return answer

    def _translated(
        self, error: TwilioException, response_lost: Callable[[], Exception]
    ) -> Exception:
        """Return our error for Twilio's, without its message, which may quote a phone number."""
        status, code = _status_and_code(error)
        reason = f"{status} {code}"
        if code in _CALL_CODES:
            return self._rejected(reason, code)
        if code in _ACCOUNT_CODES or status in _ACCOUNT_STATUSES:
            logger.error("calls: Twilio rejects the account: %s; check the settings", reason)
            return self._breaker.record_failure(f"Twilio: {reason}", needs_operator=True)
        if code in _BUSY_CODES or status in _BUSY_STATUSES:
            return self._record_outage(reason)
        if status in _CLIENT_ERRORS:
            return self._rejected(reason, code)
        self._record_outage(reason)
        return response_lost()

    def _rejected(self, reason: str, code: int) -> DeliveryRejected:
        self._breaker.record_success()
        if code in _CONFIGURATION_CODES:
            logger.error(
                "calls: Twilio rejects calls: %s; check TWILIO_FROM and its console", reason
            )
        return DeliveryRejected(f"Twilio: {reason}")

    def _record_outage(self, reason: str) -> ChannelDown:
        logger.warning("calls: Twilio: %s", reason)
        return self._breaker.record_failure(f"Twilio: {reason}")


def _callback_parameters(url: str) -> dict[str, Any]:
    """Return the parameters that request status webhooks; Twilio cannot reach a local URL."""
    if not url.startswith("https://"):
        return {}
    return {
        "status_callback": url,
        "status_callback_method": "POST",
        "status_callback_event": _EVENTS,
    }


def _status_and_code(error: TwilioException) -> tuple[int, int]:
    """Return the HTTP status and Twilio's code; for a page, the error only has the response."""
    source: Any = error
    if not hasattr(error, "status"):
        source = next((each for each in error.args if hasattr(each, "status_code")), error)
    status = getattr(source, "status", getattr(source, "status_code", 0))
    code = getattr(source, "code", status)
    return (
        status if isinstance(status, int) else 0,
        code if isinstance(code, int) else 0,
    )


def _report(call: Any) -> CallReport:
    sid, status = call.sid, call.status
    if not isinstance(sid, str) or not SID.fullmatch(sid):
        raise ValueError("a call without a valid id")
    return CallReport(sid, status_of(status))


def _is_within(call: Any, since: datetime, until: datetime) -> bool:
    created_at = call.date_created
    return isinstance(created_at, datetime) and since <= created_at <= until
