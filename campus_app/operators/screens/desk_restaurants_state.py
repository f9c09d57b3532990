"""The events of the desk's page of kitchens: open, close, pause, sold out, links and devices."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypedDict

import reflex as rx

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import is_dish_id
from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.services.availability import RestaurantStatus
from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_entry import DeskEntry, actor_of, text_in
from campus_app.operators.screens.desk_words import at
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import (
    MAXIMUM_STATUS_CHARACTERS,
    PAUSE_MINUTES,
)
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.translations import t
from kit.text import normalize_text


class BoardRow(TypedDict):
    """A device that shows a kitchen's board."""

    id: str
    used: str


class SoldOutRow(TypedDict):
    """A dish that is sold out."""

    id: str
    name: str


class DishChoices(TypedDict, total=False):
    """The dishes of the kitchen that one of them is marked as sold out for."""

    id: int
    dishes: list[SoldOutRow]


class BoardLink(TypedDict, total=False):
    """A link to the board of the kitchen `id`, and until when it opens one."""

    id: int
    url: str
    until: str


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
    soldOut: list[SoldOutRow]
    boards: list[BoardRow]


class DeskRestaurants(DeskEntry, mixin=True):
    """The kitchens, and the link that was just made for one."""

    restaurants: list[RestaurantRow] = []
    board_link: BoardLink = {}  # pyright: ignore[reportAssignmentType] - pushed, in no session
    dish_choices: DishChoices = {}  # pyright: ignore[reportAssignmentType] - pushed, in no session

    @rx.event
    async def open_restaurants(self):
        """Show the kitchens."""
        if await self._entered(DeskArea.RESTAURANTS) is None:
            return
        self._say()
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
        restaurant_id = routes.parse_restaurant_id(text_in(form, "restaurant"))
        await self._set_sold_out(restaurant_id, text_in(form, "dish"), is_sold_out=True)

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
    seats = restaurant.seats_per_slot
    return RestaurantRow(
        id=restaurant.id,
        name=restaurant.name,
        phone=restaurant.vendor_phone,
        state=t(status.state),
        isOpen=status.state is RestaurantState.OPEN,
        isClosed=not status.is_open,
        until=status.back_at,
        message=status.message,
        hours=str(restaurant.hours),
        seats=t("{count} seats a slot", count=seats) if seats else "",
        soldOut=[
            SoldOutRow(id=each, name=_dish_name(restaurant.id, each)) for each in status.sold_out
        ],
        boards=[
            BoardRow(id=each.id, used=at(each.last_used_at, now))
            for each in devices
            if each.restaurant_id == restaurant.id
        ],
    )


def _dish_name(restaurant_id: int, dish_id: str) -> str:
    catalogue = wiring.services().catalogue
    try:
        dish = catalogue.menu(restaurant_id).by_id.get(dish_id)
    except MenuUnavailable:
        dish = None
    return dish.name if dish else dish_id
