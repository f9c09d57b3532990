"""Planned customers of the lunch hour: arrival, order and payment outcome, determined by the seed."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import exp
from pathlib import Path
from random import Random

from tests.simulation.payment_outcomes import SHARES, PaymentOutcome, distribute
from tests.simulation.plan import HOUR_MINUTES, SHARE_THAT_ORDERS, Plan

TABLES_AT = 2
_OPEN = {1: 6, 2: 5, 3: 4, 5: 4, 6: 4, 7: 3, 8: 4}
"""The restaurants open at noon, with their popularity."""
_SLOTS = {"12:30": 3, "13:00": 5, "13:30": 5, "14:00": 3, "14:30": 2, "15:00": 1}
_SHARE_OF_TABLES = 0.09
_MINIMUM, _HIGHER_MINIMUM = Decimal(200), Decimal(450)
"""Above the product's minimum, because discounts and offers reduce the total."""
_OFFER_AT = 5
_DONATIONS = (0, 0, 0, 5, 10)


@dataclass(frozen=True)
class Table:
    """Seats at restaurant 2, ordered with the food."""

    slot: str
    party_size: int


@dataclass(frozen=True)
class Person:
    """A planned customer."""

    number: int
    minute: float
    restaurant_id: int
    dishes: dict[str, int]
    subtotal: Decimal
    """The price of the dishes by the menu file, in rupees."""
    donation: int
    table: Table | None
    outcome: PaymentOutcome
    has_browser: bool = False

    @property
    def email(self) -> str:
        """The address that identifies this customer in all records."""
        kind = "visitor" if self.has_browser else "student"
        return f"{kind}{self.number}@students.example"


def people(plan: Plan, data: Path) -> list[Person]:
    """Return all planned customers, in the order of their arrival."""
    rng = Random(plan.seed)
    minutes = list(arrivals(rng, plan.people * SHARE_THAT_ORDERS))
    outcomes = distribute(rng, SHARES, len(minutes))
    every = max(1, len(minutes) // plan.browsers) if plan.browsers else 0
    menus = {id_: _menu(data, id_) for id_ in _OPEN}
    return [
        _person(rng, menus, number, minute, outcome)
        if not every or number % every or number // every >= plan.browsers
        else Person(
            number, minute, 1, {}, Decimal(0), 0, None, PaymentOutcome.PAYS, has_browser=True
        )
        for number, (minute, outcome) in enumerate(zip(minutes, outcomes, strict=True))
    ]


def arrivals(rng: Random, expected: float) -> Iterator[float]:
    """Return the arrival minutes of a Poisson process with a constant rate per minute."""
    shape = [_arrival_rate(minute + 0.5) for minute in range(HOUR_MINUTES)]
    for minute, rate_factor in enumerate(shape):
        rate = expected * rate_factor / sum(shape)
        moment = rng.expovariate(rate)
        while moment < 1.0:
            yield minute + moment
            moment += rng.expovariate(rate)


def _arrival_rate(minute: float) -> float:
    """Lectures end at 12:15 and at 12:45: two peaks above a constant rate."""
    first, second = (exp(-(((minute - at) / 6) ** 2)) for at in (20, 48))
    return 0.35 + 1.6 * first + 0.9 * second


def _person(
    rng: Random,
    menus: dict[int, dict[str, Decimal]],
    number: int,
    minute: float,
    outcome: PaymentOutcome,
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
    return Person(number, minute, restaurant_id, dishes, subtotal, donation, table, outcome)


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
