"""What can be ordered now: opening hours, overrides, and dishes that are sold out."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.rules.availability import RestaurantOverride, SoldOutDish
from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState, restaurant_state
from campus_app.catalogue.services.restaurants import find_restaurant
from campus_app.catalogue.sql.restaurant_overrides import SqlRestaurantOverrides
from campus_app.catalogue.sql.sold_out import SqlSoldOut
from campus_app.shared.rules.audit import HTTP_ACTOR, Actor, AuditAction, AuditEntry, audit_entry
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, WAITING_ROOM_SECONDS
from campus_app.shared.rules.errors import Conflict, NotFound
from campus_app.shared.rules.messages import KitchenMessage, OrderMessage, StatusMessage
from kit.clock import Clock

_CLOSED = StatusMessage.TEMPORARILY_CLOSED


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
    back_at: str = ""
    """The campus time at which a pause ends, `13:30`; empty if no pause ends."""
    sold_out: tuple[str, ...] = ()
    """The ids of the dishes that are sold out."""
    hours: str = ""
    """Today's hours, `09:00-18:00`; empty if they are the usual hours."""
    opens: str = ""
    """The time at which a closed restaurant opens next; empty if it is the usual time."""

    @property
    def words(self) -> str:
        """The message, and when a pause ends."""
        back = StatusMessage.BACK_AT.of(time=self.back_at) if self.back_at else ""
        return self.message if self.message == back or not back else f"{self.message} · {back}"

    def fields(self) -> dict[str, object]:
        """Return the JSON fields of the status calls."""
        some = {"backAt": self.back_at, "hours": self.hours, "opens": self.opens}
        return {
            "isOpen": self.is_open,
            "message": self.message,
            "state": self.state.value,
            **{name: text for name, text in some.items() if text},
        }


