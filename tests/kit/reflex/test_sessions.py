"""Sessions change hands when their process dies, and only then."""

import asyncio
import pickle

import pytest
from redis.asyncio import Redis
from reflex.utils.token_manager import RedisTokenManager

from kit.redis.heartbeat import Presence
from kit.reflex.sessions import Line, SharedSessions
from tests.helpers.waiting import eventually
from tests.kit.redis.test_heartbeat import Present

pytestmark = pytest.mark.anyio

TOKEN = "a-token"
LOCK = "a-token_lock"
NOBODY = "redis://127.0.0.1:1/0"


@pytest.fixture
async def pair(redis):
    """Two processes, with the sessions that each of them has."""
    async with Present(redis.url).running() as one, Present(redis.url).running() as other:
        await eventually(lambda: one.presence.is_here and other.presence.is_here, "both are here")
        for each in (one, other):
            each.sessions = SharedSessions(Redis.from_url(redis.url), each.presence)
        yield one, other
        for each in (one, other):
            await each.sessions.close()


async def test_the_session_of_a_dead_process_is_taken_over_with_the_lock_it_held(pair, client):
    one, other = pair
    assert await one.sessions.link_token_to_sid(TOKEN, "its socket") is None
    await client.set(LOCK, "an event of the process that dies", px=60_000)
    await one.vanish()
    await eventually(lambda: is_gone(other, one), "it is gone")
    assert await other.sessions.link_token_to_sid(TOKEN, "a new socket") is None
    assert await client.exists(LOCK) == 0
    assert await owner(client) == other.presence.id


async def test_the_frameworks_own_way_would_begin_another_session(pair, redis):
    """The negative control of the test above."""
    one, other = pair
    await one.sessions.link_token_to_sid(TOKEN, "its socket")
    await one.vanish()
    await eventually(lambda: is_gone(other, one), "it is gone")
    stock = RedisTokenManager(Redis.from_url(redis.url))
    assert await stock.link_token_to_sid(TOKEN, "a new socket") not in {None, TOKEN}
    await stock.close()


async def test_a_second_tab_with_the_token_of_the_first_gets_a_session_of_its_own(pair, client):
    one, other = pair
    await one.sessions.link_token_to_sid(TOKEN, "the first tab")
    await client.set(LOCK, "an event that is being worked on", px=60_000)
    assert await other.sessions.link_token_to_sid(TOKEN, "the second tab") is not None
    assert await one.sessions.link_token_to_sid(TOKEN, "a third tab") is not None
    assert await client.exists(LOCK) == 1
    assert await owner(client) == one.presence.id


@pytest.mark.parametrize("of", ["the same process", "the other process"])
async def test_a_page_that_is_back_before_its_last_socket_is_missed_keeps_its_session(
    pair, client, of
):
    one, other = pair
    await one.sessions.link_token_to_sid(TOKEN, "the last socket")
    next_one = one if of == "the same process" else other
    linking = asyncio.create_task(next_one.sessions.link_token_to_sid(TOKEN, "the next socket"))
    await asyncio.sleep(0.05)
    assert not linking.done()
    await one.sessions.disconnect_token(TOKEN, "the last socket")
    assert await linking is None
    assert await owner(client) == next_one.presence.id


async def test_a_page_that_is_back_before_its_process_is_known_to_be_dead_keeps_its_session(
    pair, client
):
    one, other = pair
    await one.sessions.link_token_to_sid(TOKEN, "the last socket")
    linking = asyncio.create_task(other.sessions.link_token_to_sid(TOKEN, "the next socket"))
    await asyncio.sleep(0.05)
    await one.vanish()
    assert await linking is None
    assert await owner(client) == other.presence.id


async def test_a_process_takes_back_what_it_knows_nothing_of(pair, client):
    one, _ = pair
    await one.sessions.link_token_to_sid(TOKEN, "a socket")
    one.sessions.token_to_socket.clear()
    one.sessions.sid_to_token.clear()
    assert await one.sessions.link_token_to_sid(TOKEN, "the next socket") is None


async def test_sockets_that_closed_while_redis_was_away_are_taken_back_when_it_returns(
    pair, client
):
    one, other = pair
    await one.sessions.link_token_to_sid(TOKEN, "a socket")
    one.presence.is_here = False
    await one.sessions.disconnect_token(TOKEN, "a socket")
    assert await owner(client) == one.presence.id, "Redis was not asked"
    await one.sessions.take_back()
    assert await other.sessions.link_token_to_sid(TOKEN, "a socket of the other") is None


async def test_the_frameworks_listeners_end_with_redis_and_begin_with_the_next_socket(pair):
    one, _ = pair
    await one.sessions.link_token_to_sid(TOKEN, "a socket")
    listener = one.sessions._socket_record_task
    one.sessions.stop_listening()
    await eventually(listener.done, "it ends")
    await one.sessions.link_token_to_sid("another token", "the next socket")
    assert not one.sessions._socket_record_task.done()


async def test_no_session_can_be_opened_while_redis_is_away():
    reached, said = [], []

    async def app(scope, receive, send):
        reached.append(scope["path"])

    async def send(message):
        said.append((message["type"], message.get("status", message.get("code"))))

    line = Line(Presence(NOBODY))
    gate = line.wrap(app)
    await gate({"type": "websocket", "path": "/_event/"}, None, send)
    await gate({"type": "http", "path": "/_event/"}, None, send)
    await gate({"type": "http", "path": "/health"}, None, send)
    assert reached == ["/health"]
    assert said == [
        ("websocket.close", 1013),
        ("http.response.start", 503),
        ("http.response.body", None),
    ]


async def test_every_open_socket_is_closed_when_redis_is_lost():
    presence = Presence(NOBODY)
    presence.is_here = True
    line, said = Line(presence), []

    async def app(scope, receive, send):
        await line.hang_up()

    async def send(message):
        said.append(message)

    async def broken(message):
        raise RuntimeError("it is closed already")

    await line.wrap(app)({"type": "websocket", "path": "/_event/"}, None, send)
    await line.wrap(app)({"type": "websocket", "path": "/_event/"}, None, broken)
    await line.hang_up()
    assert said == [{"type": "websocket.close", "code": 1013}]


async def is_gone(seen_by, process):
    return not await seen_by.presence.lives(process.presence.id)


async def owner(client):
    record = await client.get(f"token_manager_socket_record_{TOKEN}")
    return pickle.loads(record).instance_id
