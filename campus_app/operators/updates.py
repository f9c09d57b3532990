"""Sends what the desk shows to its open pages in this process (decision 8)."""

from collections.abc import Sequence
from datetime import timedelta

import reflex as rx

from campus_app.operators.rules.attention import Attention, area_of
from campus_app.operators.rules.desk import may_enter
from campus_app.operators.rules.order_admin import OrderQuery
from campus_app.operators.screens.desk_order_view import OrderView, order_view
from campus_app.operators.screens.desk_state import EMPTY, DeskState
from campus_app.operators.screens.desk_today_view import today_view
from campus_app.operators.services.desk import DeskView, OrderList
from campus_app.operators.wiring import Services
from campus_app.shared.rules.errors import NotFound
from kit.reflex.broadcast import send_to
from kit.reflex.page_updates import PageUpdates
from kit.translations import use_locale

_UNKNOWN = {"id": "", "number": "?"}
"""The view of an order that does not exist."""
_ATTENTION_INTERVAL = timedelta(seconds=5)
"""How often what needs somebody is read: among 100,000 orders that takes 0.2 s."""


class DeskUpdates(PageUpdates):
    """Follows what the open pages of the desk show; without such a page it reads nothing."""

    subject = "desk"

    def __init__(self, services: Services, app: rx.App) -> None:
        self._services = services
        self._desk = services.desk
        super().__init__(app, self._desk.changed, self._desk.views)
        self._lines: Sequence[Attention] = ()
        self._read_at = services.clock.now()

    async def update(self) -> None:
        """Send each open page what it does not show yet."""
        pushes, waiting = self._desk.take_pushes(), self._desk.take_waiting()
        try:
            if self._desk.views:
                await self._send(pushes)
        except Exception:
            self._desk.put_back(pushes)
            raise
        finally:
            for each in waiting:
                each.set()

    async def _send(self, pushes: dict[str, dict[str, object]]) -> None:
        """Send each page what is to be sent to it, and take that out of `pushes`."""
        lists: dict[OrderQuery, OrderList] = {}
        enrolled = {each.id: each for each in await self._services.desk_devices.devices()}
        for socket_id, view in self._desk.views:
            device = enrolled.get(view.device.id)
            if device is None or not may_enter(device.role, view.area):
                await self._close(socket_id)
                continue
            for name, value in pushes.pop(socket_id, {}).items():
                await send_to(self._app, socket_id, DeskState, name, value)
            if view.order_id:
                await self._send_order(socket_id, view)
            elif view.query is not None:
                attention = await self._attention()
                if view.query not in lists:
                    lists[view.query] = await self._desk.orders(view.query)
                await self._send_today(socket_id, view, attention, lists[view.query])

    async def _attention(self) -> Sequence[Attention]:
        """Return what needs somebody; what others have settled is a few seconds late."""
        now = self._services.clock.now()
        if self._desk.is_attention_old or now - self._read_at >= _ATTENTION_INTERVAL:
            self._desk.is_attention_old, self._read_at = False, now
            self._lines = await self._desk.attention()
        return self._lines

    async def _close(self, socket_id: str) -> None:
        """Show nothing more on a page whose device was revoked."""
        self._desk.views.close(socket_id)
        for name, empty in EMPTY.items():
            await send_to(self._app, socket_id, DeskState, name, empty)
        await send_to(self._app, socket_id, DeskState, "is_refused", True)

    async def _send_today(
        self,
        socket_id: str,
        view: DeskView,
        attention: Sequence[Attention],
        orders: OrderList,
    ) -> None:
        now = self._services.clock.now()
        shown = [each for each in attention if may_enter(view.device.role, area_of(each.kind))]
        with use_locale(view.language):
            content = today_view(shown, orders, now)
        if self._desk.views.is_new(socket_id, {**content, "at": ""}):
            await send_to(self._app, socket_id, DeskState, "today", content)

    async def _send_order(self, socket_id: str, view: DeskView) -> None:
        try:
            file = await self._desk.order_file(view.order_id)
        except NotFound:
            content: OrderView | dict[str, str] = _UNKNOWN
        else:
            with use_locale(view.language):
                content = order_view(file, self._services.clock.now())
        is_shown = self._desk.views.get(socket_id) is view  # it may have moved on meanwhile
        if is_shown and self._desk.views.is_new(socket_id, content):
            await send_to(self._app, socket_id, DeskState, "order", content)
