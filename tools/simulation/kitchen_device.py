"""A kitchen's tablet: its socket, and the presses that it sends until they are confirmed.

It follows `KitchenFeed` of `assets/js/campus_app/kitchen/kitchen.jsx`.
"""

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from campus_app.ordering.rules.cooking import CookingState
from tests.helpers.settings import ORIGIN
from tools.simulation.kitchen_board import DeviceBoard
from tools.simulation.kitchen_log import Connection, DeviceLog

_ROOT = "reflex___state____state"
_KITCHEN = f"{_ROOT}.campus_app___kitchen___screens___kitchen_state____kitchen_state"
_CAMPUS = f"{_ROOT}.campus_app___catalogue___screens___campus_state____campus_state"
_FIELD = "_rx_state_"
_MESSAGE = "42/_event,"
_PAGE = {"pathname": "/kitchen", "asPath": "/kitchen", "query": {}}
_REPEAT_SECONDS = 6.0
_HEARTBEAT_SECONDS = 15.0
_RECONNECT_SECONDS = (0.3, 3.0)
_TIMEOUT_SECONDS = 10.0
_HYDRATION_SECONDS = 60.0
"""A browser waits too. A session that an ended process has locked is usable again after 30 s."""
_HALF_OPEN_SHARE = 0.3
"""The share of cut lines whose end the server does not notice at once."""
_HALF_OPEN_SECONDS = 8.0
_ENDS_OF_CONNECTIONS = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)


