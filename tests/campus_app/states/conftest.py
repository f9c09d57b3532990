"""Visitors whose events run through Reflex's own processor, without browser and server."""

import csv
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflex.istate.manager.memory import StateManagerMemory
from reflex_base.event.processor import BaseStateEventProcessor

from campus_app import wiring
from campus_app.ports.orders import OrderStore
from campus_app.states.notice import event_failed
from tests.campus_app.states.session import Line, Tab, the_app
from tests.helpers.providers import ScriptedProvider
from tests.helpers.settings import DATA


@pytest.fixture
def database_url(sqlite_template, tmp_path):
    """What a handler does can't depend on which database there is."""
    file = tmp_path / "food_points.db"
    shutil.copyfile(sqlite_template, file)
    return f"sqlite:///{file}"


class Kitchens:
    """The menus, which change while visitors look at them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def change_price(self, restaurant_id: int, dish: str, price: str) -> None:
        rows = self._rows(restaurant_id)
        next(row for row in rows if row["id"] == dish)["price"] = price
        self._write(restaurant_id, rows)

    def stop_selling(self, restaurant_id: int, dish: str) -> None:
        self._write(restaurant_id, [r for r in self._rows(restaurant_id) if r["id"] != dish])

    def _file(self, restaurant_id: int) -> Path:
        return self.folder / f"menu_{restaurant_id}.csv"

    def _rows(self, restaurant_id: int) -> list[dict[str, str]]:
        with self._file(restaurant_id).open(newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))

    def _write(self, restaurant_id: int, rows: list[dict[str, str]]) -> None:
        with self._file(restaurant_id).open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, rows[0])
            writer.writeheader()
            writer.writerows(rows)


@pytest.fixture
def kitchens(tmp_path):
    """The shipped menus, as a copy that a test may change."""
    return Kitchens(shutil.copytree(DATA, tmp_path / "data"))


@pytest.fixture
def services(new_services, request):
    """The services of one process, with menus of their own where a test changes them."""
    if "kitchens" in request.fixturenames:
        return new_services(data_dir=request.getfixturevalue("kitchens").folder)
    return new_services()


@pytest.fixture
def lose_menu(new_services, kitchens, monkeypatch):
    """Starts the product anew without a restaurant's menu and without its last good copy."""

    def lose_menu(restaurant_id):
        (kitchens.folder / f"menu_{restaurant_id}.csv").unlink()
        shutil.rmtree(wiring.services().settings.last_good_dir)
        restarted = new_services(data_dir=kitchens.folder)
        monkeypatch.setattr(wiring, "services", lambda: restarted)

    return lose_menu


class UnsteadyOrders:
    """Passes every call on to the orders, unless something is the matter."""

    def __init__(self, orders: OrderStore) -> None:
        self._orders = orders
        self.trouble: Exception | None = None
        self.troubled = ""
        """The only call that fails, where it is not every one."""

    def __getattr__(self, name: str) -> Any:
        if self.trouble is not None and self.troubled in {"", name}:
            raise self.trouble
        return getattr(self._orders, name)


@pytest.fixture
def provider():
    """A provider of which a test decides what it says; used where a test asks for it."""
    return ScriptedProvider()


@pytest.fixture
def swap(services, open_tab, monkeypatch):
    """Puts another provider or other orders behind their ports, for all tabs."""

    def swap(*, provider=None, orders=None, prepare_limit=None):
        payments, ordering = services.payments, services.ordering
        payments = replace(
            payments,
            provider=provider or payments.provider,
            orders=orders or payments.orders,
        )
        changed = replace(
            services,
            payments=payments,
            ordering=replace(ordering, orders=payments.orders),
            prepare_limit=prepare_limit or services.prepare_limit,
        )
        monkeypatch.setattr(wiring, "services", lambda: changed)
        return changed

    return swap


@pytest.fixture
def unsteady_orders(services, swap):
    """Orders that fail as soon as a test gives them a trouble."""
    orders = UnsteadyOrders(services.payments.orders)
    swap(orders=orders)
    return orders


@pytest.fixture
async def sessions():
    """What the server keeps of its visitors."""
    manager = StateManagerMemory()
    yield manager
    await manager.close()


@pytest.fixture
async def open_tab(services, sessions, monkeypatch):
    """Opens a tab, in the same browser as another one or in one of its own.

    The default browser has chosen the north campus; `local={}` has chosen none.

    The server knows nothing of a new tab, as after a restart: what it shows is what it kept.
    """
    the_app()
    monkeypatch.setattr(wiring, "services", lambda: services)
    line = Line()
    processor = BaseStateEventProcessor(backend_exception_handler=event_failed)
    configured = processor.configure(state_manager=sessions, event_namespace=line)

    def open_tab(local=None, session=None):
        stored = {"selectedCampus": "north"} if local is None else local
        return line.connect(Tab(configured, stored, session))

    async with configured:
        yield open_tab


@pytest.fixture
def tab(open_tab):
    """The tab of a new visitor."""
    return open_tab()
