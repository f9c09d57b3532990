"""The operators' desk, and several refunds of a payment of the sandbox."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_REFUNDS_OF_PAYMENTS = """
INSERT INTO sandbox_refunds (id, reference, amount_paise)
SELECT refund_id, reference, amount_paise FROM sandbox_payments WHERE refund_id <> ''
"""


def upgrade() -> None:
    op.create_table(
        "desk_links",
        sa.Column("token_hash", sa.String(), primary_key=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "desk_devices",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False, unique=True),
        sa.Column("enrolled_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "settled",
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), primary_key=True),
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "sandbox_refunds",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("reference", sa.String(), nullable=False, index=True),
        sa.Column("amount_paise", sa.Integer(), nullable=False),
    )
    op.execute(_REFUNDS_OF_PAYMENTS)


def downgrade() -> None:
    op.drop_table("sandbox_refunds")
    op.drop_table("settled")
    op.drop_table("desk_devices")
    op.drop_table("desk_links")
