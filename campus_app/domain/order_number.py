"""Order numbers: display names such as AS_482; never keys, never secrets."""

import re
from collections.abc import Callable
from typing import Final

from campus_app.domain import constants

_SHAPE = re.compile(r"AS_([1-9]\d{2,4})", re.ASCII)
TIERS: Final = (range(100, 1_000), range(1_000, 10_000), range(10_000, 100_000))
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

    `held` returns how many numbers of a range belong to orders of the last 24 hours.

    Source: specification M9.
    """
    for tier in TIERS[:-1]:
        if not is_nearly_full(tier, len(tier) - held(tier)):
            return tier
    return TIERS[-1]
