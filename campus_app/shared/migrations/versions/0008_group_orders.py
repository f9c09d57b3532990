"""Group orders: the dishes that each member has chosen on a link."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "group_orders",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("restaurant_id", sa.Integer(), nullable=False),
        sa.Column("cart_key", sa.String(), nullable=False, unique=True),
        sa.Column("members", sa.JSON(), nullable=False),
        sa.Column("is_locked", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("changed_at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_group_orders_changed_at_ms", "group_orders", ["changed_at_ms"])


def downgrade() -> None:
    op.drop_table("group_orders")
