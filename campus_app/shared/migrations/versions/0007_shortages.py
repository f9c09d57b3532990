"""Dishes of paid orders that their kitchens can't cook."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("orders", sa.Column("placed_quantities", sa.JSON()))
    op.create_table(
        "shortages",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), nullable=False),
        sa.Column("dish_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("device_id", sa.String(), nullable=False),
        sa.Column("asked_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("answer_by_ms", sa.BigInteger(), nullable=False),
        sa.Column("has_marked", sa.Boolean(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("answered_at_ms", sa.BigInteger()),
        sa.Column("replacement_id", sa.String(), nullable=False),
    )
    for column in ("order_id", "asked_at_ms", "answered_at_ms"):
        op.create_index(f"ix_shortages_{column}", "shortages", [column])


def downgrade() -> None:
    op.drop_table("shortages")
    with op.batch_alter_table("orders") as orders:
        orders.drop_column("placed_quantities")
