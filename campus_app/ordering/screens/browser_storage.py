"""Parsers and formatters of the values in browser storage, which clients can forge."""

import functools
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

from pydantic import (
    AliasChoices,
    AliasGenerator,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass

from campus_app.ordering.rules.bill import is_donation
from campus_app.ordering.rules.cart import (
    DISHES,
    MAXIMUM_DISH_CHARACTERS,
    Cart,
    is_cart_current,
    is_quantity,
)
from campus_app.ordering.rules.instructions import Instructions, is_note_too_long
from campus_app.ordering.rules.order import OrderType, is_response_token
from campus_app.ordering.rules.reservation import SeatHold, parse_reservation_id
from campus_app.shared.rules.constants import (
    CAMPUS_TIME_ZONE,
    MAXIMUM_CART_DISHES,
    MAXIMUM_INPUT_CHARACTERS,
    MAXIMUM_NOTE_CHARACTERS,
    MAXIMUM_OWN_ORDERS,
    PRE_RESERVATION_DISCOUNT_PERCENT,
)
from campus_app.shared.rules.money import ZERO, Rupees, rupees
from kit.text import normalize_text

_KEY_BYTES = 16
_PARSED_CARTS = 256
"""A click reads the stored text of its cart four times."""
_CART_HEAD_CHARACTERS = 64
"""The restaurant, the minute and the key need less."""
MAXIMUM_CART_CHARACTERS = _CART_HEAD_CHARACTERS + MAXIMUM_CART_DISHES * MAXIMUM_DISH_CHARACTERS
"""13,664, so that a stored cart stays below the limit of a stored value (storage_limit.py)."""
_MAXIMUM_JSON_CHARACTERS = 12_000
_CART = re.compile(
    r"(?P<restaurant>\d{1,6})\|(?P<changed>[0-9a-z]{1,8})\|(?P<key>[A-Za-z0-9_-]{20,32})"
    rf"\|(?P<dishes>{DISHES})",
    re.ASCII,
)
_SEQUENCE = re.compile(r"[1-9]\d{0,15}", re.ASCII)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SECONDS_PER_MINUTE = 60
_LATEST_TIMESTAMP = 1e11
_CAMEL_CASE_IN_JSON = ConfigDict(
    alias_generator=AliasGenerator(
        validation_alias=lambda name: AliasChoices(name, to_camel(name)),
        serialization_alias=to_camel,
    )
)


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
    return f"{cart.restaurant_id}|{minute}|{cart.key}|{stored_dishes(cart.quantities)}"


def stored_dishes(quantities: Mapping[str, int]) -> str:
    """Return the quantities of dishes in their storage format: `id:quantity,id:quantity`."""
    return ",".join([f"{id_}:{quantity}" for id_, quantity in quantities.items()])


def cart_from(text: object, now: datetime) -> Cart | None:
    """Return the cart of a stored text, or None if it is invalid or expired."""
    if not isinstance(text, str) or len(text) > MAXIMUM_CART_CHARACTERS:
        return None
    cart = _parse_cart(text)
    try:
        return cart if cart is not None and is_cart_current(cart.changed_at, now) else None
    except (ValueError, OverflowError):  # a date that not every time zone can express
        return None


@functools.lru_cache(maxsize=_PARSED_CARTS)
def _parse_cart(text: str) -> Cart | None:
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
    if len(quantities) > MAXIMUM_CART_DISHES or not all(map(is_quantity, quantities.values())):
        return None
    chosen = {id_: quantity for id_, quantity in quantities.items() if quantity}
    return Cart(int(match["restaurant"]), match["key"], changed_at, chosen) if chosen else None


def sequence_from(text: object) -> int:
    """Return the number of the last step in the stored cart; 0 if the text is invalid."""
    return int(text) if isinstance(text, str) and _SEQUENCE.fullmatch(text) else 0


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"


def _encodable(text: str) -> str:
    """Return a text without lone surrogates: browsers send them, UTF-8 can't encode them."""
    return text.encode(errors="ignore").decode()


def _text(value: object) -> str:
    return _encodable(value) if isinstance(value, str) else ""


def _note(value: object) -> str:
    note = normalize_text(_text(value)[:MAXIMUM_INPUT_CHARACTERS])
    return note[:MAXIMUM_NOTE_CHARACTERS] if is_note_too_long(note) else note


def _is_true(value: object) -> bool:
    return value is True


def _texts(value: object) -> dict[str, str]:
    members = value.items() if isinstance(value, Mapping) else ()
    return {
        _text(name): _text(text[:MAXIMUM_INPUT_CHARACTERS])
        for name, text in members
        if isinstance(text, str)
    }


def _timestamp(value: object) -> float:
    if not isinstance(value, (int, float)) or not 0 <= value <= _LATEST_TIMESTAMP:
        return 0.0
    return float(value)


def _amount(value: object) -> Rupees:
    if not isinstance(value, (str, Decimal)):
        raise ValueError("is not an amount")  # noqa: TRY004 - what pydantic expects
    return rupees(value)


def donation_from(value: object) -> Rupees:
    """Return a donation in rupees; zero if the value is not one of the choices."""
    try:
        amount = _amount(value)
    except ValueError:
        return ZERO
    return amount if is_donation(amount) else ZERO


def _none_if_invalid(value: object, validate: ValidatorFunctionWrapHandler) -> Any:
    try:
        return validate(value)
    except ValidationError:
        return None


Amount = Annotated[Decimal, BeforeValidator(_amount)]
Text = Annotated[str, BeforeValidator(_text)]
Note = Annotated[str, BeforeValidator(_note)]


@dataclass(frozen=True, config=_CAMEL_CASE_IN_JSON)
class ShownSummary:
    """What the order summary last showed; no offer is an empty id."""

    grand_total: Amount
    online: Amount
    restaurant_id: int = Field(strict=True)
    offer_id: Text = ""
    campus: Text = ""
    dishes: Text = ""
    """A digest of the quantities."""
    prices: Text = ""
    """The prices of these dishes, `id:paise,id:paise`; empty if there are very many."""


@dataclass(frozen=True, config=_CAMEL_CASE_IN_JSON)
class CheckoutDraft:
    """The visitor's input to the checkout so far, stored for the life of the browser's tab.

    Invalid values are replaced by the defaults.
    """

    details: Annotated[dict[str, str], BeforeValidator(_texts)] = field(default_factory=dict)
    address_campus: Text = ""
    """The campus of the address in `details`; empty until the order summary was shown."""
    donation: Annotated[Decimal, BeforeValidator(donation_from)] = ZERO
    note: Note = ""
    """For the kitchen."""
    note_cart: Text = ""
    """The key of the cart that the note is about."""
    door_note: Note = ""
    no_cutlery: Annotated[bool, BeforeValidator(_is_true)] = False
    shown: Annotated[ShownSummary | None, WrapValidator(_none_if_invalid)] = None
    """None until the order summary was shown."""
    pay_until: Annotated[float, BeforeValidator(_timestamp)] = 0.0
    """When the waiting room's countdown ends, in seconds since 1970."""

    def instructions(self, cart_key: str) -> Instructions:
        """Return the customer's special instructions for the order of a cart."""
        note = self.note if self.note_cart == cart_key else ""
        return Instructions(note, self.door_note, self.no_cutlery)


_DRAFT = TypeAdapter(CheckoutDraft)


def draft_text(draft: CheckoutDraft) -> str:
    """Return a draft as JSON for the browser's storage."""
    return _DRAFT.dump_json(draft, by_alias=True).decode()


def draft_from(text: object) -> CheckoutDraft:
    """Return the draft of a stored text; an empty draft if it is invalid."""
    return _DRAFT.validate_python(_json_object(text))


def _json_object(text: object) -> dict[str, Any]:
    if not isinstance(text, str) or len(text) > _MAXIMUM_JSON_CHARACTERS:
        return {}
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def stored_order_token(content: object) -> str:
    """Return the secret token of an order that the browser stored; empty if there is none."""
    return _text(_json_object(content).get("responseToken"))


def own_order_tokens(text: object) -> tuple[str, ...]:
    """Return the tokens of the orders that a browser remembers, the newest first.

    Stored as `token,token,…`.
    """
    tokens = text[:_MAXIMUM_JSON_CHARACTERS].split(",") if isinstance(text, str) else ()
    valid = dict.fromkeys(filter(is_response_token, tokens))
    return tuple(valid)[:MAXIMUM_OWN_ORDERS]


def with_own_order(text: object, token: str) -> str:
    """Return the stored tokens with that of the newest order in front."""
    return ",".join(dict.fromkeys((token, *own_order_tokens(text))[:MAXIMUM_OWN_ORDERS]))


@dataclass(frozen=True)
class StoredReservation:
    """A reserved table as a browser names it; the server looks up its terms."""

    reservation_id: str
    is_ordering: bool
    """Whether the cart is ordered for the table."""


def reservation_text(hold: SeatHold, restaurant: str, at: datetime, *, is_ordering: bool) -> str:
    """Return a held table as JSON for the browser's storage.

    Source: specification 3.6.
    """
    table = hold.reservation
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
            "orderType": OrderType.PRE_RESERVE if is_ordering else OrderType.NORMAL,
        },
        ensure_ascii=False,
    )


def reservation_from(text: object) -> StoredReservation | None:
    """Return the reservation of a stored text, or None if it is invalid."""
    values = _json_object(text)
    reservation_id = parse_reservation_id(values.get("reservationId"))
    if not reservation_id:
        return None
    return StoredReservation(reservation_id, values.get("isPreReservation") is True)
