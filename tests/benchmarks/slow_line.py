"""A line to a server of this machine that takes its time, as a phone's does."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass

_CHUNK_BYTES = 1 << 16


@dataclass
class SlowLine:
    """What goes through takes half of `round_trip_seconds` either way."""

    port: int
    round_trip_seconds: float = 0.0


@contextlib.contextmanager
def slow_line(port: int, to_port: int) -> Iterator[SlowLine]:
    """Listen on a port, and pass on to another what comes, after a while."""
    line, loop = SlowLine(port), asyncio.new_event_loop()
    stop, ready = asyncio.Event(), threading.Event()
    visits: set[asyncio.Task[None]] = set()

    async def run() -> None:
        async with await asyncio.start_server(accept, "127.0.0.1", port):
            ready.set()
            await stop.wait()
            for visit in visits:
                visit.cancel()
            await asyncio.gather(*visits, return_exceptions=True)

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = loop.create_task(lead(reader, writer))
        visits.add(visit)
        visit.add_done_callback(visits.discard)

    async def lead(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", to_port)
        await asyncio.gather(pass_on(reader, there_writer), pass_on(there_reader, writer))

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while chunk := await reader.read(_CHUNK_BYTES):
                loop.call_later(line.round_trip_seconds / 2, writer.write, chunk)
        loop.call_later(line.round_trip_seconds / 2, writer.close)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield line
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
