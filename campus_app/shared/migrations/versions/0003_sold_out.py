"""Dishes that are sold out for a time, and closings of restaurants that end by themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("restaurant_overrides", sa.Column("until_ms", sa.BigInteger(), nullable=True))
    op.create_table(
        "sold_out_dishes",
        sa.Column("restaurant_id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("item_id", sa.String(), primary_key=True),
        sa.Column("until_ms", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("sold_out_dishes")
    with op.batch_alter_table("restaurant_overrides") as overrides:
        overrides.drop_column("until_ms")
