"""SQLModel's tables, as SQLAlchemy's statements want them."""

from typing import cast

from sqlalchemy import Table
from sqlmodel import SQLModel


def table_of(model: type[SQLModel]) -> Table:
    """Return the table that a model describes."""
    name = cast("str", model.__tablename__)  # pyright: ignore[reportUnknownMemberType]
    return SQLModel.metadata.tables[name]
