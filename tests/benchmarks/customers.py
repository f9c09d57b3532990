"""Customers without a browser: each keeps one connection, and orders over it again and again."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Mapping
from itertools import count
from types import MappingProxyType
from typing import Any

from places import MeasurementFailed

from campus_app.adapters.sandbox.payments import WebhookDelivery

_DISHES = ({"id": "104", "quantity": 2}, {"id": "112", "quantity": 1})
_JSON = MappingProxyType({"content-type": "application/json"})
_FORM = MappingProxyType({"content-type": "application/x-www-form-urlencoded"})
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
        body = json.dumps(_order(next(_room))).encode()
        return json.loads(await self._ask(201, "POST", "/payment/prepare-order", body))

    async def pay(self, prepared: dict[str, Any]) -> None:
        """Open the sandbox's page and press its button; the sandbox itself tells nobody."""
        number, amount = prepared["orderId"], prepared["paymentBreakdown"]["preOrderPayment"]
        await self._ask(200, "GET", f"/api/payment-form/{amount}?order_id={number}")
        pressed = f"order_id={number}&button=pay&webhook={WebhookDelivery.NEVER}"
        await self._ask(303, "POST", "/sandbox/pay", pressed.encode(), _FORM)

    async def tell(self, headers: Mapping[str, str], body: bytes) -> None:
        """Be the provider, and send a notice."""
        await self._ask(200, "POST", "/payment/sandbox/webhook", body, headers)

    async def _ask(
        self,
        status: int,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] = _JSON,
    ) -> bytes:
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        if body:
            said = {**headers, "content-length": str(len(body))}
            head += "".join(f"{name}: {value}\r\n" for name, value in said.items())
        self._writer.write(f"{head}\r\n".encode() + body)
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
