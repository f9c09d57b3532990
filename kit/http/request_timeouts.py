"""Limits on how a request arrives: a time for its headers, one for its body, and a header size.

uvicorn limits only the idle time of a connection after a response. Without these limits connections
that never complete a request stay open, each with its memory and file descriptor. uvicorn's parser
also stores headers and trailers of any size.
Source: docs/decisions/0019.
"""

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

MAXIMUM_HEADER_BYTES = 64 * 1024
_TIMEOUT = STATUS_LINE[408] + b"content-length: 0\r\nconnection: close\r\n\r\n"
_TOO_LARGE = STATUS_LINE[431] + b"content-length: 0\r\nconnection: close\r\n\r\n"


def timed_protocol(header_seconds: float, body_seconds: float) -> type[HttpToolsProtocol]:
    """Return uvicorn's HTTP protocol with these time limits, for `uvicorn.run(http=...)`.

    The limits are for all headers and for the whole body. A client that exceeds one gets 408 unless
    a response has begun. An open WebSocket has no such limit. A client that sends more than
    `MAXIMUM_HEADER_BYTES` of headers, trailers or chunk extensions gets 431.
    """
    limits = {"header_seconds": header_seconds, "body_seconds": body_seconds}
    return type("LimitedProtocol", (TimedProtocol,), limits)


class HeadersTooLarge(Exception):
    """Stops the parser: the headers or trailers of a request exceed the limit."""


class TimedProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol, which closes connections whose request exceeds a limit."""

    header_seconds: float
    body_seconds: float
    _deadline: TimerHandle | None = None
    _has_begun = False
    _header_bytes = 0
    """The size of the parsed headers and trailers of the current request."""
    _bytes_without_content = 0
    """The number of bytes that arrived since the parser last completed headers or found content."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_deadline(self.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._bytes_without_content += len(data)
        super().data_received(data)
        # The parser collects one long header without a callback.
        if self._bytes_without_content > MAXIMUM_HEADER_BYTES:
            self._close_with(_TOO_LARGE)

    def send_400_response(self, msg: str) -> None:
        if self._header_bytes > MAXIMUM_HEADER_BYTES:
            self._close_with(_TOO_LARGE)
        else:
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._has_begun = True
        self._header_bytes = 0
        self._set_deadline(self.header_seconds)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._header_bytes += len(name) + len(value)
        if self._header_bytes > MAXIMUM_HEADER_BYTES:
            raise HeadersTooLarge
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._bytes_without_content = 0
        super().on_body(body)

    def on_headers_complete(self) -> None:
        self._bytes_without_content = 0
        super().on_headers_complete()
        self._set_deadline(self.body_seconds)

    def on_message_complete(self) -> None:
        self._bytes_without_content = 0
        self._clear_deadline()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._clear_deadline()
        super().handle_websocket_upgrade()

    def _set_deadline(self, seconds: float) -> None:
        self._clear_deadline()
        self._deadline = self.loop.call_later(seconds, self._end)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self) -> None:
        self._close_with(_TIMEOUT)

    def _close_with(self, response: bytes) -> None:
        if self.transport.is_closing():
            return
        # Browsers open connections in advance: an unused one gets no response.
        if self._has_begun and not _is_responding(self.cycle):
            self.transport.write(response)
        self.transport.close()


def _is_responding(cycle: Any) -> bool:
    """Whether a response, maybe to the previous request, is being sent."""
    return cycle is not None and cycle.response_started and not cycle.response_complete
