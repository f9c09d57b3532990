"""Who orders in the lunch hour: when, what, and how it goes at the payment page; all by the seed."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import exp
from pathlib import Path
from random import Random

from tests.simulation.payment_outcomes import SHARES, Fate, dealt
from tests.simulation.plan import HOUR_MINUTES, SHARE_THAT_ORDERS, Plan

TABLES_AT = 2
_OPEN = {1: 6, 2: 5, 3: 4, 5: 4, 6: 4, 7: 3, 8: 4}
"""Restaurants that are open at noon, and how much they are liked."""
_SLOTS = {"12:30": 3, "13:00": 5, "13:30": 5, "14:00": 3, "14:30": 2, "15:00": 1}
_SHARE_OF_TABLES = 0.09
_MINIMUM, _HIGHER_MINIMUM = Decimal(200), Decimal(450)
"""Above what an order needs; a table's discount and the pizzeria's offer take some off."""
_OFFER_AT = 5
_DONATIONS = (0, 0, 0, 5, 10)


@dataclass(frozen=True)
class Table:
    """Seats at restaurant 2, ordered with the food."""

    slot: str
    party_size: int


@dataclass(frozen=True)
class Person:
    """Somebody who comes to order."""

    number: int
    minute: float
    restaurant_id: int
    dishes: dict[str, int]
    subtotal: Decimal
    """What the dishes cost by the menu's file, in rupees."""
    donation: int
    table: Table | None
    fate: Fate
    has_browser: bool = False

    @property
    def email(self) -> str:
        """By which we know this customer again in everybody's books."""
        kind = "visitor" if self.has_browser else "student"
        return f"{kind}{self.number}@students.example"


def people(plan: Plan, data: Path) -> list[Person]:
    """Return everybody who comes, the first one first."""
    rng = Random(plan.seed)
    minutes = list(arrivals(rng, plan.people * SHARE_THAT_ORDERS))
    fates = dealt(rng, SHARES, len(minutes))
    every = max(1, len(minutes) // plan.browsers) if plan.browsers else 0
    menus = {id_: _menu(data, id_) for id_ in _OPEN}
    return [
        _person(rng, menus, number, minute, fate)
        if not every or number % every or number // every >= plan.browsers
        else Person(number, minute, 1, {}, Decimal(0), 0, None, Fate.PAYS, has_browser=True)
        for number, (minute, fate) in enumerate(zip(minutes, fates, strict=True))
    ]


def arrivals(rng: Random, expected: float) -> Iterator[float]:
    """Return the minutes of a Poisson process whose rate is constant within each minute."""
    shape = [_liveliness(minute + 0.5) for minute in range(HOUR_MINUTES)]
    for minute, liveliness in enumerate(shape):
        rate = expected * liveliness / sum(shape)
        moment = rng.expovariate(rate)
        while moment < 1.0:
            yield minute + moment
            moment += rng.expovariate(rate)


def _liveliness(minute: float) -> float:
    """Lectures end at 12:15 and at 12:45: two waves on a steady trickle."""
    first, second = (exp(-(((minute - at) / 6) ** 2)) for at in (20, 48))
    return 0.35 + 1.6 * first + 0.9 * second


def _person(
    rng: Random, menus: dict[int, dict[str, Decimal]], number: int, minute: float, fate: Fate
) -> Person:
    wants_table = rng.random() < _SHARE_OF_TABLES
    liked = rng.choices(list(_OPEN), list(_OPEN.values()))[0]
    restaurant_id = TABLES_AT if wants_table else liked
    slot = rng.choices(list(_SLOTS), list(_SLOTS.values()))[0]
    table = Table(slot, rng.randint(1, 8)) if wants_table else None
    is_higher = wants_table or restaurant_id == _OFFER_AT
    menu = menus[restaurant_id]
    dishes = _dishes(rng, menu, _HIGHER_MINIMUM if is_higher else _MINIMUM)
    subtotal = _cost(menu, dishes)
    donation = rng.choice(_DONATIONS)
    return Person(number, minute, restaurant_id, dishes, subtotal, donation, table, fate)


def _dishes(rng: Random, menu: dict[str, Decimal], minimum: Decimal) -> dict[str, int]:
    chosen: dict[str, int] = {}
    while _cost(menu, chosen) < minimum:
        dish = rng.choice(list(menu))
        chosen[dish] = chosen.get(dish, 0) + 1
    return chosen


def _cost(menu: dict[str, Decimal], dishes: dict[str, int]) -> Decimal:
    return sum((menu[dish] * count for dish, count in dishes.items()), Decimal(0))


def _menu(data: Path, restaurant_id: int) -> dict[str, Decimal]:
    with (data / f"menu_{restaurant_id}.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: Decimal(row["price"]) for row in csv.DictReader(file)}
