"""Visits by hour and step, and when a kitchen had an order ready: for the figures of the desk."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "visits",
        sa.Column("hour_ms", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("step", sa.String(), primary_key=True),
        sa.Column("count", sa.Integer(), nullable=False),
    )
    op.add_column("cooking", sa.Column("ready_at_ms", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("cooking", "ready_at_ms")
    op.drop_table("visits")
