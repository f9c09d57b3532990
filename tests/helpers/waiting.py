"""Wait, with a timeout, for the effects of another process or thread."""

import asyncio
import time
from collections.abc import Awaitable, Callable

TICK_SECONDS = 0.002
"""How much too early a timer may fire: the event loop rounds to milliseconds."""
_TIMEOUT_SECONDS = 30.0
_POLL_SECONDS = 0.005


async def eventually(condition: Callable[[], bool | Awaitable[bool]], description: str) -> None:
    """Return when a condition holds; fail after a timeout."""
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    while True:
        result = condition()
        if result if isinstance(result, bool) else await result:
            return
        assert time.monotonic() < deadline, f"timed out: {description}"
        await asyncio.sleep(_POLL_SECONDS)


async def meet(others: asyncio.Barrier | asyncio.Event) -> None:
    """Wait for the other parties of a race; fail after a timeout."""
    async with asyncio.timeout(_TIMEOUT_SECONDS):
        await others.wait()
