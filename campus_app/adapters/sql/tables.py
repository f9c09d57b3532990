"""The tables of the ordering product; amounts in whole paise, times in whole milliseconds."""

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel


class OrderRow(SQLModel, table=True):
    """An order, with everything agreed when it was placed."""

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
    language: str = "en"
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
    """The payment of an order."""

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
    """The holder of an order number; the primary key allows only one."""

    __tablename__ = "order_numbers"  # pyright: ignore[reportAssignmentType]

    value: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    order_id: str
    held_until_ms: int = Field(sa_type=BigInteger)


class RestaurantOverrideRow(SQLModel, table=True):
    """An operator's override of a restaurant."""

    __tablename__ = "restaurant_overrides"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    is_open: bool
    message: str
    changed_at_ms: int = Field(sa_type=BigInteger)


class SeatHoldRow(SQLModel, table=True):
    """A hold on seats of a slot, unpaid or paid."""

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
    """The lock of a slot: transactions that count its seats lock this row."""

    __tablename__ = "slot_locks"  # pyright: ignore[reportAssignmentType]

    restaurant_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    date: str = Field(primary_key=True)
    slot: str = Field(primary_key=True)


class CheckoutSessionRow(SQLModel, table=True):
    """The content of our page that starts a provider's checkout."""

    __tablename__ = "checkout_sessions"  # pyright: ignore[reportAssignmentType]

    payment_id: str = Field(primary_key=True, foreign_key="payments.id")
    token: str = Field(unique=True)
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at_ms: int = Field(sa_type=BigInteger)


class RefundRow(SQLModel, table=True):
    """A refund of a payment, due, requested or done."""

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
    completed_at_ms: int | None = Field(default=None, sa_type=BigInteger)
    next_check_at_ms: int | None = Field(default=None, sa_type=BigInteger)


class AuditRow(SQLModel, table=True):
    """An operator's action; triggers refuse updates and deletes."""

    __tablename__ = "audit"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, primary_key=True)
    at_ms: int = Field(sa_type=BigInteger, index=True)
    actor: str
    action: str
    subject: str = Field(index=True)
    details: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class CallAttemptRow(SQLModel, table=True):
    """A call attempt, inserted before the call is made so that it is made at most once."""

    __tablename__ = "call_attempts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("order_id", "number"),
        Index("ix_call_attempts_restaurant", "restaurant_id", "started_at_ms"),
    )

    token: str = Field(primary_key=True)
    order_id: str = Field(foreign_key="orders.id")
    number: int
    restaurant_id: int
    phone: str
    started_at_ms: int = Field(sa_type=BigInteger)
    sid: str | None = Field(default=None, unique=True)
    is_confirmed: bool = False
    status: str | None = None
    has_rung: bool = False
    sequence: int | None = None
