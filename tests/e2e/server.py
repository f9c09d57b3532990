"""The product as `make run` starts it, with a database, an outbox and a menu folder of its own."""

import csv
import email
import email.policy
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any, TypeVar

import httpx

Found = TypeVar("Found")

ROOT = Path(__file__).parents[2]
BUILD = ROOT / ".web" / "build" / "client" / "index.html"
OPERATOR_TOKEN = "opens the kitchens"
_PATIENCE_SECONDS = 20.0
_BETWEEN_LOOKS_SECONDS = 0.02
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV")
_TROUBLE = ("Traceback (most recent call last)", " ERROR ", " CRITICAL ")


def eventually(look: Callable[[], Found], what: str) -> Found:
    """Return what a look finds as soon as it finds something; fail if it never does."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not (found := look()):
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        time.sleep(_BETWEEN_LOOKS_SECONDS)
    return found


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """One installation of the product; it may die, and come back on the same database and port."""

    def __init__(self, folder: Path, now: datetime, redis_url: str = "") -> None:
        self.port = _free_port()
        self.url = f"http://localhost:{self.port}"
        self.now = now
        self.redis_url = redis_url
        self.data = folder / "data"
        self.outbox = folder / "outbox"
        self.database = folder / "food_points.db"
        self.log = folder / "server.log"
        self._read_log = 0
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copytree(ROOT / "data", self.data)

    def start(self) -> None:
        """Migrate and serve; return when orders can be taken."""
        environment = self._environment()
        run = {"cwd": ROOT, "env": environment, "stdin": subprocess.DEVNULL}
        migrate = [sys.executable, "-m", "campus_app.infrastructure.migrate"]
        subprocess.run(migrate, check=True, capture_output=True, **run)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "campus_app.serve"],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **run,
            )
        eventually(self._is_up, f"the server at {self.url}, see {self.log}")

    def stop(self) -> None:
        """End it as Ctrl-C does; after a while, however it takes."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut does."""
        self._end(signal.SIGKILL)

    def restart(self, now: datetime | None = None) -> None:
        """End it and start it again, maybe with another time on the campus."""
        self.now = now or self.now
        self.stop()
        self.start()

    def is_running(self) -> bool:
        return self._process is not None

    def troubles(self) -> list[str]:
        """Return what went wrong inside since the last look."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        new, self._read_log = text[self._read_log :], len(text)
        return [new] if any(sign in new for sign in _TROUBLE) else []

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path)

    def turn(self, restaurant_id: int, *, is_open: bool, message: str = "") -> None:
        """Turn the operator's switch of a restaurant."""
        answer = httpx.put(
            f"{self.url}/api/ops/restaurants/{restaurant_id}/status",
            headers={"authorization": f"Bearer {OPERATOR_TOKEN}"},
            json={"isOpen": is_open, "message": message},
        )
        assert answer.status_code == 200, answer.text

    def status_of(self, number: str) -> dict[str, Any]:
        """Return what the order-status call says."""
        return self.get(f"/payment/order-status/{number}").json()

    def menu_file(self, restaurant_id: int) -> Path:
        return self.data / f"menu_{restaurant_id}.csv"

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
        for shipped in (ROOT / "data").iterdir():
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

    def _environment(self) -> dict[str, str]:
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        return passed_on | {
            "PORT": str(self.port),
            "PUBLIC_URL": self.url,
            "DATABASE_URL": f"sqlite:///{self.database}",
            "REDIS_URL": self.redis_url,
            "OUTBOX_DIR": str(self.outbox),
            "DATA_DIR": str(self.data),
            "CAMPUS_NOW": self.now.isoformat(),
            "OPERATOR_TOKEN": OPERATOR_TOKEN,
            "ENVIRONMENT": "development",
        }

    def _is_up(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log.read_text()
        try:
            return self.get("/health").status_code == 200
        except httpx.TransportError:
            return False

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        os.killpg(process.pid, how)
        try:
            process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
