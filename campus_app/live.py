"""What runs as long as the server does: outbox, reconciler, opening hours."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from campus_app import wiring

logger = logging.getLogger(__name__)

_RECONCILE_SECONDS = 5.0
_LONGEST_SLEEP_SECONDS = 60.0


@contextlib.asynccontextmanager
async def lifespan() -> AsyncIterator[None]:
    """Load the switches, then keep the tasks running until the server stops."""
    services = wiring.services()
    await services.board.load()
    work: list[Coroutine[Any, Any, None]] = [
        services.worker.run(),
        _reconcile(services),
        _announce_hours(services),
    ]
    tasks = [asyncio.create_task(coroutine) for coroutine in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        services.close()


async def _reconcile(services: wiring.Services) -> None:
    """Find payments whose notice was lost, with no browser open."""
    while True:
        try:
            await services.payments.check_due()
        except Exception:  # a database that is away must not end the reconciler
            logger.exception("reconciler: the database did not answer")
        await asyncio.sleep(_RECONCILE_SECONDS)


async def _announce_hours(services: wiring.Services) -> None:
    """Announce each opening and closing by the hours, when it happens."""
    while True:
        wait = (services.board.next_boundary() - services.clock.now()).total_seconds()
        await asyncio.sleep(min(max(wait, 0.0) + 0.01, _LONGEST_SLEEP_SECONDS))
        services.board.announce()
