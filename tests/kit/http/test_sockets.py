"""Limits on sockets and messages, per session and per address. Time is virtual."""

import asyncio
from collections import Counter

import anyio
import anyio.lowlevel
import pytest

from kit.http.sockets import SocketAllowance, SocketLimits, page_count
from tests.helpers.virtual_time import VirtualTimeLoop

pytestmark = pytest.mark.anyio


MANY = 300
"""What ends a flood that no limit delays: the clock stands still meanwhile."""


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio", {"loop_factory": VirtualTimeLoop}


async def test_control_time_is_virtual():
    assert isinstance(asyncio.get_running_loop(), VirtualTimeLoop)


def scope(address="10.0.0.1", path="/_event/"):
    return {"type": "websocket", "path": path, "client": (address, 1)}


class Socket:
    """One end of a socket that stays open until `leave` is set."""

    def __init__(self):
        self.sent = []
        self.leave = anyio.Event()

    async def receive(self):
        await self.leave.wait()
        return {"type": "websocket.disconnect"}

    async def send(self, message):
        self.sent.append(message["type"])


async def stay(_scope, receive, send):
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def connected(tasks, app, socket, **where):
    tasks.start_soon(app, scope(**where), socket.receive, socket.send)
    await anyio.wait_all_tasks_blocked()
    return socket.sent


async def test_page_count_counts_the_sockets_of_pages_alone():
    app = SocketLimits(stay, ("/_event", "/board"), SocketAllowance(per_address=2))
    page, other = Socket(), Socket()
    before = page_count()
    async with anyio.create_task_group() as tasks:
        await connected(tasks, app, page)
        await connected(tasks, app, other, path="/board")
        assert page_count() == (before.opened + 1, before.closed)
        page.leave.set()
        other.leave.set()
    assert page_count() == (before.opened + 1, before.closed + 1)


async def test_sockets_per_address_are_limited():
    app = SocketLimits(stay, ("/_event",), SocketAllowance(per_address=2))
    sockets = [Socket() for _ in range(5)]
    async with anyio.create_task_group() as tasks:
        assert await connected(tasks, app, sockets[0]) == ["websocket.accept"]
        assert await connected(tasks, app, sockets[1]) == ["websocket.accept"]
        sockets[2].leave.set()  # so that receive() returns at once
        assert await connected(tasks, app, sockets[2]) == ["websocket.close"]
        assert await connected(tasks, app, sockets[3], address="10.0.0.2") == ["websocket.accept"]
        sockets[0].leave.set()
        await anyio.wait_all_tasks_blocked()
        assert await connected(tasks, app, sockets[4]) == ["websocket.accept"]
        for socket in sockets:
            socket.leave.set()


async def test_broken_socket_is_not_counted():
    async def break_off(_scope, _receive, _send):
        raise ConnectionResetError

    app = SocketLimits(break_off, ("/_event",), SocketAllowance(per_address=1))
    for _ in range(3):
        with pytest.raises(ConnectionResetError):
            await app(scope(), Socket().receive, Socket().send)


async def read_all(_scope, receive, _send):
    while True:
        await receive()


def allowance(of_session=(10_000, 10_000), of_address=(10_000, 10_000)):
    """Return the allowance of one socket with these messages per second and at once."""
    return SocketAllowance(1, *of_session, *of_address)


@pytest.mark.parametrize(
    ("allowance", "most"),
    [
        pytest.param(allowance(of_session=(40, 60)), 80, id="of a session"),
        pytest.param(allowance(of_address=(40, 60)), 80, id="of an address"),
    ],
)
async def test_messages_are_read_no_faster_than_allowed(allowance, most):
    read = []

    async def flood():
        return {"type": "websocket.receive", "text": "3"}

    async def count(_scope, receive, _send):
        with anyio.move_on_after(0.5):
            while len(read) < MANY:
                read.append(await receive())
                await anyio.lowlevel.checkpoint()

    await SocketLimits(count, ("/_event",), allowance)(scope(), flood, Socket().send)
    assert most - 20 <= len(read) <= most + 20  # they are checked in batches of twenty
    read.clear()
    await SocketLimits(count, ("/elsewhere",), allowance)(scope(), flood, Socket().send)
    assert len(read) == MANY  # which is what an unlimited socket lets through


