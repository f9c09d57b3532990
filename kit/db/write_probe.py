"""A transaction that finds out whether the database accepts writes."""

import secrets

from sqlalchemy import Column, Connection, LargeBinary, MetaData, Table, insert

_BYTES = 64 * 1024
"""More than an order takes, so that a disk with a few free pages counts as full."""


def probe_write(connection: Connection) -> None:
    """Create a table with a row and drop it.

    An update of an existing row would succeed on a full disk.
    """
    name = f"write_probe_{secrets.token_hex(8)}"  # processes may do this at the same time
    table = Table(name, MetaData(), Column("filler", LargeBinary))
    table.create(connection)
    connection.execute(insert(table), {"filler": secrets.token_bytes(_BYTES)})  # not compressible
    table.drop(connection)
