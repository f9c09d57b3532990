"""The language in which an order was placed; what was placed before was placed in English."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("orders", sa.Column("language", sa.String(), nullable=False, server_default="en"))


def downgrade() -> None:
    op.drop_column("orders", "language")
