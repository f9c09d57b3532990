"""Load generator: pages without a browser that click + and − over their WebSockets.

The sockets are not compressed. A browser's are, which takes the server about 50 kB more a page.
"""

import asyncio
import json
import statistics
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, cycle

from apps import App
from report import MeasurementFailed
from servers import Server
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

_MAXIMUM_QUANTITY = 9
_PARALLEL_CONNECTS = 25
_CONNECT_SECONDS = 60
_RESPONSE_SECONDS = 20
_START_SECONDS = 1.0
_HYDRATED = b'"is_hydrated_rx_state_":true'
_CART_FIELD = b"cart_rx_state_"
_BROWSER_HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/156.0.0.0",
    "Pragma": "no-cache",
    "Cache-Control": "no-cache",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en-US,en;q=0.9",
}
"""The server keeps them in memory for each session."""


def _event(name: str, app: App, **payload: str | int) -> dict[str, object]:
    page = {"pathname": app.page, "asPath": app.page, "query": app.route_arguments}
    return {"name": name, "payload": payload, "router_data": page}


def _packet(kind: bytes, value: object) -> bytes:
    return kind + b"/_event," + json.dumps(value, separators=(",", ":")).encode()


def _clicks(app: App) -> Iterator[bytes]:
    """Return endless clicks that neither empty the cart nor reach the maximum quantity."""

    def click(handler: str, dish: str) -> bytes:
        named = {name: int(value) for name, value in app.route_arguments.items()}
        event = _event(f"{app.state}.{handler}", app, **named, dish_id=dish)
        return _packet(b"42", ["event", event])

    more = [click("add_dish", dish) for dish in app.dishes]
    fewer = [click("remove_dish", dish) for dish in app.dishes]
    steps = _MAXIMUM_QUANTITY - 1
    return chain(more, cycle(more * steps + fewer * steps))


class SocketClient(asyncio.Protocol):
    """One page: connects, loads its state, clicks."""

    def __init__(self, app: App, port: int) -> None:
        address = f"127.0.0.1:{port}"
        uri = f"ws://{address}/_event/?token={uuid.uuid4()}&EIO=4&transport=websocket"
        self._app = app
        self._protocol = ClientProtocol(
            parse_uri(uri), origin=f"http://{address}", subprotocols=["0.10.1"], max_size=None
        )
        self._clicks = _clicks(app)
        self.hydrated = self.next_update(_HYDRATED)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        request = self._protocol.connect()
        request.headers.update(_BROWSER_HEADERS)
        self._protocol.send_request(request)
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._update.done():
            reason = self._protocol.handshake_exc or exc
            self._update.set_exception(MeasurementFailed(f"a socket was closed: {reason}"))

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self._handle(bytes(event.data))
        self._flush()

    def next_update(self, field: bytes) -> asyncio.Future[None]:
        """Return a future of the next message that contains a field.

        Its exception is MeasurementFailed if the socket is closed first.
        """
        self._field = field
        self._update = asyncio.get_running_loop().create_future()
        return self._update

    async def click(self) -> float:
        """Click once; return the seconds until the response.

        Raises:
            MeasurementFailed: There was no response within 20 seconds.
        """
        update = self.next_update(_CART_FIELD)
        start = time.perf_counter()
        self._protocol.send_text(next(self._clicks))
        self._flush()
        try:
            async with asyncio.timeout(_RESPONSE_SECONDS):
                await update
        except TimeoutError:
            raise MeasurementFailed("a click got no response") from None
        return time.perf_counter() - start

    def close(self) -> None:
        """Close the page."""
        self._transport.close()

    def _handle(self, message: bytes) -> None:
        if message.startswith(b"0"):
            hydrate = _event("reflex___state____state.hydrate_and_load", self._app)
            self._protocol.send_text(_packet(b"40", {"event": hydrate}))
        elif message == b"2":
            self._protocol.send_text(b"3")
        elif self._field in message and not self._update.done():
            self._update.set_result(None)

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()


async def connect(app: App, server: Server, count: int) -> list[SocketClient]:
    """Open this many pages; return them when all are hydrated."""
    loop = asyncio.get_running_loop()
    limit = asyncio.Semaphore(_PARALLEL_CONNECTS)

    async def one() -> SocketClient:
        async with limit:
            _, client = await loop.create_connection(
                lambda: SocketClient(app, server.port), "127.0.0.1", server.port
            )
            await client.hydrated
            return client

    async with asyncio.timeout(_CONNECT_SECONDS):
        return await asyncio.gather(*(one() for _ in range(count)))


async def click_times(clients: Sequence[SocketClient], times: int) -> None:
    """Click this often on each page, without pauses."""

    async def one(client: SocketClient) -> None:
        for _ in range(times):
            await client.click()

    await asyncio.gather(*map(one, clients))


async def click_for(clients: Sequence[SocketClient], seconds: float) -> int:
    """Click on each page without pauses; return the number of clicks."""
    end = time.perf_counter() + seconds

    async def one(client: SocketClient) -> int:
        clicks = 0
        while time.perf_counter() < end:
            await client.click()
            clicks += 1
        return clicks

    return sum(await asyncio.gather(*map(one, clients)))


@dataclass(frozen=True)
class Latencies:
    """Times from clicks to their responses."""

    count: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


async def click_regularly(
    clients: Sequence[SocketClient], interval: float, is_running: Callable[[], bool]
) -> Latencies:
    """Click on each page every `interval` seconds while `is_running`; the pages take turns."""
    times: list[float] = []

    async def one(client: SocketClient, delay: float) -> None:
        await asyncio.sleep(start + delay - time.perf_counter())
        while is_running():
            times.append(await client.click())
            await asyncio.sleep(max(0.0, interval - times[-1]))

    # Clicks that are late at the start would coincide in every interval, so all tasks exist first.
    start = time.perf_counter() + _START_SECONDS
    await asyncio.gather(
        *(one(client, interval * number / len(clients)) for number, client in enumerate(clients))
    )
    percentiles = statistics.quantiles(times, n=100)
    return Latencies(len(times), *(round(percentiles[at] * 1000, 2) for at in (49, 94, 98)))
