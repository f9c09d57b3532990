"""Requests for a demo of the voice assistant."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_TEXTS = (
    "full_name",
    "job_title",
    "email",
    "phone",
    "company",
    "company_size",
    "industry",
    "location",
    "selected_variant",
    "use_case",
    "additional_notes",
    "source",
)


def upgrade() -> None:
    op.create_table(
        "demo_requests",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("submission_key", sa.String(), nullable=False, unique=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in _TEXTS),
        sa.Column("is_suspected", sa.Boolean(), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger(), nullable=False, index=True),
    )


def downgrade() -> None:
    op.drop_table("demo_requests")
