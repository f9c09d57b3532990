"""Group orders: guests choose dishes on a link, and the owner of the group order pays for all.

A group order is changed only while it is open. The owner locks it by going on to the payment.
Source: specification 10.68 to 10.72.
"""

import hashlib
import re
import secrets
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from campus_app.ordering.rules.cart import is_quantity, not_ordered
from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.constants import (
    GROUP_ORDER_HOURS,
    MAXIMUM_CART_DISHES,
    MAXIMUM_GROUP_GUESTS,
    MAXIMUM_GROUP_NAME_CHARACTERS,
    MAXIMUM_INPUT_CHARACTERS,
    MAXIMUM_LINE_QUANTITY,
)
from campus_app.shared.rules.errors import Conflict, Invalid
from campus_app.shared.rules.messages import CustomerMessage, GroupOrderMessage, MenuMessage
from kit.text import normalize_text

_KEY_BYTES = 16
_CART_KEY_PREFIX = "group-"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_CART_KEY = re.compile(rf"{_CART_KEY_PREFIX}[A-Za-z0-9_-]{{22}}", re.ASCII)
_ID_CHARACTERS = 12
_LIFETIME = timedelta(hours=GROUP_ORDER_HOURS)


class GroupState(StrEnum):
    """The state of a group order. Only an OPEN one can be changed; ORDERED and ENDED are final."""

    OPEN = "open"
    LOCKED = "locked"
    ORDERED = "ordered"
    ENDED = "ended"


@dataclass(frozen=True)
class Member:
    """The owner or a guest of a group order; the key is known to the member's browser only."""

    key_hash: str
    name: str
    quantities: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def id(self) -> str:
        """A public id, from which the key cannot be computed."""
        return self.key_hash[:_ID_CHARACTERS]


@dataclass(frozen=True)
class GroupOrder:
    """A group order at one restaurant; the first member is its owner."""

    id: str
    """The hash of the link's token."""
    restaurant_id: int
    cart_key: str
    """The key of the owner's cart, under which the order is placed."""
    members: tuple[Member, ...]
    is_locked: bool
    changed_at: datetime
    version: int = 1

    @property
    def owner(self) -> Member:
        """The member who pays."""
        return self.members[0]

    @property
    def quantities(self) -> Mapping[str, int]:
        """The units of each dish that all members have chosen together, in order of choice."""
        return _sum_of(self.members)

    def member(self, key_hash: str) -> Member | None:
        """Return the member with a key, or None."""
        return next((each for each in self.members if each.key_hash == key_hash), None)

    def is_owner(self, key_hash: str) -> bool:
        """Whether a key is the owner's."""
        return self.owner.key_hash == key_hash


def new_key() -> str:
    """Return an unguessable key of a member's browser: 128 bits, 22 characters."""
    return secrets.token_urlsafe(_KEY_BYTES)


def is_key(text: object) -> bool:
    """Whether a value has the format of a member's key or of a link's token."""
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


def new_cart_key() -> str:
    """Return an unguessable key for the cart of a new group order."""
    return _CART_KEY_PREFIX + new_key()


def is_group_cart(cart_key: str) -> bool:
    """Whether a cart's key is that of a group order, so that the cart is changed only there."""
    return _CART_KEY.fullmatch(cart_key) is not None


def link_token(cart_key: str) -> str:
    """Return the token of a group order's link; the cart's key cannot be computed from it."""
    digest = hashlib.sha256(f"group order:{cart_key}".encode()).digest()
    return urlsafe_b64encode(digest[:_KEY_BYTES]).decode().rstrip("=")


def group_order_id(token: str) -> str:
    """Return the stored id of the group order with a link's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_of_key(key: str, order_id: str) -> str:
    """Return the stored hash of a member's key, which differs between group orders."""
    return hashlib.sha256(f"{order_id}:{key}".encode()).hexdigest()


def parse_name(text: object) -> str:
    """Return a member's name on one line.

    Raises:
        Invalid: If it is not text, empty, or longer than 40 characters.
    """
    name = normalize_text(text[:MAXIMUM_INPUT_CHARACTERS]) if isinstance(text, str) else ""
    if not name:
        raise Invalid(CustomerMessage.NAME_REQUIRED)
    if len(name) > MAXIMUM_GROUP_NAME_CHARACTERS:
        most = MAXIMUM_GROUP_NAME_CHARACTERS
        raise Invalid(GroupOrderMessage.NAME_TOO_LONG.of(most=most))
    return name


