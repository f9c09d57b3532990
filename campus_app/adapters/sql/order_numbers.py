"""Order numbers in SQL; the primary key makes a number's holder unique."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from random import SystemRandom
from threading import Lock
from typing import Any

from sqlalchemy import BigInteger, Connection, bindparam, func, select, update

from campus_app.adapters.sql.tables import OrderNumberRow
from campus_app.domain import constants
from campus_app.domain.errors import Conflict
from campus_app.domain.messages import OrderMessage
from campus_app.domain.order_number import is_nearly_full, number_tier
from kit.clock import to_ms
from kit.db.tables import insert_into, table_of

_numbers = table_of(OrderNumberRow)

_MAXIMUM_BLIND_DRAWS = 8
_TIER_LIFETIME_MS = 1_000
_random = SystemRandom()


class SqlNumbers:
    """Assigns numbers, each to one order at a time; thread-safe."""

    def __init__(self) -> None:
        self._tier: _Tier | None = None

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
        tier = self._current_tier(connection, at)
        for _ in range(_MAXIMUM_BLIND_DRAWS):
            value = tier.draw()
            if value is None:
                break
            if self._hold(connection, value, order_id, at):
                return value
        # The cached numbers are stale: read them again.
        tier = self._tier = _tier_now(connection, at)
        while (value := tier.draw()) is not None:
            if self._hold(connection, value, order_id, at):
                return value
        raise Conflict("busy", OrderMessage.BUSY)

    def _current_tier(self, connection: Connection, at: datetime) -> "_Tier":
        """Return the range to draw from; its held numbers are counted once a second."""
        tier = self._tier
        if tier is None or tier.is_stale(to_ms(at)):
            tier = self._tier = _tier_now(connection, at, tier)
        return tier

    def _hold(self, connection: Connection, value: int, order_id: str, at: datetime) -> bool:
        until = to_ms(at + timedelta(hours=constants.ORDER_NUMBER_HELD_HOURS))
        held = {"value": value, "order_id": order_id, "held_until_ms": until}
        # Neither statement locks a number that another order holds, so transactions that try
        # several numbers never wait for each other. A returned row means success.
        taken = connection.execute(_hold_statement(connection.dialect.name), held).first()
        if taken is None:
            given = {"number": value, "holder": order_id, "until_ms": until, "now_ms": to_ms(at)}
            taken = connection.execute(_HOLD_AGAIN_STATEMENT, given).first()
        return taken is not None


@dataclass
class _Tier:
    """A range of numbers, those that were not seen as held, and when it expires."""

    numbers: range
    free: int
    until_ms: int
    unseen: list[int]
    lock: Lock

    def draw(self) -> int | None:
        """Return a number that was not drawn before, or None if there is none."""
        with self.lock:
            if not self.unseen:
                return None
            self.free -= 1
            place = _random.randrange(len(self.unseen))
            self.unseen[place], self.unseen[-1] = self.unseen[-1], self.unseen[place]
            return self.unseen.pop()

    def is_stale(self, now_ms: int) -> bool:
        is_past = not self.until_ms - _TIER_LIFETIME_MS <= now_ms < self.until_ms
        return is_past or is_nearly_full(self.numbers, self.free)


def _tier_now(connection: Connection, at: datetime, before: _Tier | None = None) -> _Tier:
    """Return the current range; one that is already in use is only counted again."""
    held: dict[range, int] = {}

    def counted(numbers: range) -> int:
        held[numbers] = connection.execute(_COUNT_HELD, _those(numbers, at)).scalar_one()
        return held[numbers]

    numbers = number_tier(counted)
    free = len(numbers) - held.get(numbers, 0)
    until_ms = to_ms(at) + _TIER_LIFETIME_MS
    if before is not None and before.numbers == numbers:
        return replace(before, free=free, until_ms=until_ms)
    taken = set(connection.execute(_HELD, _those(numbers, at)).scalars())
    return _Tier(numbers, free, until_ms, [each for each in numbers if each not in taken], Lock())


def _those(numbers: range, at: datetime) -> dict[str, int]:
    return {"first": numbers.start, "last": numbers.stop - 1, "now_ms": to_ms(at)}


_ARE_HELD = (
    _numbers.c.value.between(bindparam("first"), bindparam("last")),
    _numbers.c.held_until_ms > bindparam("now_ms", type_=BigInteger),
)
_HELD = select(_numbers.c.value).where(*_ARE_HELD)
_COUNT_HELD = select(func.count()).select_from(_numbers).where(*_ARE_HELD)


@cache
def _hold_statement(dialect: str) -> Any:
    """Return the statement that assigns a number that has never been held."""
    statement = insert_into(dialect, _numbers)
    return statement.on_conflict_do_nothing(index_elements=["value"]).returning(_numbers.c.value)


_HOLD_AGAIN_STATEMENT = (
    update(_numbers)
    .where(
        _numbers.c.value == bindparam("number"),
        _numbers.c.held_until_ms <= bindparam("now_ms", type_=BigInteger),
    )
    .values(order_id=bindparam("holder"), held_until_ms=bindparam("until_ms"))
    .returning(_numbers.c.value)
)
"""Assigns a number whose last holder's time is over."""
