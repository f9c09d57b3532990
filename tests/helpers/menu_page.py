"""A page of a menu without a browser, which reconnects and repeats taps as the real page does.

It follows Reflex's `state.js` as `kit/reflex/patches` changes it, and
`assets/js/campus_app/ordering/cart_store.js`: unconfirmed taps are part of the cart that it sends when it
connects, together with the number of the last one, and those that it could not send follow.
"""

import asyncio
import contextlib
import json
import secrets
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from campus_app.ordering.rules.cart import Cart, with_quantity
from campus_app.ordering.screens.browser_storage import (
    cart_from,
    cart_text,
    new_cart,
    sequence_from,
)
from campus_app.shared.rules.campus import Campus
from kit.reflex.release_match import PARAMETER
from tests.helpers.reconnection import reconnect_seconds
from tests.helpers.visitor import CAMPUS, CART, FIELD, NAMESPACE, ROOT, page_data

BANNER = f"{ROOT}.campus_app___shell___banner_state____banner_state"
_CONNECTED = f"40{NAMESPACE},"
_REFUSED = f"44{NAMESPACE},"
_EVENT = f"42{NAMESPACE},"
_WATCHED = ("is_hydrated_rx_state_", CART, BANNER, "new_token", "state_mismatch")
"""Only messages with one of these texts are parsed: parsing each would take too long."""
_CONNECT_SECONDS = 20.0
"""The limit of Engine.IO's client."""
_ENDS = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)


@dataclass(frozen=True)
class _Tap:
    sequence: int
    dish: str
    at: float


class Refused(OSError):
    """The server refused the namespace, or closed the connection before it was open."""


