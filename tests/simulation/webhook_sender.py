"""Delivery of webhooks to the site: delayed, lost, duplicated, or retried."""

import asyncio
from collections.abc import Mapping, Sequence

import httpx

_TRIED_AGAIN_AFTER_MINUTES = (2, 10, 30)
"""Cashfree's retries. Source: Cashfree API reference, webhook signature verification."""


class WebhookSender:
    """Delivers webhooks over HTTP."""

    def __init__(self, site: str, speed: float) -> None:
        self.delivered = 0
        self.refused = 0
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
        is_tried_again: bool = False,
    ) -> None:
        """Send a copy after each delay in seconds; without delays the webhook is lost."""
        pauses = [minutes * 60 / self._speed for minutes in _TRIED_AGAIN_AFTER_MINUTES]
        for seconds in after:
            delivery = self._deliver(
                path, headers, body, [seconds, *(pauses if is_tried_again else ())]
            )
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
        self, path: str, headers: Mapping[str, str], body: bytes, pauses: Sequence[float]
    ) -> None:
        for pause in pauses:
            await asyncio.sleep(pause)
            if await self._is_accepted(path, headers, body):
                self.delivered += 1
                return
            self.refused += 1

    async def _is_accepted(self, path: str, headers: Mapping[str, str], body: bytes) -> bool:
        try:
            return (await self._http.post(path, headers=headers, content=body)).is_success
        except httpx.TransportError:
            return False
