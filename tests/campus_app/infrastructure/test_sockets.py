"""How much one visitor, and one address, may ask of the socket."""

import anyio
import anyio.lowlevel
import pytest

from campus_app.infrastructure.sockets import LimitedSockets, SocketAllowance

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
    app = LimitedSockets(stay, "/_event", SocketAllowance(per_address=2))
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

    app = LimitedSockets(break_off, "/_event", SocketAllowance(per_address=1))
    for _ in range(3):
        with pytest.raises(ConnectionResetError):
            await app(scope(), Line().receive, Line().send)


async def test_who_floods_is_read_no_faster_than_is_allowed():
    read = []

    async def flood():
        return {"type": "websocket.receive", "text": "x"}

    async def count(_scope, receive, _send):
        with anyio.move_on_after(0.5):
            while True:
                read.append(await receive())
                await anyio.lowlevel.checkpoint()

    allowance = SocketAllowance(per_address=1, messages_per_second=20, messages_at_once=10)
    await LimitedSockets(count, "/_event", allowance)(scope(), flood, Line().send)
    assert 10 <= len(read) <= 21
    read.clear()
    await LimitedSockets(count, "/elsewhere", allowance)(scope(), flood, Line().send)
    assert len(read) > 200  # which is what an unlimited socket lets through
