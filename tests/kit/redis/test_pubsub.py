"""Messages between processes: received at once with Redis, and replaced by a delay without it."""

import asyncio
import os
import signal
import time

import pytest

from kit.redis.pubsub import NoPubSub, RedisPubSub, pubsub_at
from tests.helpers.waiting import TICK_SECONDS

pytestmark = pytest.mark.anyio

CHANNEL = "switches"


@pytest.fixture
async def pair(redis):
    """Two processes of one deployment."""
    one, other = pubsub_at(redis.url), pubsub_at(redis.url)
    yield one, other
    await one.close()
    await other.close()


async def seconds_of(waiting):
    start = time.monotonic()
    await waiting
    return time.monotonic() - start


async def test_wait_for_returns_when_another_process_publishes(pair):
    one, other = pair
    await other.wait_for(CHANNEL, 30)
    waiting = asyncio.create_task(other.wait_for(CHANNEL, 30))
    await asyncio.sleep(0)
    await one.publish(CHANNEL)
    await asyncio.wait_for(waiting, 5)


async def test_wait_for_ignores_messages_of_another_channel(pair):
    one, other = pair
    await other.wait_for(CHANNEL, 30)
    await one.publish("another channel")
    assert await seconds_of(other.wait_for(CHANNEL, 0.2)) >= 0.2 - TICK_SECONDS


async def test_wait_for_returns_at_once_when_it_subscribes(pair):
    assert await seconds_of(pair[0].wait_for(CHANNEL, 30)) < 5


async def test_wait_for_receives_again_after_redis_restarts(redis, pair, caplog):
    one, other = pair
    await other.wait_for(CHANNEL, 30)
    assert await other.state() == "ok"
    redis.stop()
    await one.publish(CHANNEL)
    for _ in range(2):
        await other.wait_for(CHANNEL, 0.1)
    assert await other.state() == "down"
    assert [record.message for record in caplog.records].count(
        "pubsub: Redis is not available: ConnectionError"
    ) == 2, "each process logs it once"
    redis.start()
    await other.wait_for(CHANNEL, 0.1)
    waiting = asyncio.create_task(other.wait_for(CHANNEL, 30))
    await asyncio.sleep(0)
    await one.publish(CHANNEL)
    await asyncio.wait_for(waiting, 5)
    assert await other.state() == "ok"


async def test_wait_for_receives_again_after_its_transport_was_closed(pair):
    """Write to a transport that uvloop has closed: it raises RuntimeError."""
    one, other = pair
    await other.wait_for(CHANNEL, 30)
    other._subscriptions[CHANNEL].connection._writer.transport.abort()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="handler is closed"):
        await other._subscriptions[CHANNEL].ping()
    for _ in range(2):
        await other.wait_for(CHANNEL, 0.1)
    waiting = asyncio.create_task(other.wait_for(CHANNEL, 30))
    await asyncio.sleep(0)
    await one.publish(CHANNEL)
    assert await asyncio.wait_for(waiting, 5)


async def test_wait_for_sleeps_when_there_is_no_redis():
    pubsub = pubsub_at("")
    assert isinstance(pubsub, NoPubSub)
    await pubsub.publish(CHANNEL)
    assert await seconds_of(pubsub.wait_for(CHANNEL, 0.05)) >= 0.05 - TICK_SECONDS
    assert await pubsub.state() == "disabled"
    await pubsub.close()


async def test_publish_and_wait_for_return_when_redis_never_answered():
    pubsub = RedisPubSub("redis://127.0.0.1:1/0")
    await pubsub.publish(CHANNEL)
    await pubsub.wait_for(CHANNEL, 0.01)
    assert await pubsub.state() == "down"
    await pubsub.close()


async def test_state_is_down_when_redis_is_unresponsive(redis, pair):
    one, _ = pair
    assert await one.state() == "ok"
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        async with asyncio.timeout(10):
            assert await one.state() == "down"
            await one.publish(CHANNEL)
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    assert await one.state() == "ok"


async def test_wait_for_keeps_subscription_longer_than_socket_timeout(pair, caplog):
    one, other = pair
    await other.wait_for(CHANNEL, 30)
    assert await seconds_of(other.wait_for(CHANNEL, 3)) >= 3 - TICK_SECONDS
    waiting = asyncio.create_task(other.wait_for(CHANNEL, 30))
    await asyncio.sleep(0)
    await one.publish(CHANNEL)
    await asyncio.wait_for(waiting, 5)
    assert caplog.records == []