@dataclass
class MenuPage:
    """One page of the menu of restaurant 1."""

    url: str
    """The address of nginx or of a process, without a path."""
    now: datetime
    rng: Random
    schema: str = ""
    """The hash of the states for which the page was built; none names no release."""
    finds_release: bool = True
    """Whether the page's first attempt to connect names its release (release_match.py)."""
    attempts: int = 0
    """How often the page tried to connect."""
    connection_count: int = 0
    """How often the page was hydrated."""
    hydrated_at: float = 0.0
    """When the page was hydrated last, in seconds of `time.perf_counter`."""
    messages: list[str] = field(default_factory=list)
    """What the page showed as a banner, and reloads that the server requested."""
    seconds: list[float] = field(default_factory=list)
    """The time from each tap until the server confirmed it."""
    quantities: Counter[str] = field(default_factory=Counter)
    """How often each dish was tapped."""

    def __post_init__(self) -> None:
        self.token = secrets.token_hex(16)
        self._stored = self._confirmed = ("", "")
        """Cart and sequence number, in the browser's storage and in the state."""
        self._last = 0
        self._unconfirmed: list[_Tap] = []
        self._unsent: deque[_Tap] = deque()
        self._socket: ClientConnection | None = None
        self._is_connected = self._is_hydrated = False
        self._change = asyncio.Event()
        self._has_tap = asyncio.Event()

    async def run(self, delay: float = 0.0) -> None:
        """Stay connected until cancelled; the first attempt to connect is after so many seconds."""
        await asyncio.sleep(delay)
        failed_attempts = 0
        while True:
            try:
                await self._hold_connection(failed_attempts)
            except _ENDS:
                failed_attempts = 0 if self._is_connected else failed_attempts + 1
            finally:
                self._is_connected = self._is_hydrated = False
                self._socket = None
                self._has_tap.clear()
                self._notify()
            with contextlib.suppress(TimeoutError):  # a tap connects at once
                seconds = reconnect_seconds(failed_attempts, self.rng)
                await asyncio.wait_for(self._has_tap.wait(), seconds if seconds < inf else None)

    async def tap(self, dish: str) -> None:
        """Add one of a dish; return when the page has sent it, or knows that it can't."""
        self._last = max(self._last, sequence_from(self._confirmed[1])) + 1
        tap = _Tap(self._last, dish, time.perf_counter())
        self.quantities[dish] += 1
        self._unconfirmed.append(tap)
        self._unsent.append(tap)
        self._has_tap.set()
        with contextlib.suppress(ConnectionClosed):
            await self._send_taps()

    @property
    def is_hydrated(self) -> bool:
        """Whether the page is connected and shows the server's state."""
        return self._is_hydrated

    @property
    def is_confirmed(self) -> bool:
        """Whether the page is hydrated, and the server has confirmed every tap."""
        return self._is_hydrated and not self._unconfirmed

    def cart(self) -> dict[str, int]:
        """Return the quantities of the server's cart."""
        cart = self._cart_of(self._confirmed[0])
        return dict(cart.quantities) if cart else {}

    async def wait_until_hydrated(self) -> None:
        """Wait until the page is connected and shows the server's state."""
        while not self.is_hydrated:
            await self._change.wait()

    async def wait_until_confirmed(self) -> None:
        """Wait until the server has confirmed every tap."""
        while not self.is_confirmed:
            await self._change.wait()

    def _notify(self) -> None:
        self._change.set()
        self._change = asyncio.Event()

    async def _hold_connection(self, failed_attempts: int) -> None:
        """Hold one connection until it ends; it always ends with an exception."""
        self.attempts += 1
        self._store_taps()
        address = self.url.replace("http", "ws", 1)
        names_release = self.schema and self.finds_release and not failed_attempts
        release = f"&{PARAMETER}={self.schema}" if names_release else ""
        async with connect(
            f"{address}/_event/?token={self.token}&EIO=4&transport=websocket{release}",
            origin=self.url,  # pyright: ignore[reportArgumentType] - a plain type for a NewType
            max_size=None,
            ping_interval=None,
            compression=None,
            proxy=None,
            open_timeout=_CONNECT_SECONDS,
            close_timeout=0.1,
        ) as socket:
            self._socket = socket
            schema = {"state_schema": self.schema} if self.schema else {}
            stored = self._storage(*self._stored)
            event = self._event("hydrate_and_load", ROOT, vars=stored)
            await socket.send(_CONNECTED + json.dumps({"event": event, **schema}))
            async for text in socket:
                await self._handle(socket, str(text))
        raise EOFError  # a normal close ends the loop without an exception

    @staticmethod
    def _storage(cart: str, sequence: str) -> dict[str, str]:
        return {
            f"{CAMPUS}.selected{FIELD}": Campus.NORTH.value,
            f"{CART}.cart{FIELD}": cart,
            f"{CART}.sequence{FIELD}": sequence,
        }

    async def _handle(self, socket: ClientConnection, text: str) -> None:
        if text == "2":
            await socket.send("3")
        elif text.startswith(_REFUSED):
            raise Refused(text)
        elif text.startswith(_CONNECTED):
            self._is_connected = True
            await self._send_taps()
        elif text.startswith(_EVENT) and any(each in text for each in _WATCHED):
            kind, content = json.loads(text.removeprefix(_EVENT))[:2]
            if kind == "new_token":
                self.token = content
            elif kind == "state_mismatch":
                self.messages.append(kind)
            elif kind == "event":
                self._apply(content.get("delta") or {})

    def _apply(self, delta: dict[str, dict[str, Any]]) -> None:
        self.messages += filter(None, [delta.get(BANNER, {}).get(f"message{FIELD}")])
        is_hydrated = delta.get(ROOT, {}).get(f"is_hydrated{FIELD}")
        changes = delta.get(CART, {})
        names = (f"cart{FIELD}", f"sequence{FIELD}")
        self._confirmed = _changed(self._confirmed, changes, names)
        if is_hydrated is not False:
            self._stored = _changed(self._stored, changes, names)
        if is_hydrated:
            self.hydrated_at = time.perf_counter()
            self.connection_count += 1
            self._is_hydrated = True
        if self._is_hydrated:
            self._drop_confirmed_taps()
            self._notify()

    def _drop_confirmed_taps(self) -> None:
        last, now = sequence_from(self._confirmed[1]), time.perf_counter()
        self.seconds += [now - tap.at for tap in self._unconfirmed if tap.sequence <= last]
        self._unconfirmed = [tap for tap in self._unconfirmed if tap.sequence > last]

    def _store_taps(self) -> None:
        """Add the unconfirmed taps to the stored cart (`storeSteps` of cart_store.js)."""
        text, sequence = self._stored
        for tap in self._unconfirmed:
            if tap.sequence > sequence_from(sequence):
                cart = self._cart_of(text) or new_cart(1, self.now)
                quantity = cart.quantity(tap.dish) + 1
                text = cart_text(with_quantity(cart, tap.dish, quantity, self.now))
                sequence = str(tap.sequence)
        self._stored = text, sequence

    def _cart_of(self, text: str) -> Cart | None:
        return cart_from(text, self.now)

    async def _send_taps(self) -> None:
        """Send what was not sent before; a connection that is lost meanwhile drops one tap."""
        while self._is_connected and self._socket is not None and self._unsent:
            tap = self._unsent.popleft()
            event = self._event(
                "add_dish", CART, restaurant_id=1, dish_id=tap.dish, sequence=tap.sequence
            )
            await self._socket.send(_EVENT + json.dumps(["event", event]))

    @staticmethod
    def _event(handler: str, state: str, /, **payload: Any) -> dict[str, Any]:
        page = page_data("/menu/1", restaurant_id="1")
        return {"name": f"{state}.{handler}", "payload": payload, "router_data": page}


def _changed(
    values: tuple[str, str], changes: dict[str, Any], names: tuple[str, str]
) -> tuple[str, str]:
    cart, sequence = (changes.get(name, value) for name, value in zip(names, values, strict=True))
    return cart, sequence


@contextlib.asynccontextmanager
async def open_pages(
    url: str,
    now: datetime,
    count: int = 0,
    *,
    pages: Sequence[MenuPage] = (),
    within_seconds: float = 0.0,
) -> AsyncIterator[Sequence[MenuPage]]:
    """Open this many pages, or these ones, at equal intervals; close them after the block."""
    opened = pages or [MenuPage(url, now, Random(number)) for number in range(count)]
    interval = within_seconds / len(opened)
    tasks = [asyncio.create_task(page.run(number * interval)) for number, page in enumerate(opened)]
    try:
        yield opened
    finally:
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    if errors := [each for each in results if not isinstance(each, asyncio.CancelledError)]:
        raise BaseExceptionGroup("pages failed", errors)  # pyright: ignore


async def wait_until_hydrated(pages: Sequence[MenuPage]) -> None:
    """Wait until every page is connected and shows the server's state."""
    await asyncio.gather(*(page.wait_until_hydrated() for page in pages))


async def wait_until_confirmed(pages: Sequence[MenuPage]) -> None:
    """Wait until every page is connected, and the server has confirmed its taps."""
    await asyncio.gather(*(page.wait_until_confirmed() for page in pages))
