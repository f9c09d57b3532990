"""'Tell me when it is ready': the push subscription of a browser to the order that it shows."""

import logging

import reflex as rx

from campus_app.kitchen import wiring
from campus_app.ordering.rules.order import Order
from campus_app.ordering.screens.confirmation_state import shown_order
from kit.translations import language

logger = logging.getLogger(__name__)


class ReadyPushState(rx.State):
    """Whether this browser gets a message when the order on the confirmation is ready."""

    public_key: str = ""
    """The key with which browsers subscribe; empty if it is not offered."""
    is_offered: bool = False
    """Whether this browser can subscribe: not to an order of a kitchen without a board."""
    is_subscribed: bool = False
    has_failed: bool = False
    """Whether the last request was refused, or failed."""
    answers: int = 0
    """The number of answered requests: the page waits for the next answer, even if it is equal."""

    @rx.event
    async def check(self, endpoint: str):
        """Show whether it is offered, and whether the browser with this endpoint is subscribed."""
        answers = self.answers
        self.reset()
        self.answers = answers + 1
        try:
            order = await self._order()
            ready_push = wiring.services().ready_push
            if order is not None and await ready_push.is_offered(order):
                self.public_key = ready_push.public_key
                self.is_subscribed = await ready_push.is_subscribed(order, endpoint)
                self.is_offered = True
        except Exception:
            logger.exception("push: the subscription could not be read")

    @rx.event
    async def subscribe(self, subscription: str):
        """Store the browser's subscription, as JSON."""
        self.answers += 1
        self.is_subscribed = False
        try:
            order = await self._order()
            if order is not None:
                self.is_subscribed = await wiring.services().ready_push.subscribe(
                    order, subscription, language()
                )
        except Exception:
            logger.exception("push: the subscription could not be stored")
        self.has_failed = not self.is_subscribed

    @rx.event
    async def unsubscribe(self, endpoint: str):
        """Delete the subscription of the browser with this endpoint."""
        self.answers += 1
        try:
            order = await self._order()
            if order is not None:
                await wiring.services().ready_push.unsubscribe(order, endpoint)
            self.is_subscribed = False
            self.has_failed = False
        except Exception:
            logger.exception("push: the subscription could not be deleted")
            self.has_failed = True

    async def _order(self) -> Order | None:
        stored = await shown_order(self)
        return stored and stored.order
