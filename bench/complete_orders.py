"""Orders per second from preparation to the last notification, on one core.

An order is complete when its webhook is processed and its two e-mails and its call are sent. The
clients, which also send the provider's webhooks, use the other core; PostgreSQL shares the server's.
"""

import asyncio
import statistics
import time
from collections import Counter
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import uvloop
from apps import OURS, served
from plan import Plan
from report import Figure, Goal, Limit, MeasurementFailed, Result
from servers import CLIENT_CORE, SERVER_CORE, on_core
from sqlalchemy import Engine, create_engine, text

from campus_app.ordering.providers.sandbox.payments import WebhookDelivery, installation_secret
from campus_app.ordering.rules.notification import Notification
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import running_postgres
from tests.helpers.flows import webhook_signed_with

_GOAL = Goal(Limit.AT_LEAST, 60)
_CLIENTS = 8
_WARM_UP_SECONDS = 0.5
_TIMEOUT_SECONDS = 60
_POLL_SECONDS = 0.02
_MAILS_PER_ORDER = 2
_REFERENCE = text(
    "SELECT /* benchmark */ reference FROM sandbox_payments WHERE order_number = :number"
)
_DONE_JOBS = text("SELECT count(*) FROM outbox WHERE state = 'done'")
_JOBS = text("SELECT topic, count(DISTINCT subject), count(*) FROM outbox GROUP BY topic")
_CONFIRMED_ORDERS = text(
    "SELECT count(*) FROM orders JOIN payments ON payments.order_id = orders.id"
    " WHERE orders.state = 'confirmed' AND payments.state = 'paid'"
)
_rooms = count(1)
"""Room numbers of the addresses: orders with the same content and address are the same order."""


def measure(plan: Plan, folder: Path) -> Result:
    """Return the medians of several rounds on SQLite and on PostgreSQL."""
    sqlite = folder / "sqlite"
    rates = {"SQLite": _orders_per_second(plan, sqlite, f"sqlite:///{sqlite}/food_points.db")}
    with on_core(SERVER_CORE), running_postgres() as cluster, cluster.database() as url:
        rates["PostgreSQL"] = _orders_per_second(plan, folder / "postgresql", url)
    figures = [
        Figure(f"Complete orders, {name}", "orders/s", statistics.median(each), goal=_GOAL)
        for name, each in rates.items()
    ]
    return Result(figures, rates)


def _orders_per_second(plan: Plan, folder: Path, database_url: str) -> list[float]:
    """Return the complete orders per second of each round.

    Raises:
        MeasurementFailed: A request or job failed, or an order was lost or duplicated.
    """
    rates: list[float] = []
    orders = 0
    engine = create_engine(database_url)
    with served(OURS, folder, {"DATABASE_URL": database_url}) as server, on_core(CLIENT_CORE):
        measured = MeasuredServer(
            server.url, engine, installation_secret(folder / "sandbox.secret")
        )
        for seconds in (_WARM_UP_SECONDS, *[plan.round_seconds] * plan.rounds):
            start = time.monotonic()
            placed = uvloop.run(measured.place_orders(seconds))
            orders += placed
            _wait_until_notified(engine, orders)
            rates.append(placed / (time.monotonic() - start))
        _require_each_order_once(engine, folder / "outbox", orders)
    engine.dispose()
    return rates[1:]


@dataclass(frozen=True)
class MeasuredServer:
    """The measured server, and the secret and the payments of its sandbox provider."""

    url: str
    engine: Engine
    secret: bytes

    async def place_orders(self, seconds: float) -> int:
        """Place orders for this time; return their number when all webhooks are received."""
        end = time.monotonic() + seconds

        async def one() -> int:
            orders = 0
            # Without certificates: loading them would take a part of the round.
            async with httpx.AsyncClient(
                base_url=self.url, trust_env=False, verify=False, timeout=_TIMEOUT_SECONDS
            ) as client:
                while time.monotonic() < end:
                    await self.place_order(client)
                    orders += 1
            return orders

        return sum(await asyncio.gather(*(one() for _ in range(_CLIENTS))))

    async def place_order(self, client: httpx.AsyncClient) -> None:
        """Prepare an order, pay on the sandbox's page, and send the provider's webhook."""
        prepared = await client.post("/payment/prepare-order", json=_order(next(_rooms)))
        _require(prepared, 201)
        number = prepared.json()["orderId"]
        amount = prepared.json()["paymentBreakdown"]["preOrderPayment"]
        _require(await client.get(f"/api/payment-form/{amount}?order_id={number}"), 200)
        form = {"order_id": number, "button": "pay", "webhook": WebhookDelivery.NEVER.value}
        _require(await client.post("/sandbox/pay", data=form), 303)
        with self.engine.connect() as connection:
            reference = connection.execute(_REFERENCE, {"number": number}).scalar_one()
        headers, body = webhook_signed_with(self.secret, reference, WEDNESDAY)
        webhook = await client.post("/payment/sandbox/webhook", content=body, headers=headers)
        _require(webhook, 200)


def _require(response: httpx.Response, status: int) -> None:
    if response.status_code != status:
        raise MeasurementFailed(f"{response.url}: {response.status_code} {response.text}")


def _count(engine: Engine, statement: Any) -> int:
    with engine.connect() as connection:
        return connection.execute(statement).scalar_one()


def _wait_until_notified(engine: Engine, orders: int) -> None:
    """Return when the notifications of this many orders are sent.

    An empty outbox does not show that: jobs are added after the response to a webhook.
    """
    wanted = orders * len(Notification)
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    while (done := _count(engine, _DONE_JOBS)) < wanted:
        if time.monotonic() > deadline:
            raise MeasurementFailed(f"{done} of {wanted} jobs are done")
        time.sleep(_POLL_SECONDS)


def _require_each_order_once(engine: Engine, outbox: Path, orders: int) -> None:
    """Raise MeasurementFailed unless each order is paid and each notification sent once."""
    with engine.connect() as connection:
        jobs = {topic: counts for topic, *counts in connection.execute(_JOBS)}
    mails = Counter(file.name.partition("-")[0] for file in (outbox / "mail").glob("*.eml"))
    calls = len((outbox / "calls.jsonl").read_text().splitlines())
    counts = [_count(engine, _CONFIRMED_ORDERS), calls, *mails.values()]
    for notification in Notification:
        counts += jobs.get(notification.value, [0])
    if set(counts) != {orders} or len(mails) != _MAILS_PER_ORDER:
        raise MeasurementFailed(f"of {orders} orders: jobs {jobs}, mails {mails}, {calls} calls")


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
            "items": [{"id": "104", "quantity": 2}, {"id": "112", "quantity": 1}],
            "selectedCampus": "north",
            "dogDonation": 0,
            "isPreReservation": False,
            "orderType": "normal",
            "specialInstructions": "",
        },
    }
