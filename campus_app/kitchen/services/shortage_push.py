"""Tells open pages and subscribed browsers that an order can't be cooked as it was placed.

Source: specification 10.67.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from campus_app.kitchen.sql.push_subscriptions import DuePush, SqlPushSubscriptions
from campus_app.ordering.rules.shortage import Shortage, ShortageAnswer
from campus_app.ordering.services.order_progress import OrderProgress
from campus_app.ordering.sql.shortages import SqlShortages
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.translations import t
from kit.clock import Clock
from kit.push.message import SubscriptionGone, Urgency
from kit.push.sender import WebPushSender
from kit.text import isolate
from kit.translations import use_locale

SHORTAGE_PUSH_TOPIC: Final = "push.shortage"
"""The outbox topic of the message to one subscription."""
_CANCELLED_SECONDS: Final = 3_600
"""How long a message that the money goes back is worth delivering."""


@dataclass(frozen=True)
class ShortagePush:
    """Sends what is true when a message is sent: a choice that is over is not offered."""

    store: SqlPushSubscriptions
    shortages: SqlShortages
    progress: OrderProgress
    sender: WebPushSender
    clock: Clock

    async def tell(self, order_id: str, key: str) -> None:
        """Update the open pages, and enqueue a message to each subscription of the order."""
        await self.progress.notify()
        await self.store.enqueue_each(order_id, SHORTAGE_PUSH_TOPIC, key, self.clock.now())

    async def send(self, subscription_id: str) -> None:
        """Send one subscription that there is a choice, or that the money goes back.

        Raises:
            DeliveryPostponed: As the sender raises it.
        """
        due = await self.store.due(subscription_id)
        if due is None:
            return
        now = self.clock.now()
        found = await self.shortages.of_orders([due.subscription.order_id])
        is_cancelled = any(each.answer is ShortageAnswer.ORDER_BACK for each in found)
        choice = next((each for each in found if each.is_open_at(now)), None)
        if not is_cancelled and choice is None:
            return
        left = (
            _CANCELLED_SECONDS if choice is None else int((choice.answer_by - now).total_seconds())
        )
        try:
            await self.sender.send(
                due.subscription.browser,
                _payload(due, None if is_cancelled else choice),
                ttl_seconds=max(left, 1),
                topic=due.subscription.id,
                urgency=Urgency.HIGH,
            )
        except SubscriptionGone:
            await self.store.delete_endpoint(due.subscription.browser.endpoint)


def _payload(due: DuePush, choice: Shortage | None) -> bytes:
    """Return the message as the service worker reads it, without tokens."""
    number = due.order_number
    with use_locale(due.subscription.language):
        if choice is None:
            title = t("Order {number}: your money goes back to you", number=number)
            body = t("{restaurant} can't cook your order.", restaurant=due.restaurant_name)
        else:
            title = t(
                "Order {number}: please choose until {time}",
                number=number,
                time=_clock_time(choice.answer_by),
            )
            body = t(
                "{restaurant} can't cook {dish}.",
                restaurant=due.restaurant_name,
                dish=isolate(choice.name),
            )
        message = {
            "title": title,
            "body": body,
            "url": routes.UNDER_PROGRESS,
            "tag": f"shortage-{number}",
        }
    return json.dumps(message, ensure_ascii=False).encode()


def _clock_time(at: datetime) -> str:
    return f"{at.astimezone(CAMPUS_TIME_ZONE):%H:%M}"
