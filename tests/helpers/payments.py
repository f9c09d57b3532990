"""Database queries for tests of payments, and services without a guard."""

from dataclasses import fields
from datetime import datetime
from typing import Any

from campus_app.operators.wiring import Services
from campus_app.ordering.sql.tables import PaymentRow
from kit.clock import from_ms
from kit.outbox.models import OutboxRow
from tests.helpers.tables import rows

ALL_NOTIFICATIONS = ["call.vendor", "mail.customer", "mail.vendor"]


async def queued_topics(services: Services) -> list[str]:
    """Return the topics of all outbox jobs, sorted."""
    return sorted(job.topic for job in await rows(services.database, OutboxRow))


async def next_check(services: Services) -> datetime | None:
    """Return when the only payment is checked next; None for never."""
    (payment,) = await rows(services.database, PaymentRow)
    return payment.next_check_at_ms and from_ms(payment.next_check_at_ms)


def without_guard(kind: type, service: Any, **changes: Any) -> Any:
    """Return a service of this class, which lacks a guard, with the fields of another service."""
    values = {each.name: getattr(service, each.name) for each in fields(service)}
    public = {name: value for name, value in values.items() if not name.startswith("_")}
    return kind(**public | changes)
