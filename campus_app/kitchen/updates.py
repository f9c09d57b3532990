"""Sends kitchen boards, and the progress of orders, to the open pages of this process.

One task per process reads what has changed and sends it to the sockets that show it (decision 8).
"""

import json
import logging
from collections.abc import Container, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import reflex as rx

from campus_app.kitchen.rules.kitchen import KitchenDevice, Ticket
from campus_app.kitchen.screens.board_json import board_of
from campus_app.kitchen.screens.kitchen_state import KitchenState
from campus_app.kitchen.sql.tickets import BoardVersion
from campus_app.kitchen.wiring import KitchenServices
from campus_app.ordering.screens.cooking_state import CookingProgressState
from kit.clock import to_ms
from kit.reflex.broadcast import send_to
from kit.reflex.page_updates import PageUpdates

logger = logging.getLogger(__name__)

_RELOAD = timedelta(seconds=15)
"""How often boards are read although their version is the same: the kitchen opens, and orders are
on a board for a day."""
_LATEST_COMMIT = timedelta(seconds=30)
"""How long after its time a press may be committed: writes wait, and clocks differ."""


class KitchenUpdates(PageUpdates):
    """What the open pages have last been sent, and how to send what is new."""

    subject = "kitchen boards"

    def __init__(self, services: KitchenServices, app: rx.App) -> None:
        self._services = services
        self._boards = services.kitchen_boards
        self._progress = services.order_progress
        super().__init__(app, self._progress.changed, self._boards.boards, self._progress.followers)
        self._version: BoardVersion = ()
        self._loaded_at = datetime.min.replace(tzinfo=services.clock.now().tzinfo)
        self._contents: Mapping[int, dict[str, Any] | None] = {}
        """The board of each kitchen with an open one, by the restaurant's id; None if it failed."""
        self._followed_at = services.clock.now()

    async def update(self) -> None:
        """Send each open page what it does not show yet."""
        unchecked = self._boards.take_unchecked()  # before the reading, which must come after them
        if self._boards.boards:
            await self._update_boards(unchecked)
        if self._progress.followers:
            await self._update_followers()

    async def _update_boards(self, unchecked: Container[str]) -> None:
        checked_at, is_loaded = await self._load_boards()
        enrolled = {device.id for device in await self._services.kitchen_devices.devices()}
        for socket_id, device in self._boards.boards:
            if device.id in enrolled:
                await self._send_board(socket_id, device)
                if is_loaded or socket_id in unchecked:
                    await self._send_check(socket_id, device, checked_at)
            else:
                self._boards.boards.close(socket_id)
                await send_to(self._app, socket_id, KitchenState, "board", "")
                await send_to(self._app, socket_id, KitchenState, "is_enrolled", False)

    async def _load_boards(self) -> tuple[datetime, bool]:
        """Read the open boards, unless nothing has changed.

        Returns:
            The time at which they were current, and whether they were read.
        """
        now, version = self._services.clock.now(), await self._boards.version()
        shown = {device.restaurant_id for _, device in self._boards.boards}
        is_current = version == self._version and now < self._loaded_at + _RELOAD
        if not is_current or not shown <= self._contents.keys():
            tickets = await self._boards.open_boards()
            self._contents = {id_: _content(id_, each) for id_, each in tickets.items()}
            self._version, self._loaded_at = version, now
            return now, True
        return now, False

    async def _send_board(self, socket_id: str, device: KitchenDevice) -> None:
        content = self._contents.get(device.restaurant_id)
        if content is None:
            return
        if self._boards.boards.is_new(socket_id, content):
            at = to_ms(self._services.clock.now())
            board = json.dumps({"at": at, "device": device.id, **content})
            await send_to(self._app, socket_id, KitchenState, "board", board)

    async def _send_check(self, socket_id: str, device: KitchenDevice, at: datetime) -> None:
        """Say when the board was current: the page then drops the presses that it contains."""
        if self._contents.get(device.restaurant_id) is not None:
            await send_to(self._app, socket_id, KitchenState, "checked_at", to_ms(at))

    async def _update_followers(self) -> None:
        now = self._services.clock.now()
        changed = await self._progress.changed_since(self._followed_at - _LATEST_COMMIT, now)
        self._followed_at = now  # after the query: if it fails, the next one starts earlier
        followers = list(self._progress.followers)
        choosing = {id_ for _, orders in followers for id_ in orders.choosing}
        changed = {**await self._progress.states_of(choosing, now), **changed}
        for socket_id, orders in followers:
            if self._progress.followers.get(socket_id) is not orders:
                continue  # meanwhile the page has closed, or shows other orders
            current = orders.after(changed)
            self._progress.followers.replace(socket_id, current)
            if self._progress.followers.is_new(socket_id, current.states):
                states = dict(current.states)
                await send_to(self._app, socket_id, CookingProgressState, "states", states)


def _content(restaurant_id: int, tickets: Sequence[Ticket]) -> dict[str, Any] | None:
    """Return the board of a kitchen; None if it fails, which must not stop the others."""
    try:
        return board_of(restaurant_id, tickets)
    except Exception:
        logger.exception("kitchen boards: that of restaurant %s failed", restaurant_id)
        return None
