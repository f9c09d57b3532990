"""How much one visitor, and one address, may ask of the socket: far more than people do."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from functools import partial

import reflex as rx
from prometheus_client import Counter as Total
from prometheus_client import Gauge
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.rate_limit import RateLimiter, rate_limit_key

EVENTS = "/_event"
"""Where the framework's socket is."""
TRY_AGAIN_LATER = 1013
_COUNTED_AT_ONCE = 20
"""People send some messages a second: to ask the clock at each would be dearer than to count.

A page that comes back, as all do when a server has been started again, sends fewer than that.
"""
_LIVE = Gauge("campus_live_sessions", "Pages that are connected to this process.")
_CLOSED = Total("campus_closed_sessions", "Pages that were connected to this process, and left.")


@dataclass(frozen=True)
class SocketAllowance:
    """So many sockets of one address at once; so many messages each second, and in a burst."""

    per_address: int
    of_session_per_second: int = 30
    of_session_at_once: int = 60
    of_address_per_second: int = 600
    """A whole campus may share one address, and each visible page says something every 12 s."""
    of_address_at_once: int = 900


@dataclass(frozen=True)
class IdleAllowance:
    """How many sessions without a socket are kept, and for how many seconds."""

    per_address: int
    in_all: int
    seconds: int


def events_directly(app: rx.App) -> ASGIApp:
    """Return the whole app, whose socket of events is reached without what is for pages and calls.

    Each layer that a socket is opened through stays in memory for as long as it is open: three
    applications with five layers each were a fifth of what a visitor took.
    """
    whole, events = app(), _events_of(app)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"].startswith(EVENTS):
            with app.set_contexts():  # pyright: ignore[reportUnknownMemberType]
                await events(scope, receive, send)
        else:
            await whole(scope, receive, send)

    return serve


def _events_of(app: rx.App) -> ASGIApp:
    api = app._api  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - it has no other name
    for route in api.routes if api else ():
        if isinstance(route, Mount) and route.path == EVENTS:
            return route.app
    raise RuntimeError("Reflex mounts its socket elsewhere now: look at sockets.py")


def live_sessions() -> int:
    """Return how many pages are connected to this process."""
    (family,) = _LIVE.collect()
    return int(family.samples[0].value)


def closed_sessions() -> int:
    """Return how many pages were connected to this process and are no longer."""
    (family,) = _CLOSED.collect()
    return int(family.samples[0].value)


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
        self._addresses = RateLimiter(
            allowance.of_address_per_second, 1.0, allowance.of_address_at_once
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not scope["path"].startswith(self._paths):
            await self._app(scope, receive, send)
            return
        address = rate_limit_key(scope["client"][0] if scope.get("client") else "")
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
            _CLOSED.inc(pages)
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def _slowed(self, receive: Receive, address: str) -> Receive:
        allowed = self._allowance
        session = RateLimiter(allowed.of_session_per_second, 1.0, allowed.of_session_at_once)
        uncounted, count_from = 0, _COUNTED_AT_ONCE

        async def receive_in_time() -> Message:
            nonlocal uncounted, count_from
            message = await receive()
            uncounted += 1
            if uncounted >= count_from:
                # Who waits for their own turn takes none of their neighbours' meanwhile.
                has_waited = False
                for reserve in (session.reserve, partial(self._addresses.reserve, address)):
                    if wait := reserve(permits=uncounted):
                        await asyncio.sleep(wait)
                        has_waited = True
                # Who has to wait does so for each message: twenty at once would hold up others.
                uncounted, count_from = 0, 1 if has_waited else _COUNTED_AT_ONCE
            return message

        return receive_in_time
