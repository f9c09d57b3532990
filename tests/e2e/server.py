"""The product with its own menu folder, and access to what it stored and sent."""

import csv
import email
import email.policy
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx

from kit.http.client import ssl_context
from tests.helpers.product import OPERATOR_TOKEN, ROOT, Product, eventually
from tests.helpers.settings import DATA

BUILD = ROOT / ".web" / "build" / "client" / "index.html"
_ERROR_MARKS = ("Traceback (most recent call last)", " ERROR ", " CRITICAL ")


class Server(Product):
    """An installation whose menus can be changed."""

    def __init__(self, folder: Path, now: datetime, redis_url: str = "") -> None:
        super().__init__(folder, now, redis_url)
        self.data = folder / "data"
        self._read_log = 0
        self._expected_errors: tuple[str, ...] = ()
        shutil.copytree(DATA, self.data)

    def copy(self, folder: Path) -> "Server":
        """Return a copy of this stopped installation, half a minute later, with its orders."""
        copied = Server(folder, self.now + timedelta(seconds=30))
        unlike = shutil.ignore_patterns(self.data.name, self.log.name)
        shutil.copytree(self.database.parent, folder, ignore=unlike, dirs_exist_ok=True)
        return copied

    def expect_errors(self, *texts: str) -> None:
        """Exclude error lines that contain one of these texts from `logged_errors`."""
        self._expected_errors += texts

    def logged_errors(self) -> list[str]:
        """Return the log since the last call if it contains unexpected errors."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        new, self._read_log = text[self._read_log :], len(text)
        errors = [line for line in new.splitlines() if any(mark in line for mark in _ERROR_MARKS)]
        expected = [line for line in errors if any(text in line for text in self._expected_errors)]
        return [new] if len(errors) > len(expected) else []

    def set_override(
        self, restaurant_id: int, *, is_open: bool, message: str = "", minutes: int = 0
    ) -> None:
        """Set the operator's override of a restaurant; a closing may end after some minutes."""
        until = (self.now + timedelta(minutes=minutes)).isoformat() if minutes else None
        body = {"isOpen": is_open, "message": message, "until": until}
        self._put(f"{restaurant_id}/status", body)

    def set_sold_out(self, restaurant_id: int, dish: str, *, is_sold_out: bool = True) -> None:
        """Mark a dish as sold out or available, as an operator does."""
        path = f"{restaurant_id}/dishes/{dish}/availability"
        self._put(path, {"isAvailable": not is_sold_out})

    def _put(self, path: str, body: dict[str, Any]) -> None:
        answer = httpx.put(
            f"{self.url}/api/ops/restaurants/{path}",
            headers={"authorization": f"Bearer {OPERATOR_TOKEN}"},
            json=body,
            timeout=30,
            verify=ssl_context(),
        )
        assert answer.status_code == 200, answer.text

    def status_of(self, number: str) -> dict[str, Any]:
        """Return the response of the order-status request."""
        return self.get(f"/payment/order-status/{number}").json()

    def menu_file(self, restaurant_id: int) -> Path:
        return self.data / f"menu_{restaurant_id}.csv"

    def delete_last_good_menu(self, restaurant_id: int) -> None:
        """Delete the copy of a menu that is used while its file is broken."""
        for copy in (self.outbox.parent / "menus").rglob(f"menu_{restaurant_id}.csv"):
            copy.unlink()

    def edit_menu(self, restaurant_id: int, edit: Callable[[dict[str, str]], bool]) -> None:
        """Rewrite a menu with the rows for which `edit` returns True; `edit` may change them."""
        file = self.menu_file(restaurant_id)
        with file.open(newline="", encoding="utf-8") as stream:
            reader = csv.DictReader(stream)
            rows = [row for row in reader if edit(row)]
            names = reader.fieldnames
        part = file.with_suffix(".part")
        with part.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, names or [])
            writer.writeheader()
            writer.writerows(rows)
        part.replace(file)
        self.wait_until_sold(restaurant_id)

    def wait_until_sold(self, restaurant_id: int) -> None:
        """Wait until a changed menu counts: its file must be still for a second."""
        with self.menu_file(restaurant_id).open(newline="", encoding="utf-8-sig") as stream:
            wanted = _dishes(csv.DictReader(stream))
        eventually(lambda: self._sold(restaurant_id) == wanted, f"menu {restaurant_id} is sold")

    def _sold(self, restaurant_id: int) -> list[tuple[str, str, Decimal]]:
        answer = self.get(f"/data/menu_{restaurant_id}.csv")
        rows = csv.DictReader(answer.text.splitlines()) if answer.status_code == 200 else []
        return _dishes(rows)

    def change_price(self, restaurant_id: int, dish: str, price: str) -> None:
        """Change the price of a dish."""

        def edit(row: dict[str, str]) -> bool:
            if row["name"] == dish:
                row["price"] = price
            return True

        self.edit_menu(restaurant_id, edit)

    def remove_dish(self, restaurant_id: int, dish: str) -> None:
        """Remove a dish from the menu."""
        self.edit_menu(restaurant_id, lambda row: row["name"] != dish)

    def restore_menus(self) -> None:
        """Restore all menus of the test data."""
        changed = [file for file in DATA.iterdir() if not self._has(file)]
        for shipped in changed:
            (self.data / shipped.name).unlink(missing_ok=True)
            shutil.copyfile(shipped, self.data / shipped.name)
        for restaurant_id in range(1, 9):
            if f"menu_{restaurant_id}.csv" in {file.name for file in changed}:
                self.wait_until_sold(restaurant_id)

    def _has(self, shipped: Path) -> bool:
        own = self.data / shipped.name
        return own.exists() and own.read_bytes() == shipped.read_bytes()

    def orders(self, customer: str) -> list[dict[str, Any]]:
        """Return a customer's orders, oldest first."""
        statement = (
            "select orders.*, payments.state as payment_state from orders"
            " join payments on payments.order_id = orders.id"
            " where email = ? order by orders.created_at_ms"
        )
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(statement, (customer,))]

    def mails_about(self, number: str) -> list[EmailMessage]:
        """Return the mails whose subject names an order."""
        files = sorted((self.outbox / "mail").glob("*.eml"))
        mails = [
            email.message_from_bytes(f.read_bytes(), policy=email.policy.default) for f in files
        ]
        return [mail for mail in mails if number in mail["subject"].replace(":", " ").split()]

    def calls_about(self, number: str) -> list[dict[str, Any]]:
        """Return the missed calls about an order."""
        file = self.outbox / "calls.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return [call for call in map(json.loads, lines) if call["orderId"] == number]

    def wait_until_notified(self, number: str) -> None:
        """Wait until customer and vendor are notified of an order; each exactly once."""
        eventually(lambda: self._is_notified(number), f"two e-mails and a call about {number}")
        assert len(self.mails_about(number)) == 2
        assert len(self.calls_about(number)) == 1

    def _is_notified(self, number: str) -> bool:
        return len(self.mails_about(number)) >= 2 and bool(self.calls_about(number))


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Run an installation during the block."""
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _dishes(rows: Iterable[dict[str, str]]) -> list[tuple[str, str, Decimal]]:
    """Return id, name and price of each row of a menu."""
    return [(row["id"], row["name"], Decimal(row["price"])) for row in rows]
