"""Handovers to a provider's checkout, and refunds; what is due already is marked so."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_MARK_WHAT_IS_DUE = """
INSERT INTO refunds (id, payment_id, number, amount_paise, reason, state, marked_at_ms)
SELECT 'rf' || payments.id || '1', payments.id, 1, payments.paid_paise, orders.refund_reason,
    'due', COALESCE(payments.paid_at_ms, orders.created_at_ms)
FROM orders JOIN payments ON payments.order_id = orders.id
WHERE orders.state = 'refund_due'
"""


def upgrade() -> None:
    op.create_table(
        "handovers",
        sa.Column("payment_id", sa.String(), sa.ForeignKey("payments.id"), primary_key=True),
        sa.Column("token", sa.String(), nullable=False, unique=True),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("made_at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "refunds",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("payment_id", sa.String(), sa.ForeignKey("payments.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("amount_paise", sa.Integer()),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("marked_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("settled_at_ms", sa.BigInteger()),
        sa.Column("next_check_at_ms", sa.BigInteger()),
        sa.UniqueConstraint("payment_id", "number"),
    )
    op.create_index("ix_refunds_due", "refunds", ["state", "next_check_at_ms"])
    op.execute(_MARK_WHAT_IS_DUE)


def downgrade() -> None:
    op.drop_table("refunds")
    op.drop_table("handovers")
