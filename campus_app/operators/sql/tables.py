"""The tables of the desk."""

import datetime as dt

from sqlmodel import Field, SQLModel

from campus_app.operators.rules.attention import AttentionKind
from campus_app.operators.rules.desk import DeskRole
from campus_app.operators.rules.figures import VisitStep
from kit.db.columns import enum_text, timestamp


class DeskLinkRow(SQLModel, table=True):
    """A link that enrols one device of the desk; deleted when it is used."""

    __tablename__ = "desk_links"  # pyright: ignore[reportAssignmentType]

    token_hash: str = Field(primary_key=True)
    role: DeskRole = enum_text(DeskRole)
    name: str
    expires_at: dt.datetime = timestamp("expires_at")


class DeskDeviceRow(SQLModel, table=True):
    """A device that shows the desk."""

    __tablename__ = "desk_devices"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    role: DeskRole = enum_text(DeskRole)
    name: str
    token_hash: str = Field(unique=True)
    enrolled_at: dt.datetime = timestamp("enrolled_at")
    last_used_at: dt.datetime = timestamp("last_used_at")


class SettledRow(SQLModel, table=True):
    """That somebody has settled why an order needed attention."""

    __tablename__ = "settled"  # pyright: ignore[reportAssignmentType]

    order_id: str = Field(primary_key=True, foreign_key="orders.id")
    kind: AttentionKind = enum_text(AttentionKind, primary_key=True)
    note: str
    """What was done; deleted with the order's personal data."""
    actor: str
    at: dt.datetime = timestamp("at", primary_key=True)


class MenuDraftRow(SQLModel, table=True):
    """A menu's table that is edited on a device, and not published yet."""

    __tablename__ = "menu_drafts"  # pyright: ignore[reportAssignmentType]

    device_id: str = Field(primary_key=True)
    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: dt.datetime = timestamp("at")
    base: str
    content: str
    """Its rows, and the prices in doubt, as JSON."""


class VisitRow(SQLModel, table=True):
    """How many visits of an hour came to a step; nothing that leads to a person."""

    __tablename__ = "visits"  # pyright: ignore[reportAssignmentType]

    hour: dt.datetime = timestamp("hour", primary_key=True)
    step: VisitStep = enum_text(VisitStep, primary_key=True)
    count: int
