"""Sends group orders to the open pages of this process (decision 8)."""

import reflex as rx

from campus_app.ordering.screens.group_order_state import GroupOrderState
from campus_app.ordering.screens.group_order_view import group_view
from campus_app.ordering.wiring import OrderingServices
from kit.reflex.broadcast import send_to
from kit.reflex.page_updates import PageUpdates


class GroupOrderUpdates(PageUpdates):
    """Follows the group orders that open pages show; without such a page it reads nothing."""

    subject = "group orders"

    def __init__(self, services: OrderingServices, app: rx.App) -> None:
        self._orders = services.group_orders
        super().__init__(app, self._orders.changed, self._orders.followers)

    async def update(self) -> None:
        """Send each open page what it does not show yet."""
        followers = self._orders.followers
        if not followers:
            return
        pages = list(followers)
        found = await self._orders.find_all({each.group_id for _, each in pages})
        for socket_id, follower in pages:
            if followers.get(socket_id) is not follower:
                continue  # its own event has shown something newer meanwhile
            view = group_view(found.get(follower.group_id), follower.key_hash)
            if followers.is_new(socket_id, view):
                await send_to(self._app, socket_id, GroupOrderState, "view", view)
