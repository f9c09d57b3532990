"""Bytes that a click on + sends through the websocket, either way, as a browser sees them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sessions
import uvloop
import wire
from apps import BARE, OURS, App, served
from browser import Tab, new_tab
from plan import Plan
from playwright.sync_api import Locator
from report import Figure, Goal, Limit, Measured
from servers import Server

_GOAL = Goal(Limit.AT_MOST, 300)
_DISHES_IN_CART = (1, 3, 5, 10)
_CLICKS = 4
_SETTLE_MS = 150
_COMPRESSED_CLICKS = 100

_Found = dict[str, Any]


@dataclass
class _Socket:
    """The frames of one websocket: how long each would be without compression."""

    received: list[int] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)

    def watch(self, tab: Tab) -> None:
        tab.network.on("Network.webSocketFrameReceived", lambda event: self._add(event, "received"))
        tab.network.on("Network.webSocketFrameSent", lambda event: self._add(event, "sent"))

    def _add(self, event: dict[str, Any], way: str) -> None:
        text = event["response"]["payloadData"]
        if not text.startswith("42"):  # a sign of life, not a click
            return
        size = len(text.encode())
        getattr(self, way).append(size + wire.head_bytes(size, is_masked=way == "sent"))


def measure(plan: Plan, folder: Path) -> Measured:
    """Click in a browser; then once more without one, with compression as browsers have it."""
    found = {app.name: _found(app, folder / app.name) for app in (OURS, BARE)}
    figures = [_figure(found, str(dishes), "received", _GOAL) for dishes in _DISHES_IN_CART]
    most = str(_DISHES_IN_CART[-1])
    figures += [
        _figure(found, most, "sent", None),
        _figure(found, most, "together", None),
        _figure(found, "compressed", "received", None),
        _figure(found, "compressed", "sent", None),
    ]
    note = "Bytes per click: the goal is held against what the server sends, uncompressed."
    return Measured(figures, found, [note])


def _figure(found: dict[str, _Found], row: str, way: str, goal: Goal | None) -> Figure:
    ways = {"received": "from the server", "sent": "to the server", "together": "both ways"}
    dishes = "5 dishes, compressed" if row == "compressed" else f"{row} in the cart"
    ours, bare = (found[name][row][way] for name in (OURS.name, BARE.name))
    return Figure(f"Bytes per + {ways[way]}, {dishes}", "B", ours, bare, goal)


def _found(app: App, folder: Path) -> _Found:
    with served(app, folder) as server:
        with new_tab() as tab:
            found = {str(dishes): sizes for dishes, sizes in _in_browser(tab, app, server)}
        found["compressed"] = uvloop.run(_compressed(app, server))
    return found


def _in_browser(tab: Tab, app: App, server: Server) -> Iterator[tuple[int, _Found]]:
    socket = _Socket()
    socket.watch(tab)
    buttons = tab.open_menu(app, server)
    in_cart = 0
    for dishes in _DISHES_IN_CART:
        for dish in range(in_cart, dishes):
            _click(tab, socket, buttons.nth(dish))
        in_cart = dishes
        clicked = [_click(tab, socket, buttons.nth(i % dishes)) for i in range(_CLICKS)]
        received, sent = (max(sizes) for sizes in zip(*clicked, strict=True))
        yield dishes, {"received": received, "sent": sent, "together": received + sent}


def _click(tab: Tab, socket: _Socket, button: Locator) -> tuple[int, int]:
    """Return the bytes of a click; one that is answered in pieces counts with all of them."""
    socket.received.clear()
    socket.sent.clear()
    button.click()
    tab.wait_until_any(socket.received)
    tab.page.wait_for_timeout(_SETTLE_MS)
    return sum(socket.received), sum(socket.sent)


async def _compressed(app: App, server: Server) -> _Found:
    [visitor] = await sessions.connect(app, server, 1, is_compressed=True)
    await sessions.click_each([visitor], len(app.dishes))
    before = visitor.received_bytes, visitor.sent_bytes
    await sessions.click_each([visitor], _COMPRESSED_CLICKS)
    received, sent = visitor.received_bytes - before[0], visitor.sent_bytes - before[1]
    return {"received": received / _COMPRESSED_CLICKS, "sent": sent / _COMPRESSED_CLICKS}
