"""The outbox jobs of an order's events, enqueued in the transaction that causes the event."""

from datetime import datetime

from sqlalchemy import Connection

from campus_app.domain.order_event import EventTopics, OrderEvent
from kit.outbox.models import NewJob, enqueue


def enqueue_event(
    connection: Connection, topics: EventTopics, event: OrderEvent, order_id: str, at: datetime
) -> None:
    """Enqueue a job per handler of an event, once per order."""
    jobs = [
        NewJob(f"{topic}:{order_id}", topic, order_id, {}, at) for topic in topics.get(event, ())
    ]
    enqueue(connection, jobs)
