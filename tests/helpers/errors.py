"""Errors of rejected operations, as values to compare."""

from collections.abc import Awaitable

import pytest

from campus_app.shared.rules.errors import OrderingError


async def ordering_error(awaitable: Awaitable[object]) -> OrderingError:
    """Return the OrderingError that an operation raises."""
    with pytest.raises(OrderingError) as raised:
        await awaitable
    return raised.value
