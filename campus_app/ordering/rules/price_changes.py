"""The dishes of a cart whose prices differ from those that a visitor has seen."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campus_app.ordering.rules.cart import CartLine
from campus_app.shared.rules.money import Rupees, from_paise

_PRICE_LIST = re.compile(r"[^:,]{1,64}:\d{1,12}(?:,[^:,]{1,64}:\d{1,12})*", re.ASCII)


@dataclass(frozen=True)
class PriceChange:
    """A dish with another price than before, both in rupees."""

    name: str
    before: Rupees
    now: Rupees


def parse_price_list(text: str) -> Mapping[str, Rupees]:
    """Return the prices of `id:paise,id:paise` by dish id; empty if the text is malformed."""
    if _PRICE_LIST.fullmatch(text) is None:
        return {}
    pairs = (dish.split(":") for dish in text.split(","))
    return {id_: from_paise(int(paise)) for id_, paise in pairs}


def price_changes(seen: str, lines: Iterable[CartLine]) -> tuple[PriceChange, ...]:
    """Return the dishes of a cart whose prices are not those of the price list that was seen.

    Dishes that the list does not have are left out.

    Source: specification 5.16.
    """
    prices = parse_price_list(seen)
    dishes = (line.dish for line in lines if line.dish.id in prices)
    return tuple(
        PriceChange(dish.name, prices[dish.id], dish.price)
        for dish in dishes
        if dish.price != prices[dish.id]
    )
