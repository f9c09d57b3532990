"""The gate of sockets: open while Redis answers, closed with every socket while it does not."""

import asyncio
import os
import signal
import threading
import time
from socket import socketpair

import pytest

from kit.redis.gate import RedisGate
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

PATH = "/_event"
CLOSE = {"type": "websocket.close", "code": 1013}


class Socket:
    """A socket that stays open until the test ends; what the server sent is in `sent`."""

    def __init__(self, path=PATH):
        self.scope = {"type": "websocket", "path": path}
        self.has_opened = asyncio.Event()
        self.sent = []
        self.is_broken = False

    async def app(self, scope, receive, send):
        self.has_opened.set()
        await asyncio.Event().wait()

    async def send(self, message):
        if self.is_broken:
            raise RuntimeError("it is closed already")
        self.sent.append(message)

    def open_through(self, gate):
        return asyncio.create_task(gate.wrap(self.app)(self.scope, None, self.send))


@pytest.fixture
async def gate(redis):
    gate = RedisGate(redis.url, PATH)
    async with gate.watch():
        await eventually(lambda: is_open(gate), "the gate is open")
        yield gate


async def is_open(gate):
    socket = Socket()
    task = socket.open_through(gate)
    await asyncio.sleep(0)
    task.cancel()
    return socket.has_opened.is_set()


async def is_shut(gate):
    return not await is_open(gate)


async def test_gate_refuses_sockets_when_redis_never_answered():
    gate, socket, other = RedisGate("redis://127.0.0.1:1/0", PATH), Socket(), Socket("/api/live")
    async with gate.watch():
        await asyncio.sleep(0.3)
        await socket.open_through(gate)
        assert socket.sent == [CLOSE]
        task = other.open_through(gate)
        await asyncio.wait_for(other.has_opened.wait(), 5)
        task.cancel()


async def test_gate_closes_open_sockets_when_redis_stops(gate, redis, caplog):
    first, broken, last = sockets = [Socket(), Socket(), Socket()]
    broken.is_broken = True
    tasks = [each.open_through(gate) for each in sockets]
    for each in sockets:
        await asyncio.wait_for(each.has_opened.wait(), 5)
    redis.stop()
    await eventually(lambda: first.sent == last.sent == [CLOSE], "both are closed")
    assert await is_shut(gate)
    redis.start()
    await eventually(lambda: is_open(gate), "the gate is open again")
    assert [record.message for record in caplog.records] == [
        "redis: no answer: ConnectionError",
        "redis: available again",
    ]
    for task in tasks:
        task.cancel()


async def test_gate_closes_open_sockets_when_redis_restarts_at_once(gate, redis):
    socket = Socket()
    task = socket.open_through(gate)
    await asyncio.wait_for(socket.has_opened.wait(), 5)
    redis.stop()
    redis.start()
    await eventually(lambda: socket.sent == [CLOSE], "it is closed")
    await eventually(lambda: is_open(gate), "the gate is open again")
    task.cancel()


async def test_gate_shuts_when_redis_is_unresponsive(gate, redis):
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        await eventually(lambda: is_shut(gate), "the gate is shut")
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    await eventually(lambda: is_open(gate), "the gate is open again")


def stall():
    time.sleep(2.5)


async def stall_in_a_task():
    stall()


async def stall_while_a_socket_is_read():
    loop, (ours, theirs) = asyncio.get_running_loop(), socketpair()
    with ours, theirs:
        loop.add_reader(ours, lambda: (loop.remove_reader(ours), stall()))
        theirs.send(b"x")
        await asyncio.sleep(0.1)


async def until_a_ping_waits(redis):
    """Stop Redis until a ping waits, and not so long that it waits in vain."""
    while True:
        began = time.monotonic()
        os.kill(redis.pid, signal.SIGSTOP)
        await asyncio.sleep(0.4)
        if time.monotonic() - began < 1:
            return
        os.kill(redis.pid, signal.SIGCONT)  # the machine itself has stalled
        await asyncio.sleep(0.4)


@pytest.mark.parametrize("stalled", [stall_in_a_task, stall_while_a_socket_is_read])
async def test_gate_stays_open_when_the_answer_arrives_during_a_stall(gate, redis, stalled):
    socket = Socket()
    task = socket.open_through(gate)
    await asyncio.wait_for(socket.has_opened.wait(), 5)
    await until_a_ping_waits(redis)
    threading.Timer(0.2, os.kill, (redis.pid, signal.SIGCONT)).start()
    await stalled()
    await asyncio.sleep(0.5)
    assert socket.sent == []
    assert await is_open(gate)
    task.cancel()
