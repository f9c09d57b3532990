"""A program whose processes die where a test says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def crashing():
    """A program that forks a process for each errand, and says how it ended."""
    command = [sys.executable, "-m", "tests.helpers.crash"]
    # Only who is alone may fork: what another thread has locked stays so in the child for ever.
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=alone, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        yield program
        program.stdin.close()


@pytest.fixture
def die(crashing, database_url, tmp_path, clock):
    """Takes an order through a process that dies at a step; returns how it ended."""

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
