"""Seats that are held for reservations, and the lock of each slot."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "seat_holds",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("restaurant_id", sa.Integer(), nullable=False),
        sa.Column("date", sa.String(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("party_size", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("order_id", sa.String(), nullable=False, index=True),
    )
    op.create_index("ix_seat_holds_slot", "seat_holds", ["restaurant_id", "date", "slot"])
    op.create_table(
        "slot_locks",
        sa.Column("restaurant_id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("date", sa.String(), primary_key=True),
        sa.Column("slot", sa.String(), primary_key=True),
    )


def downgrade() -> None:
    op.drop_table("slot_locks")
    op.drop_table("seat_holds")
