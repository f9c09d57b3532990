"""The events of the desk's page of kitchens: open, close, pause, today's hours, links, devices."""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, Final

import reflex as rx

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import is_dish_id
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_entry import DeskEntry, actor_of, text_in
from campus_app.operators.screens.desk_restaurants_view import (
    BoardLink,
    DishChoices,
    RestaurantRow,
    SoldOutRow,
    restaurant_row,
)
from campus_app.operators.screens.desk_words import at
from campus_app.shared.rules import routes
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import (
    MAXIMUM_SEATS_PER_SLOT,
    MAXIMUM_STATUS_CHARACTERS,
    PAUSE_MINUTES,
)
from campus_app.shared.rules.errors import Invalid, OrderingError
from campus_app.shared.rules.messages import DayMessage
from campus_app.shared.rules.periods import time_of_day
from campus_app.shared.translations import t
from kit.text import normalize_text

_SEATS: Final = re.compile(r"\d{1,4}", re.ASCII)


class DeskRestaurants(DeskEntry, mixin=True):
    """The kitchens, and the link that was just made for one."""

    restaurants: list[RestaurantRow] = []
    board_link: BoardLink = {}  # pyright: ignore[reportAssignmentType] - pushed, in no session
    dish_choices: DishChoices = {}  # pyright: ignore[reportAssignmentType] - pushed, in no session
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
        self._push("dish_choices", {})
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
    async def choose_sold_out(self, restaurant_id: int):
        """Show the dishes of a kitchen, so that one is marked as sold out."""
        if await self._entered(DeskArea.RESTAURANTS) is None or type(restaurant_id) is not int:
            return
        services = wiring.services()
        try:
            dishes = services.catalogue.menu(restaurant_id).by_id.values()
        except MenuUnavailable as error:
            self._say(problem=t(error.message))
            return
        gone = services.statuses.sold_out(restaurant_id)
        rows = [SoldOutRow(id=each.id, name=each.name) for each in dishes if each.id not in gone]
        self._push("dish_choices", DishChoices(id=restaurant_id, dishes=rows))

    @rx.event
    async def mark_sold_out(self, form: dict[str, Any]):
        """Mark a dish as sold out until the kitchen opens next."""
        await self._set_sold_out(_restaurant_in(form), text_in(form, "dish"), is_sold_out=True)

    @rx.event
    async def set_hours(self, form: dict[str, Any]):
        """Let a kitchen open and close at other times today."""
        times = {name: time_of_day(text_in(form, name)) for name in ("open", "close")}
        faults = {name: str(DayMessage.TIME) for name, value in times.items() if value is None}

        def change(id_: int, by: Actor) -> Awaitable[Restaurant]:
            days = wiring.services().restaurant_days
            return days.set_hours(id_, by, opens=times["open"], closes=times["close"])

        await self._set_day(_restaurant_in(form), change, faults)

    @rx.event
    async def set_usual_hours(self, restaurant_id: int):
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

        await self._set_day(_restaurant_in(form), change, {} if is_number else {"seats": fault})

    @rx.event
    async def set_usual_seats(self, restaurant_id: int):
        """Give each slot of today the usual number of seats again."""

        def change(id_: int, by: Actor) -> Awaitable[Restaurant]:
            return wiring.services().restaurant_days.set_seats(id_, None, by)

        await self._set_day(restaurant_id, change)

    @rx.event
    async def sell_again(self, restaurant_id: int, dish_id: str):
        """Sell a sold-out dish again."""
        await self._set_sold_out(restaurant_id, dish_id, is_sold_out=False)

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
        made = BoardLink(
            id=restaurant_id,
            url=services.settings.origin + routes.kitchen_link(link.token),
            until=at(link.expires_at, services.clock.now()),
        )
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

    async def _set_sold_out(
        self, restaurant_id: int | None, dish_id: str, *, is_sold_out: bool
    ) -> None:
        device = await self._entered(DeskArea.RESTAURANTS)
        is_dish = isinstance(dish_id, str) and is_dish_id(dish_id)
        if device is None or type(restaurant_id) is not int or not is_dish:
            return
        try:
            await wiring.services().statuses.set_sold_out(
                restaurant_id, dish_id, is_sold_out=is_sold_out, by=actor_of(device)
            )
            self._push("dish_choices", {})
            self._say()
        except (OrderingError, MenuUnavailable) as error:
            self._say(problem=t(error.message))
        await self._show_restaurants()

    async def _set_day(
        self,
        restaurant_id: int | None,
        change: Callable[[int, Actor], Awaitable[Restaurant]],
        faults: Mapping[str, str] | None = None,
    ) -> None:
        """Change a kitchen's day, unless there are faults; show what is wrong beside its field."""
        device = await self._entered(DeskArea.RESTAURANTS)
        if device is None or type(restaurant_id) is not int:
            return
        self._say()
        found = dict(faults or {})
        if not found:
            try:
                await change(restaurant_id, actor_of(device))
            except Invalid as error:
                found = error.fields
            except OrderingError as error:
                self._say(problem=t(error.message))
        shown = {name: t(fault) for name, fault in found.items()}
        self.day_faults = {"id": str(restaurant_id), **shown} if shown else {}
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
            restaurant_row(each, statuses[each.id], devices, now)
            for each in services.catalogue.restaurants()
        ]


def _restaurant_in(form: dict[str, Any]) -> int | None:
    """Return the kitchen whose id a form sends; None if it is none."""
    return routes.parse_restaurant_id(text_in(form, "id"))
