"""The way from `/` to this browser's last order, for phones, which are blocked there."""

import logging
from datetime import datetime, timedelta
from typing import Final

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.screens.browser_storage import own_order_tokens
from campus_app.ordering.screens.own_orders_state import OwnOrdersState
from campus_app.shared.translations import t

logger = logging.getLogger(__name__)

RECENT: Final = timedelta(hours=12)
"""For this long after an order its visitor looks for it."""


class LastOrderState(rx.State):
    """The number and the address of a recent order; empty without one."""

    number: str = ""
    path: str = ""

    @rx.event
    async def open(self):
        """Look the order up when `/` opens."""
        number = path = ""
        tokens = own_order_tokens((await self.get_state(OwnOrdersState)).tokens)
        services = wiring.services()
        try:
            newest = await services.lookup.by_token(tokens[0]) if tokens else None
        except Exception:
            # The page is about something else, and opens without the database.
            logger.exception("last order: the order could not be read")
            return
        if newest is not None and _is_looked_for(newest, services.clock.now()):
            number, path = newest.order.number, newest.order.response_path
        self.number, self.path = number, path


def _is_looked_for(stored: StoredOrder, now: datetime) -> bool:
    is_recent = now - stored.order.created_at < RECENT
    return is_recent and stored.payment.state in (PaymentState.PENDING, PaymentState.PAID)


def last_order_link(class_name: str) -> rx.Component:
    """Render the link to the order. Source: specification 10.56."""
    link = rx.el.a(
        t("Your order #{number}", number=LastOrderState.number),
        href=LastOrderState.path,
        class_name=class_name,
    )
    return rx.cond(rx.State.is_hydrated & (LastOrderState.path != ""), link)
