"""Holding a table: seats are kept free from Reserve until they are paid for, or half an hour."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time

from campus_app.domain.constants import CAMPUS_TIME_ZONE
from campus_app.domain.errors import Conflict, NotFound
from campus_app.domain.messages import OrderMessage, ReservationMessage
from campus_app.domain.reservation import (
    SLOTS,
    Hold,
    bookable_date,
    is_served,
    is_slot_open,
    reservation_id_from,
)
from campus_app.domain.restaurant import Restaurant
from campus_app.ports.orders import HoldStore
from campus_app.services.ordering import Ordering, ReservationRequest


@dataclass(frozen=True)
class BookableDay:
    """The day whose tables can be reserved now."""

    date: date
    is_today: bool
    seats_left: Mapping[time, int] = field(default_factory=dict[time, int])
    """Of the slots that can still be chosen; the others are not in it."""


@dataclass(frozen=True)
class Reservations:
    """Holds seats for visitors who have not paid yet."""

    holds: HoldStore
    ordering: Ordering

    def restaurant(self) -> Restaurant | None:
        """Return the restaurant that takes reservations. Source: specification R7."""
        restaurants = self.ordering.catalogue.restaurants()
        return next((each for each in restaurants if each.takes_reservations), None)

    async def day(self, restaurant: Restaurant) -> BookableDay:
        """Return the slots of today, or tomorrow's once today's have passed, with their seats."""
        now = self.ordering.clock.now()
        day = bookable_date(now)
        taken = await self.holds.seats_taken(restaurant.id, day, now)
        return BookableDay(
            date=day,
            is_today=day == now.astimezone(CAMPUS_TIME_ZONE).date(),
            seats_left={
                slot: max(0, restaurant.seats_per_slot - taken.get(slot, 0))
                for slot in SLOTS
                if is_slot_open(slot, day, now) and is_served(slot, day, restaurant.hours)
            },
        )

    async def hold(self, request: ReservationRequest) -> Hold:
        """Hold the seats that are asked for, in place of the hold that the request names.

        Raises:
            NotFound, Invalid: If there is no such table.
            Conflict: `restaurant_closed`; `slot_unavailable` if the time or the seats are gone.
        """
        restaurant = self.ordering.catalogue.restaurant(request.restaurant_id)
        if restaurant is None:
            raise NotFound("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)
        self.ordering.require_open(restaurant)
        wanted = self.ordering.reservation(request, restaurant)
        hold = await self.holds.hold(
            wanted,
            restaurant.seats_per_slot,
            self.ordering.clock.now(),
            instead_of=reservation_id_from(request.reservation_id),
        )
        if hold is None:
            raise Conflict("slot_unavailable", ReservationMessage.SLOT_TAKEN)
        return hold

    async def standing(self, reservation_id: str) -> Hold | None:
        """Return a hold that food can be ordered for now."""
        hold = await self.holds.find(reservation_id_from(reservation_id))
        is_good = hold is not None and hold.can_be_ordered_at(self.ordering.clock.now())
        return hold if is_good else None

    async def give_up(self, reservation_id: str) -> None:
        """Give held seats back, unless they are paid for."""
        await self.holds.release(reservation_id_from(reservation_id))
