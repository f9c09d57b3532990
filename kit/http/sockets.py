"""Limits on WebSockets and their messages, per session and per client address."""

import asyncio
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from prometheus_client import Counter as Total
from prometheus_client import Gauge
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.rate_limit import RateLimiter, rate_limit_key

EVENTS = "/_event"
"""The path of Reflex's socket."""
TRY_AGAIN_LATER = 1013
UNSUPPORTED_DATA = 1003
MAXIMUM_MESSAGE_BYTES = 64 * 1024
"""The maximum size of a message after decompression; uvicorn closes the socket with 1009."""
_BYTES_PER_PERMIT = 4 * 1024
_PACKET = re.compile(r"[0-356]|4[0-3]")
"""How the packets of pages begin: the type of Engine.IO, and for 4 (message) that of Socket.IO.

The others carry binary data. Socket.IO stores the attachments of such a packet, binary or text,
until the last one arrives. It would also read the types from digits of any script or from JSON.
"""
_BATCH = 20
"""Messages that are read between two checks of the rate limits.

Visitors send a few messages a second, and a page that reconnects sends fewer than this. Counting
messages is cheaper than a check of each one.
"""
_LIVE = Gauge("campus_live_sessions", "Pages that are connected to this process.")
_CLOSED = Total("campus_closed_sessions", "Pages that have disconnected from this process.")


class PageCount(NamedTuple):
    """How many pages have connected to this process and disconnected from it since its start."""

    opened: int
    closed: int


@dataclass(frozen=True)
class SocketAllowance:
    """The maximum number of sockets of an address, and of messages per second and in a burst.

    A message counts once for each 4 kB that it begins.
    """

    per_address: int
    of_session_per_second: int = 30
    of_session_at_once: int = 60
    of_address_per_second: int = 600
    """A whole campus may share one address, and each visible page sends a message every 12 s."""
    of_address_at_once: int = 900


@dataclass(frozen=True)
class IdleAllowance:
    """The maximum number of sessions without a socket, and their lifetime in seconds."""

    per_address: int
    in_total: int
    seconds: int


def page_count() -> PageCount:
    """Return how many pages have come and gone."""
    live, closed = (int(next(iter(each.collect())).samples[0].value) for each in (_LIVE, _CLOSED))
    return PageCount(live + closed, closed)


class SocketLimits:
    """ASGI middleware that refuses sockets above the limit and delays reading their messages.

    It closes a page's socket at the first message with binary data: no page sends one. Messages
    that are not read fill the client's TCP connection, not this process's memory. Behind a proxy
    the server needs `TRUSTED_PROXIES` to read the client's address.
    """

    def __init__(self, app: ASGIApp, paths: tuple[str, ...], allowance: SocketAllowance) -> None:
        self._app = app
        self._paths = paths
        self._allowance = allowance
        self._open: Counter[str] = Counter()
        self._addresses = RateLimiter(
            allowance.of_address_per_second, 1.0, allowance.of_address_at_once, now=_loop_time
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not scope["path"].startswith(self._paths):
            await self._app(scope, receive, send)
            return
        address = rate_limit_key(scope["client"][0] if scope.get("client") else "")
        if self._open[address] >= self._allowance.per_address:
            await receive()  # websocket.connect
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        self._open[address] += 1
        pages = 1 if scope["path"].startswith(EVENTS) else 0
        received = _packets_only(receive, send) if pages else receive
        _LIVE.inc(pages)
        try:
            await self._app(scope, self._delayed(received, address), send)
        finally:
            _LIVE.dec(pages)
            _CLOSED.inc(pages)
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def _delayed(self, receive: Receive, address: str) -> Receive:
        allowed = self._allowance
        session = RateLimiter(
            allowed.of_session_per_second, 1.0, allowed.of_session_at_once, now=_loop_time
        )
        pending, check_at = 0, _BATCH

        async def receive_delayed() -> Message:
            nonlocal pending, check_at
            message = await receive()
            pending += _permits(message)
            if pending >= check_at:
                # A session that waits for its own permits uses none of its address.
                has_waited = False
                for reserve in (session.reserve, partial(self._addresses.reserve, address)):
                    if wait := reserve(permits=pending):
                        await asyncio.sleep(wait)
                        has_waited = True
                # Over the limit, check each message: a batch would delay other sessions.
                pending, check_at = 0, 1 if has_waited else _BATCH
            return message

        return receive_delayed


def _loop_time() -> float:
    """Return the time of the event loop, by which it also measures the waits."""
    return asyncio.get_running_loop().time()


def _permits(message: Message) -> int:
    """Return how often a message counts; its length is in characters, which is fast."""
    return max(1, math.ceil(len(message.get("text") or "") / _BYTES_PER_PERMIT))


def _packets_only(receive: Receive, send: Send) -> Receive:
    """Return a `receive` that closes the socket at a message that no page sends."""

    async def receive_packet() -> Message:
        message = await receive()
        if message["type"] != "websocket.receive" or _PACKET.match(message.get("text") or ""):
            return message
        await send({"type": "websocket.close", "code": UNSUPPORTED_DATA})
        return {"type": "websocket.disconnect", "code": UNSUPPORTED_DATA}

    return receive_packet
