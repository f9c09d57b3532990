"""Order numbers in SQL; the primary key makes a number's holder unique."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Any

from sqlalchemy import Connection, Select, func, select, update

from campus_app.adapters.sql.tables import OrderNumberRow
from campus_app.domain import constants
from campus_app.domain.errors import Conflict
from campus_app.domain.messages import OrderMessage
from campus_app.domain.order_number import number_tier
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
        holder = {"order_id": order_id, "held_until": at + _HOLD_TIME}
        first = insert_into(connection.dialect.name, _numbers).values(value=value, **holder)
        again = update(_numbers).where(_numbers.c.value == value, _numbers.c.held_until <= at)
        return any(
            connection.execute(statement.returning(_numbers.c.value)).first() is not None
            for statement in (
                first.on_conflict_do_nothing(index_elements=["value"]),
                again.values(holder),
            )
        )


def _candidates(connection: Connection, at: datetime) -> Iterator[int]:
    """Yield random numbers of the current range: a few of any, then those that no order holds."""

    def held(numbers: range, what: Any) -> Select[Any]:
        is_in_range = _numbers.c.value.between(numbers.start, numbers.stop - 1)
        return select(what).where(is_in_range, _numbers.c.held_until > at)

    tier = number_tier(lambda each: connection.execute(held(each, func.count())).scalar_one())
    for _ in range(_BLIND_TRIES):
        yield _random.choice(tier)
    free = set(tier).difference(connection.execute(held(tier, _numbers.c.value)).scalars())
    yield from _random.sample(sorted(free), len(free))
