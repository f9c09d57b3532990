"""What a page shows of a group order, as the browser gets it: all texts are ready to be shown."""

from collections.abc import Iterable, Mapping
from typing import Final, TypedDict

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import Dish
from campus_app.ordering import wiring
from campus_app.ordering.rules.cart import CartLine
from campus_app.ordering.rules.cart import subtotal as subtotal_of
from campus_app.ordering.rules.group_order import (
    GroupOrder,
    GroupState,
    Member,
    link_token,
    too_late,
)
from campus_app.ordering.sql.group_orders import StoredGroupOrder
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import MAXIMUM_GROUP_GUESTS
from campus_app.shared.rules.money import format_rupees
from kit.text import isolate

NEW: Final = "new"
"""The status of a page without a token: the visitor may begin a group order."""
UNKNOWN: Final = "unknown"
"""The status of a link without a group order; the others are those of `GroupState`."""


class MemberDish(TypedDict):
    """A dish of a member; `times` is its quantity as `2×`, `total` its amount, "" if not sold."""

    id: str
    times: str
    name: str
    total: str
    isSold: bool


class MemberView(TypedDict):
    """A member with the dishes that the member has chosen."""

    id: str
    name: str
    isMe: bool
    isOwner: bool
    dishes: list[MemberDish]
    total: str


class GroupView(TypedDict):
    """A group order as one member, or a visitor who is none yet, sees it."""

    status: str
    restaurant: str
    """The restaurant's name; empty if there is no group order to show."""
    owner: str
    isOwner: bool
    isMember: bool
    isFull: bool
    members: list[MemberView]
    mine: dict[str, int]
    """The visitor's own units of each dish, by the dish's id."""
    myTotal: str
    total: str
    late: list[MemberDish]
    """What was chosen after the order had been placed, and is not in it."""
    link: str


def empty_view(status: str, restaurant: str = "") -> GroupView:
    """Return the view of a page that shows no group order."""
    return GroupView(
        status=status,
        restaurant=restaurant,
        owner="",
        isOwner=False,
        isMember=False,
        isFull=False,
        members=[],
        mine={},
        myTotal="",
        total="",
        late=[],
        link="",
    )


def new_view(restaurant_id: int) -> GroupView:
    """Return the view of a page that offers to begin a group order, if there is the restaurant."""
    name = _restaurant_name(restaurant_id)
    return empty_view(NEW if name else UNKNOWN, name)


def group_view(found: StoredGroupOrder | None, key_hash: str) -> GroupView:
    """Return what the browser with a member's key shows; a hash of no member is a visitor's."""
    if found is None:
        return empty_view(UNKNOWN)
    group, menu = found.group, dishes_on_menu(found.group.restaurant_id)
    state = wiring.services().group_orders.state_of(found)
    me = group.member(key_hash)
    late = too_late(group, found.ordered) if state is GroupState.ORDERED else {}
    return GroupView(
        status=state.value,
        restaurant=_restaurant_name(group.restaurant_id),
        owner=isolate(group.owner.name),
        isOwner=group.is_owner(key_hash),
        isMember=me is not None,
        isFull=len(group.members) > MAXIMUM_GROUP_GUESTS,
        members=member_views(group, key_hash),
        mine=dict(me.quantities) if me else {},
        myTotal=_total(me.quantities if me else {}, menu),
        total=_total(group.quantities, menu),
        late=[_dish(id_, units, group.restaurant_id, menu) for id_, units in late.items()],
        link=group_link(group),
    )


def group_link(group: GroupOrder) -> str:
    """Return the path of a group order's link."""
    return routes.group_order(group.restaurant_id, link_token(group.cart_key))


def member_views(group: GroupOrder, key_hash: str) -> list[MemberView]:
    """Return the members of a group order with their dishes, as the one with a key sees them."""
    menu = dishes_on_menu(group.restaurant_id)
    return [
        MemberView(
            id=each.id,
            name=isolate(each.name),
            isMe=each.key_hash == key_hash,
            isOwner=each is group.owner,
            dishes=_dishes(each, group.restaurant_id, menu),
            total=_total(each.quantities, menu),
        )
        for each in group.members
    ]


def dishes_on_menu(restaurant_id: int) -> Mapping[str, Dish]:
    """Return the dishes of a menu by their ids; none if it cannot be read."""
    try:
        return wiring.services().catalogue.menu(restaurant_id).by_id
    except MenuUnavailable:
        return {}


def unsold_dishes(group: GroupOrder) -> list[str]:
    """Return the names of the chosen dishes that are sold out or not on the menu."""
    menu = dishes_on_menu(group.restaurant_id)
    dishes = (_dish(id_, 1, group.restaurant_id, menu) for id_ in group.quantities)
    return [each["name"] for each in dishes if not each["isSold"]]


def _restaurant_name(restaurant_id: int) -> str:
    restaurant = wiring.services().catalogue.restaurant(restaurant_id)
    return restaurant.name if restaurant else ""


def _dishes(member: Member, restaurant_id: int, menu: Mapping[str, Dish]) -> list[MemberDish]:
    return [_dish(id_, units, restaurant_id, menu) for id_, units in member.quantities.items()]


def _dish(dish_id: str, units: int, restaurant_id: int, menu: Mapping[str, Dish]) -> MemberDish:
    dish = menu.get(dish_id)
    is_sold = dish is not None and not wiring.services().statuses.is_sold_out(
        restaurant_id, dish_id
    )
    return MemberDish(
        id=dish_id,
        times=f"{units}×",
        name=isolate(dish.name) if dish else dish_id,
        total=format_rupees(dish.price * units) if dish and is_sold else "",
        isSold=is_sold,
    )


def _total(quantities: Mapping[str, int], menu: Mapping[str, Dish]) -> str:
    lines: Iterable[CartLine] = (
        CartLine(menu[id_], units) for id_, units in quantities.items() if id_ in menu
    )
    return format_rupees(subtotal_of(lines))
