"""A log of the writes to our tables, which triggers of the simulation's database keep.

It has the number of the transaction of each write, and its time by the machine's clock.
"""

import psycopg

MONEY_TABLES = ("orders", "payments", "refunds")
KITCHEN_TABLES = ("cooking", "kitchen_presses")
AUDIT_TABLE = "audit"
"""Its entries are inserted with the changes that they describe."""

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
