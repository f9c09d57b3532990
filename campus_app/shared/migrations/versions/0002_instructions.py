"""A note for the door, and whether cutlery is wanted, beside an order's note for the kitchen."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    # The defaults let the previous release insert orders during an upgrade.
    no = sa.false()
    op.add_column("orders", sa.Column("door_note", sa.String(), nullable=False, server_default=""))
    op.add_column(
        "orders", sa.Column("no_cutlery", sa.Boolean(), nullable=False, server_default=no)
    )


def downgrade() -> None:
    with op.batch_alter_table("orders") as orders:
        orders.drop_column("door_note")
        orders.drop_column("no_cutlery")
