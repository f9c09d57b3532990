"""How much one visitor, and one address, may ask of the socket: far more than people do."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from functools import partial

from prometheus_client import Gauge
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from campus_app.infrastructure.limits import neighbourhood
from campus_app.infrastructure.pace import TokenBucket, TokenBuckets

EVENTS = "/_event"
"""Where the framework's socket is."""
TRY_AGAIN_LATER = 1013
_COUNTED_AT_ONCE = 20
"""People send some messages a second: to ask the clock at each would be dearer than to count.

A page that comes back, as all do when a server has been started again, sends fewer than that.
"""
_LIVE = Gauge("campus_live_sessions", "Pages that are connected to this process.")


@dataclass(frozen=True)
class SocketAllowance:
    """So many sockets of one address at once; so many messages each second, and in a burst."""

    per_address: int
    of_session_per_second: float = 30.0
    of_session_at_once: float = 60.0
    of_address_per_second: float = 200.0
    of_address_at_once: float = 300.0


class LimitedSockets:
    """Reads no faster from a socket than is allowed, and refuses sockets beyond the allowance.

    Who floods is slowed down by their own line, which fills up: nothing is stored for them here.
    Behind a proxy the server must be told whom to believe the address (`TRUSTED_PROXIES`).
    """

    def __init__(self, app: ASGIApp, paths: tuple[str, ...], allowance: SocketAllowance) -> None:
        self._app = app
        self._paths = paths
        self._allowance = allowance
        self._open: Counter[str] = Counter()
        self._addresses = TokenBuckets(
            allowance.of_address_per_second, allowance.of_address_at_once
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not scope["path"].startswith(self._paths):
            await self._app(scope, receive, send)
            return
        address = neighbourhood(scope["client"][0] if scope.get("client") else "")
        if self._open[address] >= self._allowance.per_address:
            await receive()  # the wish to connect
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        self._open[address] += 1
        pages = 1 if scope["path"].startswith(EVENTS) else 0
        _LIVE.inc(pages)
        try:
            await self._app(scope, self._slowed(receive, address), send)
        finally:
            _LIVE.dec(pages)
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def _slowed(self, receive: Receive, address: str) -> Receive:
        allowed = self._allowance
        session = TokenBucket(allowed.of_session_per_second, allowed.of_session_at_once)
        uncounted, count_from = 0, _COUNTED_AT_ONCE

        async def receive_in_time() -> Message:
            nonlocal uncounted, count_from
            message = await receive()
            uncounted += 1
            if uncounted >= count_from:
                # Who waits for their own turn takes none of their neighbours' meanwhile.
                has_waited = False
                for reserve in (session.reserve, partial(self._addresses.reserve, address)):
                    if wait := reserve(turns=uncounted):
                        await asyncio.sleep(wait)
                        has_waited = True
                # Who has to wait does so for each message: twenty at once would hold up others.
                uncounted, count_from = 0, 1 if has_waited else _COUNTED_AT_ONCE
            return message

        return receive_in_time
