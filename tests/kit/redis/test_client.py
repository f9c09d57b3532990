"""A line to Redis that is closed already is known to be lost, whatever the event loop says."""

import asyncio

import pytest
from redis.asyncio import Redis, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import ConnectionError as LineLost

from kit.redis.client import noticing, redis_at

pytestmark = pytest.mark.anyio


async def ping_over_a_closed_line(client):
    """Listen, lose the line, and write to it before anybody has been told."""
    ear = client.pubsub()
    await ear.subscribe("anything")
    ear.connection._writer.transport.abort()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    try:
        await ear.ping()
    finally:
        await ear.aclose()
        await client.aclose()


@pytest.mark.parametrize("patience", [None, 2.0])
async def test_a_line_that_is_closed_is_lost(redis, patience):
    with pytest.raises(LineLost):
        await ping_over_a_closed_line(redis_at(redis.url, socket_timeout=patience))


async def test_left_to_itself_the_client_takes_it_for_our_mistake(redis):
    """The negative control of the test above."""
    with pytest.raises(RuntimeError, match="handler is closed"):
        await ping_over_a_closed_line(Redis.from_url(redis.url))


async def test_a_mistake_of_ours_stays_one(redis, monkeypatch):
    client = redis_at(redis.url)
    await client.ping()
    (line,) = client.connection_pool._available_connections

    def write(_lines):
        raise RuntimeError("attached to a different loop")

    monkeypatch.setattr(line._writer, "writelines", write)
    with pytest.raises(RuntimeError, match="different loop"):
        await line.send_command("PING")
    await client.aclose()


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("rediss://127.0.0.1:1/0", SSLConnection),
        ("unix:///nowhere/redis.sock", UnixDomainSocketConnection),
    ],
)
def test_every_kind_of_line_is_looked_after(url, kind):
    client = redis_at(url)
    line = client.connection_pool.make_connection()
    assert isinstance(line, kind)
    assert type(noticing(client).connection_pool.make_connection()) is type(line)
