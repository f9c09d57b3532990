"""Sends group orders to the open pages of this process that show them.

One task per process reads what has changed and sends it to the sockets that show it.
"""

import asyncio
import logging

import reflex as rx

from campus_app.ordering.screens.group_order_state import GroupOrderState
from campus_app.ordering.screens.group_order_view import group_view
from campus_app.ordering.wiring import OrderingServices
from kit.db.errors import DatabaseUnavailable
from kit.reflex.broadcast import is_connected, send_to

logger = logging.getLogger(__name__)

_INTERVAL_SECONDS = 0.2
"""The time between two updates: each sends whole group orders."""


class GroupOrderUpdates:
    """Follows the group orders that open pages show; without such a page it reads nothing."""

    def __init__(self, services: OrderingServices, app: rx.App) -> None:
        self._orders = services.group_orders
        self._app = app

    async def run(self) -> None:
        """Update the open pages whenever they may be outdated."""
        while True:
            await self._orders.changed.wait()
            self._orders.changed.clear()
            self._forget_closed_pages()
            try:
                await self.update()
            except DatabaseUnavailable:
                logger.warning("group orders: the database did not answer")
            await asyncio.sleep(_INTERVAL_SECONDS)

    async def update(self) -> None:
        """Send each open page what it does not show yet."""
        followers = self._orders.followers
        if not followers:
            return
        found = await self._orders.find_all({each.group_id for _, each in followers})
        for socket_id, follower in followers:
            view = group_view(found.get(follower.group_id), follower.key_hash)
            if followers.is_new(socket_id, view):
                await send_to(self._app, socket_id, GroupOrderState, "view", view)

    def _forget_closed_pages(self) -> None:
        for socket_id, _ in self._orders.followers:
            if not is_connected(self._app, socket_id):
                self._orders.followers.close(socket_id)
