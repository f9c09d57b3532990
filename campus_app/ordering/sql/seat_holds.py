"""Seat holds in SQL. A transaction that counts a slot's seats holds the slot's lock until it ends.

Every transaction locks at most one slot, after the order's row and before any hold, so that no two
transactions deadlock.
"""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.reservation import (
    PreReservation,
    SeatHold,
    SeatHoldState,
    can_use_hold,
    has_capacity,
    hold_expiry,
    is_within_share,
    seats_taken,
    seats_unpaid,
)
from campus_app.ordering.rules.stored_order import OrderDraft
from campus_app.ordering.sql.tables import OrderRow, SeatHoldRow, SlotLockRow
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OrderMessage, ReservationMessage
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of

_holds = table_of(SeatHoldRow)
_locks = table_of(SlotLockRow)
_orders = table_of(OrderRow)

_ID_BYTES = 24
_RETENTION_AFTER_EXPIRY = timedelta(days=1)


class SqlSeatHolds:
    """Holds on seats, unpaid or paid."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def hold(
        self,
        table: PreReservation,
        seats: int,
        at: datetime,
        *,
        replaces: Collection[str] = (),
        client: str = "",
    ) -> SeatHold:
        """Hold seats in a slot with this capacity, and release the holds `replaces`.

        An empty `client` is not limited.

        Raises:
            Conflict: `slot_unavailable`, and nothing changes, if too few are free, or if the client
                holds too many without having paid.
        """

        def work(connection: Connection) -> SeatHold:
            self._lock(connection, table)
            for each in sorted(set(replaces)):  # in one order, so that no two transactions deadlock
                _release(connection, _holds.c.id == each)
            if refusal := _refusal(connection, table, seats, at, client):
                raise Conflict("slot_unavailable", refusal)  # which keeps the released holds
            return self._insert_hold(connection, table, at, client)

        return await self._database.write(work)

    async def extend(self, reservation_id: str, at: datetime) -> None:
        """Hold unpaid seats for longer, because the contact details are known.

        Nothing changes if the hold has ended.
        """

        def work(connection: Connection) -> None:
            named = _find(connection, _holds.c.id == reservation_id)
            if named is None:
                return
            lock_slot(connection, named.reservation)
            hold = _find(connection, _holds.c.id == reservation_id)
            if hold is not None and hold.is_unpaid_at(at):
                _hold_until(connection, hold, at)

        await self._database.write(work)

    async def find(self, reservation_id: str) -> SeatHold | None:
        """Return the hold with this id."""
        return await self._database.read(
            lambda connection: _find(connection, _holds.c.id == reservation_id)
        )

    async def release(self, reservation_id: str) -> None:
        """Release the seats of a hold, unless they are paid for."""
        await self._database.write(
            lambda connection: _release(connection, _holds.c.id == reservation_id)
        )

    async def seats_taken(self, restaurant_id: int, day: date, at: datetime) -> Mapping[time, int]:
        """Return how many seats of each slot of a day are taken."""
        statement = (
            select(_holds.c.slot, func.sum(_holds.c.party_size))
            .where(
                _holds.c.restaurant_id == restaurant_id,
                _holds.c.date == day,
                or_(
                    _holds.c.state == SeatHoldState.FIRM,
                    and_(_holds.c.state == SeatHoldState.HELD, _holds.c.expires_at > at),
                ),
            )
            .group_by(_holds.c.slot)
        )
        return {slot: int(taken) for slot, taken in await self._database.fetch_all(statement)}

    def _lock(self, connection: Connection, table: PreReservation) -> None:
        """Lock the slot: no other transaction counts its seats until this one ends."""
        lock_slot(connection, table)

    def _insert_hold(
        self, connection: Connection, table: PreReservation, at: datetime, client: str
    ) -> SeatHold:
        _delete_expired(connection, at)
        expires_at = hold_expiry(at, has_details=False)
        return _insert(connection, _held(table, expires_at, client=client))


def lock_slot(connection: Connection, table: PreReservation) -> None:
    """Lock a slot until the transaction ends."""
    slot = _slot_values(table)
    statement = insert_into(connection.dialect.name, _locks).values(slot)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=list(slot), set_={"slot": statement.excluded.slot}
        )
    )


def hold_for_order(connection: Connection, draft: OrderDraft) -> SeatHold | None:
    """Lock the draft's slot, and return the hold that the draft names, or None.

    The lock prevents two orders from using one hold.

    Raises:
        Conflict: `slot_unavailable` if the hold is for another table, paid for, or belongs to
            another order that can still be paid.
    """
    if draft.reservation is None:
        return None
    lock_slot(connection, draft.reservation)
    hold = _find(connection, _holds.c.id == draft.reservation_id)
    if hold is not None and not can_use_hold(
        hold,
        draft.reservation,
        replaces=draft.replaces,
        is_owner_open=_is_open(connection, hold.order_id),
    ):
        raise Conflict("slot_unavailable", OrderMessage.SLOT_UNAVAILABLE)
    return hold


def assign_seats(
    connection: Connection, draft: OrderDraft, hold: SeatHold | None, order_id: str, at: datetime
) -> None:
    """Assign the draft's hold to its order, or free seats if it has none.

    Raises:
        Conflict: `slot_unavailable` if no seats are left, or if the client holds too many.
    """
    table = draft.reservation
    if table is not None:
        hold = hold or _insert(connection, _ended(table, at, client=draft.client))
        connection.execute(update(_holds).where(_holds.c.id == hold.id).values(order_id=order_id))
    if draft.replaces:
        release_seats(connection, draft.replaces)
    if hold is not None:
        seats = draft.restaurant.seats_on(hold.reservation.date)
        _renew(connection, hold, seats, at)


def renew_hold(connection: Connection, order: Order, seats: int, at: datetime) -> None:
    """Hold an unpaid order's seats again if the hold has expired.

    Raises:
        Conflict: `slot_unavailable` if no seats are left, or if the client holds too many.
    """
    if order.reservation is None:
        return
    lock_slot(connection, order.reservation)
    hold = _find(connection, _holds.c.order_id == order.id)
    if hold is None:  # deleted a day after it had expired
        hold = _insert(connection, _ended(order.reservation, at, order_id=order.id))
    _renew(connection, hold, seats, at)


def has_seats(connection: Connection, order: Order, seats: int, at: datetime) -> bool:
    """Whether an order's seats are held, or free again; locks the slot."""
    if order.reservation is None:
        return True
    lock_slot(connection, order.reservation)
    hold = _find(connection, _holds.c.order_id == order.id)
    if hold is not None and hold.is_active_at(at):
        return True
    return not _refusal(connection, order.reservation, seats, at)


