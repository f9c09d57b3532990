"""Calls about orders at a telephone service."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "rings",
        sa.Column("token", sa.String(), primary_key=True),
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("restaurant_id", sa.Integer(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("begun_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("sid", sa.String(), unique=True),
        sa.Column("is_confirmed", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String()),
        sa.Column("has_rung", sa.Boolean(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.UniqueConstraint("order_id", "number"),
    )
    op.create_index("ix_rings_restaurant", "rings", ["restaurant_id", "begun_at_ms"])


def downgrade() -> None:
    op.drop_table("rings")
