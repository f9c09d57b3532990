"""Our product for the comparison: one process on PostgreSQL behind our own nginx.

The customer does what the screens do: opens the menu, clicks + over the page's WebSocket, and orders
and pays as in the benchmark of complete orders.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
from apps import OURS, environment, run
from complete_orders import MeasuredServer
from paths import PYTHON, ROOT
from socket_clients import SocketClient
from sqlalchemy import Engine, create_engine

from campus_app.ordering.providers.sandbox.payments import installation_secret
from deploy.nginx import Proxy, configuration
from peers.backing import Backing
from peers.deployment import Deployment, Program, cold_starts, nginx, running
from peers.shop import require
from tests.helpers.ports import free_port

CATALOGUE = OURS.page
_CLICKS = 3
_CONNECTIONS, _CALLS_PER_SECOND = 30_000, 100_000
"""Limits for an address that the benchmark, which is one address, does not reach."""


@contextlib.contextmanager
def served(backing: Backing, folder: Path, starts: int) -> Iterator[Deployment]:
    """Serve the shop for the block, after measuring some cold starts."""
    folder.mkdir(parents=True, exist_ok=True)
    with backing.cluster.database() as url:
        port, web_port = free_port(), free_port()
        settings = environment(folder) | {
            "DATABASE_URL": url,
            "PORT": str(web_port),
            "PUBLIC_URL": f"http://127.0.0.1:{port}",
            "MAIL_TRANSPORT": "smtp",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(backing.mails.port),
            "SMTP_TLS": "none",
        }
        run([PYTHON, "-m", "campus_app.migrate"], ROOT, settings, folder / "migrate.log")
        web = Program(
            name="campus_app",
            command=[PYTHON, "-m", "campus_app.serve"],
            folder=ROOT,
            environment=settings,
            port=web_port,
            page=CATALOGUE,
        )
        took = cold_starts(web, folder, starts)
        with running(web, folder / "web.log") as (process, _), _database(url) as engine:
            provider = MeasuredServer("", engine, installation_secret(folder / "sandbox.secret"))
            yield Deployment(
                port,
                [process, *_without_redis(backing)],
                took,
                lambda at: _nginx(folder / "nginx", web_port, at),
                lambda client: Customer(client, provider, port),
            )


@contextlib.contextmanager
def _database(url: str) -> Iterator[Engine]:
    """Yield the connection with which the sandbox's provider looks for a payment."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    try:
        yield engine
    finally:
        engine.dispose()


def _without_redis(backing: Backing) -> list[psutil.Process]:
    """Return PostgreSQL: a single process of ours keeps its sessions itself."""
    return [process for process in backing.processes() if process.pid != backing.redis.pid]


def _nginx(folder: Path, backend: int, port: int) -> contextlib.AbstractContextManager[None]:
    proxy = Proxy(
        backends=(f"127.0.0.1:{backend}",),
        port=port,
        address="127.0.0.1:",
        folder=folder,
        error_log=str(folder / "error.log"),
        access_log="/dev/null",
        connections=_CONNECTIONS,
        calls_per_second=_CALLS_PER_SECOND,
    )
    return nginx(folder, configuration(proxy), port)


@dataclass(frozen=True)
class Customer:
    """A visitor with a page of its own."""

    client: httpx.AsyncClient
    provider: MeasuredServer
    port: int
    pages: list[SocketClient] = field(default_factory=list)

    async def visit(self) -> None:
        """Open the menu, and keep its page open."""
        require(await self.client.get(CATALOGUE), 200)
        _, page = await asyncio.get_running_loop().create_connection(
            lambda: SocketClient(OURS, self.port), "127.0.0.1", self.port
        )
        await page.hydrated
        self.pages.append(page)

    async def add_item(self) -> None:
        """Click + once; the menu is opened first if it is not open."""
        if not self.pages:
            await self.visit()
        await self.pages[0].click()

    async def fill_cart(self) -> None:
        """Open the menu and put three dishes into the cart."""
        for _ in range(_CLICKS):
            await self.add_item()

    async def order(self) -> None:
        """Order what is in the cart; return when the order is stored and paid."""
        await self.provider.place_order(self.client)

    def leave(self) -> None:
        """Close the page."""
        while self.pages:
            self.pages.pop().close()
