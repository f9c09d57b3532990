"""How much one visitor, and one address, may ask of the socket: far more than people do."""

import asyncio
from collections import Counter
from dataclasses import dataclass

from prometheus_client import Gauge
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from campus_app.infrastructure.pace import TokenBucket

EVENTS = "/_event"
"""Where the framework's socket is."""
TRY_AGAIN_LATER = 1013
_COUNTED_AT_ONCE = 20
"""People send some messages a second: to ask the clock at each would be dearer than to count."""
_LIVE = Gauge("campus_live_sessions", "Pages that are connected to this process.")


@dataclass(frozen=True)
class SocketAllowance:
    """So many sockets of one address at once; so many messages of one socket each second."""

    per_address: int
    messages_per_second: float = 200.0
    messages_at_once: int = 1_000


class LimitedSockets:
    """Reads no faster from a socket than is allowed, and refuses sockets beyond the allowance.

    Who floods is slowed down by their own line, which fills up: nothing is stored for them here.
    Behind a proxy the server must be told whom to believe the address (`TRUSTED_PROXIES`).
    """

    def __init__(self, app: ASGIApp, path: str, allowance: SocketAllowance) -> None:
        self._app = app
        self._path = path
        self._allowance = allowance
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not scope["path"].startswith(self._path):
            await self._app(scope, receive, send)
            return
        address = scope["client"][0] if scope.get("client") else ""
        if self._open[address] >= self._allowance.per_address:
            await receive()  # the wish to connect
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        self._open[address] += 1
        _LIVE.inc()
        try:
            await self._app(scope, self._slowed(receive), send)
        finally:
            _LIVE.dec()
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def _slowed(self, receive: Receive) -> Receive:
        allowed = self._allowance
        bucket = TokenBucket(allowed.messages_per_second, allowed.messages_at_once)
        messages = 0

        async def receive_in_time() -> Message:
            nonlocal messages
            message = await receive()
            messages += 1
            if messages % _COUNTED_AT_ONCE == 0 and (
                wait := bucket.reserve(turns=_COUNTED_AT_ONCE)
            ):
                await asyncio.sleep(wait)
            return message

        return receive_in_time
