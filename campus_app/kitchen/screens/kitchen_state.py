"""The board of the kitchen whose device is connected, and what its cooks press."""

import logging
from datetime import timedelta
from typing import Final, TypedDict

import reflex as rx

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import is_dish_id
from campus_app.kitchen import wiring
from campus_app.kitchen.rules.day_sheet import DayLine, DaySheet, DaySums
from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE, KitchenDevice, is_press_id
from campus_app.kitchen.services.kitchen_devices import actor_of
from campus_app.ordering.rules.cooking import LONGEST_ON_BOARD, CookingState
from campus_app.ordering.rules.order import OrderState, is_order_key
from campus_app.ordering.rules.shortage import WHOLE_ORDER, ShortageReason
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, PAUSE_MINUTES
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import KitchenMessage
from campus_app.shared.rules.money import ZERO, Rupees, format_rupees
from campus_app.shared.translations import t
from kit.clock import to_ms
from kit.reflex.handshake import HandshakeCookie
from kit.translations import date_words

logger = logging.getLogger(__name__)

device_cookie: Final = HandshakeCookie(DEVICE_COOKIE)
"""The token of the device whose socket sent the current event."""

_STATES: Final = tuple(CookingState)
_REASONS: Final = tuple(ShortageReason)
"""A client may send a value that has no hash."""
_CONFIRMED: Final = 20
"""How many of the last presses are confirmed to the page."""


class DayRow(TypedDict):
    """A paid order of the day's account, as text; an amount of zero is empty."""

    number: str
    paid_at: str
    dishes: str
    paid: str
    to_collect: str
    refunded: str
    is_cancelled: bool


