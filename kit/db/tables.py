"""Typed access to the SQLAlchemy tables of SQLModel classes."""

from typing import Any, cast

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import SQLModel


def table_of(model: type[SQLModel]) -> Table:
    """Return the SQLAlchemy table of a model."""
    name = cast("str", model.__tablename__)  # pyright: ignore[reportUnknownMemberType]
    return SQLModel.metadata.tables[name]


def insert_into(dialect: str, table: Table) -> Any:
    """Return an INSERT of this dialect, which supports ON CONFLICT."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)
