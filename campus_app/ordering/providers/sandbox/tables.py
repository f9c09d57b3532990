"""The tables of the sandbox provider."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from campus_app.ordering.rules.payment import PaymentState
from campus_app.shared.rules.money import Rupees
from campus_app.shared.sql.paise import paise
from kit.db.columns import enum_text, timestamp


class SandboxPaymentRow(SQLModel, table=True):
    """A payment of the sandbox; no other code reads it."""

    __tablename__ = "sandbox_payments"  # pyright: ignore[reportAssignmentType]

    reference: str = Field(primary_key=True)
    order_number: str = Field(index=True)
    amount: Rupees = paise("amount")
    state: PaymentState = enum_text(PaymentState)
    payment_id: str
    return_url: str
    expires_at: datetime = timestamp("expires_at")
    refund_id: str = ""
    """Read by the previous release alone, which may run beside this one during an upgrade."""


class SandboxRefundRow(SQLModel, table=True):
    """A refund of a payment of the sandbox."""

    __tablename__ = "sandbox_refunds"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    reference: str = Field(index=True)
    amount: Rupees = paise("amount")
