"""Starts background tasks, restarts them after failures, and cancels them."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from typing import Any

logger = logging.getLogger(__name__)

_CANCEL_AGAIN_SECONDS = 2.0
_RESTART_SECONDS = 2.0


@contextlib.asynccontextmanager
async def running(*coroutines: Coroutine[Any, Any, None]) -> AsyncGenerator[None]:
    """Run coroutines as tasks during the block, then cancel them.

    A task that fails is logged; unlike in `asyncio.TaskGroup`, the others continue.
    """
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    for task in tasks:
        task.add_done_callback(_log_failure)
    try:
        yield
    finally:
        await cancel_and_wait(*tasks)


async def restarting(work: Callable[..., Awaitable[None]], *arguments: Any) -> None:
    """Call `work` again whenever it returns or raises; log what it raised."""
    while True:
        try:
            await work(*arguments)
        except Exception:
            logger.exception("background: %s failed, restarting", work.__qualname__)
        await asyncio.sleep(_RESTART_SECONDS)


def _log_failure(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        name = getattr(task.get_coro(), "__qualname__", task.get_name())
        logger.error("background: %s failed and has ended", name, exc_info=error)


async def cancel_and_wait(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks, repeatedly until each has ended; their exceptions are not raised.

    In Python 3.11 `asyncio.wait_for`, which the Redis client uses, can swallow a cancellation that
    arrives while its awaitable completes. anyio's task groups cancel repeatedly too, but without
    time for a task to clean up.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=_CANCEL_AGAIN_SECONDS)
    await asyncio.gather(*tasks, return_exceptions=True)
