"""Planned customers of the lunch hour: arrival, order and payment outcome, determined by the seed."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import exp
from pathlib import Path
from random import Random

from tools.simulation.payment_outcomes import SHARES, PaymentOutcome, distribute
from tools.simulation.plan import HOUR_MINUTES, ORDERING_SHARE, Plan

RESERVABLE_RESTAURANT_ID = 2
_POPULARITY = {1: 6, 2: 5, 3: 4, 5: 4, 6: 4, 7: 3, 8: 4}
"""The weights of the restaurants that are open at noon, by id."""
OPEN_AT_NOON = tuple(_POPULARITY)
_SLOT_WEIGHTS = {"12:30": 3, "13:00": 5, "13:30": 5, "14:00": 3, "14:30": 2, "15:00": 1}
_TABLE_SHARE = 0.09
_MINIMUM_SUBTOTAL, _HIGHER_MINIMUM_SUBTOTAL = Decimal(200), Decimal(450)
"""In rupees; higher than the product's minimum where a discount or an offer reduces the total."""
_OFFER_RESTAURANT_ID = 5
_DONATIONS = (0, 0, 0, 5, 10)


@dataclass(frozen=True)
class Table:
    """Seats at restaurant 2, ordered with the food."""

    slot: str
    party_size: int


@dataclass(frozen=True)
class PlannedCustomer:
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
    uses_socket: bool = False

    @property
    def email(self) -> str:
        """The address that identifies this customer in all records."""
        kind = "visitor" if self.uses_socket else "student"
        return f"{kind}{self.number}@students.example"


def planned_customers(plan: Plan, data: Path) -> list[PlannedCustomer]:
    """Return all planned customers, in the order of their arrival."""
    rng = Random(plan.seed)
    minutes = list(arrivals(rng, plan.campus_size * ORDERING_SHARE))
    outcomes = distribute(rng, SHARES, len(minutes))
    interval = max(1, len(minutes) // plan.socket_customers) if plan.socket_customers else 0
    menus = {id_: _menu(data, id_) for id_ in _POPULARITY}
    return [
        _planned_customer(rng, menus, number, minute, outcome)
        if not interval or number % interval or number // interval >= plan.socket_customers
        else PlannedCustomer(
            number, minute, 1, {}, Decimal(0), 0, None, PaymentOutcome.PAYS, uses_socket=True
        )
        for number, (minute, outcome) in enumerate(zip(minutes, outcomes, strict=True))
    ]


def arrivals(rng: Random, expected: float) -> Iterator[float]:
    """Return the arrival minutes of a Poisson process whose rate is constant within each minute."""
    weights = [_arrival_rate(minute + 0.5) for minute in range(HOUR_MINUTES)]
    for minute, weight in enumerate(weights):
        rate = expected * weight / sum(weights)
        moment = rng.expovariate(rate)
        while moment < 1.0:
            yield minute + moment
            moment += rng.expovariate(rate)


def _arrival_rate(minute: float) -> float:
    """Return the relative rate: constant with two peaks, as lectures end at 12:15 and at 12:45."""
    first, second = (exp(-(((minute - at) / 6) ** 2)) for at in (20, 48))
    return 0.35 + 1.6 * first + 0.9 * second


def _planned_customer(
    rng: Random,
    menus: dict[int, dict[str, Decimal]],
    number: int,
    minute: float,
    outcome: PaymentOutcome,
) -> PlannedCustomer:
    wants_table = rng.random() < _TABLE_SHARE
    preferred_id = rng.choices(list(_POPULARITY), list(_POPULARITY.values()))[0]
    restaurant_id = RESERVABLE_RESTAURANT_ID if wants_table else preferred_id
    slot = rng.choices(list(_SLOT_WEIGHTS), list(_SLOT_WEIGHTS.values()))[0]
    table = Table(slot, rng.randint(1, 8)) if wants_table else None
    has_discount = wants_table or restaurant_id == _OFFER_RESTAURANT_ID
    menu = menus[restaurant_id]
    dishes = _dishes(rng, menu, _HIGHER_MINIMUM_SUBTOTAL if has_discount else _MINIMUM_SUBTOTAL)
    subtotal = _cost(menu, dishes)
    donation = rng.choice(_DONATIONS)
    return PlannedCustomer(
        number, minute, restaurant_id, dishes, subtotal, donation, table, outcome
    )


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
