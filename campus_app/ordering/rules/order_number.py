"""Order numbers: display names such as AS_482; never keys, never secrets."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from campus_app.shared.rules import constants

_SHAPE = re.compile(r"AS_([1-9]\d{2,6})", re.ASCII)
TIERS: Final = tuple(range(10**zeros, 10 ** (zeros + 1)) for zeros in range(2, 7))
"""The numbers with three to seven digits."""
_FULL_WHEN_FREE_BELOW = 10


def order_number(value: int) -> str:
    """Return the display number, such as AS_482."""
    return f"{constants.ORDER_NUMBER_PREFIX}{value}"


def parse_order_number(text: str) -> int | None:
    """Return the digits of a display number, or None if it is not one."""
    match = _SHAPE.fullmatch(text)
    return int(match[1]) if match else None


def is_nearly_full(tier: range, free: int) -> bool:
    """Whether fewer than a tenth of a range are free. Source: specification M9."""
    return free * _FULL_WHEN_FREE_BELOW < len(tier)


def number_tier(held: Callable[[range], int]) -> range:
    """Return the range to draw from: the shortest of which at least a tenth is free.

    `held` returns how many numbers of a range are held by orders.

    Source: specification M9.
    """
    for tier in TIERS[:-1]:
        if not is_nearly_full(tier, len(tier) - held(tier)):
            return tier
    return TIERS[-1]


def number_held_until(expires_at: datetime, paid_at: datetime | None = None) -> datetime:
    """Return until when an order holds its number.

    `expires_at` is the end of the time to pay: a payment that arrives late must find the order.

    Source: specification M9, M16.
    """
    if paid_at is not None:
        return paid_at + timedelta(hours=constants.ORDER_NUMBER_HELD_HOURS)
    return expires_at + timedelta(minutes=constants.LAPSED_NUMBER_HELD_MINUTES)
