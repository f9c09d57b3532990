"""Release of session locks in Redis that no event holds."""

import asyncio
import logging
from typing import Any

from kit.redis.errors import UNAVAILABLE

logger = logging.getLogger(__name__)

_RELEASE = """
    if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
    return 0
"""


def release_cancelled_locks(manager: Any) -> None:
    """Release the lock of a session if its event is cancelled while the lock is acquired.

    Reflex cancels the hydration of a page that disconnects. If it does so between the command to
    Redis and the reply, Redis keeps the lock until it expires, and the page waits for that when it
    reconnects. A `manager` without Redis has no such locks.
    """
    if not hasattr(manager, "redis"):
        return
    acquire = manager._try_get_lock  # noqa: SLF001
    releases: set[asyncio.Task[None]] = set()

    async def acquire_or_release(lock_key: bytes, lock_id: bytes) -> bool | None:
        acquiring = asyncio.ensure_future(acquire(lock_key, lock_id))
        try:
            return await asyncio.shield(acquiring)
        except asyncio.CancelledError:
            releasing = asyncio.create_task(_release(manager, acquiring, lock_key, lock_id))
            releases.add(releasing)
            releasing.add_done_callback(releases.discard)
            raise

    manager._try_get_lock = acquire_or_release  # noqa: SLF001


async def _release(
    manager: Any, acquiring: "asyncio.Future[bool | None]", lock_key: bytes, lock_id: bytes
) -> None:
    try:
        if await acquiring:
            await manager.redis.eval(_RELEASE, 1, lock_key, lock_id)
    except UNAVAILABLE as error:  # the lock expires
        logger.warning("sessions: Redis did not answer: %s", type(error).__name__)
