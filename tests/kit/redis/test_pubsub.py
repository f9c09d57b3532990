"""Word between processes: heard where Redis is, and no more than a delay where it is not."""

import asyncio
import os
import signal
import time

import pytest

from kit.redis.pubsub import NoRelay, RedisRelay, relay_to
from tests.helpers.waiting import TICK_SECONDS

pytestmark = pytest.mark.anyio

NAME = "switches"


@pytest.fixture
async def relays(redis):
    """Two processes of one deployment."""
    one, other = relay_to(redis.url), relay_to(redis.url)
    yield one, other
    await one.close()
    await other.close()


async def seconds_of(waiting):
    start = time.monotonic()
    await waiting
    return time.monotonic() - start


async def test_what_one_process_tells_the_other_hears_at_once(relays):
    one, other = relays
    await other.heard(NAME, 30)
    waiting = asyncio.create_task(other.heard(NAME, 30))
    await asyncio.sleep(0)
    await one.tell(NAME)
    await asyncio.wait_for(waiting, 5)


async def test_word_of_something_else_is_not_heard(relays):
    one, other = relays
    await other.heard(NAME, 30)
    await one.tell("something else")
    assert await seconds_of(other.heard(NAME, 0.2)) >= 0.2 - TICK_SECONDS


async def test_whoever_begins_to_listen_looks_at_once(relays):
    assert await seconds_of(relays[0].heard(NAME, 30)) < 5


async def test_a_relay_that_is_lost_costs_a_delay_and_is_found_again(redis, relays, caplog):
    one, other = relays
    await other.heard(NAME, 30)
    assert await other.state() == "ok"
    redis.stop()
    await one.tell(NAME)
    for _ in range(2):
        await other.heard(NAME, 0.1)
    assert await other.state() == "down"
    assert [record.message for record in caplog.records].count(
        "relay: Redis is away: ConnectionError"
    ) == 2, "each process says it once"
    redis.start()
    await other.heard(NAME, 0.1)
    waiting = asyncio.create_task(other.heard(NAME, 30))
    await asyncio.sleep(0)
    await one.tell(NAME)
    await asyncio.wait_for(waiting, 5)
    assert await other.state() == "ok"


async def test_one_process_alone_only_waits():
    relay = relay_to("")
    assert isinstance(relay, NoRelay)
    await relay.tell(NAME)
    assert await seconds_of(relay.heard(NAME, 0.05)) >= 0.05 - TICK_SECONDS
    assert await relay.state() == "disabled"
    await relay.close()


async def test_a_redis_that_was_never_there_stops_nobody():
    relay = RedisRelay("redis://127.0.0.1:1/0")
    await relay.tell(NAME)
    await relay.heard(NAME, 0.01)
    assert await relay.state() == "down"
    await relay.close()


async def test_a_redis_that_does_not_answer_is_down_in_seconds(redis, relays):
    one, _ = relays
    assert await one.state() == "ok"
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        async with asyncio.timeout(10):
            assert await one.state() == "down"
            await one.tell(NAME)
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    assert await one.state() == "ok"


async def test_who_listens_for_longer_than_redis_may_be_silent_goes_on_listening(relays, caplog):
    one, other = relays
    await other.heard(NAME, 30)
    assert await seconds_of(other.heard(NAME, 3)) >= 3 - TICK_SECONDS
    waiting = asyncio.create_task(other.heard(NAME, 30))
    await asyncio.sleep(0)
    await one.tell(NAME)
    await asyncio.wait_for(waiting, 5)
    assert caplog.records == []
