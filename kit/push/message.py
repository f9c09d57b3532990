"""Push messages: their options, and the error of an ended subscription."""

from enum import StrEnum
from typing import Final

from kit.outbox.errors import DeliveryRejected

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
