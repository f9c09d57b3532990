"""Ordering again: the dishes of an earlier order, as today's menu sells them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from campus_app.catalogue.rules.menu import Dish, Menu
from campus_app.ordering.rules.order import OrderLine
from campus_app.ordering.rules.price_changes import PriceChange
from campus_app.shared.rules.constants import MAXIMUM_LINE_QUANTITY


@dataclass(frozen=True)
class Reorder:
    """The dishes of an earlier order that are still sold, and what has changed."""

    quantities: Mapping[str, int]
    """Units by dish id, 1 to 50 each."""
    gone: tuple[str, ...]
    """The names of dishes that the menu no longer has."""
    dearer: tuple[PriceChange, ...]
    sold_out: tuple[str, ...] = ()
    """The names of dishes that are sold out."""


def reorder(lines: Iterable[OrderLine], menu: Menu, sold_out_ids: Collection[str] = ()) -> Reorder:
    """Return the dishes of an order as today's menu sells them.

    A dish is the one with its id and name; else the one with its name, since a new menu may give
    its id to another dish. Dishes that are sold out are left out.

    Source: specification 10.11.
    """
    by_name = {dish.name: dish for dish in reversed(menu.dishes)}
    quantities: dict[str, int] = {}
    gone: list[str] = []
    sold_out: list[str] = []
    dearer: dict[str, PriceChange] = {}
    for line in lines:
        dish = _same_dish(line, menu.by_id) or by_name.get(line.name)
        if dish is None:
            gone.append(line.name)
            continue
        if dish.id in sold_out_ids:
            sold_out.append(dish.name)
            continue
        quantity = quantities.get(dish.id, 0) + line.quantity
        quantities[dish.id] = min(quantity, MAXIMUM_LINE_QUANTITY)
        if dish.price > line.price:
            dearer[dish.id] = PriceChange(dish.name, line.price, dish.price)
    return Reorder(quantities, tuple(gone), tuple(dearer.values()), tuple(sold_out))


def _same_dish(line: OrderLine, by_id: Mapping[str, Dish]) -> Dish | None:
    dish = by_id.get(line.dish_id)
    return dish if dish is not None and dish.name == line.name else None
