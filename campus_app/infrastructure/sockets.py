"""How much one visitor, and one address, may ask of the socket: far more than people do."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_TRY_AGAIN_LATER = 1013


@dataclass(frozen=True)
class SocketAllowance:
    """So many sockets of one address at once; so many messages of one socket each second."""

    per_address: int
    messages_per_second: float = 200.0
    messages_at_once: int = 1_000


class Throttle:
    """Lets so many pass each second, a store of them at once, and the others wait."""

    def __init__(
        self, per_second: float, at_once: int, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._at_once = at_once
        self._steady = steady
        self._store = float(at_once)
        self._filled_at = steady()

    def seconds_to_wait(self) -> float:
        """Count one more; return after how long it may pass."""
        now = self._steady()
        gained = (now - self._filled_at) * self._per_second
        self._store, self._filled_at = min(self._at_once, self._store + gained) - 1.0, now
        return max(0.0, -self._store / self._per_second)


class LimitedSockets:
    """Reads no faster from a socket than is allowed, and refuses sockets beyond the allowance.

    Who floods is slowed down by their own line, which fills up: nothing is stored for them here.
    Behind a proxy the server must be told whom to believe the address (`FORWARDED_ALLOW_IPS`).
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
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            return
        self._open[address] += 1
        try:
            await self._app(scope, self._slowed(receive), send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def _slowed(self, receive: Receive) -> Receive:
        allowed = self._allowance
        throttle = Throttle(allowed.messages_per_second, allowed.messages_at_once)

        async def receive_in_time() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and (wait := throttle.seconds_to_wait()):
                await asyncio.sleep(wait)
            return message

        return receive_in_time
