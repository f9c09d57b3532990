"""SQLModel's tables, as SQLAlchemy's statements want them."""

from typing import Any, cast

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import SQLModel


def table_of(model: type[SQLModel]) -> Table:
    """Return the table that a model describes."""
    name = cast("str", model.__tablename__)  # pyright: ignore[reportUnknownMemberType]
    return SQLModel.metadata.tables[name]


def insert_into(dialect: str, table: Table) -> Any:
    """Return an insert of this dialect, which can say what happens where a key is taken."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)
