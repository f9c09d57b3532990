"""All tables of both products, and the triggers that make the audit table append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_BILL_AMOUNTS = (
    "subtotal",
    "discount",
    "delivery_fee",
    "convenience_fee",
    "donation",
    "grand_total",
    "vendor_charge",
    "online",
    "remaining",
    "minimum",
)
_DEMO_REQUEST_TEXTS = (
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
_TABLES = (
    "orders",
    "payments",
    "order_numbers",
    "restaurant_overrides",
    "seat_holds",
    "slot_locks",
    "checkout_sessions",
    "refunds",
    "call_attempts",
    "outbox",
    "audit",
    "sandbox_payments",
    "demo_requests",
)
"""In the order of their creation; foreign keys point to earlier ones."""
_AUDIT_ERROR = "the audit is append-only"
_SQLITE_TRIGGERS = {
    "audit_no_update": "BEFORE UPDATE ON audit",
    "audit_no_delete": "BEFORE DELETE ON audit",
    # INSERT OR REPLACE deletes the old row without firing the DELETE trigger.
    "audit_no_replace": "BEFORE INSERT ON audit WHEN NEW.id IN (SELECT id FROM audit)",
}
_POSTGRESQL_TRIGGERS = {
    "audit_no_change": "BEFORE UPDATE OR DELETE ON audit FOR EACH ROW",
    "audit_no_truncate": "BEFORE TRUNCATE ON audit FOR EACH STATEMENT",
}


def upgrade() -> None:
    _create_orders()
    _create_payments()
    _create_reservations()
    _create_checkout_and_refunds()
    _create_call_attempts()
    _create_outbox()
    _create_audit()
    _create_sandbox_payments()
    _create_demo_requests()


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)  # drops the triggers of the table too
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION audit_refuse()")


def _create_orders() -> None:
    op.create_table(
        "orders",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.String(), nullable=False, index=True),
        sa.Column("response_token", sa.String(), nullable=False, unique=True),
        sa.Column("idempotency_key", sa.String(), nullable=False, unique=True),
        sa.Column("cart_key", sa.String(), nullable=False, index=True),
        sa.Column("cart_generation", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("restaurant_id", sa.Integer(), nullable=False),
        sa.Column("restaurant_name", sa.String(), nullable=False),
        sa.Column("campus", sa.String(), nullable=False),
        sa.Column("full_name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        *(sa.Column(f"{name}_paise", sa.Integer(), nullable=False) for name in _BILL_AMOUNTS),
        sa.Column("discount_name", sa.String(), nullable=False),
        sa.Column("reserved_date", sa.String(), nullable=True),
        sa.Column("reserved_slot", sa.String(), nullable=True),
        sa.Column("party_size", sa.Integer(), nullable=True),
        sa.Column("refund_reason", sa.String(), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger(), nullable=False, index=True),
    )
    op.create_table(
        "order_numbers",
        sa.Column("value", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("order_id", sa.String(), nullable=False),
        sa.Column("held_until_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "restaurant_overrides",
        sa.Column("restaurant_id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("changed_at_ms", sa.BigInteger(), nullable=False),
    )


def _create_payments() -> None:
    op.create_table(
        "payments",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), nullable=False, unique=True),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False, unique=True),
        sa.Column("amount_paise", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("provider_payment_id", sa.String(), nullable=False),
        sa.Column("paid_paise", sa.Integer(), nullable=True),
        sa.Column("paid_currency", sa.String(), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("paid_at_ms", sa.BigInteger(), nullable=True),
        sa.Column("next_check_at_ms", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_payments_due", "payments", ["next_check_at_ms"])


def _create_reservations() -> None:
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


def _create_checkout_and_refunds() -> None:
    op.create_table(
        "checkout_sessions",
        sa.Column("payment_id", sa.String(), sa.ForeignKey("payments.id"), primary_key=True),
        sa.Column("token", sa.String(), nullable=False, unique=True),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "refunds",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("payment_id", sa.String(), sa.ForeignKey("payments.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("amount_paise", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("marked_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("completed_at_ms", sa.BigInteger(), nullable=True),
        sa.Column("next_check_at_ms", sa.BigInteger(), nullable=True),
        sa.UniqueConstraint("payment_id", "number"),
    )
    op.create_index("ix_refunds_due", "refunds", ["state", "next_check_at_ms"])


def _create_call_attempts() -> None:
    op.create_table(
        "call_attempts",
        sa.Column("token", sa.String(), primary_key=True),
        sa.Column("order_id", sa.String(), sa.ForeignKey("orders.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("restaurant_id", sa.Integer(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("started_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("sid", sa.String(), nullable=True, unique=True),
        sa.Column("is_confirmed", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=True),
        sa.Column("has_rung", sa.Boolean(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.UniqueConstraint("order_id", "number"),
    )
    op.create_index(
        "ix_call_attempts_restaurant", "call_attempts", ["restaurant_id", "started_at_ms"]
    )


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("dedupe_key", sa.String(), nullable=False, unique=True),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False, index=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("lease_token", sa.String(), nullable=True),
        sa.Column("lease_until_ms", sa.BigInteger(), nullable=True),
        sa.Column("effect_started_at_ms", sa.BigInteger(), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("done_at_ms", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_outbox_due", "outbox", ["state", "run_at_ms"])


def _create_audit() -> None:
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
        for name, event in _SQLITE_TRIGGERS.items():
            op.execute(
                f"CREATE TRIGGER {name} {event} BEGIN SELECT RAISE(ABORT, '{_AUDIT_ERROR}'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_AUDIT_ERROR}'; END $$"
    )
    for name, event in _POSTGRESQL_TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {event} EXECUTE FUNCTION audit_refuse()")


def _create_sandbox_payments() -> None:
    op.create_table(
        "sandbox_payments",
        sa.Column("reference", sa.String(), primary_key=True),
        sa.Column("order_number", sa.String(), nullable=False, index=True),
        sa.Column("amount_paise", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("payment_id", sa.String(), nullable=False),
        sa.Column("return_url", sa.String(), nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger(), nullable=False),
        sa.Column("refund_id", sa.String(), nullable=False),
    )


def _create_demo_requests() -> None:
    op.create_table(
        "demo_requests",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("submission_key", sa.String(), nullable=False, unique=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in _DEMO_REQUEST_TEXTS),
        sa.Column("is_suspected", sa.Boolean(), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger(), nullable=False, index=True),
    )
