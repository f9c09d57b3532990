"""The outbox jobs of an order's events, enqueued in the transaction that causes the event."""

from datetime import datetime

from sqlalchemy import Connection

from campus_app.ordering.rules.order_event import EventTopics, OrderEvent
from kit.outbox.models import NewJob, enqueue, withdraw


def enqueue_event(
    connection: Connection, topics: EventTopics, event: OrderEvent, order_id: str, at: datetime
) -> None:
    """Enqueue a job per handler of an event, once per order, to run at a time."""
    jobs = [
        NewJob(f"{topic}:{order_id}", topic, order_id, {}, at) for topic in topics.get(event, ())
    ]
    enqueue(connection, jobs)


def withdraw_event(
    connection: Connection, topics: EventTopics, event: OrderEvent, order_id: str
) -> None:
    """Delete the jobs of an event whose cause was undone before they ran."""
    withdraw(connection, order_id, topics.get(event, ()))
