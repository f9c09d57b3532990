"""Who is alive: known at once of a process that dies, and of a Redis that is away."""

import asyncio
import contextlib
import os
import signal

import pytest

from kit.background import cancel_and_wait
from kit.redis.heartbeat import Presence
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio


class Present:
    """A process, as far as its presence goes, and what it was told."""

    def __init__(self, url):
        self.presence = Presence(url)
        self.told = []

    async def found(self):
        self.told.append("found")

    async def lost(self):
        self.told.append("lost")

    async def vanish(self):
        """Be gone, as a process that is killed: its connections are closed, nothing is said."""
        await cancel_and_wait(self.task)

    @contextlib.asynccontextmanager
    async def running(self):
        self.task = asyncio.create_task(self.presence.run(self.found, self.lost))
        try:
            yield self
        finally:
            await self.vanish()
            await self.presence.close()


@pytest.fixture
async def pair(redis):
    async with Present(redis.url).running() as one, Present(redis.url).running() as other:
        await eventually(lambda: one.presence.is_here and other.presence.is_here, "both are here")
        yield one, other


async def test_a_process_knows_that_another_lives(pair):
    one, other = pair
    assert await one.presence.lives(other.presence.id)
    assert await other.presence.lives(one.presence.id)
    assert not await one.presence.lives("somebody else")
    assert (one.told, other.told) == (["found"], ["found"])


async def test_a_process_that_dies_is_known_to_be_gone_long_before_its_last_beat_is_old(pair):
    one, other = pair
    await other.vanish()

    async def is_gone():
        return not await one.presence.lives(other.presence.id)

    async with asyncio.timeout(2):
        await eventually(is_gone, "it is known to be gone")


async def test_a_process_whose_machine_vanished_is_known_by_its_last_beat(pair):
    """Its connection still stands, as Redis sees it."""
    one, other = pair
    name = f"food_points:process:{other.presence.id}"
    await one.presence._redis.delete(name)
    assert not await one.presence.lives(other.presence.id)


async def test_a_redis_that_is_away_is_noticed_at_once_and_its_return_too(pair, redis, caplog):
    one, other = pair
    redis.stop()
    await eventually(lambda: one.told == other.told == ["found", "lost"], "both notice")
    assert not one.presence.is_here
    redis.start()
    await eventually(lambda: one.told == other.told == ["found", "lost", "found"], "it is back")
    assert one.presence.is_here
    assert await one.presence.lives(other.presence.id)
    assert [record.message for record in caplog.records].count("presence: Redis is back") == 2


async def test_a_redis_that_came_back_empty_in_a_moment_was_away_all_the_same(pair, redis):
    one, _ = pair
    redis.stop()
    redis.start()
    await eventually(lambda: one.told == ["found", "lost", "found"], "it is noticed")


async def test_a_redis_that_no_longer_answers_is_away(pair, redis):
    one, _ = pair
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        await eventually(lambda: "lost" in one.told, "it is noticed")
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    await eventually(lambda: one.presence.is_here, "it is back")


async def test_a_redis_that_was_never_there_is_waited_for():
    async with Present("redis://127.0.0.1:1/0").running() as one:
        await asyncio.sleep(0.3)
        assert not one.presence.is_here
        assert one.told == []
