"""What runs beside the server, and how it ends."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from typing import Any

logger = logging.getLogger(__name__)

_TIDY_UP_SECONDS = 2.0
_AGAIN_SECONDS = 2.0


@contextlib.asynccontextmanager
async def running(*coroutines: Coroutine[Any, Any, None]) -> AsyncGenerator[None]:
    """Run coroutines beside the block; when it ends, so do they."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    for task in tasks:
        task.add_done_callback(_tell_of_failure)
    try:
        yield
    finally:
        await cancel_and_wait(*tasks)


async def restarting(work: Callable[..., Awaitable[None]], *arguments: Any) -> None:
    """Do work that has no end; whatever ends it is logged, and it begins anew a little later."""
    while True:
        try:
            await work(*arguments)
        except Exception:
            logger.exception("background: %s stumbled", work.__qualname__)
        await asyncio.sleep(_AGAIN_SECONDS)


def _tell_of_failure(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        name = getattr(task.get_coro(), "__qualname__", task.get_name())
        logger.error("background: %s has ended", name, exc_info=error)


async def cancel_and_wait(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks until every one has ended.

    Once is not always enough: `asyncio.wait_for` of Python 3.11, through which the Redis client
    sends, loses a cancellation that comes in the moment in which it is done.
    """
    while going_on := [task for task in tasks if not task.done()]:
        for task in going_on:
            task.cancel()
        await asyncio.wait(going_on, timeout=_TIDY_UP_SECONDS)
    await asyncio.gather(*tasks, return_exceptions=True)  # what they failed with they have logged
