"""Customers without a browser: each keeps one connection, and orders over it again and again."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

from places import MeasurementFailed

_DISHES = ({"id": "104", "quantity": 2}, {"id": "112", "quantity": 1})
_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_room = count(time.time_ns())
"""Nobody orders what another does: it would be the same order."""


class Customer:
    """Somebody who asks for one thing after the other."""

    def __init__(
        self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._port = port
        self._reader = reader
        self._writer = writer

    async def prepare(self) -> dict[str, Any]:
        """Let an order be stored; return the answer."""
        body = json.dumps(_order(next(_room)))
        return json.loads(await self._ask(201, "POST", "/payment/prepare-order", body, _JSON))

    async def pay(self, prepared: dict[str, Any]) -> None:
        """Open the sandbox's page and press its button, so that it sends its notice."""
        number, amount = prepared["orderId"], prepared["paymentBreakdown"]["preOrderPayment"]
        await self._ask(200, "GET", f"/api/payment-form/{amount}?order_id={number}")
        await self._ask(303, "POST", "/sandbox/pay", f"order_id={number}&button=pay", _FORM)

    async def _ask(
        self, status: int, method: str, path: str, body: str = "", kind: str = _JSON
    ) -> bytes:
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        if body:
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        self._writer.write(f"{head}\r\n{body}".encode())
        answer = await self._reader.readuntil(b"\r\n\r\n")
        content = await self._reader.readexactly(_length(answer))
        if not answer.startswith(f"HTTP/1.1 {status}".encode()):
            raise MeasurementFailed(f"{method} {path}: {answer.decode()}{content.decode()}")
        return content


@contextlib.asynccontextmanager
async def customer(port: int) -> AsyncIterator[Customer]:
    """Connect, and hang up in the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Customer(port, reader, writer)
    finally:
        writer.close()


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].split(None, 1)[0])


def _order(room: int) -> dict[str, Any]:
    return {
        "restaurantId": 1,
        "userDetails": {
            "fullName": "Aarav Sharma",
            "email": "aarav@students.example",
            "phoneNumber": "+91 98000 00001",
            "address": f"Hostel 4, room {room}",
        },
        "orderDetails": {
            "items": _DISHES,
            "selectedCampus": "north",
            "dogDonation": 0,
            "isPreReservation": False,
            "orderType": "normal",
            "specialInstructions": "",
        },
    }
