"""A running installation under attack, with access to its log and database rows."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx

from campus_app.ordering.rules.notification import Notification
from tests.helpers.clock import WEDNESDAY
from tests.helpers.product import Product, eventually

UNTHROTTLED = {f"{scope}_MESSAGES_PER_SECOND": "100000" for scope in ("SESSION", "ADDRESS")}
"""Settings without a rate limit on messages."""


@contextmanager
def running_server(
    folder: Path, *, shares_memory: bool = True, **settings: str
) -> Iterator["Server"]:
    """Run an installation during the block."""
    server = Server(folder, settings)
    server.shares_memory = shares_memory
    try:
        server.start()
        yield server
    finally:
        server.stop()


class Server(Product):
    """One running installation, its log and the rows of its database."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        super().__init__(folder, WEDNESDAY)
        self._settings = settings
        self.http = httpx.Client(base_url=self.url, timeout=30)

    def stop(self) -> None:
        """Stop the server and all its child processes."""
        self.http.close()
        super().stop()

    def _environment(self) -> dict[str, str]:
        return super()._environment() | self._settings

    def is_healthy(self) -> bool:
        return super().is_healthy() and self.get("/health").json()["status"] == "ok"

    def logged(self) -> list[str]:
        """Return the lines of the log."""
        return self.log.read_text(errors="replace").splitlines()

    def rows(self, *, without: str = "") -> dict[str, list[dict[str, Any]]]:
        """Return every row of every table, by table name; `without` omits one column.

        Each page that is opened is a visit, also that of an attack: these sums are left out.
        """
        file = f"file:{self.database}?mode=ro"
        with closing(sqlite3.connect(file, uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            names = connection.execute("select name from sqlite_master where type = 'table'")
            return {
                name: [
                    {column: row[column] for column in row.keys() if column != without}  # noqa: SIM118
                    for row in connection.execute(f'select * from "{name}" order by 1')
                ]
                for (name,) in names.fetchall()
                if name != "visits"
            }

    def settle(self, number: str) -> None:
        """Return when all notifications of a paid order have been sent, and no job is left.

        The topics are checked because the webhook's own job finishes before the jobs that it creates.
        """

        def is_settled() -> bool:
            rows = self.rows()
            jobs = rows["outbox"]
            (order_id,) = (row["id"] for row in rows["orders"] if row["number"] == number)
            topics = {job["topic"] for job in jobs if job["subject"] == order_id}
            return topics.issuperset(Notification) and all(job["state"] == "done" for job in jobs)

        eventually(is_settled, "all outbox jobs are done")
