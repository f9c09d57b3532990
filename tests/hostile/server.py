"""The product as an operator starts it, on a database and a port of its own."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from tests.support.clock import WEDNESDAY

_ROOT = Path(__file__).parents[2]
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV")
_PATIENCE_SECONDS = 20.0
_BETWEEN_LOOKS_SECONDS = 0.02


class Server:
    """One running installation, as strangers reach it; what it wrote can be read."""

    def __init__(self, folder: Path) -> None:
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.http = httpx.Client(base_url=self.url, timeout=10)
        self.log = folder / "server.log"
        self.database = folder / "food_points.db"
        self._process: subprocess.Popen[bytes] | None = None
        self._environment = {
            **{name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            "PORT": str(self.port),
            "DATABASE_URL": f"sqlite:///{self.database}",
            "OUTBOX_DIR": str(folder / "outbox"),
            "DATA_DIR": str(_ROOT / "data"),
            "CAMPUS_NOW": WEDNESDAY.isoformat(),
            "OPERATOR_TOKEN": "opens the kitchens",
            "ENVIRONMENT": "development",
        }

    def start(self) -> None:
        """Migrate, serve, and return when orders can be taken."""
        run = {"cwd": _ROOT, "env": self._environment, "stdin": subprocess.DEVNULL}
        migrate = [sys.executable, "-m", "campus_app.infrastructure.migrate"]
        subprocess.run(migrate, check=True, capture_output=True, **run)
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "campus_app.serve"],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **run,
            )
        self._wait_until(self.is_well, "the first answer")

    def stop(self) -> None:
        """End it, with all that it started."""
        self.http.close()
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait()

    def is_well(self) -> bool:
        """Whether the process lives and says that orders can be taken."""
        assert self._process is not None
        assert self._process.poll() is None, self.log.read_text()
        try:
            answer = self.http.get("/health")
        except httpx.TransportError:
            return False
        return answer.status_code == 200 and answer.json()["status"] == "ok"

    def logged(self) -> list[str]:
        """Return the lines that it has written."""
        return self.log.read_text(errors="replace").splitlines()

    def rows(self, *, without: str = "") -> dict[str, list[dict[str, Any]]]:
        """Return every row of every table, by the table's name, without one column."""
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
            }

    def settle(self) -> None:
        """Return when everybody has been told of everything."""
        self._wait_until(
            lambda: all(job["state"] == "done" for job in self.rows()["outbox"]), "the outbox"
        )

    def _wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not is_so():
            assert time.monotonic() < deadline, f"waited in vain for {what}: {self.log.read_text()}"
            time.sleep(_BETWEEN_LOOKS_SECONDS)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