async def read_in_half_a_second(allowance, addresses):
    """Return how much is read of sockets from these addresses, all of which flood."""
    app, read = SocketLimits(read_all, ("/_event",), allowance), Counter()

    async def flood_from(number, address):
        async def flood():
            read[number] += 1
            assert read[number] < MANY
            await anyio.lowlevel.checkpoint()
            return {"type": "websocket.receive", "text": "3"}

        await app(scope(address), flood, Socket().send)

    with anyio.move_on_after(0.5):
        async with anyio.create_task_group() as tasks:
            for number, address in enumerate(addresses):
                tasks.start_soon(flood_from, number, address)
    return [read[number] for number in range(len(addresses))]


async def test_messages_of_an_address_are_limited_over_all_its_sockets():
    allowance = SocketAllowance(9, 1_000, 1_000, of_address_per_second=40, of_address_at_once=60)
    addresses = [f"2001:db8:0:{number // 5}::{number}" for number in range(10)]
    read = await read_in_half_a_second(allowance, addresses)
    for neighbours in (read[:5], read[5:]):
        # 60 at once, 20 in half a second, and an unchecked batch of each of the five sockets.
        assert 60 <= sum(neighbours) <= 60 + 20 + 5 * 20


async def test_waiting_socket_takes_no_permits_of_its_address():
    allowance = SocketAllowance(9, 20, 20, of_address_per_second=1, of_address_at_once=1_000)
    # Far from the address's thousand, each is held by its own twenty alone.
    assert await read_in_half_a_second(allowance, ["10.0.0.1"] * 5) == [40] * 5


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param({"bytes": b"x"}, id="binary"),
        pytest.param({"bytes": b"x", "text": None}, id="binary without text"),
        pytest.param({"text": '451-/_event,["event",{}]'}, id="an event with attachments"),
        pytest.param({"text": "461-/_event,1[]"}, id="an acknowledgement with attachments"),
        pytest.param({"text": '\u0664\u06651-/_event,["event",{}]'}, id="digits of another script"),
        pytest.param({"text": '4\u06651-/_event,["event",{}]'}, id="a digit of another script"),
        pytest.param({"text": '4"51-/_event,[]"'}, id="an event with attachments in JSON"),
        pytest.param({"text": '4 "51-/_event,[]"'}, id="an event with attachments behind a space"),
        pytest.param({"text": "bAAAA"}, id="base64"),
        pytest.param({"text": ""}, id="nothing"),
    ],
)
async def test_socket_is_closed_when_message_is_binary(frame):
    socket, received = Socket(), []

    async def receive():
        return {"type": "websocket.receive", **frame}

    async def read_one(_scope, receive, _send):
        received.append(await receive())

    app = SocketLimits(read_one, ("/_event",), SocketAllowance(per_address=1))
    await app(scope(), receive, socket.send)
    assert socket.sent == ["websocket.close"]
    assert [each["type"] for each in received] == ["websocket.disconnect"]


@pytest.mark.parametrize("text", ["3", "5", "40/_event,{}", "41/_event,", "42/_event,[]", "43[]"])
async def test_socket_stays_open_when_packet_is_of_a_page(text):
    socket, received = Socket(), []

    async def receive():
        return {"type": "websocket.receive", "text": text}

    async def read_one(_scope, receive, _send):
        received.append(await receive())

    app = SocketLimits(read_one, ("/_event",), SocketAllowance(per_address=1))
    await app(scope(), receive, socket.send)
    assert (socket.sent, [each["text"] for each in received]) == ([], [text])


async def test_bytes_are_read_no_faster_than_allowed():
    read = []

    async def flood():
        return {"type": "websocket.receive", "text": "3" * 64 * 1024}

    async def count(_scope, receive, _send):
        with anyio.move_on_after(0.5):
            while len(read) < MANY:
                read.append(await receive())
                await anyio.lowlevel.checkpoint()

    await SocketLimits(count, ("/_event",), allowance(of_session=(30, 60)))(
        scope(), flood, Socket().send
    )
    # A message of 64 kB counts as 16: 60 at once, 15 in half a second, and an unchecked batch.
    assert 2 <= len(read) <= 6
