"""Push messages that an order can't be cooked as it was placed.

Source: specification 10.67.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from campus_app.kitchen.sql.push_subscriptions import DuePush, SqlPushSubscriptions
from campus_app.ordering.rules.shortage import CHOOSE, Shortage
from campus_app.ordering.sql.shortages import SqlShortages
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.translations import t
from kit.clock import Clock
from kit.push.message import SubscriptionGone, Urgency
from kit.push.sender import WebPushSender
from kit.text import isolate
from kit.translations import use_locale

SHORTAGE_MESSAGE_TOPIC: Final = "push.shortage_message"
"""The outbox topic of the message to one subscription."""
_CANCELLED_SECONDS: Final = 3_600
"""How long a message that the money goes back is worth delivering."""


@dataclass(frozen=True)
class ShortagePush:
    """Sends push messages about a shortage.

    What a message says is decided when it is sent: a choice that is over by then is not offered.
    """

    store: SqlPushSubscriptions
    shortages: SqlShortages
    sender: WebPushSender
    clock: Clock

    async def enqueue_messages(self, order_id: str, shortage_id: str, about: str) -> None:
        """Enqueue a message to each subscription of an order.

        `about` is `CHOOSE` (the customer may choose) or `CANCELLED` (the money goes back).
        """
        await self.store.enqueue_each(
            order_id,
            SHORTAGE_MESSAGE_TOPIC,
            {"shortageId": shortage_id, "about": about},
            self.clock.now(),
        )

    async def send(self, subscription_id: str, shortage_id: str, about: str) -> None:
        """Send one subscription that there is a choice, or that the money goes back.

        Raises:
            DeliveryRejected, DeliveryPostponed: As the sender raises them.
        """
        due = await self.store.due(subscription_id)
        if due is None:
            return
        now = self.clock.now()
        found = await self.shortages.of_orders([due.subscription.order_id])
        shortage = next((each for each in found if each.id == shortage_id), None)
        if shortage is None or (about == CHOOSE and not shortage.is_open_at(now)):
            return
        choice = shortage if about == CHOOSE else None
        left = int((choice.answer_by - now).total_seconds()) if choice else _CANCELLED_SECONDS
        try:
            await self.sender.send(
                due.subscription.browser,
                _payload(due, choice),
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
