"""Push messages: their options, the interface of senders, and its errors."""

from enum import StrEnum
from typing import Final, Protocol

from kit.outbox.errors import DeliveryRejected
from kit.push.subscription import PushSubscription

MAXIMUM_PAYLOAD_BYTES: Final = 3_993
"""The longest payload that every push service accepts. Source: RFC 8291, section 4."""


class Urgency(StrEnum):
    """How urgent a message is: a device that saves power may delay others than HIGH."""

    VERY_LOW = "very-low"
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class SubscriptionGone(DeliveryRejected):
    """The browser has ended the subscription, or it never existed; it must be deleted."""


class PushSender(Protocol):
    """Sends push messages."""

    @property
    def public_key(self) -> str:
        """The `applicationServerKey` with which browsers must subscribe, in base64url."""
        ...

    async def send(
        self,
        subscription: PushSubscription,
        payload: bytes,
        *,
        ttl_seconds: int,
        topic: str = "",
        urgency: Urgency = Urgency.NORMAL,
    ) -> None:
        """Encrypt a message and give it to the browser's push service.

        Args:
            subscription: The receiver.
            payload: From 1 to `MAXIMUM_PAYLOAD_BYTES` bytes, which the service cannot read.
            ttl_seconds: How long the service keeps the message for a device without a connection;
                at least 1.
            topic: Up to 32 characters of base64url. A message replaces one of the same topic that
                the service still keeps; the service can read it. Empty for none.
            urgency: Whether a device that saves power receives it at once.

        Raises:
            SubscriptionGone: If the subscription must be deleted.
            DeliveryRejected: If the service refuses the message permanently.
            DeliveryPostponed: If the service may accept it later.
            ChannelDown: If the service accepts nothing now.
            ValueError: If an argument is outside of its range.
        """
        ...
