"""Visitors without a browser: many websockets that click + and − as fast as answers come."""

import asyncio
import base64
import json
import os
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, cycle

import wire
from apps import App
from places import MeasurementFailed
from servers import Server

_HIGHEST = 9
_CONNECTING_AT_ONCE = 25
_CONNECT_SECONDS = 60
_ANSWER_SECONDS = 20
_HYDRATED = b'"is_hydrated_rx_state_":true'
_CLICK_DONE = b"cart_rx_state_"
_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0"
_HANDSHAKE = (
    "GET /_event/?token={token}&EIO=4&transport=websocket HTTP/1.1\r\n"
    "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nPragma: no-cache\r\nCache-Control: no-cache\r\n"
    "User-Agent: {agent}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
    "Sec-WebSocket-Protocol: 0.10.1\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-US,en;q=0.9\r\n\r\n"
)


def _event(name: str, app: App, **payload: str) -> dict[str, object]:
    place = {"pathname": app.page, "asPath": app.page}
    if app.route_arguments:
        place["query"] = app.route_arguments
    return {"name": name, "payload": payload, "router_data": place}


def _packed(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _clicks(app: App) -> Iterator[bytes]:
    """Return an endless row of clicks that never empties the cart, nor fills it to the top."""

    def click(handler: str, dish: str) -> bytes:
        return b"42/_event," + _packed(
            ["event", _event(f"{app.state}.{handler}", app, item_id=dish)]
        )

    more = [click("add_item", dish) for dish in app.dishes]
    less = [click("remove_item", dish) for dish in app.dishes]
    return chain(more, cycle(more * (_HIGHEST - 1) + less * (_HIGHEST - 1)))


class Session(asyncio.Protocol):
    """One visitor: connects, is hydrated, clicks."""

    def __init__(self, app: App, port: int) -> None:
        self._app = app
        self._port = port
        self._reader = wire.FrameReader()
        self._handshake = b""
        self._is_open = False
        self._clicks = _clicks(app)
        self.hydrated = asyncio.get_running_loop().create_future()
        self.on_answer: Callable[[Session], None] | None = None
        self.awaited = _CLICK_DONE
        """What an answer holds."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        request = _HANDSHAKE.format(
            token=uuid.uuid4(),
            port=self._port,
            agent=_AGENT,
            key=base64.b64encode(os.urandom(16)).decode(),
        )
        transport.write(request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.hydrated.done():
            self.hydrated.set_exception(MeasurementFailed(f"a session was refused: {exc}"))

    def data_received(self, data: bytes) -> None:
        if not self._is_open:
            data = self._after_handshake(data)
        for kind, payload in self._reader.read(data):
            if kind == wire.TEXT:
                self._understand(payload)
            elif kind == wire.PING:
                self._transport.write(wire.pong(payload))

    def click(self) -> None:
        """Send the next click."""
        self._send(next(self._clicks))

    def _after_handshake(self, data: bytes) -> bytes:
        self._handshake += data
        head, end, rest = self._handshake.partition(b"\r\n\r\n")
        if not end:
            return b""
        if b" 101 " not in head.splitlines()[0]:
            self.hydrated.set_exception(MeasurementFailed(head.decode(errors="replace")))
            self._transport.abort()
        self._is_open = True
        return rest

    def _understand(self, message: bytes) -> None:
        if message.startswith(b"42"):
            if not self.hydrated.done():
                if _HYDRATED in message:
                    self.hydrated.set_result(None)
            elif self.on_answer and self.awaited in message:
                self.on_answer(self)
        elif message.startswith(b"0"):
            boot = _event("reflex___state____state.hydrate_and_load", self._app)
            self._send(b"40/_event," + _packed({"event": boot}))
        elif message == b"2":
            self._send(b"3")

    def _send(self, message: bytes) -> None:
        self._transport.write(wire.frame(message))


async def connect(app: App, server: Server, count: int) -> list[Session]:
    """Open so many sessions, and return them hydrated."""
    loop = asyncio.get_running_loop()
    turns = asyncio.Semaphore(_CONNECTING_AT_ONCE)

    async def one() -> Session:
        async with turns:
            _, session = await loop.create_connection(
                lambda: Session(app, server.port), "127.0.0.1", server.port
            )
            await session.hydrated
            return session

    async with asyncio.timeout(_CONNECT_SECONDS):
        return await asyncio.gather(*(one() for _ in range(count)))


@dataclass(frozen=True)
class Clicks:
    """Clicks that were answered in time, and after how long."""

    count: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


async def click_each(sessions: Sequence[Session], times: int) -> None:
    """Let every session click so often, each click after the answer to the one before."""
    left = dict.fromkeys(sessions, times)

    def goes_on(session: Session) -> bool:
        left[session] -= 1
        return left[session] > 0

    await _closed_loop(sessions, goes_on)


async def click_for(sessions: Sequence[Session], seconds: float) -> Clicks:
    """Let every session click for so long, each click after the answer to the one before."""
    end = time.perf_counter() + seconds
    waits: list[float] = []
    asked: dict[Session, float] = dict.fromkeys(sessions, time.perf_counter())

    def goes_on(session: Session) -> bool:
        now = time.perf_counter()
        if now >= end:
            return False
        waits.append(now - asked[session])
        asked[session] = now
        return True

    await _closed_loop(sessions, goes_on)
    return _summed_up(waits)


async def click_calmly(
    sessions: Sequence[Session], every_seconds: float, goes_on: Callable[[], bool]
) -> Clicks:
    """Let every session click so often, as people do, for as long as it goes on."""
    waits: list[float] = []

    async def one(session: Session, late: float) -> None:
        answered = asyncio.Event()
        session.on_answer = lambda _: answered.set()
        await asyncio.sleep(late)
        while goes_on():
            asked = time.perf_counter()
            session.click()
            await answered.wait()
            answered.clear()
            waits.append(time.perf_counter() - asked)
            await asyncio.sleep(max(0.0, every_seconds - waits[-1]))

    # One after the other, as if they knew nothing of each other.
    steps = [every_seconds * number / len(sessions) for number in range(len(sessions))]
    await asyncio.gather(*(one(each, late) for each, late in zip(sessions, steps, strict=True)))
    return _summed_up(waits)


def _summed_up(waits: list[float]) -> Clicks:
    waits.sort()
    p50, p95, p99 = (waits[int(len(waits) * part)] * 1000 for part in (0.5, 0.95, 0.99))
    return Clicks(len(waits), round(p50, 2), round(p95, 2), round(p99, 2))


async def _closed_loop(sessions: Sequence[Session], goes_on: Callable[[Session], bool]) -> None:
    busy = set(sessions)
    done = asyncio.Event()

    def answered(session: Session) -> None:
        if goes_on(session):
            session.click()
            return
        busy.discard(session)
        if not busy:
            done.set()

    for session in sessions:
        session.on_answer = answered
        session.click()
    try:
        async with asyncio.timeout(_ANSWER_SECONDS):
            await done.wait()
    except TimeoutError:
        raise MeasurementFailed(f"{len(busy)} clicks were not answered") from None
