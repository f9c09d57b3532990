"""HTTP access to the site and the payment page, with retries."""

import asyncio
import re
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

_ACTION = re.compile(r'<form method="post" action="([^"]+)"')
_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
_NUMBER = re.compile(r"Order (AS_\d+)\.")
_RETRIED_STATUSES = {429, 502, 503, 504}
_RETRY_SECONDS, _MAXIMUM_RETRY_SECONDS = 0.4, 4.0


class NoResponse(Exception):
    """The site was unavailable until the retry timeout."""


class SiteClient:
    """HTTP clients of the site and the provider, which all customers of a run share."""

    def __init__(self, site: str, cashfree_port: int, retry_timeout_seconds: float) -> None:
        limits = httpx.Limits(max_connections=300, max_keepalive_connections=60)
        self._http = httpx.AsyncClient(base_url=site, trust_env=False, timeout=30, limits=limits)
        self.provider = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{cashfree_port}", trust_env=False, timeout=30, limits=limits
        )
        self._retry_timeout_seconds = retry_timeout_seconds

    async def close(self) -> None:
        await self._http.aclose()
        await self.provider.aclose()

    async def request(self, method: str, path: str, **content: Any) -> httpx.Response:
        """Return the site's response; retry while it is unavailable.

        Raises:
            NoResponse: If the site is unavailable for too long.
        """
        delay, loop = _RETRY_SECONDS, asyncio.get_running_loop()
        deadline = loop.time() + self._retry_timeout_seconds
        while True:
            try:
                response = await self._http.request(method, path, **content)
            except httpx.TransportError:
                response = None
            if response is not None and response.status_code not in _RETRIED_STATUSES:
                return response
            if loop.time() > deadline:
                raise NoResponse(
                    "connection failed" if response is None else str(response.status_code)
                )
            await asyncio.sleep(delay)
            delay = min(delay * 1.5, _MAXIMUM_RETRY_SECONDS)

    async def open_page(self, pay_url: str) -> "PaymentPage | None":
        """Follow our redirect page to the provider; return None if it has no form."""
        response = await self.request("GET", urlsplit(pay_url).path)
        action = _ACTION.search(response.text)
        if response.status_code != httpx.codes.OK or action is None:
            return None
        fields = {unescape(name): unescape(value) for name, value in _FIELD.findall(response.text)}
        page = await self.provider.post(urlsplit(unescape(action[1])).path, data=fields)
        page.raise_for_status()
        number = _NUMBER.search(response.text)
        return PaymentPage(self.provider, str(page.url), page.text, number[1] if number else "")


class PaymentPage:
    """The provider's payment page in a customer's browser."""

    def __init__(self, provider: httpx.AsyncClient, address: str, text: str, number: str) -> None:
        self.number = number
        """The order's number, from our redirect page."""
        self._provider = provider
        self._address = address
        self._text = text

    async def press(self, button: str) -> str:
        """Press a button; return the path that the browser is redirected to."""
        (action,) = _ACTION.findall(self._text)
        fields = dict(_FIELD.findall(self._text)) | {"button": button}
        response = await self._provider.post(urljoin(self._address, action), data=fields)
        assert response.status_code == httpx.codes.SEE_OTHER, response.text
        return urlsplit(response.headers["location"]).path
