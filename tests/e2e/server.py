"""The product with a menu folder of its own, as journeys through it need it."""

import csv
import email
import email.policy
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx

from kit.http.client import trusted
from tests.helpers.product import OPERATOR_TOKEN, ROOT, Product, eventually
from tests.helpers.settings import DATA

BUILD = ROOT / ".web" / "build" / "client" / "index.html"
_TROUBLE = ("Traceback (most recent call last)", " ERROR ", " CRITICAL ")


class Server(Product):
    """An installation whose menus can be changed, and of which a test can see what it did."""

    def __init__(self, folder: Path, now: datetime, redis_url: str = "") -> None:
        super().__init__(folder, now, redis_url)
        self.data = folder / "data"
        self._read_log = 0
        self._forgiven: tuple[str, ...] = ()
        shutil.copytree(DATA, self.data)

    def forgive(self, *words: str) -> None:
        """Expect errors with these words in their line."""
        self._forgiven += words

    def troubles(self) -> list[str]:
        """Return what went wrong inside since the last look, but for what is forgiven."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        new, self._read_log = text[self._read_log :], len(text)
        bad = [line for line in new.splitlines() if any(sign in line for sign in _TROUBLE)]
        forgiven = [line for line in bad if any(words in line for words in self._forgiven)]
        return [new] if len(bad) > len(forgiven) else []

    def turn(self, restaurant_id: int, *, is_open: bool, message: str = "") -> None:
        """Turn the operator's switch of a restaurant."""
        answer = httpx.put(
            f"{self.url}/api/ops/restaurants/{restaurant_id}/status",
            headers={"authorization": f"Bearer {OPERATOR_TOKEN}"},
            json={"isOpen": is_open, "message": message},
            verify=trusted(),
        )
        assert answer.status_code == 200, answer.text

    def status_of(self, number: str) -> dict[str, Any]:
        """Return what the order-status call says."""
        return self.get(f"/payment/order-status/{number}").json()

    def menu_file(self, restaurant_id: int) -> Path:
        return self.data / f"menu_{restaurant_id}.csv"

    def forget_last_good(self, restaurant_id: int) -> None:
        """Remove the copy of a menu that stays on sale while its file is broken."""
        for copy in (self.outbox.parent / "menus").rglob(f"menu_{restaurant_id}.csv"):
            copy.unlink()

    def edit_menu(self, restaurant_id: int, edit: Callable[[dict[str, str]], bool]) -> None:
        """Write a menu again with the rows for which `edit`, which may change them, says True."""
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

    def change_price(self, restaurant_id: int, dish: str, price: str) -> None:
        """Let a dish cost something else from now on."""

        def edit(row: dict[str, str]) -> bool:
            if row["name"] == dish:
                row["price"] = price
            return True

        self.edit_menu(restaurant_id, edit)

    def remove_dish(self, restaurant_id: int, dish: str) -> None:
        """Take a dish off the menu."""
        self.edit_menu(restaurant_id, lambda row: row["name"] != dish)

    def restore_menus(self) -> None:
        """Put every shipped menu back."""
        for shipped in DATA.iterdir():
            own = self.data / shipped.name
            if not own.exists() or own.read_bytes() != shipped.read_bytes():
                own.unlink(missing_ok=True)
                shutil.copyfile(shipped, own)

    def orders(self, customer: str) -> list[dict[str, Any]]:
        """Return the orders of the customer with this e-mail address, oldest first."""
        statement = (
            "select orders.*, payments.state as payment_state from orders"
            " join payments on payments.order_id = orders.id"
            " where email = ? order by orders.created_at_ms"
        )
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(statement, (customer,))]

    def mails_about(self, number: str) -> list[EmailMessage]:
        """Return the e-mails whose subject names an order."""
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

    def wait_until_told(self, number: str) -> None:
        """Wait until customer and vendor have been told of an order; each exactly once."""
        eventually(lambda: self._is_told(number), f"two e-mails and a call about {number}")
        assert len(self.mails_about(number)) == 2
        assert len(self.calls_about(number)) == 1

    def _is_told(self, number: str) -> bool:
        return len(self.mails_about(number)) >= 2 and bool(self.calls_about(number))
