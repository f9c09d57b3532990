"""Hours and seats of restaurants for single days."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "restaurant_days",
        sa.Column("restaurant_id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("day", sa.String(), primary_key=True),
        sa.Column("open", sa.String(), nullable=True),
        sa.Column("close", sa.String(), nullable=True),
        sa.Column("seats", sa.Integer(), nullable=True),
    )


def downgrade() -> None:
    op.drop_table("restaurant_days")
