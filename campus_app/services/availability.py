"""Which restaurants take orders now: the clock, the hours and the operator's switches."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from campus_app.domain.audit import OVER_HTTP, Action, Actor, AuditEntry, audited
from campus_app.domain.constants import CAMPUS_TIME_ZONE
from campus_app.domain.errors import NotFound
from campus_app.domain.messages import OrderMessage, StatusMessage
from campus_app.domain.restaurant import Restaurant, RestaurantState, restaurant_state
from campus_app.ports.catalogue import Catalogue, Switch, SwitchStore
from kit.clock import Clock


@dataclass(frozen=True)
class RestaurantStatus:
    """What the status calls say of one restaurant. Source: specification C3.2."""

    restaurant_id: int
    is_open: bool
    """The operator's switch, not the hours. Source: specification R3."""
    message: str
    state: RestaurantState

    def fields(self) -> dict[str, object]:
        """Return it as the status calls give it."""
        return {"isOpen": self.is_open, "message": self.message, "state": self.state.value}


class StatusBoard:
    """One process's picture of all restaurants; listeners hear of each change."""

    def __init__(
        self,
        catalogue: Catalogue,
        store: SwitchStore,
        clock: Clock,
        tell_others: Callable[[], Awaitable[None]],
    ) -> None:
        self._catalogue = catalogue
        self._store = store
        self._clock = clock
        self._tell_others = tell_others
        self._switches: Mapping[int, Switch] = {}
        self._listeners: set[asyncio.Event] = set()

    async def load(self) -> None:
        """Read the switches as they were left, here or by another process."""
        switches = {switch.restaurant_id: switch for switch in await self._store.switches()}
        if switches != self._switches:
            self._switches = switches
            self.announce()

    def is_forced_closed(self, restaurant_id: int) -> bool:
        """Whether the operator has closed a restaurant."""
        switch = self._switches.get(restaurant_id)
        return switch is not None and not switch.is_open

    def state_of(self, restaurant: Restaurant) -> RestaurantState:
        """Return the badge that a restaurant wears now."""
        return restaurant_state(
            restaurant.hours,
            self._clock.now(),
            is_forced_closed=self.is_forced_closed(restaurant.id),
        )

    def statuses(self) -> list[RestaurantStatus]:
        """Return the status of every restaurant, by id."""
        return [self._status(restaurant) for restaurant in self._catalogue.restaurants()]

    def picture(self) -> dict[str, object]:
        """Return what every browser is told, by calls, with pages and by broadcast.

        Source: specification C3.2.
        """
        checked_at = self._clock.now().astimezone(CAMPUS_TIME_ZONE)
        return {
            "statuses": {str(status.restaurant_id): status.fields() for status in self.statuses()},
            "metadata": {"lastChecked": checked_at.isoformat(timespec="milliseconds")},
        }

    async def turn(
        self, restaurant_id: int, *, is_open: bool, message: str, by: Actor = OVER_HTTP
    ) -> RestaurantStatus:
        """Turn the operator's switch, keep it with its line of the audit, and tell all who listen.

        Raises:
            NotFound: If there is no such restaurant.
        """
        restaurant = self._catalogue.restaurant(restaurant_id)
        if restaurant is None:
            raise NotFound("unknown_restaurant", OrderMessage.UNKNOWN_RESTAURANT)
        switch = Switch(restaurant_id, is_open, "" if is_open else message)
        await self._store.turn(switch, _audited_turn(switch, self._clock.now(), by))
        self._switches = {**self._switches, restaurant_id: switch}
        self.announce()
        await self._tell_others()
        return self._status(restaurant)

    def announce(self) -> None:
        """Wake everyone who listens."""
        for listener in self._listeners:
            listener.set()

    async def changes(self) -> AsyncGenerator[list[RestaurantStatus]]:
        """Yield all statuses at once, then those that have changed, for as long as one listens."""
        listener = asyncio.Event()
        self._listeners.add(listener)
        try:
            seen = {status.restaurant_id: status for status in self.statuses()}
            yield list(seen.values())
            while True:
                await listener.wait()
                listener.clear()
                current = {status.restaurant_id: status for status in self.statuses()}
                changed = [status for id_, status in current.items() if status != seen.get(id_)]
                seen = current
                if changed:
                    yield changed
        finally:
            self._listeners.discard(listener)

    def next_boundary(self) -> datetime:
        """Return when the next restaurant opens or closes by its hours."""
        now = self._clock.now()
        return min(
            restaurant.hours.next_change(now) for restaurant in self._catalogue.restaurants()
        )

    def _status(self, restaurant: Restaurant) -> RestaurantStatus:
        switch = self._switches.get(restaurant.id)
        is_open = switch is None or switch.is_open
        message = "" if switch is None or is_open else switch.message
        return RestaurantStatus(
            restaurant.id,
            is_open,
            message or ("" if is_open else StatusMessage.TEMPORARILY_CLOSED),
            self.state_of(restaurant),
        )


def _audited_turn(switch: Switch, at: datetime, by: Actor) -> AuditEntry:
    subject = f"restaurant {switch.restaurant_id}"
    if switch.is_open:
        return audited(at, by, Action.OPEN_RESTAURANT, subject)
    return audited(at, by, Action.CLOSE_RESTAURANT, subject, message=switch.message)
