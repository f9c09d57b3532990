"""The HTTP client of twilio-python: httpx with a timeout, without logging.

Twilio's own client ignores timeouts and logs phone numbers.

Source: Twilio Voice API, Call resource.
"""

import asyncio
import json
import logging
from dataclasses import dataclass, field
from typing import Any, cast

import httpx
from pydantic import SecretStr
from twilio.http import AsyncHttpClient  # pyright: ignore[reportMissingTypeStubs]
from twilio.http.response import Response  # pyright: ignore[reportMissingTypeStubs]
from twilio.rest import Client  # pyright: ignore[reportMissingTypeStubs]

from kit.http.client import send_request, ssl_context

logger = logging.getLogger(__name__)

_DONE = range(200, 300)
_NOTHING_FROM_THE_ENVIRONMENT = {"TWILIO_REGION": "", "TWILIO_EDGE": ""}
"""Variables that would select another host; twilio-python ignores an empty mapping."""


@dataclass(frozen=True)
class TwilioAccount:
    """Credentials and settings of a Twilio account."""

    account_sid: str
    auth_token: SecretStr = field(repr=False)
    caller_number: str
    base_url: str
    ring_seconds: int = 12
    """How long a phone rings; some networks add five seconds."""
    timeout_seconds: float = 10.0


class HttpxClient(AsyncHttpClient):
    """Sends twilio-python's requests over one httpx client."""

    def __init__(self, client: httpx.AsyncClient, timeout_seconds: float) -> None:
        super().__init__(logger, is_async=True, timeout=timeout_seconds)
        self._client = client
        self._seconds = timeout_seconds

    async def request(  # noqa: PLR0913, PLR0917 - twilio's
        self,
        method: str,
        uri: str,
        params: dict[str, object] | None = None,
        data: dict[str, object] | None = None,
        headers: dict[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - twilio's
        allow_redirects: bool = False,  # noqa: ARG002 - twilio's
    ) -> Response:
        """Send a request.

        Raises:
            httpx.HTTPError, TimeoutError: If there is no answer, or it cannot be parsed.
        """
        request = self._client.build_request(
            method, uri, params=cast("Any", params), data=cast("Any", data), headers=headers
        )
        request = next(httpx.BasicAuth(*(auth or ("", ""))).auth_flow(request))
        async with asyncio.timeout(timeout or self._seconds):
            status, answered, body = await send_request(self._client, request)
        text = body.decode("utf-8", "replace")
        if status in _DONE and not _is_object(text):
            raise httpx.DecodingError("neither an answer nor an error")
        return Response(status, text, answered)


def create_client(account: TwilioAccount, connection: httpx.AsyncClient) -> Client:
    """Return twilio-python's client for an account over this httpx client."""
    client = Client(
        account.account_sid,
        account.auth_token.get_secret_value(),
        http_client=HttpxClient(connection, account.timeout_seconds),
        environment=_NOTHING_FROM_THE_ENVIRONMENT,
    )
    client.api.base_url = account.base_url
    return client


def open_http_client(account: TwilioAccount) -> httpx.AsyncClient:
    """Return an httpx client that contacts the account's host only."""
    return httpx.AsyncClient(
        # Shorter than the total, to distinguish a failed connection from a lost response.
        timeout=httpx.Timeout(account.timeout_seconds, connect=account.timeout_seconds / 2),
        follow_redirects=False,
        trust_env=False,
        verify=ssl_context(),
    )


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
