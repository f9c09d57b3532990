"""Held seats in SQL. Whoever counts the seats of a slot holds the slot's lock till the end.

Every transaction takes the lock of at most one slot, before it changes any hold, and after it has
taken the order's row: so no two of them wait for each other.
"""

import secrets
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from campus_app.adapters.sql.tables import OrderRow, SeatHoldRow, SlotLockRow
from campus_app.domain.errors import Conflict
from campus_app.domain.messages import OrderMessage
from campus_app.domain.order import Order, OrderState
from campus_app.domain.reservation import (
    Hold,
    HoldState,
    PreReservation,
    can_take_hold,
    has_room,
    hold_until,
    seats_taken,
)
from campus_app.ports.orders import OrderDraft
from kit.clock import from_ms, to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of

_holds = table_of(SeatHoldRow)
_locks = table_of(SlotLockRow)
_orders = table_of(OrderRow)

_ID_BYTES = 24
_KEPT_AFTER_EXPIRY = timedelta(days=1)


class _NoRoom(Exception):
    """There are not enough seats: whatever was released for them is held as before."""


class SqlHolds:
    """Seats that wait for their payment, or are paid for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def hold(
        self, wanted: PreReservation, seats: int, at: datetime, *, instead_of: str = ""
    ) -> Hold | None:
        def work(connection: Connection) -> Hold:
            self._lock(connection, wanted)
            _release(connection, _holds.c.id == instead_of)
            if not _has_room(connection, wanted, seats, at):
                raise _NoRoom
            return self._seat(connection, wanted, at)

        try:
            return await self._database.write(work)
        except _NoRoom:
            return None

    async def find(self, reservation_id: str) -> Hold | None:
        return await self._database.read(lambda connection: _find(connection, reservation_id))

    async def release(self, reservation_id: str) -> None:
        await self._database.write(
            lambda connection: _release(connection, _holds.c.id == reservation_id)
        )

    async def seats_taken(self, restaurant_id: int, day: date, at: datetime) -> Mapping[time, int]:
        statement = (
            select(_holds.c.slot, func.sum(_holds.c.party_size))
            .where(
                _holds.c.restaurant_id == restaurant_id,
                _holds.c.date == day.isoformat(),
                _stand(at),
            )
            .group_by(_holds.c.slot)
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {time.fromisoformat(slot): int(taken) for slot, taken in rows}

    def _lock(self, connection: Connection, wanted: PreReservation) -> None:
        """From here to the end nobody else counts these seats."""
        lock_slot(connection, wanted)

    def _seat(self, connection: Connection, wanted: PreReservation, at: datetime) -> Hold:
        _forget_old(connection, at)
        return _insert(connection, wanted, at)


def lock_slot(connection: Connection, wanted: PreReservation) -> None:
    """Let nobody else count the seats of a slot until this transaction ends."""
    slot = _slot_values(wanted)
    statement = insert_into(connection.dialect.name, _locks).values(**slot)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=list(slot), set_={"slot": statement.excluded.slot}
        )
    )


def hold_for_order(connection: Connection, draft: OrderDraft) -> Hold | None:
    """Return the hold that a draft names, or None if there is none; lock its slot.

    The lock lasts until the transaction ends, so that two orders never get one hold.

    Raises:
        Conflict: `slot_unavailable` if the hold is for another table, paid for, or belongs to
            another order that can still be paid.
    """
    if draft.reservation is None:
        return None
    lock_slot(connection, draft.reservation)
    hold = _find(connection, draft.reservation_id) if draft.reservation_id else None
    if hold is not None and not can_take_hold(
        hold,
        draft.reservation,
        replaces=draft.replaces,
        is_owner_open=_is_open(connection, hold.order_id),
    ):
        raise Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)
    return hold


def order_seats(
    connection: Connection, draft: OrderDraft, hold: Hold | None, order_id: str, at: datetime
) -> None:
    """Tie the seats of a draft to its order: those of its hold, or free ones.

    Raises:
        Conflict: `slot_unavailable` if none are left.
    """
    wanted = draft.reservation
    if wanted is not None:
        hold = hold or _insert(connection, wanted, at, state=HoldState.RELEASED)
        _tie(connection, hold, order_id)
    if draft.replaces:
        release_seats(connection, draft.replaces)
    if hold is not None and not _stand_again(connection, hold, draft.restaurant.seats_per_slot, at):
        raise Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)


def keep_seats(connection: Connection, order: Order, seats: int, at: datetime) -> bool:
    """Hold an unpaid order's seats again if they have lapsed; False if others have them."""
    if order.reservation is None:
        return True
    lock_slot(connection, order.reservation)
    hold = _of_order(connection, order.id)
    if hold is None:
        if not _has_room(connection, order.reservation, seats, at):
            return False
        _insert(connection, order.reservation, at, order_id=order.id)
        return True
    return _stand_again(connection, hold, seats, at)