class KitchenDevice:
    """An enrolled device with the board open; it connects again whenever its line is cut."""

    def __init__(self, url: str, cookie: str, log: DeviceLog, rng: Random) -> None:
        self.log = log
        self.board = DeviceBoard()
        self.sold_out: set[str] = set()
        """The dishes of its kitchen that it shows as sold out."""
        self.on_board: Callable[[], None] = lambda: None
        """Called after each new board."""
        self._url = url
        self._cookie = cookie
        self._rng = rng
        self._token = secrets.token_hex(16)
        self._socket: ClientConnection | None = None
        self._half_open: list[ClientConnection] = []
        self._session: asyncio.Task[None] | None = None
        self._shown_since = 0.0
        self._sent_at: dict[str, float] = {}
        self._has_new_press = asyncio.Event()
        self._is_next_press_cut = False

    @property
    def is_connected(self) -> bool:
        """Whether the device is connected and shows its board."""
        return self._shown_since > 0

    async def run(self) -> None:
        """Stay connected until cancelled."""
        while True:
            self._session = asyncio.create_task(self._connected())
            try:
                await asyncio.wait([self._session])
            finally:
                self._session.cancel()
                self._close()
            error = None if self._session.cancelled() else self._session.exception()
            if error is not None and not isinstance(error, _ENDS_OF_CONNECTIONS):
                raise error
            await asyncio.sleep(self._rng.uniform(*_RECONNECT_SECONDS))

    def abort(self) -> None:
        """Close the sockets of all cut lines."""
        for socket in self._half_open:
            socket.transport.abort()

    def cut(self) -> None:
        """Cut the line; the server may notice it later."""
        if self._session is not None:
            self._session.cancel()

    def press(self, order_id: str, target: CookingState, *, is_cut: bool = False) -> None:
        """Press a button of a ticket; `is_cut` cuts the line as soon as the press is sent."""
        self.log.presses.append(self.board.press(order_id, target))
        if is_cut and self.is_connected:
            self._is_next_press_cut = True
            self.log.cut_presses += 1
        self._has_new_press.set()

    async def set_dish(self, dish_id: str, *, is_available: bool) -> None:
        """Press the switch of a dish, again until the device shows its new position."""
        while (dish_id not in self.sold_out) is not is_available:
            if self.is_connected:
                with contextlib.suppress(*_ENDS_OF_CONNECTIONS):
                    await self._send(
                        f"{_KITCHEN}.set_dish", dish_id=dish_id, is_available=is_available
                    )
            await asyncio.sleep(1.0)

    async def _connected(self) -> None:
        """Hold one connection until it ends."""
        self._socket = socket = await connect(
            f"ws://{urlsplit(self._url).netloc}/_event/?token={self._token}&EIO=4&transport=websocket",
            origin=ORIGIN,  # pyright: ignore[reportArgumentType]
            additional_headers={"Cookie": f"{DEVICE_COOKIE}={self._cookie}"},
            max_size=None,
            ping_interval=None,
            compression=None,
            proxy=None,
            open_timeout=_TIMEOUT_SECONDS,
        )
        name = f"{_ROOT}.hydrate_and_load"
        event = {"name": name, "payload": {"vars": {}}, "router_data": _PAGE}
        await socket.send("40/_event," + json.dumps({"event": event}))
        async with asyncio.timeout(_HYDRATION_SECONDS):
            while not self._handle(await _received(socket)):
                pass
        self._sent_at.clear()  # what was sent over a lost connection may not have arrived
        for handler in (f"{_KITCHEN}.open", f"{_CAMPUS}.refresh_statuses"):
            await self._send(handler)
        tasks = [asyncio.create_task(each) for each in (self._send_presses(), self._heartbeat())]
        try:
            while True:
                self._handle(await _received(socket))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send_presses(self) -> None:
        """Send each waiting press, and again if it is not confirmed in time."""
        while True:
            for press in self.board.waiting:
                if time.time() - self._sent_at.get(press.id, 0.0) < _REPEAT_SECONDS:
                    continue
                self._sent_at[press.id] = time.time()
                await self._send(
                    f"{_KITCHEN}.press",
                    press_id=press.id,
                    order_id=press.order_id,
                    saw=press.saw,
                    target=press.target,
                )
                if self._is_next_press_cut:
                    self._is_next_press_cut = False
                    await asyncio.sleep(self._rng.choice((0.0, 0.01, 0.05)))
                    self.cut()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._has_new_press.wait(), _REPEAT_SECONDS)
            self._has_new_press.clear()

    async def _heartbeat(self) -> None:
        while True:
            await asyncio.sleep(_HEARTBEAT_SECONDS)
            await self._send(f"{_KITCHEN}.refresh")

    async def _send(self, name: str, /, **payload: Any) -> None:
        if self._socket is not None:
            event = {"name": name, "payload": payload, "router_data": _PAGE}
            await self._socket.send(_MESSAGE + json.dumps(["event", event]))

    def _handle(self, text: str) -> bool:
        """Handle a message of the server; return whether it ends the hydration of the page."""
        if not text.startswith(_MESSAGE):
            return False
        kind, content = json.loads(text.removeprefix(_MESSAGE))[:2]
        if kind == "new_token":
            self._token = content
        if kind != "event":
            return False
        delta = content.get("delta") or {}
        self._show({name.removesuffix(_FIELD): x for name, x in delta.get(_KITCHEN, {}).items()})
        if statuses := delta.get(_CAMPUS, {}).get(f"statuses{_FIELD}"):
            sold_out = json.loads(statuses)["soldOut"]
            self.sold_out = set(sold_out.get(str(self.log.restaurant_id), ()))
        return delta.get(_ROOT, {}).get(f"is_hydrated{_FIELD}") is True

    def _show(self, changes: dict[str, Any]) -> None:
        if self.board.confirm(changes.get("confirmed") or ()):
            self._has_new_press.set()
        if changes.get("board"):
            shown = self.board.accept(changes["board"])
            now = time.time()
            self.log.boards += 1
            self.log.device_id = self.board.device_id
            for order_id in shown:
                self.log.arrivals.setdefault(order_id, now)
            self._shown_since = self._shown_since or now
            self.on_board()

    def _close(self) -> None:
        """End the connection on the device's side."""
        if self.is_connected:
            self.log.connections.append(Connection(self._shown_since, time.time()))
        self._shown_since = 0.0
        socket, self._socket = self._socket, None
        if socket is None:
            return
        if self._rng.random() < _HALF_OPEN_SHARE:
            self._half_open.append(socket)
            asyncio.get_running_loop().call_later(_HALF_OPEN_SECONDS, socket.transport.abort)
        else:
            socket.transport.abort()


async def _received(socket: ClientConnection) -> str:
    """Return the next message, after the reply to a ping."""
    text = str(await socket.recv())
    if text == "2":
        await socket.send("3")
    return text
