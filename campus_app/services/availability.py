"""Which restaurants take orders now: opening hours and operators' overrides."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from campus_app.domain.audit import HTTP_ACTOR, Actor, AuditAction, AuditEntry, audit_entry
from campus_app.domain.constants import CAMPUS_TIME_ZONE
from campus_app.domain.messages import StatusMessage
from campus_app.domain.restaurant import Restaurant, RestaurantState, restaurant_state
from campus_app.ports.catalogue import Catalogue, RestaurantOverride, RestaurantOverrideStore
from campus_app.services.restaurants import find_restaurant
from kit.clock import Clock


@dataclass(frozen=True)
class RestaurantStatus:
    """A restaurant's status as the status calls return it. Source: specification C3.2."""

    restaurant_id: int
    is_open: bool
    """False if an operator forced the restaurant closed; independent of the hours.

    Source: specification R3.
    """
    message: str
    state: RestaurantState

    def fields(self) -> dict[str, object]:
        """Return the JSON fields of the status calls."""
        return {"isOpen": self.is_open, "message": self.message, "state": self.state.value}


class StatusBoard:
    """The status of all restaurants in this process; notifies listeners of changes."""

    def __init__(
        self,
        catalogue: Catalogue,
        store: RestaurantOverrideStore,
        clock: Clock,
        publish_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._catalogue = catalogue
        self._store = store
        self._clock = clock
        self._publish_change = publish_change
        self._overrides: Mapping[int, RestaurantOverride] = {}
        self._listeners: set[asyncio.Event] = set()

    async def load(self) -> None:
        """Read the overrides, which another process may have changed."""
        overrides = {
            override.restaurant_id: override for override in await self._store.all_overrides()
        }
        if overrides != self._overrides:
            self._overrides = overrides
            self.notify_listeners()

    def is_forced_closed(self, restaurant_id: int) -> bool:
        """Whether an operator has closed the restaurant."""
        override = self._overrides.get(restaurant_id)
        return override is not None and not override.is_open

    def state_of(self, restaurant: Restaurant) -> RestaurantState:
        """Return the current status badge of a restaurant."""
        return restaurant_state(
            restaurant.hours,
            self._clock.now(),
            is_forced_closed=self.is_forced_closed(restaurant.id),
        )

    def statuses(self) -> list[RestaurantStatus]:
        """Return the status of every restaurant, by id."""
        return [self._status(restaurant) for restaurant in self._catalogue.restaurants()]

    def snapshot(self) -> dict[str, object]:
        """Return the status of all restaurants as calls, pages and broadcasts send it.

        Source: specification C3.2.
        """
        checked_at = self._clock.now().astimezone(CAMPUS_TIME_ZONE)
        return {
            "statuses": {str(status.restaurant_id): status.fields() for status in self.statuses()},
            "metadata": {"lastChecked": checked_at.isoformat(timespec="milliseconds")},
        }

    async def set_override(
        self, restaurant_id: int, *, is_open: bool, message: str, by: Actor = HTTP_ACTOR
    ) -> RestaurantStatus:
        """Store an operator's override with its audit entry, and notify all listeners.

        Raises:
            NotFound: If there is no such restaurant.
        """
        restaurant = find_restaurant(self._catalogue, restaurant_id)
        override = RestaurantOverride(restaurant_id, is_open, "" if is_open else message)
        await self._store.set_override(override, _override_entry(override, self._clock.now(), by))
        self._overrides = {**self._overrides, restaurant_id: override}
        self.notify_listeners()
        await self._publish_change()
        return self._status(restaurant)

    def notify_listeners(self) -> None:
        """Wake all listeners."""
        for listener in self._listeners:
            listener.set()

    async def changes(self) -> AsyncGenerator[list[RestaurantStatus]]:
        """Yield all statuses once, then the changed ones whenever there are any."""
        listener = asyncio.Event()
        self._listeners.add(listener)
        try:
            known = {status.restaurant_id: status for status in self.statuses()}
            yield list(known.values())
            while True:
                await listener.wait()
                listener.clear()
                current = {status.restaurant_id: status for status in self.statuses()}
                changed = [status for id_, status in current.items() if status != known.get(id_)]
                known = current
                if changed:
                    yield changed
        finally:
            self._listeners.discard(listener)

    def next_boundary(self) -> datetime:
        """Return the next time at which a restaurant opens or closes by its hours."""
        now = self._clock.now()
        return min(
            restaurant.hours.next_change(now) for restaurant in self._catalogue.restaurants()
        )

    def _status(self, restaurant: Restaurant) -> RestaurantStatus:
        override = self._overrides.get(restaurant.id)
        is_open = override is None or override.is_open
        message = "" if override is None or is_open else override.message
        return RestaurantStatus(
            restaurant.id,
            is_open,
            message or ("" if is_open else StatusMessage.TEMPORARILY_CLOSED),
            self.state_of(restaurant),
        )


def _override_entry(override: RestaurantOverride, at: datetime, by: Actor) -> AuditEntry:
    subject = f"restaurant {override.restaurant_id}"
    if override.is_open:
        return audit_entry(at, by, AuditAction.OPEN_RESTAURANT, subject)
    return audit_entry(at, by, AuditAction.CLOSE_RESTAURANT, subject, message=override.message)
