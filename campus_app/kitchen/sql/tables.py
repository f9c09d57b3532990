"""The tables of the kitchens' devices, presses and push messages."""

import datetime as dt

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from campus_app.ordering.rules.cooking import CookingState
from kit.db.columns import enum_text, timestamp


class KitchenLinkRow(SQLModel, table=True):
    """A link that enrols one device of a kitchen; deleted when it is used."""

    __tablename__ = "kitchen_links"  # pyright: ignore[reportAssignmentType]

    token_hash: str = Field(primary_key=True)
    restaurant_id: int
    expires_at: dt.datetime = timestamp("expires_at")


class KitchenDeviceRow(SQLModel, table=True):
    """A device that may show the board of a kitchen."""

    __tablename__ = "kitchen_devices"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    restaurant_id: int
    token_hash: str = Field(unique=True)
    enrolled_at: dt.datetime = timestamp("enrolled_at")
    last_used_at: dt.datetime = timestamp("last_used_at")


class KitchenPressRow(SQLModel, table=True):
    """A press on a kitchen board, whether or not it had an effect."""

    __tablename__ = "kitchen_presses"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    order_id: str = Field(foreign_key="orders.id", index=True)
    device_id: str
    saw: CookingState = enum_text(CookingState)
    target: CookingState = enum_text(CookingState)
    at: dt.datetime = timestamp("at")
    has_effect: bool


class PushSubscriptionRow(SQLModel, table=True):
    """A browser that gets a push message when an order is ready; deleted when it was sent."""

    __tablename__ = "push_subscriptions"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (UniqueConstraint("order_id", "endpoint"),)

    id: str = Field(primary_key=True)
    order_id: str = Field(foreign_key="orders.id")
    endpoint: str
    p256dh: str
    auth: str
    language: str
    created_at: dt.datetime = timestamp("created_at")
