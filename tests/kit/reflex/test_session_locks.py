"""A cancelled event leaves no session lock in Redis."""

import asyncio
import contextlib

import pytest
import reflex as rx
from redis.asyncio import Redis
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis

from kit.reflex.session_locks import release_cancelled_locks
from tests.helpers.waiting import eventually, meet

pytestmark = pytest.mark.anyio

KEY = rx.BaseStateToken(ident="a-session-token", cls=rx.State)


class SlowReplies(Redis):
    """Redis executes SET at once; its reply arrives when `may_reply` is set."""

    async def set(self, *values, **options):
        reply = await super().set(*values, **options)
        self.has_set.set()
        await meet(self.may_reply)
        return reply


@pytest.fixture
async def manager(redis):
    """Reflex's states in Redis, whose replies wait."""
    client = SlowReplies.from_url(redis.url)
    client.has_set, client.may_reply = asyncio.Event(), asyncio.Event()
    manager = StateManagerRedis(redis=client)
    yield manager
    await manager.close()


async def locks_after_cancelled_event(manager, redis):
    """Cancel an event while its lock is acquired; return the locks that Redis has afterwards."""

    async def change():
        async with manager.modify_state(KEY):
            pass

    event = asyncio.create_task(change())
    await meet(manager.redis.has_set)
    event.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await event
    manager.redis.may_reply.set()
    other = Redis.from_url(redis.url)
    try:
        for _ in range(20):
            locks = await other.keys("*_lock")
            if not locks:
                break
            await asyncio.sleep(0.02)
        return locks
    finally:
        await other.aclose()


async def test_cancelled_event_leaves_no_lock(manager, redis):
    release_cancelled_locks(manager)
    assert await locks_after_cancelled_event(manager, redis) == []


async def test_control_cancelled_event_leaves_its_lock_without_release(manager, redis):
    """The negative control: a page that reconnects would wait until the lock expires."""
    assert await locks_after_cancelled_event(manager, redis) == [b"a-session-token_lock"]


async def test_release_logs_one_line_when_redis_does_not_answer(manager, redis, caplog):
    release_cancelled_locks(manager)
    event = asyncio.create_task(manager._try_get_lock(b"a-session-token_lock", b"an event"))
    await meet(manager.redis.has_set)
    event.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await event
    redis.stop()
    manager.redis.may_reply.set()
    await eventually(lambda: "Redis did not answer" in caplog.text, "the line of the log")
    assert "never retrieved" not in caplog.text


async def test_lock_is_acquired_once_and_released_after_the_event(manager):
    release_cancelled_locks(manager)
    manager.redis.may_reply.set()
    async with manager.modify_state(KEY):
        assert await manager._try_get_lock(b"a-session-token_lock", b"another") is None
    assert await manager.redis.exists("a-session-token_lock") == 0


def test_manager_without_redis_is_not_changed():
    manager = StateManagerMemory()
    release_cancelled_locks(manager)
    assert not hasattr(manager, "_try_get_lock")
