"""Leads: the demo requests of one person, with a state and a history; what travels with each."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_KEYS = ("mailbox", "phone_key", "company_key")
_LEADS_OF_REQUESTS = """
INSERT INTO leads (id, state, owner, note, created_at_ms, changed_at_ms)
SELECT id, CASE WHEN is_suspected THEN 'spam' ELSE 'new' END, '', '', created_at_ms, created_at_ms
FROM demo_requests
"""
_KEYS_OF_REQUESTS = """
UPDATE demo_requests SET lead_id = id, mailbox = lower(email), company_key = lower(company)
"""
"""Without what providers ignore in addresses: an old request is joined a little less often."""


def upgrade() -> None:
    op.create_table(
        "leads",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("changed_at_ms", sa.BigInteger(), nullable=False, index=True),
    )
    op.create_table(
        "lead_events",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("lead_id", sa.String(), nullable=False, index=True),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("field", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
    )
    # NULL lets the previous release insert requests during an upgrade; they get their leads later.
    op.add_column("demo_requests", sa.Column("lead_id", sa.String(), nullable=True))
    op.add_column("demo_requests", sa.Column("journey", sa.JSON(), nullable=True))
    op.add_column("demo_requests", sa.Column("link_token", sa.String(), nullable=True))
    for key in _KEYS:
        column = sa.Column(key, sa.String(), nullable=False, server_default="")
        op.add_column("demo_requests", column)
    for name in ("lead_id", *_KEYS):
        op.create_index(f"ix_demo_requests_{name}", "demo_requests", [name])
    op.create_index("ix_demo_requests_link_token", "demo_requests", ["link_token"], unique=True)
    op.execute(_LEADS_OF_REQUESTS)
    op.execute(_KEYS_OF_REQUESTS)


def downgrade() -> None:
    for name in ("lead_id", "link_token", *_KEYS):
        op.drop_index(f"ix_demo_requests_{name}", "demo_requests")
    with op.batch_alter_table("demo_requests") as requests:
        for name in ("lead_id", "journey", "link_token", *_KEYS):
            requests.drop_column(name)
    op.drop_table("lead_events")
    op.drop_table("leads")
