"""Seat holds: seats are held from 'Reserve' until they are paid for, or for a limited time."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, time

from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.services.restaurants import find_restaurant, reservable_restaurant
from campus_app.ordering.rules.reservation import (
    SLOTS,
    SeatHold,
    bookable_date,
    is_kitchen_open,
    is_slot_open,
    parse_reservation_id,
)
from campus_app.ordering.services.order_requests import ReservationRequest
from campus_app.ordering.services.ordering import Ordering
from campus_app.ordering.sql.seat_holds import SqlSeatHolds
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE


@dataclass(frozen=True)
class BookableDay:
    """The day that can be booked now, and its free seats."""

    date: date
    is_today: bool
    seats_left: Mapping[time, int] = field(default_factory=dict[time, int])
    """Free seats by slot; slots that cannot be booked are missing."""


@dataclass(frozen=True)
class Reservations:
    """Holds seats for visitors who have not paid yet."""

    holds: SqlSeatHolds
    ordering: Ordering

    def restaurant(self) -> Restaurant | None:
        """Return the restaurant that takes reservations. Source: specification R7."""
        return reservable_restaurant(self.ordering.catalogue)

    async def day(self, restaurant: Restaurant) -> BookableDay:
        """Return the bookable day, today or tomorrow, with its slots and free seats."""
        now = self.ordering.clock.now()
        day = bookable_date(now)
        taken = await self.holds.seats_taken(restaurant.id, day, now)
        return BookableDay(
            date=day,
            is_today=day == now.astimezone(CAMPUS_TIME_ZONE).date(),
            seats_left={
                slot: max(0, restaurant.seats_on(day) - taken.get(slot, 0))
                for slot in SLOTS
                if is_slot_open(slot, day, now) and is_kitchen_open(slot, day, restaurant.hours)
            },
        )

    async def hold(
        self,
        request: ReservationRequest,
        *,
        replaces: Collection[str] = (),
        client: str = "",
    ) -> SeatHold:
        """Hold the requested seats, in place of the hold that the request names and of `replaces`.

        `client` is a key of `rate_limit_key`; an empty one is not limited.
        Source: specification R9.

        Raises:
            NotFound, Invalid: If there is no such table.
            Conflict: `restaurant_closed`; `slot_unavailable` if the slot has passed or is full, or
                if the client holds too many of its seats without having paid.
        """
        restaurant = find_restaurant(self.ordering.catalogue, request.restaurant_id)
        self.ordering.require_open(restaurant)
        table = self.ordering.reservation(request, restaurant)
        named = parse_reservation_id(request.reservation_id)
        return await self.holds.hold(
            table,
            restaurant.seats_on(table.date),
            self.ordering.clock.now(),
            replaces={*replaces, named} - {""},
            client=client,
        )

    async def extend(self, reservation_id: str) -> None:
        """Hold seats for the time to pay, when the visitor's contact details are known."""
        await self.holds.extend(parse_reservation_id(reservation_id), self.ordering.clock.now())

    async def find_active(self, reservation_id: str) -> SeatHold | None:
        """Return the hold with this id if food can be ordered for it now."""
        hold = await self.holds.find(parse_reservation_id(reservation_id))
        is_good = hold is not None and hold.can_be_ordered_at(self.ordering.clock.now())
        return hold if is_good else None

    async def is_of_order(self, reservation_id: str, order_id: str) -> bool:
        """Whether an order was stored for a hold."""
        hold = await self.holds.find(parse_reservation_id(reservation_id))
        return hold is not None and hold.order_id == order_id

    async def release(self, reservation_id: str) -> None:
        """Release held seats, unless they are paid for."""
        await self.holds.release(parse_reservation_id(reservation_id))
