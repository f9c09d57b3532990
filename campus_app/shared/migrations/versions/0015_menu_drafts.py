"""Tables of menus that are edited at the desk, and not published yet."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "menu_drafts",
        sa.Column("device_id", sa.String(), primary_key=True),
        sa.Column("restaurant_id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("base", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("menu_drafts")
