"""Order numbers in SQL; the primary key makes a number's holder unique."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from random import SystemRandom
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update

from campus_app.ordering.rules.order_number import number_tier
from campus_app.ordering.sql.tables import OrderNumberRow
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OrderMessage
from kit.db.columns import moment
from kit.db.tables import insert_into, table_of

_numbers = table_of(OrderNumberRow)
_TRIES = 200
"""Of random numbers of a range of which a tenth is free: one in 10^9 draws finds none."""
_random = SystemRandom()


@dataclass(frozen=True)
class NumberHold:
    """The order that holds a number, and until when."""

    order_id: str
    until: datetime


class SqlNumbers:
    """Assigns numbers, each to one order at a time."""

    def take(
        self, connection: Connection, requested: int | None, hold: NumberHold, at: datetime
    ) -> int:
        """Assign a number to this order: the requested one, or a random free one.

        Raises:
            Conflict: `order_id_taken` if another order holds the requested one, `busy` if none
                was found free.
        """
        if requested is not None:
            if self._hold(connection, requested, hold, at):
                return requested
            raise Conflict("order_id_taken", OrderMessage.ORDER_ID_TAKEN)
        for value in _candidates(connection, at):
            if self._hold(connection, value, hold, at):
                return value
        raise Conflict("busy", OrderMessage.BUSY)

    def extend(self, connection: Connection, value: int, hold: NumberHold) -> None:
        """Hold an order's number longer, unless another order has it by now."""
        extended = {"number": value, "holder": hold.order_id, "until": hold.until}
        connection.execute(_EXTEND, extended)

    def _hold(self, connection: Connection, value: int, hold: NumberHold, at: datetime) -> bool:
        """Assign a number that was never held or whose time is over; False if it is held.

        Neither statement locks a number that another order holds, so transactions that try several
        numbers never wait for each other.
        """
        holder = {"number": value, "holder": hold.order_id, "until": hold.until, "now": at}
        return any(
            connection.execute(statement, holder).first() is not None
            for statement in (_hold_first(connection.dialect.name), _HOLD_AGAIN)
        )


def _candidates(connection: Connection, at: datetime) -> Iterator[int]:
    """Yield random numbers of the shortest range of which a tenth is free."""

    def held(numbers: range) -> int:
        limits = {"first": numbers.start, "last": numbers.stop - 1, "now": at}
        return connection.execute(_COUNT_HELD, limits).scalar_one()

    tier = number_tier(held)
    for _ in range(_TRIES):
        yield _random.choice(tier)


# Module constants, because SQLAlchemy takes longer to build these statements than to execute them.

_HOLDER: dict[str, Any] = {"order_id": bindparam("holder"), "held_until": moment("until")}
_HOLD_AGAIN = (
    update(_numbers)
    .where(_numbers.c.value == bindparam("number"), _numbers.c.held_until <= moment("now"))
    .values(_HOLDER)
    .returning(_numbers.c.value)
)
_EXTEND = (
    update(_numbers)
    .where(_numbers.c.value == bindparam("number"), _numbers.c.order_id == bindparam("holder"))
    .values(held_until=moment("until"))
)
_COUNT_HELD = (
    select(func.count())
    .select_from(_numbers)
    .where(
        _numbers.c.value.between(bindparam("first"), bindparam("last")),
        _numbers.c.held_until > moment("now"),
    )
)


@cache
def _hold_first(dialect: str) -> Any:
    """Return the statement that assigns a number that was never held."""
    statement = insert_into(dialect, _numbers).values(value=bindparam("number"), **_HOLDER)
    return statement.on_conflict_do_nothing(index_elements=["value"]).returning(_numbers.c.value)
