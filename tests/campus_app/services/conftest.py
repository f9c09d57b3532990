"""Processes that are killed at a step that a test names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


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
