"""The tables of the ordering product; money is whole paise, time whole milliseconds."""

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel


class OrderRow(SQLModel, table=True):
    """An order, with everything that was agreed when it was placed."""

    __tablename__ = "orders"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    number: str = Field(index=True)
    response_token: str = Field(unique=True)
    idempotency_key: str = Field(unique=True)
    cart_key: str = Field(default="", index=True)
    cart_generation: int = 0
    fingerprint: str
    state: str
    restaurant_id: int
    restaurant_name: str
    campus: str
    full_name: str
    email: str
    phone: str
    address: str
    note: str
    language: str = Field(default="en", sa_column_kwargs={"server_default": "en"})
    lines: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    subtotal_paise: int
    discount_paise: int
    discount_name: str
    delivery_fee_paise: int
    convenience_fee_paise: int
    donation_paise: int
    grand_total_paise: int
    vendor_charge_paise: int
    online_paise: int
    remaining_paise: int
    minimum_paise: int
    reserved_date: str | None = None
    reserved_slot: str | None = None
    party_size: int | None = None
    refund_reason: str = ""
    created_at_ms: int = Field(sa_type=BigInteger, index=True)


class PaymentRow(SQLModel, table=True):
    """The one payment of an order."""

    __tablename__ = "payments"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_payments_due", "next_check_at_ms"),)

    id: str = Field(primary_key=True)
    order_id: str = Field(foreign_key="orders.id", unique=True)
    provider: str
    reference: str = Field(unique=True)
    amount_paise: int
    state: str
    reason: str = ""
    provider_payment_id: str = ""
    paid_paise: int | None = None
    paid_currency: str = ""
    created_at_ms: int = Field(sa_type=BigInteger)
    expires_at_ms: int = Field(sa_type=BigInteger)
    paid_at_ms: int | None = Field(default=None, sa_type=BigInteger)
    next_check_at_ms: int | None = Field(default=None, sa_type=BigInteger)


class OrderNumberRow(SQLModel, table=True):
    """Who holds a number, and until when; the key makes two holders impossible."""

    __tablename__ = "order_numbers"  # pyright: ignore[reportAssignmentType]

    value: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    order_id: str
    held_until_ms: int = Field(sa_type=BigInteger)


class SwitchRow(SQLModel, table=True):
    """The operator's switch of a restaurant."""

    __tablename__ = "restaurant_switches"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    is_open: bool
    message: str
    changed_at_ms: int = Field(sa_type=BigInteger)


class SeatHoldRow(SQLModel, table=True):
    """Seats of a slot that wait for their payment, or are paid for."""

    __tablename__ = "seat_holds"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_seat_holds_slot", "restaurant_id", "date", "slot"),)

    id: str = Field(primary_key=True)
    restaurant_id: int
    date: str
    slot: str
    party_size: int
    state: str
    expires_at_ms: int = Field(sa_type=BigInteger)
    order_id: str = Field(default="", index=True)


class SlotLockRow(SQLModel, table=True):
    """Whoever counts the seats of a slot locks its row, so that none is given away twice."""

    __tablename__ = "slot_locks"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    date: str = Field(primary_key=True)
    slot: str = Field(primary_key=True)


class HandoverRow(SQLModel, table=True):
    """What our own page starts a provider's checkout with."""

    __tablename__ = "handovers"  # pyright: ignore[reportAssignmentType]

    payment_id: str = Field(primary_key=True, foreign_key="payments.id")
    token: str = Field(unique=True)
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    made_at_ms: int = Field(sa_type=BigInteger)


class RefundRow(SQLModel, table=True):
    """Money of a payment that goes back, or has gone."""

    __tablename__ = "refunds"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("payment_id", "number"),
        Index("ix_refunds_due", "state", "next_check_at_ms"),
    )

    id: str = Field(primary_key=True)
    payment_id: str = Field(foreign_key="payments.id")
    number: int
    amount_paise: int | None = None
    reason: str
    state: str
    marked_at_ms: int = Field(sa_type=BigInteger)
    settled_at_ms: int | None = Field(default=None, sa_type=BigInteger)
    next_check_at_ms: int | None = Field(default=None, sa_type=BigInteger)


class AuditRow(SQLModel, table=True):
    """What an operator did; triggers refuse to change or remove a row."""

    __tablename__ = "audit"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, primary_key=True)
    at_ms: int = Field(sa_type=BigInteger, index=True)
    actor: str
    action: str
    subject: str = Field(index=True)
    details: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class RingRow(SQLModel, table=True):
    """A call about an order, noted before it is asked for: it is the fence of its effect."""

    __tablename__ = "rings"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("order_id", "number"),
        Index("ix_rings_restaurant", "restaurant_id", "begun_at_ms"),
    )

    token: str = Field(primary_key=True)
    order_id: str = Field(foreign_key="orders.id")
    number: int
    restaurant_id: int
    phone: str
    begun_at_ms: int = Field(sa_type=BigInteger)
    sid: str | None = Field(default=None, unique=True)
    is_confirmed: bool = False
    status: str | None = None
    has_rung: bool = False
    sequence: int = -1
