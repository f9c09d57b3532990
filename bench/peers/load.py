"""What a shop's server takes for items, orders and visitors, without a browser."""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import httpx
import uvloop
from plan import PeerPlan
from report import MeasurementFailed
from servers import CLIENT_CORE, on_core

from peers.backing import Backing
from peers.deployment import Deployment
from peers.shop import Customer
from peers.statements import without_transactions

_TIMEOUT_SECONDS = 180.0
_WARM_UP_ORDERS = 6
_COUNTED_ORDERS = 4
_WARM_UP_VISITORS = 8
_AT_ONCE = 4
"""Visitors who come at the same time while nothing is timed."""
_IDLE_SECONDS = 2.0
_SETTLE_SECONDS = 1.0


@dataclass(frozen=True)
class Load:
    """The figures of one shop."""

    item_ms: list[float]
    """From the first request of an item until its new total could be shown."""
    item_cpu_ms: float
    orders_per_second: float
    """Until the last mail of all orders has arrived."""
    order_seconds: list[float]
    """From the first request after the cart until the order is stored and paid."""
    order_cpu_ms: float
    """Processor time of all servers (without nginx) of an order with its mails."""
    statements: float
    """Of an order, without the beginnings and ends of transactions."""
    base_bytes: int
    visitor_bytes: float
    details: dict[str, Any]


@dataclass(frozen=True)
class Orders:
    """What the orders of a shop are measured with."""

    mails: int
    """The mails of an order."""
    rounds: int = 1
    """How many times as many items and orders as planned, for a shop that takes little time."""


def measure(plan: PeerPlan, backing: Backing, site: Deployment, orders: Orders) -> Load:
    """Measure a shop that is served at its port.

    Raises:
        MeasurementFailed: A request failed, or the shop sent more or fewer mails than it should.
    """
    with on_core(CLIENT_CORE), _visitors(site) as visitors:
        base = site.memory_bytes()
        measured = _Measured(backing, visitors, orders.mails)
        # Alone: of two first customers of a dish, oscar refuses one, because both count the dish.
        measured.orders(1, 1)
        measured.orders(_WARM_UP_ORDERS, 1)
        # Before the many customers, whose freed memory would be used again.
        visitor_bytes = visitors.runner.run(visitors.bytes_each(plan.visitors * orders.rounds))
        items, item_cpu = visitors.runner.run(visitors.items(plan.items * orders.rounds))
        counts = measured.statements()
        times, took, cpu = measured.orders(plan.customers, plan.orders_each * orders.rounds)
        measured.require_mails()
    return Load(
        item_ms=items,
        item_cpu_ms=item_cpu,
        orders_per_second=len(times) / took,
        order_seconds=times,
        order_cpu_ms=cpu / len(times) * 1000,
        statements=counts["statements"],
        base_bytes=base,
        visitor_bytes=visitor_bytes,
        details={
            "orders": len(times),
            "mails": len(times) * orders.mails,
            **counts,
        },
    )


@dataclass
class _Measured:
    """Orders of a shop, and the mails that must arrive for them."""

    backing: Backing
    visitors: "_Visitors"
    mails: int
    expected: int = 0

    def __post_init__(self) -> None:
        self.expected = len(self.backing.mails.recipients)

    def orders(self, customers: int, each: int) -> tuple[list[float], float, float]:
        """Order from filled carts.

        Return the seconds of each order, those until the last mail, and those of the processor.
        """
        run = self.visitors.runner.run
        carts = run(self.visitors.filled_carts(customers * each))
        start, before = time.monotonic(), self.visitors.site.cpu_seconds()
        times = run(_order_all(carts, customers))
        self.expected += len(times) * self.mails
        self.backing.mails.wait_for(self.expected)
        took, cpu = time.monotonic() - start, self.visitors.site.cpu_seconds() - before
        run(self.visitors.leave())
        return times, took, cpu

    def statements(self) -> dict[str, float]:
        """Return the statements of an order, those of its transactions, and those of idle time."""
        run = self.visitors.runner.run
        carts = run(self.visitors.filled_carts(_COUNTED_ORDERS))
        with self.backing.logged_statements() as logged:
            run(_order_all(carts, 1))
            self.expected += _COUNTED_ORDERS * self.mails
            self.backing.mails.wait_for(self.expected)
        with self.backing.logged_statements() as idle:
            time.sleep(_IDLE_SECONDS)
        run(self.visitors.leave())
        texts = without_transactions(logged)
        return {
            "statements": len(texts) / _COUNTED_ORDERS,
            "transaction_statements": (len(logged) - len(texts)) / _COUNTED_ORDERS,
            "idle_statements_per_second": len(idle) / _IDLE_SECONDS,
        }

    def require_mails(self) -> None:
        """Raise MeasurementFailed if more mails than expected have arrived."""
        arrived = len(self.backing.mails.recipients)
        if arrived != self.expected:
            raise MeasurementFailed(f"{arrived} mails arrived instead of {self.expected}")


