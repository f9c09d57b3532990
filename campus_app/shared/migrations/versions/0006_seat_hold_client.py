"""The client address of a seat hold, whose unpaid seats are limited."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    # The default lets the previous release insert holds during an upgrade.
    op.add_column("seat_holds", sa.Column("client", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("seat_holds") as seat_holds:
        seat_holds.drop_column("client")
