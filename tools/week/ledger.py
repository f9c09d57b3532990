"""What must be true in the end: sums from the provider's books and the customers' screens."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tools.week.people import Sale


@dataclass
class Ledger:
    """The week as its customers have seen it."""

    sales: list[Sale] = field(default_factory=list[Sale])
    cancelled: set[str] = field(default_factory=set[str])
    """The customers whose orders were not honoured, by e-mail address: each orders once."""

    def expected(self, provider_orders: Sequence[dict[str, Any]]) -> dict[str, Decimal]:
        """Return the sums of the figures. Source: specification 13.2.

        Online and given back are what the provider has captured and refunded.
        """
        captured = _rupees(sum(sum(each["payments"].values()) for each in provider_orders))
        given_back = _rupees(sum(sum(each["refunds"].values()) for each in provider_orders))
        honoured = [each for each in self.sales if each.email not in self.cancelled]
        door = sum((each.door for each in honoured), Decimal(0))
        return {
            "orders": Decimal(len(honoured)),
            "revenue": captured + door - given_back,
            "online": captured,
            "door": door,
            "givenBack": given_back,
        }

    def unequal(self, provider_orders: Sequence[dict[str, Any]]) -> list[str]:
        """Return the numbers for which the provider has taken other amounts than were shown.

        An order holds its number for a day, so several orders of a week may have the same one.
        """
        shown, taken = defaultdict[str, list[Decimal]](list), defaultdict[str, list[Decimal]](list)
        for sale in self.sales:
            shown[sale.number].append(sale.online)
        for order in provider_orders:
            taken[order["number"]] += map(_rupees, order["payments"].values())
        return [
            f"{number}: shown {_listed(shown[number])}, taken {_listed(taken[number])}"
            for number in sorted(shown.keys() | taken.keys())
            if sorted(shown[number]) != sorted(taken[number])
        ]


def _listed(amounts: Sequence[Decimal]) -> str:
    return " and ".join(f"₹{each}" for each in sorted(amounts)) or "nothing"


def _rupees(paise: int) -> Decimal:
    return Decimal(paise) / 100
