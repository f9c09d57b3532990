"""Push messages to browsers that asked to be notified when an order is ready."""

import json
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime

from campus_app.kitchen.rules.ready_push import (
    LONGEST_SUBSCRIBED,
    MAXIMUM_SUBSCRIPTIONS,
    PushStep,
    can_subscribe,
    push_step,
    seconds_left,
    seconds_until_retry,
)
from campus_app.kitchen.sql.push_subscriptions import (
    DuePush,
    OrderSubscription,
    SqlPushSubscriptions,
)
from campus_app.ordering.rules.order import Order
from campus_app.shared.translations import parse_language, t
from kit.clock import Clock
from kit.outbox.errors import ChannelDown, DeliveryPostponed
from kit.push.message import SubscriptionGone, Urgency
from kit.push.sender import WebPushSender
from kit.push.subscription import InvalidSubscription, PushServices
from kit.translations import use_locale

logger = logging.getLogger(__name__)

_OWN_ORDERS = "/underprogress"
_ID_BYTES = 16


@dataclass(frozen=True)
class ReadyPush:
    """Stores browsers' subscriptions to orders, and sends each the message once.

    Each subscription has its own outbox job. A message that was sent by a process that died before
    it recorded that is sent again; the browser then replaces the notification.
    """

    store: SqlPushSubscriptions
    sender: WebPushSender
    services: PushServices
    clock: Clock

    @property
    def public_key(self) -> str:
        """The `applicationServerKey` with which browsers must subscribe, in base64url."""
        return self.sender.public_key

    async def is_offered(self, order: Order) -> bool:
        """Whether browsers can subscribe to an order; not if its kitchen does not use the board.

        The press of a kitchen without a device would never come.
        """
        now = self.clock.now()
        return can_subscribe(order, now) and await self.store.has_board(order.id, now)

    async def subscribe(self, order: Order, subscription_json: str, language: str) -> bool:
        """Store a browser's subscription to an order; repeating it changes nothing.

        Args:
            order: An order of this browser.
            subscription_json: `JSON.stringify(PushSubscription)`, as the browser sent it.
            language: The code of the message's language; English if it is unknown.

        Returns:
            False, and nothing is stored, if the subscription is invalid, or if the order is not
            confirmed, older than a day, of a kitchen without a device, ready already, or has five
            other browsers.
        """
        if not await self.is_offered(order):
            return False
        try:
            browser = self.services.parse(subscription_json)
        except InvalidSubscription as error:
            logger.info("push: subscription refused: %s", error)
            return False
        now = self.clock.now()
        new = OrderSubscription(
            secrets.token_urlsafe(_ID_BYTES), order.id, browser, parse_language(language), now
        )
        if not await self.store.add(new, MAXIMUM_SUBSCRIPTIONS):
            return False
        # If the kitchen pressed meanwhile, its job may have missed this subscription.
        await self.store.enqueue_if_ready(order.id)
        return True

    async def unsubscribe(self, order: Order, endpoint: str) -> None:
        """Delete the subscription of an order with this endpoint."""
        if self._is_endpoint(endpoint):
            await self.store.remove(order.id, endpoint)

    async def is_subscribed(self, order: Order, endpoint: str) -> bool:
        """Whether the browser with this endpoint still waits for the order's message."""
        return self._is_endpoint(endpoint) and await self.store.contains(order.id, endpoint)

    async def enqueue_pushes(self, order_id: str) -> None:
        """Enqueue a job for each subscription of an order, unless the kitchen has undone Ready."""
        await self.store.enqueue_if_ready(order_id)

    async def send(self, subscription_id: str, ready_at: datetime) -> None:
        """Send one subscription the message of a press, unless it is too late, and delete it.

        If the kitchen has undone the press of `ready_at`, nothing is sent or deleted: the
        kitchen's next press has a job of its own.

        Raises:
            DeliveryRejected: As the sender raises it.
            ChannelDown: If the push service may accept the message later. No attempt counts: the
                message's own lifetime ends the retries.
        """
        due = await self.store.due(subscription_id)
        if due is None:
            return
        now = self.clock.now()
        stored = due.subscription
        step = push_step(due.order_state, due.cooking, stored.created_at, now)
        if step is PushStep.WAIT or (step is PushStep.SEND and due.cooking.changed_at != ready_at):
            return
        if step is PushStep.SEND:
            try:
                await self.sender.send(
                    stored.browser,
                    _payload(due),
                    ttl_seconds=seconds_left(due.cooking, now),
                    topic=stored.id,
                    urgency=Urgency.HIGH,
                )
            except SubscriptionGone:
                await self.store.delete_endpoint(stored.browser.endpoint)
            except ChannelDown:
                raise
            except DeliveryPostponed as error:
                raise ChannelDown(str(error), seconds_until_retry(due.cooking, now)) from None
        await self.store.delete(stored.id)

    async def delete_expired(self) -> int:
        """Delete the subscriptions that are older than a day; return their number."""
        return await self.store.delete_before(self.clock.now() - LONGEST_SUBSCRIBED)

    def _is_endpoint(self, endpoint: object) -> bool:
        """Whether a value from a browser can be the endpoint of a stored subscription."""
        return isinstance(endpoint, str) and self.services.service_of(endpoint) is not None


def _payload(due: DuePush) -> bytes:
    """Return the message as the service worker reads it, without dishes, names and tokens."""
    with use_locale(due.subscription.language):
        message = {
            "title": t("Order {number} is ready", number=due.order_number),
            "body": t("{restaurant} has prepared your order.", restaurant=due.restaurant_name),
            "url": _OWN_ORDERS,
            "tag": f"ready-{due.order_number}",
        }
    return json.dumps(message, ensure_ascii=False).encode()
