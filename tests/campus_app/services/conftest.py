"""A program whose processes die where a test says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def crashing():
    """A program that forks a process for each errand, and says how it ended."""
    command = [sys.executable, "-m", "tests.support.crash"]
    # Only who is alone may fork: what another thread has locked stays so in the child for ever.
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=alone, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        yield program
        program.stdin.close()