def begin(restaurant_id: int, owner: Member, cart_key: str, at: datetime) -> GroupOrder:
    """Return a new group order with the dishes that its owner has chosen so far."""
    return GroupOrder(
        id=group_order_id(link_token(cart_key)),
        restaurant_id=restaurant_id,
        cart_key=cart_key,
        members=(owner,),
        is_locked=False,
        changed_at=at,
    )


def state_of(group: GroupOrder, order: OrderState | None, now: datetime) -> GroupState:
    """Return the state of a group order, whose cart's newest order has the state `order`.

    It ends three hours after its last change, unless its order is paid.
    """
    if order is OrderState.CONFIRMED:
        return GroupState.ORDERED
    if order is OrderState.REFUND_DUE or now - group.changed_at >= _LIFETIME:
        return GroupState.ENDED
    return GroupState.LOCKED if group.is_locked else GroupState.OPEN


def require_open(group: GroupOrder, state: GroupState) -> None:
    """Require that a group order can be changed.

    Raises:
        Conflict: `group_order_locked` or `group_order_ended`.
    """
    if state is GroupState.LOCKED:
        message = GroupOrderMessage.LOCKED.of(owner=group.owner.name)
        raise Conflict("group_order_locked", message)
    if state is not GroupState.OPEN:
        raise Conflict("group_order_ended", GroupOrderMessage.ENDED)


def with_name(group: GroupOrder, key_hash: str, name: str) -> GroupOrder:
    """Return a group order with a new guest, or with another name of a member.

    Raises:
        Conflict: `group_order_full`.
    """
    member = group.member(key_hash)
    if member is not None:
        return _with(group, replace(member, name=name))
    if len(group.members) > MAXIMUM_GROUP_GUESTS:
        message = GroupOrderMessage.FULL.of(most=MAXIMUM_GROUP_GUESTS)
        raise Conflict("group_order_full", message)
    return replace(group, members=(*group.members, Member(key_hash, name)))


def with_step(group: GroupOrder, key_hash: str, dish_id: str, by: int) -> GroupOrder:
    """Return a group order in which a member has one unit of a dish more (1) or less (-1).

    The limits of an order hold for all members together: 50 units of one dish, and 200 dishes,
    each counted once for each member.

    Raises:
        Conflict: If the key is no member's, or a limit is reached.
    """
    member = group.member(key_hash)
    if member is None:
        raise Conflict("group_order_stranger", GroupOrderMessage.NAME_FIRST)
    units = member.quantities.get(dish_id, 0) + by
    if by > 0:
        _require_room(group, member, dish_id)
    quantities = {**member.quantities, dish_id: units}
    if units <= 0:
        del quantities[dish_id]
    return _with(group, replace(member, quantities=quantities))


def _require_room(group: GroupOrder, member: Member, dish_id: str) -> None:
    if not is_quantity(group.quantities.get(dish_id, 0) + 1):
        message = MenuMessage.MOST_OF_A_DISH.of(most=MAXIMUM_LINE_QUANTITY)
        raise Conflict("group_order_limit", message)
    lines = sum(len(each.quantities) for each in group.members)
    if dish_id not in member.quantities and lines >= MAXIMUM_CART_DISHES:
        message = MenuMessage.MOST_DISHES.of(most=MAXIMUM_CART_DISHES)
        raise Conflict("group_order_limit", message)


def without_dish(group: GroupOrder, member_id: str, dish_id: str) -> GroupOrder:
    """Return a group order without a member's dish; the same if the member has not chosen it."""
    member = next((each for each in group.members if each.id == member_id), None)
    if member is None or dish_id not in member.quantities:
        return group
    rest = {id_: units for id_, units in member.quantities.items() if id_ != dish_id}
    return _with(group, replace(member, quantities=rest))


def without_guest(group: GroupOrder, member_id: str) -> GroupOrder:
    """Return a group order without a guest and the guest's dishes; the owner always stays."""
    kept = (each for each in group.members[1:] if each.id != member_id)
    return replace(group, members=(group.owner, *kept))


def too_late(group: GroupOrder, ordered: Mapping[str, int]) -> Mapping[str, int]:
    """Return the units that members have chosen and the paid order does not contain."""
    return not_ordered(group.quantities, ordered)


def _with(group: GroupOrder, member: Member) -> GroupOrder:
    """Return a group order with a member in place of the one with the same key."""
    members = (member if each.key_hash == member.key_hash else each for each in group.members)
    return replace(group, members=tuple(members))


def _sum_of(members: tuple[Member, ...]) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for each in members:
        total.update(each.quantities)
    return dict(total)
