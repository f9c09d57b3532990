"""A log of all writes to the money, kitchen and audit tables, for the audit of `make simulate`.

Triggers in the simulation's database write it: the table (`source`), the row, its state, the
transaction, and the machine's time in seconds since 1970. By the transactions `audit_kitchens.py`
checks that no press of a kitchen changes money (K-I4, docs/simulation.md); `db_rows.py` reads the
log.
"""

import psycopg

MONEY_TABLES = ("orders", "payments", "refunds")
KITCHEN_TABLES = ("cooking", "kitchen_presses")
AUDIT_TABLE = "audit"
"""An entry is inserted in the transaction of its change, so its logged time is the change's."""

_LOG = """
    create table simulation_writes (
        source text not null, row_id text not null, state text not null,
        transaction bigint not null, at double precision not null);
    create function log_write() returns trigger language plpgsql as $$
        declare written jsonb := to_jsonb(coalesce(new, old));
        begin
            insert into simulation_writes values (
                tg_table_name, coalesce(written->>'id', written->>'order_id'),
                coalesce(written->>'state', ''), txid_current(),
                extract(epoch from clock_timestamp()));
            return null;
        end $$;"""
_TRIGGER = """
    create trigger log_write after insert or update or delete on {table}
    for each row execute function log_write();"""


def log_writes(database_url: str) -> None:
    """Log each write to the logged tables from now on."""
    triggers = [
        _TRIGGER.format(table=table) for table in (*MONEY_TABLES, *KITCHEN_TABLES, AUDIT_TABLE)
    ]
    with psycopg.connect(database_url) as connection:
        connection.execute("".join([_LOG, *triggers]))  # pyright: ignore
