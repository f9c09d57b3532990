"""The tables of orders, payments, tables at restaurants, and refunds."""

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import JSON, Column, Index, String, UniqueConstraint
from sqlmodel import Field, SQLModel

from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.offer_list import offer_json, read_offers
from campus_app.ordering.rules.offers import Offer
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.rules.reservation import SeatHoldState
from campus_app.ordering.rules.shortage import ShortageAnswer, ShortageReason
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.money import Rupees
from campus_app.shared.sql.paise import paise
from kit.db.columns import DATE, TIME, Converted, converted, enum_text, timestamp


def _offers_text(offers: Sequence[Offer]) -> str:
    return json.dumps([offer_json(each) for each in offers], ensure_ascii=False)


_OFFERS = Converted(String, _offers_text, lambda text: read_offers(json.loads(text)))
"""Offers as JSON."""


class OrderRow(SQLModel, table=True):
    """An order, with everything agreed when it was placed.

    A dish that can't be cooked leaves lines and amounts as its customer chooses.
    """

    __tablename__ = "orders"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    number: str = Field(index=True)
    response_token: str = Field(unique=True)
    idempotency_key: str = Field(unique=True)
    cart_key: str = Field(default="", index=True)
    cart_generation: int = 0
    fingerprint: str
    state: OrderState = enum_text(OrderState)
    restaurant_id: int
    restaurant_name: str
    campus: Campus = enum_text(Campus)
    full_name: str
    email: str
    phone: str
    address: str
    note: str
    door_note: str = ""
    no_cutlery: bool = False
    language: str = "en"
    lines: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    subtotal: Rupees = paise("subtotal")
    discount: Rupees = paise("discount")
    discount_name: str
    delivery_fee: Rupees = paise("delivery_fee")
    convenience_fee: Rupees = paise("convenience_fee")
    donation: Rupees = paise("donation")
    grand_total: Rupees = paise("grand_total")
    vendor_charge: Rupees = paise("vendor_charge")
    online: Rupees = paise("online")
    remaining: Rupees = paise("remaining")
    minimum: Rupees = paise("minimum")
    reserved_date: dt.date | None = converted(DATE, nullable=True)
    reserved_slot: dt.time | None = converted(TIME, nullable=True)
    party_size: int | None = None
    refund_reason: str = ""
    placed_quantities: dict[str, int] | None = Field(default=None, sa_column=Column(JSON))
    created_at: dt.datetime = timestamp("created_at", index=True)


class PaymentRow(SQLModel, table=True):
    """The payment of an order."""

    __tablename__ = "payments"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_payments_due", "next_check_at"),
        Index("ix_payments_paid", "paid_at"),
    )

    id: str = Field(primary_key=True)
    order_id: str = Field(foreign_key="orders.id", unique=True)
    provider: str
    reference: str = Field(unique=True)
    amount: Rupees = paise("amount")
    state: PaymentState = enum_text(PaymentState)
    reason: str = ""
    provider_payment_id: str = ""
    paid: Rupees | None = paise("paid", nullable=True)
    paid_currency: str = ""
    created_at: dt.datetime = timestamp("created_at")
    expires_at: dt.datetime = timestamp("expires_at")
    paid_at: dt.datetime | None = timestamp("paid_at", nullable=True)
    next_check_at: dt.datetime | None = timestamp("next_check_at", nullable=True)


class OrderNumberRow(SQLModel, table=True):
    """The holder of an order number; the primary key allows only one."""

    __tablename__ = "order_numbers"  # pyright: ignore[reportAssignmentType]

    value: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    order_id: str
    held_until: dt.datetime = timestamp("held_until")


class SeatHoldRow(SQLModel, table=True):
    """A hold on seats of a slot, unpaid or paid."""

    __tablename__ = "seat_holds"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_seat_holds_slot", "restaurant_id", "date", "slot"),)

    id: str = Field(primary_key=True)
    restaurant_id: int
    date: dt.date = converted(DATE)
    slot: dt.time = converted(TIME)
    party_size: int
    state: SeatHoldState = enum_text(SeatHoldState)
    expires_at: dt.datetime = timestamp("expires_at")
    order_id: str = Field(default="", index=True)
    client: str = ""


class SlotLockRow(SQLModel, table=True):
    """The lock of a slot: transactions that count its seats lock this row."""

    __tablename__ = "slot_locks"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    date: dt.date = converted(DATE, primary_key=True)
    slot: dt.time = converted(TIME, primary_key=True)


class CheckoutSessionRow(SQLModel, table=True):
    """The content of our page that starts a provider's checkout."""

    __tablename__ = "checkout_sessions"  # pyright: ignore[reportAssignmentType]

    payment_id: str = Field(primary_key=True, foreign_key="payments.id")
    token: str = Field(unique=True)
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at: dt.datetime = timestamp("created_at")


class RefundRow(SQLModel, table=True):
    """A refund of a payment, due, requested or done."""

    __tablename__ = "refunds"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("payment_id", "number"),
        Index("ix_refunds_due", "state", "next_check_at"),
    )

    id: str = Field(primary_key=True)
    payment_id: str = Field(foreign_key="payments.id")
    number: int
    amount: Rupees | None = paise("amount", nullable=True)
    reason: str
    state: RefundState = enum_text(RefundState)
    marked_at: dt.datetime = timestamp("marked_at")
    completed_at: dt.datetime | None = timestamp("completed_at", nullable=True)
    next_check_at: dt.datetime | None = timestamp("next_check_at", nullable=True)


class CookingRow(SQLModel, table=True):
    """The state of cooking of an order; there is none before the first press."""

    __tablename__ = "cooking"  # pyright: ignore[reportAssignmentType]

    order_id: str = Field(primary_key=True, foreign_key="orders.id")
    state: CookingState = enum_text(CookingState)
    previous: CookingState = enum_text(CookingState)
    changed_at: dt.datetime | None = timestamp("changed_at", nullable=True, index=True)
    seen_at: dt.datetime | None = timestamp("seen_at", nullable=True)
    ready_at: dt.datetime | None = timestamp("ready_at", nullable=True)


class ShortageRow(SQLModel, table=True):
    """A dish of an order that its kitchen can't cook, and what its customer chose."""

    __tablename__ = "shortages"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    order_id: str = Field(foreign_key="orders.id", index=True)
    dish_id: str
    name: str
    reason: ShortageReason = enum_text(ShortageReason)
    device_id: str
    asked_at: dt.datetime = timestamp("asked_at", index=True)
    answer_by: dt.datetime = timestamp("answer_by")
    has_marked: bool = False
    answer: ShortageAnswer = enum_text(ShortageAnswer)
    answered_at: dt.datetime | None = timestamp("answered_at", nullable=True, index=True)
    replacement_id: str = ""


class GroupOrderRow(SQLModel, table=True):
    """A group order; a change is stored only if the version is the one that was read."""

    __tablename__ = "group_orders"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    restaurant_id: int
    cart_key: str = Field(unique=True)
    members: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    is_locked: bool
    version: int
    changed_at: dt.datetime = timestamp("changed_at", index=True)


class OfferVersionRow(SQLModel, table=True):
    """A published version of the offers; rows are never changed, and the newest are kept."""

    __tablename__ = "offer_versions"  # pyright: ignore[reportAssignmentType]

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: dt.datetime = timestamp("at")
    author: str
    note: str
    offers: tuple[Offer, ...] = converted(_OFFERS, "content", key="offers")
