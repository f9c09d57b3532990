"""Run the command line in this process through its entry point."""

import asyncio
import json
from dataclasses import dataclass

import pytest
from click.testing import CliRunner

from campus_app.operators.commands import ops
from campus_app.shared import current
from tests.helpers.builders import order_request
from tests.helpers.flows import drain, pay
from tests.helpers.kitchens import enrol


@dataclass(frozen=True)
class Done:
    """The exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(services, monkeypatch):
    """Runs a command on a fresh database."""
    monkeypatch.setattr(current, "services", lambda: services)

    def run(*words, answer=""):
        result = CliRunner().invoke(ops, list(words), input=answer, prog_name="ops")
        assert result.exception is None or isinstance(result.exception, SystemExit), result
        return Done(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def place(services):
    """Stores an order."""

    def place(**changes):
        return asyncio.run(services.ordering.prepare(order_request(**changes)))

    return place


@pytest.fixture
def completed(services, place):
    """Stores an order, pays it and runs its notifications."""

    def completed(**changes):
        stored = place(**changes)

        async def settle():
            await pay(services, stored)
            await drain(services)

        asyncio.run(settle())
        return stored.order

    return completed


@pytest.fixture
def enrolled(services):
    """Enrols a device of a kitchen."""

    def enrolled(restaurant_id=1):
        return asyncio.run(enrol(services, restaurant_id)).device

    return enrolled
