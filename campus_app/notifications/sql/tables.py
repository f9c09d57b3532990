"""The table of missed calls."""

import datetime as dt

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from campus_app.notifications.rules.missed_call import CallStatus
from kit.db.columns import enum_text, timestamp


class CallAttemptRow(SQLModel, table=True):
    """A call attempt, inserted before the call is made so that it is made at most once."""

    __tablename__ = "call_attempts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("order_id", "number"),
        Index("ix_call_attempts_restaurant", "restaurant_id", "started_at"),
    )

    token: str = Field(primary_key=True)
    order_id: str = Field(foreign_key="orders.id")
    number: int
    restaurant_id: int
    phone: str
    started_at: dt.datetime = timestamp("started_at")
    sid: str | None = Field(default=None, unique=True)
    is_confirmed: bool = False
    status: CallStatus | None = enum_text(CallStatus, nullable=True)
    has_rung: bool = False
    sequence: int | None = None
