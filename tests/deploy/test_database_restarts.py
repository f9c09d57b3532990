"""PostgreSQL restarts during a transaction, which is then committed completely or not at all."""

import asyncio
import itertools
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from campus_app import wiring
from campus_app.migrate import upgrade
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import OrderRow, PaymentRow
from deploy.local_stack import postgres_at
from kit.db.errors import DatabaseUnavailable
from kit.outbox.models import OutboxRow
from tests.helpers.builders import order_request
from tests.helpers.flows import calls, drain, mails, press, with_orders
from tests.helpers.ports import free_port
from tests.helpers.settings import settings_for
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio

CART = "a cart"
_RESTART_SECONDS = 30.0


@pytest.fixture(scope="module")
def postgres():
    # tmp_path is readable by its owner only, and PostgreSQL runs as another user if we are root.
    with TemporaryDirectory(prefix="restarts_") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server, url = postgres_at(folder / "postgres", free_port())
        server.start()
        upgrade(url.replace("postgresql://", "postgresql+psycopg://"))
        server.url = url
        yield server
        server.stop()


@pytest.fixture
def services(postgres, tmp_path, clock):
    built = wiring.build(settings_for(postgres.url, tmp_path), clock)
    yield built
    built.close()


class RestartingOrders(SqlOrders):
    """Kills and restarts the database once, before a transaction commits."""

    postgres: object
    step: str
    has_restarted = False

    def _reached(self, step):
        if step == self.step and not self.has_restarted:
            self.has_restarted = True
            self.postgres.kill()
            self.postgres.start()

    def _insert(self, connection, draft, at, provider):
        stored = super()._insert(connection, draft, at, provider)
        self._reached("the order is stored")
        return stored

    def _apply(self, connection, order, settlement, at):
        super()._apply(connection, order, settlement, at)
        self._reached("the money is recorded")


@pytest.fixture
def restarting_services(services, postgres):
    """Builds services whose database restarts during a step's transaction."""

    def build(step):
        shop = with_orders(services, RestartingOrders, postgres=postgres, step=step)
        return shop, shop.payments.orders

    return build


async def retry(operation):
    """Retry while the database is unavailable; return the number of attempts and the result."""
    deadline = time.monotonic() + _RESTART_SECONDS
    for attempts in itertools.count(1):
        try:
            return attempts, await operation()
        except DatabaseUnavailable:
            assert time.monotonic() < deadline, "the database is still unavailable"
            await asyncio.sleep(0.1)


def test_killed_database_restarts_when_clients_are_connected(postgres):
    for _ in range(3):
        clients = [psycopg.connect(postgres.url) for _ in range(20)]
        for client in clients:
            client.execute("SELECT 1")
        postgres.kill()
        postgres.start()
        for client in clients:
            client.close()


async def test_order_is_stored_once_when_database_restarts_during_insert(restarting_services):
    services, orders = restarting_services("the order is stored")
    before = await count(services.database, OrderRow)
    attempts, stored = await retry(lambda: services.carts.prepare(order_request(), f"{CART} 1"))
    assert orders.has_restarted
    assert attempts > 1, "the first attempt did not fail"
    assert await count(services.database, OrderRow) == before + 1
    assert await count(services.database, PaymentRow) == before + 1
    assert await services.carts.prepare(order_request(), f"{CART} 1") == stored


async def test_payment_is_recorded_once_when_database_restarts_during_update(restarting_services):
    services, orders = restarting_services("the money is recorded")
    stored = await services.carts.prepare(order_request(), f"{CART} 2")
    await services.checkouts.open(stored)
    assert await press(services, stored)
    attempts, paid = await retry(lambda: services.payments.reconcile(stored.payment))
    assert orders.has_restarted
    assert attempts > 1, "the first attempt did not fail"
    assert paid.order.state is OrderState.CONFIRMED
    jobs = [
        each for each in await rows(services.database, OutboxRow) if each.subject == paid.order.id
    ]
    assert len(jobs) == 3
    await drain(services)
    assert (len(mails(services)), len(calls(services))) == (2, 1)
