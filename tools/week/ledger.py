"""What must be true in the end: sums from the provider's books and the customers' screens."""

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
    """The numbers of orders that were not honoured."""

    def expected(self, provider_orders: Sequence[dict[str, Any]]) -> dict[str, Decimal]:
        """Return the sums of the figures. Source: specification 13.2.

        Online and given back are what the provider has captured and refunded.
        """
        captured = _rupees(sum(sum(each["payments"].values()) for each in provider_orders))
        given_back = _rupees(sum(sum(each["refunds"].values()) for each in provider_orders))
        honoured = [each for each in self.sales if each.number not in self.cancelled]
        door = sum((each.door for each in honoured), Decimal(0))
        return {
            "orders": Decimal(len(honoured)),
            "revenue": captured + door - given_back,
            "online": captured,
            "door": door,
            "givenBack": given_back,
        }

    def unequal(self, provider_orders: Sequence[dict[str, Any]]) -> list[str]:
        """Return the orders for which the provider has taken another amount than was shown."""
        taken = {each["number"]: sum(each["payments"].values()) for each in provider_orders}
        return [
            f"{each.number}: shown ₹{each.online}, taken {taken.get(each.number, 0)} paise"
            for each in self.sales
            if _rupees(taken.get(each.number, 0)) != each.online
        ]


def _rupees(paise: int) -> Decimal:
    return Decimal(paise) / 100
