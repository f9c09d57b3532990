"""The events of the desk's first page: what needs somebody, the orders, and the search."""

from typing import Any, TypedDict
from urllib.parse import urlencode

import reflex as rx

from campus_app.operators import wiring
from campus_app.operators.rules.attention import AttentionKind
from campus_app.operators.rules.desk import DeskArea, DeskDevice, may_enter
from campus_app.operators.rules.order_admin import OrderFilter, OrderQuery
from campus_app.operators.screens.desk_entry import DeskEntry, actor_of, device_at_desk, text_in
from campus_app.operators.screens.desk_today_view import (
    MOST_LISTED,
    ONLY,
    OrderRow,
    TodayView,
    order_row,
)
from campus_app.operators.screens.desk_words import ListEnd, list_end
from campus_app.operators.services.desk import LISTED, DeskView
from campus_app.ordering.rules.order import is_order_key
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import parse_campus
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import DeskMessage
from campus_app.shared.translations import t
from kit.translations import language

_LONGEST_SEARCH = 100
KITCHEN, CAMPUS = "kitchen", "campus"
"""The query parameters of the address that filter the list, with ONLY."""
_KINDS = tuple(AttentionKind)


class FoundView(TypedDict):
    """What was searched for, and the orders; a longer text finds fewer."""

    words: str
    orders: list[OrderRow]
    end: ListEnd


class DeskToday(DeskEntry, mixin=True):
    """What needs somebody, and the orders; pushes update `today` between events."""

    today: TodayView = {}  # pyright: ignore[reportAssignmentType] - {}: every page's script has it
    filters: dict[str, str] = {}
    """The filters of the address, by their names."""
    _listed: int = LISTED
    """How many orders are shown."""
    found: FoundView = {}  # pyright: ignore[reportAssignmentType] - pushed, and in no session

    @rx.event
    async def open_today(self):
        """Show what needs somebody, and the orders of the address; lead sales to its page."""
        someone = await device_at_desk()
        if someone and not may_enter(someone.role, DeskArea.ORDERS):
            return rx.redirect(routes.DESK_LEADS, replace=True)
        device = await self._entered(DeskArea.ORDERS)
        if device is None:
            return None
        self._say()
        self._push("found", {})
        parameters = self.router.url.query_parameters
        self.filters = {
            name: text
            for name in (KITCHEN, ONLY, CAMPUS)
            if isinstance(text := parameters.get(name, ""), str)
        }
        self._follow_orders(device)
        return None

    @rx.event
    async def show_more_orders(self):
        """Show further orders below the others."""
        device = await self._entered(DeskArea.ORDERS)
        if device is not None:
            self._listed = min(self._listed + LISTED, MOST_LISTED)
            self._follow_orders(device)

    @rx.event
    async def filter_orders(self, name: str, value: str):
        """Show the orders of a kitchen, a campus or a state; empty for all."""
        is_text = isinstance(value, str) and len(value) <= _LONGEST_SEARCH
        if await self._entered(DeskArea.ORDERS) is None or not is_text:
            return None
        self._listed = LISTED
        chosen = {**self.filters, name: value} if name in (KITCHEN, ONLY, CAMPUS) else self.filters
        query = urlencode({key: text for key, text in chosen.items() if text})
        return rx.redirect(f"{routes.DESK}?{query}" if query else routes.DESK, replace=True)

    @rx.event
    async def find(self, form: dict[str, Any]):
        """Show the orders with a number, an e-mail address, a phone number or a part of a name."""
        device = await self._entered(DeskArea.ORDERS)
        if device is None:
            return
        words = text_in(form, "text")[:_LONGEST_SEARCH].strip()
        now = wiring.services().clock.now()
        if not words:
            self._push("found", {})
            return
        found = await wiring.services().desk.find(words, actor_of(device))
        rows = [order_row(each, now) for each in found.lines]
        end = list_end(len(rows), found.total, LISTED, most=len(rows))
        self._push("found", FoundView(words=words, orders=rows, end=end))

    @rx.event
    async def retry_mail(self):
        """Try the e-mails that wait for a mail server now."""
        device = await self._entered(DeskArea.ORDERS)
        if device is None:
            return
        services = wiring.services()
        topics = list(services.desk.mail_topics())
        waiting = await services.operations.retry_mail(topics, actor_of(device))
        self._say(done=t(DeskMessage.SENT_AGAIN if waiting else DeskMessage.NOTHING_TO_SEND))

    @rx.event
    async def settle(self, form: dict[str, Any]):
        """Take an order from what needs somebody, with a note."""
        device = await self._entered(DeskArea.ORDERS)
        order_id, kind, note = (text_in(form, each) for each in ("order", "kind", "note"))
        if device is None or not is_order_key(order_id) or kind not in _KINDS:
            return
        try:
            is_new = await wiring.services().desk.settle(
                order_id, AttentionKind(kind), note, actor_of(device)
            )
            if is_new:
                self._say(done=t(DeskMessage.SETTLED))
            else:
                self._say(problem=t(DeskMessage.SETTLED_BEFORE))
        except OrderingError as error:
            self._say(problem=t(error.message))

    def _follow_orders(self, device: DeskDevice) -> None:
        view = DeskView(device, language(), query=self._query())
        wiring.services().desk.views.open(self._socket_id(), view)

    def _query(self) -> OrderQuery:
        only = self.filters.get(ONLY, "")
        return OrderQuery(
            self._listed,
            only=OrderFilter(only) if only in tuple(OrderFilter) else None,
            restaurant_id=routes.parse_restaurant_id(self.filters.get(KITCHEN, "")),
            campus=parse_campus(self.filters.get(CAMPUS, "")),
        )
