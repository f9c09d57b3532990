"""The events of the desk's page of kitchens: open, close, pause, today's hours, links, devices."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypedDict

import reflex as rx

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import is_dish_id
from campus_app.catalogue.rules.opening_hours import DayHours
from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.services.availability import RestaurantStatus
from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_entry import DeskEntry, actor_of, text_in
from campus_app.operators.screens.desk_words import at
from campus_app.shared.rules import routes
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import (
    CAMPUS_TIME_ZONE,
    MAXIMUM_SEATS_PER_SLOT,
    MAXIMUM_STATUS_CHARACTERS,
    PAUSE_MINUTES,
)
from campus_app.shared.rules.errors import Invalid, OrderingError
from campus_app.shared.rules.messages import DayMessage
from campus_app.shared.rules.periods import time_of_day
from campus_app.shared.translations import t
from kit.text import normalize_text
from kit.translations import date_words

_SEATS: Final = re.compile(r"\d{1,4}", re.ASCII)


class BoardRow(TypedDict):
    """A device that shows a kitchen's board."""

    id: str
    used: str


class SoldOutRow(TypedDict):
    """A dish that is sold out."""

    id: str
    name: str


class RestaurantRow(TypedDict):
    """A kitchen: how it stands, what is sold out, and who shows its board."""

    id: int
    name: str
    phone: str
    state: str
    isOpen: bool
    isClosed: bool
    until: str
    message: str
    hours: str
    seats: str
    day: str
    """The day whose hours count now."""
    today: str
    """The hours of that day in words; empty if they are the usual ones."""
    opens: str
    closes: str
    seatCount: str
    """The seats of each slot of today; empty if it takes no reservations."""
    hasOtherSeats: bool
    soldOut: list[SoldOutRow]
    boards: list[BoardRow]


class DeskRestaurants(DeskEntry, mixin=True):
    """The kitchens, and the link that was just made for one."""

    restaurants: list[RestaurantRow] = []
    board_link: dict[str, str] = {}
    day_faults: dict[str, str] = {}
    """The faults of a form of today's hours or seats, by field, with the `id` of its kitchen."""

    @rx.event
    async def open_restaurants(self):
        """Show the kitchens."""
        if await self._entered(DeskArea.RESTAURANTS) is None:
            return
        self._say()
        self.day_faults = {}
        self._push("board_link", {})
        await self._show_restaurants()

    @rx.event
    async def close_restaurant(self, restaurant_id: int, message: str):
        """Take no orders until somebody opens the kitchen again."""
        is_text = isinstance(message, str) and len(message) <= MAXIMUM_STATUS_CHARACTERS
        await self._set_status(
            restaurant_id, is_open=False, message=normalize_text(message) if is_text else ""
        )

    @rx.event
    async def pause_restaurant(self, restaurant_id: int, minutes: int):
        """Take no orders for 15, 30 or 60 minutes."""
        if type(minutes) is int and minutes in PAUSE_MINUTES:
            await self._set_status(restaurant_id, is_open=False, pause=timedelta(minutes=minutes))

    @rx.event
    async def open_restaurant(self, restaurant_id: int):
        """Take orders again, within the hours of the kitchen."""
        await self._set_status(restaurant_id, is_open=True)

    @rx.event
    async def set_hours(self, form: dict[str, Any]):
        """Let a kitchen open and close at other times today."""
        times = {name: time_of_day(text_in(form, name)) for name in ("open", "close")}
        faults = {name: str(DayMessage.TIME) for name, value in times.items() if value is None}

        def change(id_: int, by: Actor) -> Awaitable[Restaurant]:
            days = wiring.services().restaurant_days
            return days.set_hours(id_, by, opens=times["open"], closes=times["close"])

        await self._set_day(text_in(form, "id"), change, faults)

    @rx.event
    async def set_usual_hours(self, restaurant_id: str):
        """Let a kitchen open and close as usual again."""
        await self._set_day(restaurant_id, wiring.services().restaurant_days.set_usual_hours)

    @rx.event
    async def set_seats(self, form: dict[str, Any]):
        """Give each slot of today another number of seats."""
        text = text_in(form, "seats")
        is_number = bool(_SEATS.fullmatch(text))
        fault = DayMessage.SEATS.of(most=MAXIMUM_SEATS_PER_SLOT)

        def change(id_: int, by: Actor) -> Awaitable[Restaurant]:
            return wiring.services().restaurant_days.set_seats(id_, int(text), by)

        await self._set_day(text_in(form, "id"), change, {} if is_number else {"seats": fault})

    @rx.event
    async def set_usual_seats(self, restaurant_id: str):
        """Give each slot of today the usual number of seats again."""

        def change(id_: int, by: Actor) -> Awaitable[Restaurant]:
            return wiring.services().restaurant_days.set_seats(id_, None, by)

        await self._set_day(restaurant_id, change)

    @rx.event
    async def sell_again(self, restaurant_id: int, dish_id: str):
        """Sell a sold-out dish again."""
        device = await self._entered(DeskArea.RESTAURANTS)
        is_known = type(restaurant_id) is int and isinstance(dish_id, str) and is_dish_id(dish_id)
        if device is None or not is_known:
            return
        try:
            await wiring.services().statuses.set_sold_out(
                restaurant_id, dish_id, is_sold_out=False, by=actor_of(device)
            )
            self._say()
        except (OrderingError, MenuUnavailable) as error:
            self._say(problem=t(error.message))
        await self._show_restaurants()

    @rx.event
    async def make_board_link(self, restaurant_id: int):
        """Make a link that shows the kitchen's board on one device."""
        device = await self._entered(DeskArea.RESTAURANTS)
        if device is None or type(restaurant_id) is not int:
            return
        services = wiring.services()
        try:
            link = await services.kitchen_devices.create_link(restaurant_id, actor_of(device))
        except OrderingError as error:
            self._say(problem=t(error.message))
            return
        made = {
            "id": str(restaurant_id),
            "url": services.settings.origin + routes.kitchen_link(link.token),
            "until": at(link.expires_at, services.clock.now()),
        }
        self._push("board_link", made)

    @rx.event
    async def revoke_board(self, device_id: str):
        """Close the board on a device, until a new link opens it."""
        device = await self._entered(DeskArea.RESTAURANTS)
        if device is None or not isinstance(device_id, str):
            return
        try:
            await wiring.services().kitchen_devices.revoke(device_id, actor_of(device))
            self._say()
        except OrderingError as error:
            self._say(problem=t(error.message))
        await self._show_restaurants()

    async def _set_day(
        self,
        restaurant_id: str,
        change: Callable[[int, Actor], Awaitable[Restaurant]],
        faults: Mapping[str, str] | None = None,
    ) -> None:
        """Change a kitchen's day, unless there are faults; show what is wrong beside its field."""
        device = await self._entered(DeskArea.RESTAURANTS)
        id_ = routes.parse_restaurant_id(restaurant_id)
        if device is None or id_ is None:
            return
        self._say()
        found = dict(faults or {})
        if not found:
            try:
                await change(id_, actor_of(device))
            except Invalid as error:
                found = error.fields
            except OrderingError as error:
                self._say(problem=t(error.message))
        shown = {name: t(fault) for name, fault in found.items()}
        self.day_faults = {"id": str(id_), **shown} if shown else {}
        await self._show_restaurants()

    async def _set_status(
        self,
        restaurant_id: int,
        *,
        is_open: bool,
        message: str = "",
        pause: timedelta | None = None,
    ) -> None:
        device = await self._entered(DeskArea.RESTAURANTS)
        if device is None or type(restaurant_id) is not int:
            return
        services = wiring.services()
        until = services.clock.now().replace(microsecond=0) + pause if pause else None
        try:
            await services.statuses.set_override(
                restaurant_id, is_open=is_open, message=message, until=until, by=actor_of(device)
            )
            self._say()
        except OrderingError as error:
            self._say(problem=t(error.message))
        await self._show_restaurants()

    async def _show_restaurants(self) -> None:
        services = wiring.services()
        now = services.clock.now()
        statuses = {each.restaurant_id: each for each in services.statuses.all()}
        devices = await services.kitchen_devices.devices()
        self.restaurants = [
            _row(each, statuses[each.id], devices, now) for each in services.catalogue.restaurants()
        ]


