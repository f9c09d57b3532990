"""'Tell me when it is ready': the push subscription of a browser to the order that it shows."""

import logging

import reflex as rx

from campus_app import wiring
from campus_app.domain.order import Order
from campus_app.states.confirmation import shown_order
from kit.translations import language

logger = logging.getLogger(__name__)


class ReadyPushState(rx.State):
    """Whether this browser gets a message when the order on the confirmation is ready."""

    public_key: str = ""
    """The key with which browsers subscribe; empty until it is known."""
    is_subscribed: bool = False
    has_failed: bool = False
    """Whether the last subscription was refused."""

    @rx.event
    async def check(self, endpoint: str):
        """Show whether the browser with this endpoint, if it has one, is subscribed."""
        self.reset()
        order = await self._order()
        if order is None:
            return
        ready_push = wiring.services().ready_push
        self.public_key = ready_push.public_key
        self.is_subscribed = await ready_push.is_subscribed(order, endpoint)

    @rx.event
    async def subscribe(self, subscription: str):
        """Store the browser's subscription, as JSON."""
        order = await self._order()
        if order is None:
            return
        try:
            self.is_subscribed = await wiring.services().ready_push.subscribe(
                order, subscription, language()
            )
        except Exception:
            logger.exception("push: the subscription could not be stored")
        self.has_failed = not self.is_subscribed

    @rx.event
    async def unsubscribe(self, endpoint: str):
        """Delete the subscription of the browser with this endpoint."""
        order = await self._order()
        if order is not None:
            await wiring.services().ready_push.unsubscribe(order, endpoint)
            self.is_subscribed = False

    async def _order(self) -> Order | None:
        stored = await shown_order(self)
        return stored and stored.order
