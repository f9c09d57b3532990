"""What the desk's page of kitchens shows, as the browser gets it: all texts are ready."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.opening_hours import DayHours
from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.services.availability import RestaurantStatus
from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.operators import wiring
from campus_app.operators.screens.desk_words import at
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.translations import t
from kit.translations import date_words


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


def restaurant_row(
    restaurant: Restaurant,
    status: RestaurantStatus,
    devices: Sequence[KitchenDevice],
    now: datetime,
) -> RestaurantRow:
    """Return how a kitchen stands."""
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
