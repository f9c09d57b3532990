"""Parsers and formatters of the values in browser storage, which clients can forge."""

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from campus_app.domain.bill import is_donation
from campus_app.domain.cart import Cart, is_cart_current, is_quantity
from campus_app.domain.constants import CAMPUS_TIME_ZONE, PRE_RESERVATION_DISCOUNT_PERCENT
from campus_app.domain.money import ZERO, Rupees, rupees
from campus_app.domain.order import OrderType
from campus_app.domain.reservation import SeatHold, parse_reservation_id

_KEY_BYTES = 16
_LONGEST_CART = 4_000
_LONGEST_DRAFT = 12_000
_CART = re.compile(
    r"(?P<restaurant>\d{1,6})\|(?P<changed>[0-9a-z]{1,8})\|(?P<key>[A-Za-z0-9_-]{20,32})"
    r"\|(?P<dishes>[A-Za-z0-9]{1,32}:\d{1,2}(?:,[A-Za-z0-9]{1,32}:\d{1,2})*)",
    re.ASCII,
)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SECONDS_PER_MINUTE = 60
_LATEST_MOMENT = 1e11
_MOST_RECENT_CARTS = 1024
_MINUTES = 16
"""Enough for the minutes that requests refer to at one time."""
_recent_carts: dict[str, Cart] = {}


@lru_cache(_MINUTES)
def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"


def new_cart(restaurant_id: int, now: datetime) -> Cart:
    """Return an empty cart with an unguessable key of its own."""
    return Cart(restaurant_id, secrets.token_urlsafe(_KEY_BYTES), now)


