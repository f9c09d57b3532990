"""A TCP proxy that delays everything, like a phone's connection, and counts the bytes."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass

_CHUNK_BYTES = 1 << 16


@dataclass
class DelayProxy:
    """Each direction is delayed by half of `round_trip_seconds`, which may change at any time."""

    port: int
    round_trip_seconds: float = 0.0
    sent_bytes: int = 0
    received_bytes: int = 0
    """What clients have sent to the target, and received from it."""

    def take_bytes(self) -> tuple[int, int]:
        """Return the bytes sent and received since the last call."""
        counted = self.sent_bytes, self.received_bytes
        self.sent_bytes = self.received_bytes = 0
        return counted


@contextlib.contextmanager
def delay_proxy(port: int, target_port: int) -> Iterator[DelayProxy]:
    """Listen on `port` of this machine, and forward connections to `target_port`."""
    proxy, loop = DelayProxy(port), asyncio.new_event_loop()
    stop, ready = asyncio.Event(), threading.Event()
    connections: set[asyncio.Task[None]] = set()

    async def run() -> None:
        async with await asyncio.start_server(accept, "127.0.0.1", port):
            ready.set()
            await stop.wait()
            for connection in connections:
                connection.cancel()
            await asyncio.gather(*connections, return_exceptions=True)

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = loop.create_task(connect(reader, writer))
        connections.add(connection)
        connection.add_done_callback(connections.discard)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target_reader, target_writer = await asyncio.open_connection("127.0.0.1", target_port)
        try:
            await asyncio.gather(
                forward(reader, target_writer, "sent_bytes"),
                forward(target_reader, writer, "received_bytes"),
            )
            await asyncio.sleep(proxy.round_trip_seconds / 2)  # for the last chunks
        finally:
            for each in (writer, target_writer):
                each.close()
            for each in (writer, target_writer):
                with contextlib.suppress(ConnectionError):
                    await each.wait_closed()

    async def forward(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counter: str
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while chunk := await reader.read(_CHUNK_BYTES):
                setattr(proxy, counter, getattr(proxy, counter) + len(chunk))
                loop.call_later(proxy.round_trip_seconds / 2, writer.write, chunk)
        loop.call_later(proxy.round_trip_seconds / 2, writer.close)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