def _row(
    restaurant: Restaurant,
    status: RestaurantStatus,
    devices: Sequence[KitchenDevice],
    now: datetime,
) -> RestaurantRow:
    hours = restaurant.hours
    today = hours.on(hours.day_at(now))
    seats = restaurant.seats_on(now.astimezone(CAMPUS_TIME_ZONE).date())
    return RestaurantRow(
        id=restaurant.id,
        name=restaurant.name,
        phone=restaurant.vendor_phone,
        state=t(status.state),
        isOpen=status.state is RestaurantState.OPEN,
        isClosed=not status.is_open,
        until=status.back_at,
        message=status.message,
        hours=str(hours),
        seats=_seats_in_words(restaurant, seats),
        day=date_words(today.day, "EEE d MMM"),
        today="" if hours.are_usual_on(today.day) else _in_words(today),
        opens=f"{today.open:%H:%M}",
        closes=f"{today.close:%H:%M}",
        seatCount=str(seats) if restaurant.takes_reservations else "",
        hasOtherSeats=seats != restaurant.seats_per_slot,
        soldOut=[
            SoldOutRow(id=each, name=_dish_name(restaurant.id, each)) for each in status.sold_out
        ],
        boards=[
            BoardRow(id=each.id, used=at(each.last_used_at, now))
            for each in devices
            if each.restaurant_id == restaurant.id
        ],
    )


def _in_words(hours: DayHours) -> str:
    times = {"open": f"{hours.open:%H:%M}", "close": f"{hours.close:%H:%M}"}
    if hours.ends_next_day:
        return t("{open} to {close} the next day", **times)
    return t("{open} to {close}", **times)


def _seats_in_words(restaurant: Restaurant, seats: int) -> str:
    if not restaurant.takes_reservations:
        return ""
    if seats == restaurant.seats_per_slot:
        return t("{count} seats a slot", count=seats)
    return t("Today {count} seats a slot", count=seats)


def _dish_name(restaurant_id: int, dish_id: str) -> str:
    catalogue = wiring.services().catalogue
    try:
        dish = catalogue.menu(restaurant_id).by_id.get(dish_id)
    except MenuUnavailable:
        dish = None
    return dish.name if dish else dish_id