class Statuses:
    """The availability of all restaurants and dishes in this process; tells its listeners."""

    def __init__(
        self,
        catalogue: CsvCatalogue,
        store: SqlRestaurantOverrides,
        sold_out: SqlSoldOut,
        clock: Clock,
        publish_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._catalogue = catalogue
        self._store = store
        self._sold_out_store = sold_out
        self._clock = clock
        self._publish_change = publish_change
        self._overrides: Mapping[int, RestaurantOverride] = {}
        self._sold_out: Mapping[tuple[int, str], datetime] = {}
        self._listeners: set[asyncio.Event] = set()

    async def load(self) -> None:
        """Read the overrides and sold-out dishes, which another process may have changed."""
        while True:
            known, known_sold_out = self._overrides, self._sold_out
            overrides = {
                override.restaurant_id: override for override in await self._store.all_overrides()
            }
            sold_out = {
                (dish.restaurant_id, dish.dish_id): dish.until
                for dish in await self._sold_out_store.all_sold_out()
            }
            # If an override or a dish was changed here meanwhile, what was read may be older.
            if self._overrides is known and self._sold_out is known_sold_out:
                break
        if (overrides, sold_out) != (known, known_sold_out):
            self._overrides, self._sold_out = overrides, sold_out
            self.notify_listeners()

    def is_forced_closed(self, restaurant_id: int) -> bool:
        """Whether an operator has closed the restaurant without an end.

        Orders that are paid meanwhile are given back. A pause only takes no new ones.

        Source: specification M11, 10.21.
        """
        override = self._overrides.get(restaurant_id)
        return override is not None and not override.is_open and override.until is None

    def was_waiting_before_pause(self, restaurant_id: int, waiting_since: datetime | None) -> bool:
        """Whether a customer was in the waiting room when the restaurant's pause began.

        Such an order may still be paid. Source: specification 10.21.
        """
        override = self._overrides.get(restaurant_id)
        if (
            waiting_since is None
            or override is None
            or not (override.until and override.changed_at)
        ):
            return False
        longest = timedelta(seconds=WAITING_ROOM_SECONDS)
        return waiting_since <= override.changed_at and self._clock.now() < waiting_since + longest

    def is_sold_out(self, restaurant_id: int, dish_id: str) -> bool:
        """Whether a dish is sold out now."""
        until = self._sold_out.get((restaurant_id, dish_id))
        return until is not None and self._clock.now() < until

    def sold_out(self, restaurant_id: int) -> tuple[str, ...]:
        """Return the ids of a restaurant's dishes that are sold out now, in their order."""
        now = self._clock.now()
        return tuple(
            sorted(
                dish_id
                for (of, dish_id), until in self._sold_out.items()
                if of == restaurant_id and now < until
            )
        )

    def state_of(
        self, restaurant: Restaurant, *, for_placed_order: bool = False
    ) -> RestaurantState:
        """Return the current status badge of a restaurant; a pause ends no order that is placed."""
        now, override = self._clock.now(), self._overrides.get(restaurant.id)
        is_closed = override is not None and override.is_closed_at(now)
        if for_placed_order:
            is_closed = self.is_forced_closed(restaurant.id)
        return restaurant_state(restaurant.hours, now, is_forced_closed=is_closed)

    def all(self) -> list[RestaurantStatus]:
        """Return the status of every restaurant, by id."""
        return [self._status(restaurant) for restaurant in self._catalogue.restaurants()]

    def snapshot(self) -> dict[str, object]:
        """Return the status of all restaurants as calls, pages and broadcasts send it.

        Source: specification C3.2.
        """
        checked_at = self._clock.now().astimezone(CAMPUS_TIME_ZONE)
        statuses = self.all()
        return {
            "statuses": {str(status.restaurant_id): status.fields() for status in statuses},
            "metadata": {"lastChecked": checked_at.isoformat(timespec="milliseconds")},
            "soldOut": {
                str(status.restaurant_id): status.sold_out for status in statuses if status.sold_out
            },
            "menus": {
                str(status.restaurant_id): revision
                for status in statuses
                if (revision := self._catalogue.revision(status.restaurant_id))
            },
        }

    async def set_override(
        self,
        restaurant_id: int,
        *,
        is_open: bool,
        message: str,
        until: datetime | None = None,
        by: Actor = HTTP_ACTOR,
    ) -> RestaurantStatus:
        """Store an operator's override with its audit entry, and notify all listeners.

        A closing with `until` ends by itself then.

        Raises:
            NotFound: If there is no such restaurant.
        """
        restaurant = find_restaurant(self._catalogue, restaurant_id)
        override = override_of(restaurant_id, is_open=is_open, message=message, until=until)
        now = self._clock.now()
        await self._store.set_override(override, _override_entry(override, now, by))
        return await self._adopt(restaurant, replace(override, changed_at=now))

    async def set_pause(
        self, restaurant_id: int, length: timedelta | None, by: Actor
    ) -> RestaurantStatus:
        """Pause a restaurant for its kitchen, or end its pause, and notify all listeners.

        Source: specification 10.28.

        Raises:
            NotFound: If there is no such restaurant.
            Conflict: If an operator has closed it without an end: a kitchen does not change that.
        """
        restaurant = find_restaurant(self._catalogue, restaurant_id)
        now = self._clock.now()
        until = now.replace(microsecond=0) + length if length else None
        override = override_of(restaurant_id, is_open=length is None, message="", until=until)
        if not await self._store.set_pause(override, _override_entry(override, now, by)):
            await self.load()
            raise Conflict("closed_by_operator", KitchenMessage.CLOSED_BY_OPERATOR)
        return await self._adopt(restaurant, replace(override, changed_at=now))

    async def _adopt(
        self, restaurant: Restaurant, override: RestaurantOverride
    ) -> RestaurantStatus:
        """Use an override that was stored, and notify all listeners."""
        self._overrides = {**self._overrides, restaurant.id: override}
        self.notify_listeners()
        await self._publish_change()
        return self._status(restaurant)

    async def set_sold_out(
        self, restaurant_id: int, dish_id: str, *, is_sold_out: bool, by: Actor = HTTP_ACTOR
    ) -> RestaurantStatus:
        """Mark a dish as sold out until the next opening, or as available; notify all listeners.

        Source: specification 10.20.

        Raises:
            NotFound: If there is no such restaurant, or no such dish on its menu.
            MenuUnavailable: If its menu cannot be read.
        """
        restaurant = find_restaurant(self._catalogue, restaurant_id)
        if dish_id not in self._catalogue.menu(restaurant_id).by_id:
            raise NotFound("unknown_item", OrderMessage.UNKNOWN_DISH)
        now, key = self._clock.now(), (restaurant_id, dish_id)
        action = AuditAction.MARK_SOLD_OUT if is_sold_out else AuditAction.MARK_AVAILABLE
        entry = audit_entry(now, by, action, f"restaurant {restaurant_id}", dish=dish_id)
        until = restaurant.hours.next_opening(now)
        if is_sold_out:
            await self._sold_out_store.mark_sold_out(
                SoldOutDish(restaurant_id, dish_id, until), entry
            )
            self._sold_out = {**self._sold_out, key: until}
        else:
            await self._sold_out_store.mark_available(restaurant_id, dish_id, entry)
            self._sold_out = {each: end for each, end in self._sold_out.items() if each != key}
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
            known = {status.restaurant_id: status for status in self.all()}
            yield list(known.values())
            while True:
                await listener.wait()
                listener.clear()
                current = {status.restaurant_id: status for status in self.all()}
                changed = [status for id_, status in current.items() if status != known.get(id_)]
                known = current
                if changed:
                    yield changed
        finally:
            self._listeners.discard(listener)

    def next_boundary(self) -> datetime:
        """Return the next time at which something changes without an operator.

        A restaurant opens or closes, a pause ends, or a dish is available again.
        """
        now = self._clock.now()
        hours = [each.hours.next_change(now) for each in self._catalogue.restaurants()]
        pauses = [each.until for each in self._overrides.values() if each.until]
        return min(end for end in (*hours, *pauses, *self._sold_out.values()) if end > now)

    def _status(self, restaurant: Restaurant) -> RestaurantStatus:
        state, now = self.state_of(restaurant), self._clock.now()
        status = RestaurantStatus(
            restaurant.id,
            is_open=True,
            message="",
            state=state,
            sold_out=self.sold_out(restaurant.id),
            hours=restaurant.hours.other_hours(now),
            opens=restaurant.hours.other_opening(now),
        )
        override = self._overrides.get(restaurant.id)
        if override is None or not override.is_closed_at(now):
            return status
        back_at = _back_at(restaurant, override)
        usual = StatusMessage.BACK_AT.of(time=back_at) if back_at else _CLOSED
        message = override.message or usual
        return replace(status, is_open=False, message=message, back_at=back_at)


def _back_at(restaurant: Restaurant, override: RestaurantOverride) -> str:
    """Return the campus time at which orders are taken after a closing; empty without an end.

    Source: specification 10.21.
    """
    if override.until is None:
        return ""
    # A pause may end after the restaurant's hours.
    return f"{restaurant.hours.open_from(override.until).astimezone(CAMPUS_TIME_ZONE):%H:%M}"


def override_of(
    restaurant_id: int, *, is_open: bool, message: str, until: datetime | None = None
) -> RestaurantOverride:
    """Return an override; an override that opens has neither a message nor an end."""
    if is_open:
        return RestaurantOverride(restaurant_id, is_open=True, message="")
    return RestaurantOverride(restaurant_id, is_open=False, message=message, until=until)


def _override_entry(override: RestaurantOverride, at: datetime, by: Actor) -> AuditEntry:
    subject = f"restaurant {override.restaurant_id}"
    if override.is_open:
        return audit_entry(at, by, AuditAction.OPEN_RESTAURANT, subject)
    until = {"until": override.until.isoformat()} if override.until else {}
    return audit_entry(
        at, by, AuditAction.CLOSE_RESTAURANT, subject, message=override.message, **until
    )
