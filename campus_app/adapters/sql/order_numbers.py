"""Order numbers in SQL; the primary key makes a number's holder unique."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from random import SystemRandom
from typing import Any

from sqlalchemy import (
    Connection,
    ScalarResult,
    Select,
    bindparam,
    func,
    select,
    update,
)

from campus_app.adapters.sql.tables import OrderNumberRow
from campus_app.domain import constants
from campus_app.domain.errors import Conflict
from campus_app.domain.messages import OrderMessage
from campus_app.domain.order_number import number_tier
from kit.db.columns import moment
from kit.db.tables import insert_into, table_of

_numbers = table_of(OrderNumberRow)
_HOLD_TIME = timedelta(hours=constants.ORDER_NUMBER_HELD_HOURS)
_BLIND_TRIES = 16
_random = SystemRandom()


class SqlNumbers:
    """Assigns numbers, each to one order at a time."""

    def take(
        self, connection: Connection, requested: int | None, order_id: str, at: datetime
    ) -> int:
        """Assign a number to this order: the requested one, or a random free one.

        Raises:
            Conflict: `order_id_taken` if another order holds the requested one, `busy` if none
                is free.
        """
        if requested is not None:
            if self._hold(connection, requested, order_id, at):
                return requested
            raise Conflict("order_id_taken", OrderMessage.ORDER_ID_TAKEN)
        for value in _candidates(connection, at):
            if self._hold(connection, value, order_id, at):
                return value
        raise Conflict("busy", OrderMessage.BUSY)

    def _hold(self, connection: Connection, value: int, order_id: str, at: datetime) -> bool:
        """Assign a number that was never held or whose time is over; False if it is held.

        Neither statement locks a number that another order holds, so transactions that try several
        numbers never wait for each other.
        """
        holder = {"number": value, "holder": order_id, "until": at + _HOLD_TIME, "now": at}
        return any(
            connection.execute(statement, holder).first() is not None
            for statement in (_hold_first(connection.dialect.name), _HOLD_AGAIN)
        )


def _candidates(connection: Connection, at: datetime) -> Iterator[int]:
    """Yield random numbers of the current range: a few of any, then those that no order holds."""

    def held(numbers: range, statement: Select[Any]) -> ScalarResult[int]:
        limits = {"first": numbers.start, "last": numbers.stop - 1, "now": at}
        return connection.execute(statement, limits).scalars()

    tier = number_tier(lambda numbers: held(numbers, _COUNT_HELD).one())
    for _ in range(_BLIND_TRIES):
        yield _random.choice(tier)
    free = set(tier).difference(held(tier, _HELD))
    yield from _random.sample(sorted(free), len(free))


# Module constants, because SQLAlchemy takes longer to build these statements than to execute them.

_HOLDER: dict[str, Any] = {"order_id": bindparam("holder"), "held_until": moment("until")}
_HOLD_AGAIN = (
    update(_numbers)
    .where(_numbers.c.value == bindparam("number"), _numbers.c.held_until <= moment("now"))
    .values(_HOLDER)
    .returning(_numbers.c.value)
)
_ARE_HELD = (
    _numbers.c.value.between(bindparam("first"), bindparam("last")),
    _numbers.c.held_until > moment("now"),
)
_HELD = select(_numbers.c.value).where(*_ARE_HELD)
_COUNT_HELD = select(func.count()).select_from(_numbers).where(*_ARE_HELD)


@cache
def _hold_first(dialect: str) -> Any:
    """Return the statement that assigns a number that was never held."""
    statement = insert_into(dialect, _numbers).values(value=bindparam("number"), **_HOLDER)
    return statement.on_conflict_do_nothing(index_elements=["value"]).returning(_numbers.c.value)
