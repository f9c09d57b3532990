"""Today's hours and seats of restaurants: set, taken back, and followed by every process.

Source: specification 15.1 to 15.6.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import time

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.opening_hours import DayHours
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.catalogue.sql.restaurant_days import SqlRestaurantDays
from campus_app.shared.rules.audit import Actor, AuditAction, AuditEntry, audit_entry
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, MAXIMUM_SEATS_PER_SLOT
from campus_app.shared.rules.errors import Invalid
from campus_app.shared.rules.messages import DayMessage, OrderMessage
from kit.clock import Clock


class RestaurantDays:
    """Gives the restaurants of the catalogue other hours and seats for single days.

    Whoever asks a restaurant for its hours or seats gets these, without knowing this service.
    """

    def __init__(
        self,
        catalogue: CsvCatalogue,
        store: SqlRestaurantDays,
        clock: Clock,
        notify_listeners: Callable[[], None],
        publish_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._catalogue = catalogue
        self._store = store
        self._clock = clock
        self._notify_listeners = notify_listeners
        self._publish_change = publish_change
        self._reading = asyncio.Lock()

    async def load(self) -> None:
        """Read the changed days, which another process may have changed."""
        async with self._reading:  # an earlier read must not replace the result of a later one
            if self._catalogue.use_days(await self._store.all_days()):
                self._notify_listeners()

    async def set_hours(
        self,
        restaurant_id: int,
        by: Actor,
        *,
        opens: time | None = None,
        closes: time | None = None,
    ) -> Restaurant:
        """Let a restaurant open or close at another time today; None leaves a time as it is.

        Raises:
            NotFound: If there is no such restaurant.
            Invalid: If the hours would last beyond the usual opening of the next day.
        """
        await self.load()
        hours = find_restaurant(self._catalogue, restaurant_id).hours
        before = hours.on(hours.day_at(self._clock.now()))
        after = DayHours(before.day, opens or before.open, closes or before.close)
        if hours.meets_next_day(after):
            times = {"close": f"{after.close:%H:%M}", "open": f"{hours.open:%H:%M}"}
            message = DayMessage.MEETS_NEXT_DAY.of(**times)
            raise Invalid(message, {"close": message})
        is_usual = (after.open, after.close) == (hours.open, hours.close)
        changed = {"day": after.day, "before": before, "after": after}
        entry = self._entry(AuditAction.CHANGE_HOURS, restaurant_id, by, **changed)
        await self._store.set_hours(restaurant_id, None if is_usual else after, after.day, entry)
        return await self._published(restaurant_id)

    async def set_usual_hours(self, restaurant_id: int, by: Actor) -> Restaurant:
        """Let a restaurant have its usual hours today.

        Raises:
            NotFound: If there is no such restaurant.
        """
        hours = find_restaurant(self._catalogue, restaurant_id).hours
        return await self.set_hours(restaurant_id, by, opens=hours.open, closes=hours.close)

    async def set_seats(self, restaurant_id: int, seats: int | None, by: Actor) -> Restaurant:
        """Give each slot of today this many seats, or with None the usual number.

        Tables that are reserved stay reserved, also if there are fewer seats now.

        Raises:
            NotFound: If there is no such restaurant.
            Invalid: If it takes no reservations, or can't have so many seats.
        """
        await self.load()
        restaurant = find_restaurant(self._catalogue, restaurant_id)
        if not restaurant.takes_reservations:
            message = OrderMessage.NO_RESERVATIONS.of(name=restaurant.name)
            raise Invalid(message, {"seats": message})
        usual = restaurant.seats_per_slot
        after = usual if seats is None else seats
        if after != usual and not 0 <= after <= MAXIMUM_SEATS_PER_SLOT:
            message = DayMessage.SEATS.of(most=MAXIMUM_SEATS_PER_SLOT)
            raise Invalid(message, {"seats": message})
        day = self._clock.now().astimezone(CAMPUS_TIME_ZONE).date()
        changed = {"day": day, "before": restaurant.seats_on(day), "after": after}
        entry = self._entry(AuditAction.CHANGE_SEATS, restaurant_id, by, **changed)
        await self._store.set_seats(restaurant_id, None if after == usual else after, day, entry)
        return await self._published(restaurant_id)

    async def _published(self, restaurant_id: int) -> Restaurant:
        """Use what was stored, here and in the other processes."""
        await self.load()
        await self._publish_change()
        return find_restaurant(self._catalogue, restaurant_id)

    def _entry(
        self, action: AuditAction, restaurant_id: int, by: Actor, **details: object
    ) -> AuditEntry:
        texts = {name: str(value) for name, value in details.items()}
        return audit_entry(self._clock.now(), by, action, f"restaurant {restaurant_id}", **texts)
