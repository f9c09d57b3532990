"""Wait, with a timeout, for the effects of another process or thread."""

import asyncio
import time
from collections.abc import Awaitable, Callable

TICK_SECONDS = 0.002
"""How much earlier a timer may fire: the event loop rounds to milliseconds."""
_SECONDS = 10.0
_BETWEEN_LOOKS_SECONDS = 0.005


async def eventually(is_so: Callable[[], bool | Awaitable[bool]], what: str) -> None:
    """Return when a condition holds; fail after a timeout."""
    deadline = time.monotonic() + _SECONDS
    while True:
        found = is_so()
        if found if isinstance(found, bool) else await found:
            return
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        await asyncio.sleep(_BETWEEN_LOOKS_SECONDS)


async def meet(others: asyncio.Barrier | asyncio.Event) -> None:
    """Wait for the other parties of a race; fail after a timeout."""
    async with asyncio.timeout(_SECONDS):
        await others.wait()
