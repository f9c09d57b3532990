"""Orders, payments, their numbers, the switches, the outbox and the sandbox's books."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_PAISE = (
    "subtotal",
    "discount",
    "delivery_fee",
    "convenience_fee",
    "donation",
    "grand_total",
    "vendor_charge",
    "online",
    "remaining",
    "minimum",
)


def upgrade() -> None:
    op.create_table(
        "orders",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.String(), nullable=False, index=True),
        sa.Column("response_token", sa.String(), nullable=False, unique=True),
        sa.Column("idempotency_key", sa.String(), nullable=False, unique=True),
        sa.Column("cart_key", sa.String(), nullable=False, index=True),
        sa.Column("cart_generation", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("restaurant_id", sa.Integer(), nullable=False),
        sa.Column("restaurant_name", sa.String(), nullable=False),
        sa.Column("campus", sa.String(), nullable=False),
        sa.Column("full_name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        *(sa.Column(f"{name}_paise", sa.Integer(), nullable=False) for name in _PAISE),
        sa.Column("discount_name", sa.String(), nullable=False),
        sa.Column("reserved_date", sa.String(), nullable=True),
        sa.Column("reserved_slot", sa.String(), nullable=True),
        sa.Column("party_size", sa.Integer(), nullable=True),
        sa.Column("refund_reason", sa.String(), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger(), nullable=False, index=True),
    )
    op.create_table(
        "payments",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), nullable=False, unique=True),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False, unique=True),
        sa.Column("amount_paise", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("provider_payment_id", sa.String(), nullable=False),
        sa.Column("paid_paise", sa.Integer(), nullable=True),
        sa.Column("paid_currency", sa.String(), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("paid_at_ms", sa.BigInteger(), nullable=True),
        sa.Column("next_check_at_ms", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_payments_due", "payments", ["next_check_at_ms"])
    op.create_table(
        "order_numbers",
        sa.Column("value", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("held_until_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "restaurant_switches",
        sa.Column("restaurant_id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("changed_at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("dedupe_key", sa.String(), nullable=False, unique=True),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False, index=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("lease_token", sa.String(), nullable=True),
        sa.Column("lease_until_ms", sa.BigInteger(), nullable=True),
        sa.Column("effect_started_at_ms", sa.BigInteger(), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("done_at_ms", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_outbox_due", "outbox", ["state", "run_at_ms"])
    op.create_table(
        "sandbox_payments",
        sa.Column("reference", sa.String(), primary_key=True),
        sa.Column("order_number", sa.String(), nullable=False, index=True),
        sa.Column("amount_paise", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("payment_id", sa.String(), nullable=False),
        sa.Column("return_url", sa.String(), nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("refund_id", sa.String(), nullable=False),
    )


def downgrade() -> None:
    for table in (
        "sandbox_payments",
        "outbox",
        "restaurant_switches",
        "order_numbers",
        "payments",
        "orders",
    ):
        op.drop_table(table)
