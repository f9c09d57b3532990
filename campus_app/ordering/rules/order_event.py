"""What happens to an order that other code can react to."""

from collections.abc import Mapping, Sequence
from enum import StrEnum


class OrderEvent(StrEnum):
    """An event of an order; the value begins the topics of its outbox jobs."""

    PAID = "order_paid"
    """The order is paid and confirmed."""
    READY = "order_ready"
    """The kitchen has marked the order as ready, for the first time."""


EventTopics = Mapping[OrderEvent, Sequence[str]]
"""The outbox topics of each event: one per handler, so that each is retried on its own."""
