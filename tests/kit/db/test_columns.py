"""Columns whose values are stored in another form, and rows as dataclasses."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

import pytest
from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    func,
    insert,
    select,
    text,
)

from kit.clock import from_ms, to_ms
from kit.db.columns import Converted
from kit.db.tables import from_row


class State(StrEnum):
    OPEN = "open"
    CLOSED = "closed"


NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
DOORS = Table(
    "doors",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("state", Converted(String, str, State)),
    Column("at_ms", Converted(BigInteger, to_ms, from_ms), key="at"),
)


@dataclass(frozen=True)
class Door:
    id: int
    state: State | None
    at: datetime | None
    name: str = "front"


@pytest.fixture
def connection():
    engine = create_engine("sqlite://")
    DOORS.metadata.create_all(engine)
    with engine.begin() as connection:
        doors = [{"id": 1, "state": State.OPEN, "at": NOON}, {"id": 2, "state": None, "at": None}]
        connection.execute(insert(DOORS), doors)
        yield connection
    engine.dispose()


def test_values_are_stored_in_their_other_form(connection):
    stored = connection.execute(text("SELECT state, at_ms FROM doors ORDER BY id")).all()
    assert [tuple(row) for row in stored] == [("open", to_ms(NOON)), (None, None)]


def test_conditions_and_aggregates_use_converted_values(connection):
    found = select(DOORS.c.id).where(DOORS.c.state.in_([State.OPEN]), DOORS.c.at <= NOON)
    assert connection.execute(found).scalars().all() == [1]
    assert connection.execute(select(func.max(DOORS.c.at))).scalar_one() == NOON


def test_from_row_returns_dataclass_with_columns_and_other_values(connection):
    first, second = connection.execute(select(DOORS).order_by(DOORS.c.id)).all()
    assert from_row(Door, DOORS, first, name="back") == Door(1, State.OPEN, NOON, "back")
    assert from_row(Door, DOORS, second, name="side") == Door(2, None, None, "side")
