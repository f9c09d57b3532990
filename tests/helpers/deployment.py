"""A whole deployment under test: what it says over HTTP, and what its database and outbox hold."""

import contextlib
import email
import email.policy
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row
from redis import Redis

from deploy.local_stack import Deployment, rehearsal
from kit.http.client import trusted
from tests.helpers.clock import WEDNESDAY
from tests.helpers.ports import free_port
from tests.helpers.product import OPERATOR_TOKEN, ROOT, eventually
from tests.helpers.settings import DATA

_PAGES = ROOT / ".web" / "build" / "client" / "index.html"
_ID = re.compile(r"this process is ([0-9a-f]{16})")
_LAST_WORDS = 4_000
_TROUBLE = {"ERROR", "CRITICAL"}


class Deployed:
    """What runs behind nginx, as visitors and operators see it."""

    def __init__(self, deployment: Deployment) -> None:
        self.parts = deployment
        self.url = deployment.url
        self.now = WEDNESDAY
        self._forgiven: tuple[str, ...] = ()
        self.redis = Redis.from_url(deployment.redis_url)

    def get(self, path: str, *, process: int | None = None) -> httpx.Response:
        """Ask nginx, or one process behind its back."""
        at = self.url if process is None else f"http://127.0.0.1:{self.parts.ports[process]}"
        return httpx.get(at + path, timeout=10, verify=trusted())

    def turn(self, restaurant_id: int, *, is_open: bool, process: int) -> None:
        """Turn the operator's switch of a restaurant, at one process."""
        answer = httpx.put(
            f"http://127.0.0.1:{self.parts.ports[process]}/api/ops/restaurants/{restaurant_id}/status",
            headers={"authorization": f"Bearer {OPERATOR_TOKEN}"},
            json={"isOpen": is_open},
            timeout=10,
        )
        assert answer.status_code == 200, answer.text

    def rows(self, statement: str, *values: Any) -> list[dict[str, Any]]:
        """Ask the database."""
        with psycopg.connect(self.parts.database_url, row_factory=dict_row) as connection:
            return connection.execute(statement, values).fetchall()  # pyright: ignore

    def ids(self) -> list[str]:
        """Return what the processes that live call themselves, in their order."""
        return [re.findall(_ID, part.log.read_text())[-1] for part in self.parts.backends]

    def open_jobs(self) -> int:
        """Return how many effects are still to be carried out."""
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
        """Return the numbers of the orders that restaurants were rung for."""
        file = self.parts.outbox / "calls.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return [json.loads(line)["orderId"] for line in lines]

    def wait_until_told(self, number: str) -> None:
        """Wait until customer and vendor have been told of an order; each exactly once."""

        def told() -> tuple[int, int]:
            about = [subject.replace(":", " ").split() for subject in self.mails()]
            return sum(number in words for words in about), self.calls().count(number)

        eventually(lambda: told()[0] >= 2 and told()[1] >= 1, f"two e-mails and a call: {number}")
        assert told() == (2, 1)

    def forgive(self, *words: str) -> None:
        """Expect errors with these words in their line."""
        self._forgiven += words

    def log(self) -> list[dict[str, str]]:
        """Return every line of the log of all processes: each is an object."""
        logs = [part.log.read_text(errors="replace") for part in self.parts.backends]
        return [json.loads(line) for log in logs for line in log.splitlines()]

    def troubles(self) -> list[str]:
        """Return the lines about what went wrong inside, but for what is forgiven."""
        lines = [json.dumps(line) for line in self.log() if line["level"] in _TROUBLE]
        return [line for line in lines if not any(words in line for words in self._forgiven)]


@contextlib.contextmanager
def deployed(processes: int = 2, **settings: str) -> Iterator[Deployed]:
    """Run a deployment for as long as the block does."""
    if not _PAGES.exists():
        pytest.fail("The pages are not built: run make build", pytrace=False)
    chosen = {
        "CAMPUS_NOW": WEDNESDAY.isoformat(),
        "OPERATOR_TOKEN": OPERATOR_TOKEN,
        "ENVIRONMENT": "development",
        "DATA_DIR": str(DATA),
        **settings,
    }
    try:
        with rehearsal(processes, chosen, port_for=free_port) as deployment:
            yield Deployed(deployment)
            _tell(deployment)
    except RuntimeError as error:
        pytest.fail(str(error), pytrace=False)


def _tell(deployment: Deployment) -> None:
    """Print the last that the processes said: pytest shows it with a test that failed."""
    for part in deployment.backends:
        print(f"{part.log.name}:", part.log.read_text(errors="replace")[-_LAST_WORDS:], sep="\n")
