"""Visitors whose events run through Reflex's event processor, without browser and server."""

import csv
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflex.istate.manager.memory import StateManagerMemory

from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared import current
from tests.helpers.flows import with_parts
from tests.helpers.providers import ScriptedProvider
from tests.helpers.sessions import open_tabs
from tests.helpers.settings import DATA

__all__ = [
    "database_url",
    "failing_orders",
    "lose_menu",
    "menus",
    "open_tab",
    "provider",
    "replace_parts",
    "services",
    "sessions",
    "tab",
]


@pytest.fixture
def database_url(sqlite_template, tmp_path):
    """SQLite alone, a fresh copy for each test: event handlers don't depend on the database."""
    file = tmp_path / "food_points.db"
    shutil.copyfile(sqlite_template, file)
    return f"sqlite:///{file}"


class MenuFolder:
    """A data folder whose menus a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def change_price(self, restaurant_id: int, dish: str, price: str) -> None:
        rows = self._rows(restaurant_id)
        next(row for row in rows if row["id"] == dish)["price"] = price
        self._write(restaurant_id, rows)

    def remove_dish(self, restaurant_id: int, dish: str) -> bytes:
        """Return the content of the file before."""
        before = self._file(restaurant_id).read_bytes()
        self._write(restaurant_id, [r for r in self._rows(restaurant_id) if r["id"] != dish])
        return before

    def restore(self, restaurant_id: int, content: bytes) -> None:
        self._file(restaurant_id).write_bytes(content)

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
def menus(tmp_path):
    """A copy of the shipped menus."""
    return MenuFolder(shutil.copytree(DATA, tmp_path / "data"))


@pytest.fixture
def services(new_services, request):
    """The services of one process; with `menus`, on that data folder."""
    if "menus" in request.fixturenames:
        return new_services(data_dir=request.getfixturevalue("menus").folder)
    return new_services()


@pytest.fixture
def lose_menu(new_services, menus, monkeypatch):
    """Restarts the product without a restaurant's menu and its last good copy."""

    def lose_menu(restaurant_id):
        (menus.folder / f"menu_{restaurant_id}.csv").unlink()
        shutil.rmtree(current.services().settings.last_good_dir)
        restarted = new_services(data_dir=menus.folder)
        monkeypatch.setattr(current, "services", lambda: restarted)

    return lose_menu


class FailingOrders:
    """An order store whose calls fail while `error` is set."""

    def __init__(self, orders: SqlOrders) -> None:
        self._orders = orders
        self.error: Exception | None = None
        self.failing_call = ""
        """The only failing call; empty for every call."""

    def __getattr__(self, name: str) -> Any:
        if self.error is not None and self.failing_call in {"", name}:
            raise self.error
        return getattr(self._orders, name)


@pytest.fixture
def provider():
    """A scripted payment provider; used where a test passes it to `replace_parts`."""
    return ScriptedProvider()


@pytest.fixture
def replace_parts(services, open_tab, monkeypatch):
    """Replaces parts of the services for all tabs: provider, order store, rate limit."""

    def replace_parts(*, prepare_limit=services.prepare_limit, **changed):
        replaced = replace(with_parts(services, **changed), prepare_limit=prepare_limit)
        monkeypatch.setattr(current, "services", lambda: replaced)
        return replaced

    return replace_parts


@pytest.fixture
def failing_orders(services, replace_parts):
    """An order store that fails as soon as a test sets its `error`."""
    orders = FailingOrders(services.payments.orders)
    replace_parts(orders=orders)
    return orders


@pytest.fixture
async def sessions():
    """The server's session storage."""
    manager = StateManagerMemory()
    yield manager
    await manager.close()


@pytest.fixture
async def open_tab(services, sessions, monkeypatch):
    """Opens a tab, in its own browser or in that of another tab.

    The server has no session for a new tab: as after a restart, the tab restores its state from the
    browser's storage.
    """
    monkeypatch.setattr(current, "services", lambda: services)
    async with open_tabs(sessions) as open_tab:
        yield open_tab
    await services.desk.close()


@pytest.fixture
def tab(open_tab):
    """The tab of a new visitor."""
    return open_tab()
