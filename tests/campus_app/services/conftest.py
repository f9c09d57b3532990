"""A program whose processes die where a test says."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def crashing():
    """A program that forks a process for each errand, and says how it ended."""
    command = [sys.executable, "-m", "tests.support.crash"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        yield program
        program.stdin.close()