def cart_text(cart: Cart | None) -> str:
    """Return a cart in its storage format; empty for a cart without dishes.

    `restaurant|minute of the last change|key|dish:quantity,…`, short because it travels with
    every click.
    """
    if cart is None or not cart.quantities:
        return ""
    minute = _base36(int(cart.changed_at.timestamp()) // _SECONDS_PER_MINUTE)
    dishes = ",".join([f"{id_}:{quantity}" for id_, quantity in cart.quantities.items()])
    text = f"{cart.restaurant_id}|{minute}|{cart.key}|{dishes}"
    _remember(text, cart)
    return text


def cart_from(text: object, now: datetime) -> Cart | None:
    """Return the cart of a stored text, or None if it is invalid or expired."""
    if not isinstance(text, str) or len(text) > _LONGEST_CART:
        return None
    cart = _recent_carts.get(text) or _parsed(text)
    try:
        return cart if cart is not None and is_cart_current(cart.changed_at, now) else None
    except (ValueError, OverflowError):  # a date that not every zone can tell
        return None


def _remember(text: str, cart: Cart) -> None:
    """Cache the parsed cart: the next click reads the text that this one writes."""
    if len(_recent_carts) >= _MOST_RECENT_CARTS:
        _recent_carts.clear()
    _recent_carts[text] = cart


def _parsed(text: str) -> Cart | None:
    """Return the cart of a stored text, even if it has expired."""
    match = _CART.fullmatch(text)
    if match is None:
        return None
    dishes = (dish.split(":") for dish in match["dishes"].split(","))
    quantities = {id_: int(quantity) for id_, quantity in dishes}
    try:
        changed_at = datetime.fromtimestamp(int(match["changed"], 36) * _SECONDS_PER_MINUTE, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if not all(map(is_quantity, quantities.values())):
        return None
    chosen = {id_: quantity for id_, quantity in quantities.items() if quantity}
    if not chosen:
        return None
    cart = Cart(int(match["restaurant"]), match["key"], changed_at, chosen)
    _remember(text, cart)
    return cart


@dataclass(frozen=True)
class ShownSummary:
    """What the order summary last showed: amounts in rupees, and the offer that applied, if any."""

    grand_total: Rupees
    online: Rupees
    restaurant_id: int
    offer_id: str


@dataclass(frozen=True)
class CheckoutDraft:
    """The visitor's input to the checkout so far, stored for the life of the browser's tab."""

    details: Mapping[str, str] = field(default_factory=dict[str, str])
    donation: Rupees = ZERO
    note: str = ""
    shown: "ShownSummary | None" = None
    """None until the order summary was shown."""
    pay_until: float = 0.0
    """When the waiting room's countdown ends, in seconds since 1970."""


def draft_text(draft: CheckoutDraft) -> str:
    """Return a draft as JSON for the browser's storage."""
    text = json.dumps(
        {
            "details": dict(draft.details),
            "donation": str(draft.donation),
            "note": draft.note,
            "shown": _shown_values(draft.shown),
            "payUntil": draft.pay_until,
        },
        ensure_ascii=False,
    )
    return _whole(text)


def draft_from(text: object) -> CheckoutDraft:
    """Return the draft of a stored text; an empty draft if it is invalid."""
    values = _object(text)
    details = values.get("details")
    return CheckoutDraft(
        details={
            _whole(name): _whole(value)
            for name, value in (details.items() if isinstance(details, dict) else ())
            if isinstance(value, str)
        },
        donation=donation_from(values.get("donation")),
        note=_text(values.get("note")),
        shown=_shown_from(values.get("shown")),
        pay_until=_moment(values.get("payUntil")),
    )


def _shown_values(shown: ShownSummary | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    return {
        "grandTotal": str(shown.grand_total),
        "online": str(shown.online),
        "restaurantId": shown.restaurant_id,
        "offerId": shown.offer_id,
    }


def _shown_from(value: object) -> ShownSummary | None:
    """Return what the order summary showed, or None if any part of it is invalid."""
    values: dict[str, Any] = value if isinstance(value, dict) else {}
    grand_total, online = _amount(values.get("grandTotal")), _amount(values.get("online"))
    restaurant_id = values.get("restaurantId")
    if grand_total is None or online is None or type(restaurant_id) is not int:
        return None
    return ShownSummary(grand_total, online, restaurant_id, _text(values.get("offerId")))


def _amount(value: object) -> Rupees | None:
    try:
        return rupees(value) if isinstance(value, str) else None
    except ValueError:
        return None


def donation_from(value: object) -> Rupees:
    """Return a donation in rupees; zero if the value is not one of the choices."""
    amount = _amount(value)
    return amount if amount is not None and is_donation(amount) else ZERO


def _object(text: object) -> dict[str, Any]:
    if not isinstance(text, str) or len(text) > _LONGEST_DRAFT:
        return {}
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _text(value: object) -> str:
    return _whole(value) if isinstance(value, str) else ""


def _whole(text: str) -> str:
    """Return a text without lone surrogates: browsers send them, UTF-8 can't encode them."""
    return text.encode(errors="ignore").decode()


def _moment(value: object) -> float:
    if not isinstance(value, (int, float)) or not 0 <= value <= _LATEST_MOMENT:
        return 0.0
    return float(value)


def stored_order_token(content: object) -> str:
    """Return the secret token of an order that the browser stored; empty if there is none."""
    return _text(_object(content).get("responseToken"))


@dataclass(frozen=True)
class KeptReservation:
    """A reserved table as a browser names it; the server looks up its terms."""

    reservation_id: str
    is_ordering: bool
    """Whether the cart is ordered for the table."""


def reservation_text(hold: SeatHold, restaurant: str, at: datetime, *, is_ordering: bool) -> str:
    """Return a held table as JSON for the browser's storage.

    Source: specification 3.6.
    """
    table = hold.reservation
    order_type = OrderType.PRE_RESERVE if is_ordering else OrderType.NORMAL
    return json.dumps(
        {
            "restaurant": restaurant,
            "restaurantId": table.restaurant_id,
            "timeSlot": f"{table.slot:%H:%M}",
            "partySize": table.party_size,
            "date": table.date.isoformat(),
            "discount": PRE_RESERVATION_DISCOUNT_PERCENT,
            "reservationId": hold.id,
            "timestamp": at.astimezone(CAMPUS_TIME_ZONE).isoformat(timespec="seconds"),
            "isPreReservation": is_ordering,
            "orderType": order_type.value,
        },
        ensure_ascii=False,
    )


def reservation_from(text: object) -> KeptReservation | None:
    """Return the reservation of a stored text, or None if it is invalid."""
    values = _object(text)
    reservation_id = parse_reservation_id(values.get("reservationId"))
    if not reservation_id:
        return None
    return KeptReservation(reservation_id, values.get("isPreReservation") is True)