class KitchenState(rx.State):
    """What a kitchen's device shows.

    Every handler finds the device by the cookie of its socket: nothing that a client sends names a
    kitchen.
    """

    board: str = ""
    """The kitchen's tickets as JSON. It is sent to the sockets of enrolled devices and never
    stored in a session."""
    checked_at: int = 0
    """When the server last compared the board with its database, in ms; pushed like the board."""
    is_known: bool = False
    """Whether the device was looked up."""
    is_enrolled: bool = False
    confirmed: dict[str, int] = {}
    """When the server had processed the last presses, in ms, by their ids."""
    problem: str = ""
    """Why the last change was not made."""
    day: str = ""
    day_rows: list[DayRow] = []
    day_sums: dict[str, str] = {}

    @rx.event
    async def open(self):
        """Show the board of the device's kitchen, if the device is enrolled."""
        self.problem = ""
        self._forget_day()
        await self._show()

    @rx.event
    async def refresh(self):
        """Record that the device is in use, and open its board again if this process lost it."""
        device = await self._device()
        # Without a change no answer would follow, and the page would call the connection lost.
        self.is_enrolled = device is not None
        boards = wiring.services().kitchen_boards.boards
        if device is not None and self._socket_id not in boards:
            boards.open(self._socket_id, device)

    @rx.event
    def close(self):
        """Stop sending the board to a page that shows another screen."""
        wiring.services().kitchen_boards.boards.close(self._socket_id)

    @rx.event
    async def press(self, press_id: str, order_id: str, saw: str, target: str):
        """Record a press of a button on a ticket; a repeated one counts once."""
        device = await self._device()
        is_valid = is_press_id(press_id) and is_order_key(order_id)
        if device is None or not is_valid or saw not in _STATES or target not in _STATES:
            return
        await wiring.services().kitchen_boards.press(
            device, press_id, order_id, saw=CookingState(saw), target=CookingState(target)
        )
        others = [each for each in self.confirmed.items() if each[0] != press_id]
        now = to_ms(wiring.services().clock.now())
        self.confirmed = dict([*others[1 - _CONFIRMED :], (press_id, now)])
        wiring.services().kitchen_boards.request_check(self._socket_id)

    @rx.event
    async def report_shortage(self, order_id: str, dish_id: str, reason: str):
        """Record that a dish of an order can't be cooked; an empty `dish_id` is all of it."""
        device = await self._device()
        if device is None or reason not in _REASONS or not _is_dish_of_order(order_id, dish_id):
            return
        is_known = await wiring.services().shortages.report(
            order_id, dish_id, ShortageReason(reason), _acting(device)
        )
        self.problem = "" if is_known else t(KitchenMessage.ORDER_CLOSED)
        wiring.services().kitchen_boards.request_check(self._socket_id)

    @rx.event
    async def undo_shortage(self, order_id: str, dish_id: str):
        """Take a report back, if its customer has not been told yet."""
        device = await self._device()
        if device is None or not _is_dish_of_order(order_id, dish_id):
            return
        is_undone = await wiring.services().shortages.undo(order_id, dish_id, _acting(device))
        self.problem = "" if is_undone else t(KitchenMessage.ORDER_CLOSED)
        wiring.services().kitchen_boards.request_check(self._socket_id)

    @rx.event
    async def set_dish(self, dish_id: str, is_available: bool):
        """Mark a dish as sold out until the next opening, or as available."""
        device = await self._device()
        if device is None or not isinstance(dish_id, str) or not isinstance(is_available, bool):
            return
        try:
            await wiring.services().statuses.set_sold_out(
                device.restaurant_id, dish_id, is_sold_out=not is_available, by=actor_of(device)
            )
            self.problem = ""
        except (OrderingError, MenuUnavailable) as error:
            self.problem = t(error.message)

    @rx.event
    async def pause(self, minutes: int):
        """Take no new orders for 15, 30 or 60 minutes; 0 ends the pause."""
        device = await self._device()
        if device is None or type(minutes) is not int or minutes not in {0, *PAUSE_MINUTES}:
            return
        length = timedelta(minutes=minutes) if minutes else None
        try:
            await wiring.services().statuses.set_pause(
                device.restaurant_id, length, by=actor_of(device)
            )
            self.problem = ""
        except OrderingError as error:
            self.problem = t(error.message)

    @rx.event
    async def show_day(self):
        """Show the account of the current day."""
        device = await self._device()
        if device is None:
            return
        sheet = await wiring.services().day_sheets.of(None, device.restaurant_id)
        self.day = date_words(sheet.day, "EEEE d MMMM")
        self.day_rows = [_day_row(line) for line in sheet.lines]
        self.day_sums = _day_sums(sheet)

    async def _show(self) -> None:
        device = await self._device()
        self.is_known, self.is_enrolled = True, device is not None
        if device is not None:
            wiring.services().kitchen_boards.boards.open(self._socket_id, device)

    def _forget_day(self) -> None:
        self.day, self.day_rows, self.day_sums = "", [], {}

    @property
    def _socket_id(self) -> str:
        return self.router.session.session_id

    async def _device(self) -> KitchenDevice | None:
        """Return the device whose cookie the socket's handshake had."""
        device = await wiring.services().kitchen_devices.device_of(device_cookie.get())
        if device is None:
            self.is_enrolled = False
            self._forget_day()
            wiring.services().kitchen_boards.boards.close(self._socket_id)
        return device


def _is_dish_of_order(order_id: object, dish_id: object) -> bool:
    """Whether values have the formats of an order's key, and of a dish's id or `WHOLE_ORDER`."""
    is_dish = isinstance(dish_id, str) and (dish_id == WHOLE_ORDER or is_dish_id(dish_id))
    return is_dish and is_order_key(order_id)


def _acting(device: KitchenDevice) -> KitchenActor:
    since = wiring.services().clock.now() - LONGEST_ON_BOARD
    return KitchenActor(device.restaurant_id, device.id, actor_of(device), since)


def _day_row(line: DayLine) -> DayRow:
    local = line.paid_at.astimezone(CAMPUS_TIME_ZONE)
    return DayRow(
        number=line.number,
        paid_at=f"{local:%H:%M}",
        dishes=line.shown_dishes,
        paid=t("unreadable") if line.paid is None else format_rupees(line.paid),
        to_collect=_amount(line.to_collect),
        refunded=_amount(line.refunded + line.refund_due),
        is_cancelled=line.state is not OrderState.CONFIRMED,
    )


def _day_sums(sheet: DaySheet) -> dict[str, str]:
    sums: DaySums = sheet.sums
    return {
        "orders": str(len(sheet.lines)),
        "paid": format_rupees(sums.paid),
        "to_collect": format_rupees(sums.to_collect),
        "refunded": format_rupees(sums.refunded + sums.refund_due),
    }


def _amount(amount: Rupees) -> str:
    return "" if amount == ZERO else format_rupees(amount)
