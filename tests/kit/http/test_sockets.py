"""How much one visitor, and one address, may ask of the socket."""

from collections import Counter

import anyio
import anyio.lowlevel
import pytest

from kit.http.sockets import LimitedSockets, SocketAllowance

pytestmark = pytest.mark.anyio


def scope(address="10.0.0.1", path="/_event/"):
    return {"type": "websocket", "path": path, "client": (address, 1)}


class Line:
    """One end of a socket that stays open until it is told to go."""

    def __init__(self):
        self.said = []
        self.leave = anyio.Event()

    async def receive(self):
        await self.leave.wait()
        return {"type": "websocket.disconnect"}

    async def send(self, message):
        self.said.append(message["type"])


async def stay(_scope, receive, send):
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def connected(tasks, app, line, **where):
    tasks.start_soon(app, scope(**where), line.receive, line.send)
    await anyio.wait_all_tasks_blocked()
    return line.said


async def test_an_address_has_so_many_sockets_and_another_has_its_own():
    app = LimitedSockets(stay, ("/_event",), SocketAllowance(per_address=2))
    lines = [Line() for _ in range(5)]
    async with anyio.create_task_group() as tasks:
        assert await connected(tasks, app, lines[0]) == ["websocket.accept"]
        assert await connected(tasks, app, lines[1]) == ["websocket.accept"]
        lines[2].leave.set()  # its wish to connect is there at once
        assert await connected(tasks, app, lines[2]) == ["websocket.close"]
        assert await connected(tasks, app, lines[3], address="10.0.0.2") == ["websocket.accept"]
        lines[0].leave.set()
        await anyio.wait_all_tasks_blocked()
        assert await connected(tasks, app, lines[4]) == ["websocket.accept"]
        for line in lines:
            line.leave.set()


async def test_a_socket_that_breaks_off_is_counted_no_longer():
    async def break_off(_scope, _receive, _send):
        raise ConnectionResetError

    app = LimitedSockets(break_off, ("/_event",), SocketAllowance(per_address=1))
    for _ in range(3):
        with pytest.raises(ConnectionResetError):
            await app(scope(), Line().receive, Line().send)


async def read_all(_scope, receive, _send):
    while True:
        await receive()


@pytest.mark.parametrize(
    ("allowance", "most"),
    [
        pytest.param(SocketAllowance(1, 40, 60, 10_000, 10_000), 80, id="of a session"),
        pytest.param(SocketAllowance(1, 10_000, 10_000, 40, 60), 80, id="of an address"),
    ],
)
async def test_who_floods_is_read_no_faster_than_is_allowed(allowance, most):
    read = []

    async def flood():
        return {"type": "websocket.receive", "text": "x"}

    async def count(_scope, receive, _send):
        with anyio.move_on_after(0.5):
            while True:
                read.append(await receive())
                await anyio.lowlevel.checkpoint()

    await LimitedSockets(count, ("/_event",), allowance)(scope(), flood, Line().send)
    assert most - 20 <= len(read) <= most + 20  # they are counted by twenties
    read.clear()
    await LimitedSockets(count, ("/elsewhere",), allowance)(scope(), flood, Line().send)
    assert len(read) > 200  # which is what an unlimited socket lets through


async def read_in_half_a_second(allowance, addresses):
    """Return how much is read of sockets from these addresses, all of which flood."""
    app, read = LimitedSockets(read_all, ("/_event",), allowance), Counter()

    async def flood_from(number, address):
        async def flood():
            read[number] += 1
            await anyio.lowlevel.checkpoint()
            return {"type": "websocket.receive", "text": "x"}

        await app(scope(address), flood, Line().send)

    with anyio.move_on_after(0.5):
        async with anyio.create_task_group() as tasks:
            for number, address in enumerate(addresses):
                tasks.start_soon(flood_from, number, address)
    return [read[number] for number in range(len(addresses))]


async def test_an_address_that_floods_over_many_sockets_is_read_no_faster_than_is_allowed():
    allowance = SocketAllowance(9, 1_000, 1_000, of_address_per_second=40, of_address_at_once=60)
    addresses = [f"2001:db8:0:{number // 5}::{number}" for number in range(10)]
    read = await read_in_half_a_second(allowance, addresses)
    for neighbours in (read[:5], read[5:]):
        # 60 at once, 20 in half a second, and each of the five has sent what is not yet counted.
        assert 60 <= sum(neighbours) <= 60 + 20 + 5 * 20


async def test_a_socket_that_waits_takes_no_turns_of_its_neighbours():
    allowance = SocketAllowance(9, 20, 20, of_address_per_second=1, of_address_at_once=1_000)
    # Far from the address's thousand, each is held by its own twenty alone.
    assert await read_in_half_a_second(allowance, ["10.0.0.1"] * 5) == [40] * 5
