"""WebSocket frames as a browser writes and reads them, made by hand to be cheap."""

import struct
from collections.abc import Iterator

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

_WHOLE = 0x80
_MASKED, _NO_MASK = 0x80, b"\0\0\0\0"
_SHORT, _MEDIUM = 125, 126


def frame(payload: bytes, first: int = _WHOLE | TEXT) -> bytes:
    """Return a frame of the browser's side; its mask is zero, which changes nothing."""
    size = len(payload)
    if size <= _SHORT:
        head = bytes((first, _MASKED | size))
    else:
        head = bytes((first, _MASKED | _MEDIUM)) + struct.pack("!H", size)
    return head + _NO_MASK + payload


def pong(payload: bytes) -> bytes:
    """Return the answer to a ping."""
    return frame(payload, _WHOLE | PONG)


class FrameReader:
    """Cuts what arrives into frames."""

    def __init__(self) -> None:
        self._rest = b""

    def read(self, arrived: bytes) -> Iterator[tuple[int, bytes]]:
        """Return the kind and payload of every frame that is complete."""
        pending = self._rest + arrived if self._rest else arrived
        begin = 0
        while (bounds := _bounds(pending, begin)) is not None:
            start, end = bounds
            yield pending[begin] & 15, pending[start:end]
            begin = end
        self._rest = pending[begin:]


def _bounds(pending: bytes, begin: int) -> tuple[int, int] | None:
    """Return where the payload of the frame at `begin` starts and ends, if all of it is there."""
    if len(pending) < begin + 2:
        return None
    size, start = pending[begin + 1] & 127, begin + 2
    if size > _SHORT:
        form = "!H" if size == _MEDIUM else "!Q"
        start += struct.calcsize(form)
        if len(pending) < start:
            return None
        (size,) = struct.unpack_from(form, pending, begin + 2)
    return (start, start + size) if len(pending) >= start + size else None
