"""A complete deployment under test: HTTP access, database rows and outbox files."""

import contextlib
import email
import email.policy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row
from redis import Redis

from deploy.local_stack import Deployment, Part, started_stack
from kit.http.client import ssl_context
from tests.helpers.clock import WEDNESDAY
from tests.helpers.metrics import samples
from tests.helpers.ports import free_port
from tests.helpers.product import OPERATOR_TOKEN, ROOT, eventually
from tests.helpers.settings import DATA

_PAGES = ROOT / ".web" / "build" / "client" / "index.html"
_LOG_TAIL_CHARACTERS = 4_000
_ERROR_LEVELS = {"ERROR", "CRITICAL"}


class RunningDeployment:
    """The processes behind nginx, with their database, outbox and logs."""

    def __init__(self, deployment: Deployment) -> None:
        self.parts = deployment
        self.url = deployment.url
        self.now = WEDNESDAY
        self._expected_errors: tuple[str, ...] = ()
        self._forgotten_records = [0] * len(deployment.backends)
        self.redis = Redis.from_url(deployment.redis_url)

    def get(self, path: str, *, process: int | None = None) -> httpx.Response:
        """Send a GET through nginx, or directly to one process."""
        at = self.url if process is None else f"http://127.0.0.1:{self.parts.ports[process]}"
        return httpx.get(at + path, timeout=30, verify=ssl_context())

    def set_override(self, restaurant_id: int, *, is_open: bool, process: int) -> None:
        """Set a restaurant override at one process."""
        response = httpx.put(
            f"http://127.0.0.1:{self.parts.ports[process]}/api/ops/restaurants/{restaurant_id}/status",
            headers={"authorization": f"Bearer {OPERATOR_TOKEN}"},
            json={"isOpen": is_open},
            timeout=30,
        )
        assert response.status_code == 200, response.text

    def rows(self, statement: str, *values: Any) -> list[dict[str, Any]]:
        """Return the rows of a query."""
        with psycopg.connect(self.parts.database_url, row_factory=dict_row) as connection:
            return connection.execute(statement, values).fetchall()  # pyright: ignore

    def metrics(self, process: int) -> dict[tuple[str, ...], float]:
        """Return the metrics of a process by name and labels."""
        response = httpx.get(
            f"http://127.0.0.1:{self.parts.ports[process]}/metrics",
            headers={"authorization": f"Bearer {OPERATOR_TOKEN}"},
            timeout=30,
        )
        assert response.status_code == 200, response.text
        return samples(response.text)

    def pages_at(self, process: int) -> int:
        """Return how many pages are connected to a process."""
        return int(self.metrics(process)["campus_live_sessions",])

    def open_jobs(self) -> int:
        """Return the number of jobs that are not finished."""
        statement = "select count(*) as jobs from outbox where state in ('ready', 'leased')"
        return self.rows(statement)[0]["jobs"]

    def mails(self) -> list[str]:
        """Return the subjects of all e-mails."""
        files = sorted((self.parts.outbox / "mail").glob("*.eml"))
        read = (
            email.message_from_bytes(f.read_bytes(), policy=email.policy.default) for f in files
        )
        return [mail["subject"] for mail in read]

    def calls(self) -> list[str]:
        """Return the order numbers of all missed calls."""
        file = self.parts.outbox / "calls.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return [json.loads(line)["orderId"] for line in lines]

    def wait_until_notified(self, number: str) -> None:
        """Wait until an order's two e-mails and its call are sent; fail if one is repeated."""

        def counts() -> tuple[int, int]:
            subjects = [subject.replace(":", " ").split() for subject in self.mails()]
            return sum(number in words for words in subjects), self.calls().count(number)

        eventually(
            lambda: counts()[0] >= 2 and counts()[1] >= 1, f"two e-mails and a call for {number}"
        )
        assert counts() == (2, 1)

    def expect_errors(self, *texts: str) -> None:
        """Exclude error records that contain one of these texts from `logged_errors`."""
        self._expected_errors += texts

    def forget_errors(self) -> None:
        """Exclude the records until now from `logged_errors`, and expect no errors any more."""
        self._expected_errors = ()
        self._forgotten_records = [len(self._log_of(part)) for part in self.parts.backends]

    def log(self) -> list[dict[str, str]]:
        """Return every log record of all processes."""
        return [record for part in self.parts.backends for record in self._log_of(part)]

    @staticmethod
    def _log_of(part: Part) -> list[dict[str, str]]:
        return [json.loads(line) for line in part.log.read_text(errors="replace").splitlines()]

    def logged_errors(self) -> list[str]:
        """Return the error records as JSON, except the expected ones."""
        parts = zip(self.parts.backends, self._forgotten_records, strict=True)
        records = [record for part, count in parts for record in self._log_of(part)[count:]]
        lines = [json.dumps(each) for each in records if each["level"] in _ERROR_LEVELS]
        return [line for line in lines if not any(text in line for text in self._expected_errors)]


@contextlib.contextmanager
def running_deployment(
    processes: int = 2, *, release: Path = ROOT, previous: Path | None = None, **settings: str
) -> Iterator[RunningDeployment]:
    """Run a deployment for the duration of the block.

    `release` and `previous` are the folders of the program and of its previous release, or links to
    them that the test changes.
    """
    if not _PAGES.exists():
        pytest.fail("The pages are not built: run make build", pytrace=False)
    values = {
        "CAMPUS_NOW": WEDNESDAY.isoformat(),
        "OPERATOR_TOKEN": OPERATOR_TOKEN,
        "ENVIRONMENT": "development",
        "DATA_DIR": str(DATA),
        **settings,
    }
    try:
        with started_stack(
            processes, values, port_for=free_port, release=release, previous=previous
        ) as deployment:
            yield RunningDeployment(deployment)
            _print_logs(deployment)
    except RuntimeError as error:
        pytest.fail(str(error), pytrace=False)


def _print_logs(deployment: Deployment) -> None:
    """Print the end of each process's log: pytest shows it with a failed test."""
    for part in deployment.backends:
        print(
            f"{part.log.name}:",
            part.log.read_text(errors="replace")[-_LOG_TAIL_CHARACTERS:],
            sep="\n",
        )
