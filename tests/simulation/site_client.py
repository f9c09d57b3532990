"""The site and the payment page as a customer's device asks them: again, where nothing came back."""

import asyncio
import re
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

_ACTION = re.compile(r'<form method="post" action="([^"]+)"')
_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
_NUMBER = re.compile(r"Order (AS_\d+)\.")
_COME_BACK = {429, 502, 503, 504}
_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.4, 4.0


class GaveUp(Exception):
    """There was no answer for longer than this customer waits."""


class Till:
    """What all customers of a run share: connections, and where everything is."""

    def __init__(self, site: str, cashfree_port: int, patience_seconds: float) -> None:
        limits = httpx.Limits(max_connections=300, max_keepalive_connections=60)
        self.site = httpx.AsyncClient(base_url=site, trust_env=False, timeout=30, limits=limits)
        self.bank = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{cashfree_port}", trust_env=False, timeout=30, limits=limits
        )
        self._patience_seconds = patience_seconds

    async def close(self) -> None:
        await self.site.aclose()
        await self.bank.aclose()

    async def ask(self, method: str, path: str, **content: Any) -> httpx.Response:
        """Return the site's answer, asked again and again while it has none.

        Raises:
            GaveUp: If that takes too long.
        """
        pause, loop = _PAUSE_SECONDS, asyncio.get_running_loop()
        deadline = loop.time() + self._patience_seconds
        while True:
            try:
                answer = await self.site.request(method, path, **content)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code not in _COME_BACK:
                return answer
            if loop.time() > deadline:
                raise GaveUp("nothing" if answer is None else str(answer.status_code))
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)

    async def open_page(self, pay_url: str) -> "PaymentPage | None":
        """Follow our own page to the provider's; None if it leads there no more."""
        answer = await self.ask("GET", urlsplit(pay_url).path)
        action = _ACTION.search(answer.text)
        if answer.status_code != httpx.codes.OK or action is None:
            return None
        fields = {unescape(name): unescape(value) for name, value in _FIELD.findall(answer.text)}
        shown = await self.bank.post(urlsplit(unescape(action[1])).path, data=fields)
        shown.raise_for_status()
        number = _NUMBER.search(answer.text)
        return PaymentPage(self.bank, str(shown.url), shown.text, number[1] if number else "")


class PaymentPage:
    """The provider's page, open in a customer's browser."""

    def __init__(self, bank: httpx.AsyncClient, address: str, text: str, number: str) -> None:
        self.number = number
        """The order's, as our own page named it on the way here."""
        self._bank = bank
        self._address = address
        self._text = text

    async def press(self, button: str) -> str:
        """Press a button; return the path of the site that the browser is sent back to."""
        (action,) = _ACTION.findall(self._text)
        fields = dict(_FIELD.findall(self._text)) | {"button": button}
        answer = await self._bank.post(urljoin(self._address, action), data=fields)
        assert answer.status_code == httpx.codes.SEE_OTHER, answer.text
        return urlsplit(answer.headers["location"]).path
