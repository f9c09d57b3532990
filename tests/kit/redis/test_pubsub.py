"""Messages between processes: received at once with Redis, and replaced by a delay without it."""

import asyncio
import contextlib
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


@pytest.fixture
async def listen():
    """Returns a function that subscribes: it returns the messages after the first value."""
    async with contextlib.AsyncExitStack() as stack:

        async def listen(pubsub, seconds=30.0):
            messages = pubsub.messages(CHANNEL, seconds)
            await stack.enter_async_context(contextlib.aclosing(messages))
            assert await asyncio.wait_for(anext(messages), 5) is False
            return messages

        yield listen


async def seconds_of(waiting):
    start = time.monotonic()
    await waiting
    return time.monotonic() - start


async def next_after_message(messages, publisher):
    """Publish while the next value is awaited, and return it."""
    waiting = asyncio.create_task(anext(messages))
    await asyncio.sleep(0)
    await publisher.publish(CHANNEL)
    return await asyncio.wait_for(waiting, 5)


async def test_message_of_another_process_is_received(pair, listen):
    one, other = pair
    assert await next_after_message(await listen(other), one)


async def test_message_of_another_channel_is_not_received(pair, listen):
    one, other = pair
    messages = await listen(other, 0.2)
    await one.publish("another channel")
    assert await seconds_of(anext(messages)) >= 0.2 - TICK_SECONDS


async def test_two_listeners_of_one_process_receive_each_message(pair, listen, caplog):
    """They share no connection: one reader would take the other's message, or fail beside it."""
    one, other = pair
    both = [await listen(other), await listen(other)]
    for _ in range(2):
        waiting = [asyncio.create_task(anext(each)) for each in both]
        await asyncio.sleep(0)
        await one.publish(CHANNEL)
        assert await asyncio.wait_for(asyncio.gather(*waiting), 5) == [True, True]
    assert caplog.records == []


async def test_messages_are_received_again_after_redis_restarts(redis, pair, listen, caplog):
    one, other = pair
    messages = await listen(other, 0.1)
    assert await other.state() == "ok"
    redis.stop()
    await one.publish(CHANNEL)
    for _ in range(2):
        assert not await anext(messages)
    assert await other.state() == "down"
    assert [record.message for record in caplog.records].count(
        "pubsub: Redis is not available: ConnectionError"
    ) == 2, "each process logs it once"
    redis.start()
    assert await received(messages, one)
    assert await other.state() == "ok"


async def received(messages, publisher):
    """Publish until a message is received, for at most five seconds."""
    async with asyncio.timeout(5):
        await publisher.publish(CHANNEL)
        while not await anext(messages):
            await publisher.publish(CHANNEL)
    return True


async def test_messages_are_received_again_after_their_transport_was_closed(pair, listen):
    """Write to a transport that uvloop has closed: it raises RuntimeError."""
    one, other = pair
    messages = await listen(other, 0.1)
    subscription = messages.ag_frame.f_locals["subscription"]
    subscription.connection._writer.transport.abort()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="handler is closed"):
        await subscription.ping()
    assert await received(messages, one)


async def test_value_comes_regularly_when_there_is_no_redis():
    pubsub = pubsub_at("")
    assert isinstance(pubsub, NoPubSub)
    await pubsub.publish(CHANNEL)
    messages = pubsub.messages(CHANNEL, 0.05)
    assert await anext(messages) is False
    assert await seconds_of(anext(messages)) >= 0.05 - TICK_SECONDS
    assert await pubsub.state() == "disabled"
    await messages.aclose()
    await pubsub.close()


async def test_publish_and_messages_go_on_when_redis_never_answered():
    pubsub = RedisPubSub("redis://127.0.0.1:1/0")
    await pubsub.publish(CHANNEL)
    messages = pubsub.messages(CHANNEL, 0.01)
    assert [await anext(messages) for _ in range(2)] == [False, False]
    assert await pubsub.state() == "down"
    await messages.aclose()
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


async def test_subscription_lasts_longer_than_socket_timeout(pair, listen, caplog):
    one, other = pair
    messages = await listen(other, 3)
    assert await seconds_of(anext(messages)) >= 3 - TICK_SECONDS
    assert await next_after_message(messages, one)
    assert caplog.records == []