def confirm_seats(connection: Connection, order: Order, at: datetime) -> None:
    """Make the hold of a paid order FIRM; its client is not counted, and therefore not kept."""
    if order.reservation is None:
        return
    firm = connection.execute(
        update(_holds)
        .where(_holds.c.order_id == order.id)
        .values(state=SeatHoldState.FIRM, client="")
    )
    if firm.rowcount == 0:
        held = _held(order.reservation, at, order_id=order.id)
        _insert(connection, replace(held, state=SeatHoldState.FIRM))


def release_seats(connection: Connection, order_id: str, *, even_firm: bool = False) -> None:
    """Release the seats of an order that is not paid any more, or is refunded."""
    _release(connection, _holds.c.order_id == order_id, even_firm=even_firm)


def _slot_values(table: PreReservation) -> dict[str, Any]:
    return {"restaurant_id": table.restaurant_id, "date": table.date, "slot": table.slot}


def _refusal(
    connection: Connection, table: PreReservation, seats: int, at: datetime, client: str = ""
) -> str:
    """Return why a party gets no seats of a locked slot; empty if it gets them."""
    in_slot = select(_holds).filter_by(**_slot_values(table))
    holds = [_hold(row) for row in connection.execute(in_slot)]
    if not has_capacity(table.party_size, seats, seats_taken(holds, at)):
        return ReservationMessage.SLOT_TAKEN
    if client and not is_within_share(table.party_size, seats, seats_unpaid(holds, client, at)):
        return ReservationMessage.TOO_MANY_HELD
    return ""


def _renew(connection: Connection, hold: SeatHold, seats: int, at: datetime) -> None:
    """Hold an order's seats for the time to pay, again if the hold has ended.

    Raises:
        Conflict: `slot_unavailable` if it has ended, and others have taken the seats or its client
            holds too many.
    """
    if hold.state is SeatHoldState.FIRM:
        return
    if not hold.is_unpaid_at(at):
        refusal = _refusal(connection, hold.reservation, seats, at, hold.client)
        if refusal:
            raise Conflict("slot_unavailable", refusal)
    _hold_until(connection, hold, at)


def _hold_until(connection: Connection, hold: SeatHold, at: datetime) -> None:
    """Hold seats from now on, for a visitor whose contact details are known."""
    expires_at = max(hold.expires_at, hold_expiry(at, has_details=True))
    connection.execute(
        update(_holds)
        .where(_holds.c.id == hold.id)
        .values(state=SeatHoldState.HELD, expires_at=expires_at)
    )


def _is_open(connection: Connection, order_id: str) -> bool:
    """Whether the order with this id can still be paid; the id may be empty."""
    state = connection.execute(select(_orders.c.state).where(_orders.c.id == order_id)).scalar()
    return state is OrderState.PENDING


def _held(table: PreReservation, until: datetime, **owner: str) -> SeatHold:
    """Return a new hold, with `order_id` or `client`."""
    id_ = secrets.token_urlsafe(_ID_BYTES)
    return SeatHold(id_, table, SeatHoldState.HELD, until, **owner)


def _ended(table: PreReservation, at: datetime, **owner: str) -> SeatHold:
    """Return a new hold that takes no seats until it is renewed."""
    return replace(_held(table, at, **owner), state=SeatHoldState.RELEASED)


def _insert(connection: Connection, hold: SeatHold) -> SeatHold:
    values = {name: value for name, value in vars(hold).items() if name != "reservation"}
    connection.execute(insert(_holds).values(**values, **asdict(hold.reservation)))
    return hold


def _release(
    connection: Connection, condition: ColumnElement[bool], *, even_firm: bool = False
) -> None:
    states = [SeatHoldState.HELD, *([SeatHoldState.FIRM] if even_firm else [])]
    connection.execute(
        update(_holds)
        .where(condition, _holds.c.state.in_(states))
        .values(state=SeatHoldState.RELEASED)
    )


def _delete_expired(connection: Connection, at: datetime) -> None:
    connection.execute(
        delete(_holds).where(
            _holds.c.state != SeatHoldState.FIRM,
            _holds.c.expires_at < at - _RETENTION_AFTER_EXPIRY,
        )
    )


def _find(connection: Connection, condition: ColumnElement[bool]) -> SeatHold | None:
    row = connection.execute(select(_holds).where(condition)).one_or_none()
    return None if row is None else _hold(row)


def _hold(row: Any) -> SeatHold:
    return from_row(SeatHold, _holds, row, reservation=from_row(PreReservation, _holds, row))
