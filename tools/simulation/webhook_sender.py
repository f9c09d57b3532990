"""Delivery of webhooks to the site: delayed, lost, duplicated, or retried."""

import asyncio
from collections.abc import Mapping, Sequence

import httpx

_RETRY_MINUTES = (2, 10, 30)
"""The delays before Cashfree's retries. Source: Cashfree API reference, webhook signature verification."""


class WebhookSender:
    """Delivers webhooks over HTTP."""

    def __init__(self, site: str, speed: float) -> None:
        self.accepted = 0
        self.rejected = 0
        self._speed = speed
        self._http = httpx.AsyncClient(base_url=site, trust_env=False, timeout=20)
        self._pending: set[asyncio.Task[None]] = set()

    def send(
        self,
        path: str,
        headers: Mapping[str, str],
        body: bytes,
        *,
        after: Sequence[float],
        retries: bool = False,
    ) -> None:
        """Send a copy after each delay in seconds; without delays the webhook is lost."""
        delays = [minutes * 60 / self._speed for minutes in _RETRY_MINUTES]
        for seconds in after:
            delivery = self._deliver(path, headers, body, [seconds, *(delays if retries else ())])
            task = asyncio.create_task(delivery)
            self._pending.add(task)
            task.add_done_callback(self._pending.discard)

    async def close(self) -> None:
        """Cancel all pending deliveries."""
        for task in list(self._pending):
            task.cancel()
        await asyncio.gather(*self._pending, return_exceptions=True)
        await self._http.aclose()

    async def _deliver(
        self, path: str, headers: Mapping[str, str], body: bytes, delays: Sequence[float]
    ) -> None:
        for seconds in delays:
            await asyncio.sleep(seconds)
            if await self._is_accepted(path, headers, body):
                self.accepted += 1
                return
            self.rejected += 1

    async def _is_accepted(self, path: str, headers: Mapping[str, str], body: bytes) -> bool:
        try:
            return (await self._http.post(path, headers=headers, content=body)).is_success
        except httpx.TransportError:
            return False
