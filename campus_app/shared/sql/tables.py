"""The audit trail's table."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel

from campus_app.shared.rules.audit import AuditAction
from kit.db.columns import enum_text, timestamp


class AuditRow(SQLModel, table=True):
    """An operator's action; triggers refuse updates and deletes."""

    __tablename__ = "audit"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, primary_key=True)
    at: dt.datetime = timestamp("at", index=True)
    actor: str
    action: AuditAction = enum_text(AuditAction)
    subject: str = Field(index=True)
    details: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
