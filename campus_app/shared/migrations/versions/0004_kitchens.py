"""Kitchen links and devices, and the states of cooking beside the orders."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_index("ix_payments_paid", "payments", ["paid_at_ms"])
    op.create_table(
        "kitchen_links",
        sa.Column("token_hash", sa.String(), primary_key=True),
        sa.Column("restaurant_id", sa.Integer(), nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "kitchen_devices",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("restaurant_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False, unique=True),
        sa.Column("enrolled_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "cooking",
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), primary_key=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("previous", sa.String(), nullable=False),
        sa.Column("changed_at_ms", sa.BigInteger(), nullable=True),
        sa.Column("seen_at_ms", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_cooking_changed_at_ms", "cooking", ["changed_at_ms"])
    op.create_table(
        "kitchen_presses",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), nullable=False),
        sa.Column("device_id", sa.String(), nullable=False),
        sa.Column("saw", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("has_effect", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_kitchen_presses_order_id", "kitchen_presses", ["order_id"])


def downgrade() -> None:
    for table in ("kitchen_presses", "cooking", "kitchen_devices", "kitchen_links"):
        op.drop_table(table)
    op.drop_index("ix_payments_paid", "payments")