@dataclass
class _Visitors:
    """Visitors of a site who stay until they leave together."""

    site: Deployment
    runner: asyncio.Runner
    clients: list[httpx.AsyncClient] = field(default_factory=list)
    customers: list[Customer] = field(default_factory=list)

    def new(self) -> Customer:
        assert self.site.customer is not None
        # Without certificates: loading them would take a part of the measured time.
        client = httpx.AsyncClient(
            base_url=self.site.url, trust_env=False, verify=False, timeout=_TIMEOUT_SECONDS
        )
        self.clients.append(client)
        self.customers.append(self.site.customer(client))
        return self.customers[-1]

    async def leave(self) -> None:
        while self.customers:
            self.customers.pop().leave()
        while self.clients:
            await self.clients.pop().aclose()

    async def filled_carts(self, count: int) -> list[Customer]:
        """Return customers with dishes in their carts."""

        async def fill(customer: Customer) -> None:
            await customer.fill_cart()

        customers = [self.new() for _ in range(count)]
        await _each(customers, fill)
        return customers

    async def items(self, count: int) -> tuple[list[float], float]:
        """Put items into carts one by one; return each's milliseconds, and the processor's mean."""
        times, cpu = list[float](), 0.0
        for _ in range(count):
            customer = self.new()
            await customer.visit()
            before, start = self.site.cpu_seconds(), time.perf_counter()
            await customer.add_item()
            times.append((time.perf_counter() - start) * 1000)
            cpu += self.site.cpu_seconds() - before
        await self.leave()
        return times, cpu / count * 1000

    async def bytes_each(self, count: int) -> float:
        """Return the growth of memory for each open visitor with an item in the cart."""

        async def come(customer: Customer) -> None:
            await customer.visit()
            await customer.add_item()

        await _each([self.new() for _ in range(_WARM_UP_VISITORS)], come)
        await asyncio.sleep(_SETTLE_SECONDS)
        before = self.site.memory_bytes()
        await _each([self.new() for _ in range(count)], come)
        await asyncio.sleep(_SETTLE_SECONDS)
        grown = self.site.memory_bytes() - before
        await self.leave()
        return grown / count


@contextlib.contextmanager
def _visitors(site: Deployment) -> Iterator[_Visitors]:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        visitors = _Visitors(site, runner)
        try:
            yield visitors
        finally:
            runner.run(visitors.leave())


async def _each(customers: Sequence[Customer], action: Any) -> None:
    """Let a few customers at a time do something."""
    limit = asyncio.Semaphore(_AT_ONCE)

    async def one(customer: Customer) -> None:
        async with limit:
            await action(customer)

    await asyncio.gather(*map(one, customers))


async def _order_all(carts: Sequence[Customer], at_once: int) -> list[float]:
    """Order from all carts, this many at the same time; return the seconds of each order."""
    times = list[float]()

    async def some(mine: Iterator[Customer]) -> None:
        for customer in mine:
            start = time.perf_counter()
            await customer.order()
            times.append(time.perf_counter() - start)

    await asyncio.gather(*(some(islice(carts, first, None, at_once)) for first in range(at_once)))
    return times
