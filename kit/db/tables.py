"""Typed access to the SQLAlchemy tables of SQLModel classes."""

from dataclasses import fields
from typing import Any, TypeVar, cast

from sqlalchemy import Select, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import SQLModel

Kind = TypeVar("Kind")


def table_of(model: type[SQLModel]) -> Table:
    """Return the SQLAlchemy table of a model."""
    name = cast("str", model.__tablename__)  # pyright: ignore[reportUnknownMemberType]
    return SQLModel.metadata.tables[name]


def insert_into(dialect: str, table: Table) -> Any:
    """Return an INSERT of this dialect, which supports ON CONFLICT."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


def count_up_to(most: int, statement: Select[Any]) -> Select[int]:
    """Return the query of how many rows a statement has; `most` + 1 stands for all that is more.

    So its cost does not grow with the table.
    """
    return select(func.count()).select_from(statement.limit(most + 1).subquery())


def from_row(kind: type[Kind], table: Table, row: Any, **others: Any) -> Kind:
    """Return a dataclass whose fields are the table's columns in a row, except for `others`."""
    values = row._mapping  # noqa: SLF001 - public, see SQLAlchemy's documentation of Row
    names = (field.name for field in fields(cast("Any", kind)) if field.name not in others)
    return kind(**{name: values[table.c[name]] for name in names}, **others)
