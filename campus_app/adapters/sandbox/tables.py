"""The table of the sandbox provider; amounts in paise, times in milliseconds."""

from sqlalchemy import BigInteger
from sqlmodel import Field, SQLModel


class SandboxPaymentRow(SQLModel, table=True):
    """A payment of the sandbox; no other code reads it."""

    __tablename__ = "sandbox_payments"  # pyright: ignore[reportAssignmentType]

    reference: str = Field(primary_key=True)
    order_number: str = Field(index=True)
    amount_paise: int
    state: str
    payment_id: str
    return_url: str
    expires_at_ms: int = Field(sa_type=BigInteger)
    refund_id: str = ""
