"""The site's tables."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel

from kit.db.columns import enum_text, timestamp
from voice_site.domain.lead import LeadField, LeadState


class DemoRequestRow(SQLModel, table=True):
    """A demo request; `submission_key` is the key that the browser chose for it."""

    __tablename__ = "demo_requests"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    submission_key: str = Field(unique=True)
    full_name: str
    job_title: str
    email: str
    phone: str
    company: str
    company_size: str
    industry: str
    location: str
    selected_variant: str
    """The id of a plan, or of 'none yet'."""
    use_case: str
    additional_notes: str
    source: str
    """The button that opened the form; empty if it is not known."""
    is_suspected: bool
    """Whether a bot probably sent it: then it is neither confirmed nor forwarded."""
    created_at: datetime = timestamp("created_at", index=True)
    lead_id: str | None = Field(default=None, index=True)
    """The lead that it belongs to; None if the previous release stored it during an upgrade."""
    journey: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON, nullable=True))
    """The members of a `Journey`; None for requests of earlier releases."""
    link_token: str | None = Field(default=None, unique=True, index=True)
    """The secret of the link in the confirmation; None for requests of earlier releases."""
    mailbox: str = Field(default="", index=True)
    phone_key: str = Field(default="", index=True)
    company_key: str = Field(default="", index=True)
    """What different spellings of the address, the phone number and the company have in common."""


class LeadRow(SQLModel, table=True):
    """A lead; its id is that of its first request."""

    __tablename__ = "leads"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    state: LeadState = enum_text(LeadState)
    owner: str
    note: str
    created_at: datetime = timestamp("created_at")
    changed_at: datetime = timestamp("changed_at", index=True)


class LeadEventRow(SQLModel, table=True):
    """A line of a lead's history: who set what, and when."""

    __tablename__ = "lead_events"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, primary_key=True)
    lead_id: str = Field(index=True)
    at: datetime = timestamp("at")
    actor: str
    field: LeadField = enum_text(LeadField)
    value: str