def has_seats(connection: Connection, order: Order, seats: int, at: datetime) -> bool:
    """Whether an order's seats are held, or free again; holds the slot's lock from here on."""
    if order.reservation is None:
        return True
    lock_slot(connection, order.reservation)
    hold = _of_order(connection, order.id)
    if hold is not None and hold.stands_at(at):
        return True
    return _has_room(connection, order.reservation, seats, at)


def pay_for_seats(connection: Connection, order: Order, at: datetime) -> None:
    """Make the seats of an order that is paid its own for good."""
    if order.reservation is None:
        return
    firm = connection.execute(
        update(_holds).where(_holds.c.order_id == order.id).values(state=HoldState.FIRM.value)
    )
    if firm.rowcount == 0:
        _insert(connection, order.reservation, at, order_id=order.id, state=HoldState.FIRM)


def release_seats(connection: Connection, order_id: str, *, even_firm: bool = False) -> None:
    """Give back the seats of an order that nobody will pay any more, or whose money goes back."""
    _release(connection, _holds.c.order_id == order_id, even_firm=even_firm)


def _slot_values(wanted: PreReservation) -> dict[str, Any]:
    return {
        "restaurant_id": wanted.restaurant_id,
        "date": wanted.date.isoformat(),
        "slot": f"{wanted.slot:%H:%M}",
    }


def _in_slot(wanted: PreReservation) -> Any:
    equal = [_holds.c[name] == value for name, value in _slot_values(wanted).items()]
    return equal[0] & equal[1] & equal[2]


def _stand(at: datetime) -> Any:
    """Which rows leave their seats to nobody else, as `Hold.stands_at` says."""
    return or_(
        _holds.c.state == HoldState.FIRM.value,
        (_holds.c.state == HoldState.HELD.value) & (_holds.c.expires_at_ms > to_ms(at)),
    )


def _has_room(connection: Connection, wanted: PreReservation, seats: int, at: datetime) -> bool:
    rows = connection.execute(select(_holds).where(_in_slot(wanted))).all()
    return has_room(wanted.party_size, seats, seats_taken(map(_hold, rows), at))


def _tie(connection: Connection, hold: Hold, order_id: str) -> None:
    connection.execute(update(_holds).where(_holds.c.id == hold.id).values(order_id=order_id))


def _stand_again(connection: Connection, hold: Hold, seats: int, at: datetime) -> bool:
    """Let a hold stand; one that has lapsed begins anew, if its seats are still free."""
    if hold.stands_at(at):
        return True
    if not _has_room(connection, hold.reservation, seats, at):
        return False
    connection.execute(
        update(_holds)
        .where(_holds.c.id == hold.id)
        .values(state=HoldState.HELD.value, expires_at_ms=to_ms(hold_until(at)))
    )
    return True


def _is_open(connection: Connection, order_id: str) -> bool:
    """Whether the order with this id can still be paid."""
    if not order_id:
        return False
    state = connection.execute(select(_orders.c.state).where(_orders.c.id == order_id)).scalar()
    return state == OrderState.PENDING.value


def _insert(
    connection: Connection,
    wanted: PreReservation,
    at: datetime,
    *,
    order_id: str = "",
    state: HoldState = HoldState.HELD,
) -> Hold:
    hold = Hold(secrets.token_urlsafe(_ID_BYTES), wanted, state, hold_until(at), order_id)
    connection.execute(
        insert(_holds).values(
            id=hold.id,
            party_size=wanted.party_size,
            state=state.value,
            expires_at_ms=to_ms(hold.expires_at),
            order_id=order_id,
            **_slot_values(wanted),
        )
    )
    return hold


def _release(connection: Connection, which: Any, *, even_firm: bool = False) -> None:
    states = [HoldState.HELD.value, *([HoldState.FIRM.value] if even_firm else [])]
    connection.execute(
        update(_holds)
        .where(which, _holds.c.state.in_(states))
        .values(state=HoldState.RELEASED.value)
    )


def _forget_old(connection: Connection, at: datetime) -> None:
    connection.execute(
        delete(_holds).where(
            _holds.c.state != HoldState.FIRM.value,
            _holds.c.expires_at_ms < to_ms(at - _KEPT_AFTER_EXPIRY),
        )
    )


def _find(connection: Connection, reservation_id: str) -> Hold | None:
    row = connection.execute(select(_holds).where(_holds.c.id == reservation_id)).one_or_none()
    return None if row is None else _hold(row)


def _of_order(connection: Connection, order_id: str) -> Hold | None:
    row = connection.execute(select(_holds).where(_holds.c.order_id == order_id)).one_or_none()
    return None if row is None else _hold(row)


def _hold(row: Any) -> Hold:
    return Hold(
        id=row.id,
        reservation=PreReservation(
            row.restaurant_id,
            time.fromisoformat(row.slot),
            row.party_size,
            date.fromisoformat(row.date),
        ),
        state=HoldState(row.state),
        expires_at=from_ms(row.expires_at_ms),
        order_id=row.order_id,
    )
