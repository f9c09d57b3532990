"""Errors that a rule raises, as values to compare."""

from collections.abc import Awaitable

import pytest

from campus_app.domain.errors import OrderingError


async def refusal(awaitable: Awaitable[object]) -> OrderingError:
    """Return the error with which an operation is refused."""
    with pytest.raises(OrderingError) as refused:
        await awaitable
    return refused.value
