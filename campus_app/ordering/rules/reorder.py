"""Ordering again: the dishes of an earlier order, as today's menu sells them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from campus_app.catalogue.rules.menu import Menu, MenuItem
from campus_app.ordering.rules.order import OrderLine
from campus_app.ordering.rules.price_changes import PriceChange
from campus_app.shared.rules.constants import MAXIMUM_LINE_QUANTITY


@dataclass(frozen=True)
class Reorder:
    """The dishes of an earlier order that are still sold, and what has changed."""

    quantities: Mapping[str, int]
    """Units by item id, 1 to 50 each."""
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
    by_name = {item.name: item for item in reversed(menu.items)}
    quantities: dict[str, int] = {}
    gone: list[str] = []
    sold_out: list[str] = []
    dearer: dict[str, PriceChange] = {}
    for line in lines:
        item = _same_dish(line, menu.by_id) or by_name.get(line.name)
        if item is None:
            gone.append(line.name)
            continue
        if item.id in sold_out_ids:
            sold_out.append(item.name)
            continue
        quantity = quantities.get(item.id, 0) + line.quantity
        quantities[item.id] = min(quantity, MAXIMUM_LINE_QUANTITY)
        if item.price > line.price:
            dearer[item.id] = PriceChange(item.name, line.price, item.price)
    return Reorder(quantities, tuple(gone), tuple(dearer.values()), tuple(sold_out))


def _same_dish(line: OrderLine, by_id: Mapping[str, MenuItem]) -> MenuItem | None:
    item = by_id.get(line.item_id)
    return item if item is not None and item.name == line.name else None
