"""Waiting for what another process or thread brings about, with an end to it."""

import asyncio
import time
from collections.abc import Awaitable, Callable

TICK_SECONDS = 0.002
"""So much earlier a timer may be over: the event loop counts milliseconds, turn by turn."""
_SECONDS = 10.0
_BETWEEN_LOOKS_SECONDS = 0.005


async def eventually(is_so: Callable[[], bool | Awaitable[bool]], what: str) -> None:
    """Return once something is so; fail if it does not come about."""
    deadline = time.monotonic() + _SECONDS
    while True:
        found = is_so()
        if found if isinstance(found, bool) else await found:
            return
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        await asyncio.sleep(_BETWEEN_LOOKS_SECONDS)


async def meet(others: asyncio.Barrier | asyncio.Event) -> None:
    """Wait for the others of a race; fail if one of them never comes."""
    async with asyncio.timeout(_SECONDS):
        await others.wait()
