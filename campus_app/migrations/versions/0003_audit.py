"""The audit of the operators, and the triggers that make it append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_REFUSAL = "the audit is append-only"
_SQLITE_TRIGGERS = {
    "audit_no_update": "BEFORE UPDATE ON audit",
    "audit_no_delete": "BEFORE DELETE ON audit",
    # INSERT OR REPLACE removes a row without waking the trigger that guards against it.
    "audit_no_replace": "BEFORE INSERT ON audit WHEN NEW.id IN (SELECT id FROM audit)",
}
_POSTGRESQL_TRIGGERS = {
    "audit_no_change": "BEFORE UPDATE OR DELETE ON audit FOR EACH ROW",
    "audit_no_truncate": "BEFORE TRUNCATE ON audit FOR EACH STATEMENT",
}


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at_ms", sa.BigInteger(), nullable=False, index=True),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False, index=True),
        sa.Column("details", sa.JSON(), nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        for name, when in _SQLITE_TRIGGERS.items():
            op.execute(f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END")
        return
    op.execute(
        "CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$"
    )
    for name, when in _POSTGRESQL_TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {when} EXECUTE FUNCTION audit_refuse()")


def downgrade() -> None:
    op.drop_table("audit")  # its triggers go with it
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION audit_refuse()")
