"""How notices come to us: at once or late, once or twice, again where nobody took them."""

import asyncio
from collections.abc import Mapping, Sequence

import httpx

_TRIED_AGAIN_AFTER_MINUTES = (2, 10, 30)
"""As Cashfree does. Source: Cashfree API reference, webhook signature verification."""


class Post:
    """Delivers notices to the site, over HTTP."""

    def __init__(self, site: str, speed: float) -> None:
        self.delivered = 0
        self.refused = 0
        self._speed = speed
        self._http = httpx.AsyncClient(base_url=site, trust_env=False, timeout=20)
        self._on_the_way: set[asyncio.Task[None]] = set()

    def send(
        self,
        path: str,
        headers: Mapping[str, str],
        body: bytes,
        *,
        after: Sequence[float],
        is_tried_again: bool = False,
    ) -> None:
        """Send a copy after each of so many seconds; none at all is a notice that is lost."""
        pauses = [minutes * 60 / self._speed for minutes in _TRIED_AGAIN_AFTER_MINUTES]
        for seconds in after:
            way = self._deliver(path, headers, body, [seconds, *(pauses if is_tried_again else ())])
            task = asyncio.create_task(way)
            self._on_the_way.add(task)
            task.add_done_callback(self._on_the_way.discard)

    async def close(self) -> None:
        """Forget what is still on its way."""
        for task in list(self._on_the_way):
            task.cancel()
        await asyncio.gather(*self._on_the_way, return_exceptions=True)
        await self._http.aclose()

    async def _deliver(
        self, path: str, headers: Mapping[str, str], body: bytes, pauses: Sequence[float]
    ) -> None:
        for pause in pauses:
            await asyncio.sleep(pause)
            if await self._is_taken(path, headers, body):
                self.delivered += 1
                return
            self.refused += 1

    async def _is_taken(self, path: str, headers: Mapping[str, str], body: bytes) -> bool:
        try:
            return (await self._http.post(path, headers=headers, content=body)).is_success
        except httpx.TransportError:
            return False
