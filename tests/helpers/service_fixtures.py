"""Fixtures that the tests of the services share; processes that are killed at a named step."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.builders import order_request
from tests.helpers.providers import ScriptedProvider
from tests.helpers.races import PROCESSES

__all__ = [
    "checkouts",
    "crashing",
    "die",
    "ordering",
    "payments",
    "prepare",
    "processes",
    "provider",
    "scripted",
    "stored",
]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def crashing():
    """A helper program that forks a process per request and returns its exit code."""
    command = [sys.executable, "-m", "tests.helpers.crash"]
    # Fork only from a single-threaded process: locks of other threads stay locked in the child.
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=alone, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        yield program
        program.stdin.close()


@pytest.fixture
def die(crashing, database_url, tmp_path, clock):
    """Places an order in a process that is killed at a step; returns its exit code."""

    def die(step, **more):
        errand = {
            "step": step,
            "database_url": database_url,
            "folder": str(tmp_path),
            "moment": clock.now().isoformat(),
        }
        print(json.dumps(errand | more), file=crashing.stdin, flush=True)
        return int(crashing.stdout.readline())

    return die


@pytest.fixture
def ordering(services):
    return services.ordering


@pytest.fixture
def payments(services):
    return services.payments


@pytest.fixture
def provider():
    return ScriptedProvider()


@pytest.fixture
def scripted(services, provider):
    """Payments with a provider that answers what the test sets."""
    return replace(services.payments, provider=provider)


@pytest.fixture
def checkouts(services, provider):
    """Checkouts with a provider that answers what the test sets."""
    return replace(services.checkouts, provider=provider)


@pytest.fixture
def prepare(services):
    async def prepare(**changes):
        return await services.ordering.prepare(order_request(**changes))

    return prepare


@pytest.fixture
async def stored(prepare):
    """A stored order."""
    return await prepare()


@pytest.fixture
def processes(new_services):
    return [new_services() for _ in range(PROCESSES)]
