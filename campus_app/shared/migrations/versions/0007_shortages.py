"""Dishes of paid orders that their kitchens can't cook."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "shortages",
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), primary_key=True),
        sa.Column("dish_id", sa.String(), primary_key=True),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("device_id", sa.String(), nullable=False),
        sa.Column("asked_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("answer_by_ms", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("answered_at_ms", sa.BigInteger()),
        sa.Column("replacement_id", sa.String(), nullable=False, server_default=""),
    )
    op.create_index("ix_shortages_asked_at_ms", "shortages", ["asked_at_ms"])


def downgrade() -> None:
    op.drop_table("shortages")
