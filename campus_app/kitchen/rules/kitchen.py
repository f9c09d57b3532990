"""The kitchen's side of a paid order: its ticket, the states of cooking, and the devices.

Source: specification 10.23 to 10.26.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.ordering.rules.cooking import LONGEST_ON_BOARD, Cooking, CookingState
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import OrderLine
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.ordering.rules.shortage import Shortage
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE, HELD_SECONDS, UNDO_SECONDS
from campus_app.shared.rules.device import Device, EnrolmentLink
from campus_app.shared.rules.money import ZERO, Rupees

DEVICE_COOKIE: Final = "kitchenDevice"
"""The cookie with the token of an enrolled device; scripts cannot read it."""

_PRESS_ID = re.compile(r"[A-Za-z0-9-]{16,64}", re.ASCII)


def is_press_id(text: object) -> bool:
    """Whether a value has the format of the id of a press, which the device makes."""
    return isinstance(text, str) and bool(_PRESS_ID.fullmatch(text))


@dataclass(frozen=True)
class Press:
    """A press of a button on a kitchen board, with the state that the device showed.

    `id` is unique per press, so that a repeated request counts once. `at` is when the server
    received it: the device's clock is not trusted.
    """

    id: str
    order_id: str
    device_id: str
    saw: CookingState
    target: CookingState
    at: datetime

    @property
    def held_until(self) -> datetime:
        """When messages of the press may be sent: a slip is undone before. Source: 10.45."""
        return self.at + timedelta(seconds=HELD_SECONDS)


def after_press(cooking: Cooking, press: Press) -> Cooking:
    """Return the cooking of an order after a press; unchanged if the press has no effect.

    A press forward counts unless another device is already as far. A press backward is an undo: it
    counts within a minute, if nobody else has pressed since.

    Source: specification 10.26.
    """
    if press.target.rank > press.saw.rank:
        return _forward(cooking, press) if press.target.rank > cooking.state.rank else cooking
    return _undone(cooking, press) if _can_undo(cooking, press) else cooking


def _forward(cooking: Cooking, press: Press) -> Cooking:
    seen_at = cooking.seen_at or press.at
    is_ready = press.target.rank >= CookingState.READY.rank
    ready_at = cooking.ready_at or (press.at if is_ready else None)
    return Cooking(press.target, cooking.state, press.at, seen_at, ready_at)


def _can_undo(cooking: Cooking, press: Press) -> bool:
    return (
        cooking.changed_at is not None
        and cooking.state is press.saw
        and cooking.previous is press.target
        and press.target is not press.saw
        and press.at - cooking.changed_at <= timedelta(seconds=UNDO_SECONDS)
    )


def _undone(cooking: Cooking, press: Press) -> Cooking:
    undone = replace(cooking, state=press.target, previous=press.target, changed_at=press.at)
    return replace(
        undone,
        seen_at=cooking.seen_at if press.target is not CookingState.SENT else None,
        ready_at=cooking.ready_at if press.target.rank >= CookingState.READY.rank else None,
    )


@dataclass(frozen=True)
class Ticket:
    """A paid order as its kitchen sees it: no e-mail address and no price of a dish."""

    order_id: str
    number: str
    restaurant_id: int
    lines: tuple[OrderLine, ...]
    instructions: Instructions
    customer_name: str
    phone: str
    address: str
    campus: Campus
    reservation: PreReservation | None
    remaining: Rupees
    paid_at: datetime
    is_cancelled: bool
    """Whether the money goes back although the payment had been confirmed."""
    cooking: Cooking
    shortages: tuple[Shortage, ...] = ()
    """The dishes that the kitchen can't cook."""

    @property
    def due_from(self) -> datetime:
        """When the kitchen's time begins: with the payment, or with the slot of a table."""
        return self.reservation.begins_at if self.reservation else self.paid_at

    @property
    def to_collect(self) -> Rupees:
        """The rupees to collect; nothing for a cancelled order."""
        return ZERO if self.is_cancelled else self.remaining


def is_on_board(ticket: Ticket, hours: OpeningHours, now: datetime) -> bool:
    """Whether a kitchen board shows a ticket: paid since the last opening, or a table of today.

    Source: specification 10.25.
    """
    if ticket.paid_at <= now - LONGEST_ON_BOARD:
        return False
    opened = hours.last_opening(now)
    if ticket.paid_at >= opened:
        return True
    day = opened.astimezone(CAMPUS_TIME_ZONE).date()
    return ticket.reservation is not None and ticket.reservation.date >= day


@dataclass(frozen=True, kw_only=True)
class KitchenLink(EnrolmentLink):
    """A link that enrols one device of a kitchen."""

    restaurant_id: int


@dataclass(frozen=True, kw_only=True)
class KitchenDevice(Device):
    """A tablet or phone that may show the board of one kitchen."""

    restaurant_id: int
