"""A copy of the repository, for tests of tools that change it."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.helpers.product import ROOT

PARTS = ("assets", "campus_app", "data", "deploy", "kit", "tests", "tools", "voice_site")
FILES = ("pyproject.toml", "rxconfig.py", "requirements.txt")


@pytest.fixture
def copy(tmp_path):
    """A copy of the repository."""
    ignored = shutil.ignore_patterns("__pycache__", "external", "video")
    for name in PARTS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in FILES:
        shutil.copyfile(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv", target_is_directory=True)
    return tmp_path


def run(copy, *command):
    """Run Python in the copy; fail with its output if it fails."""
    environment = {**os.environ, "DATA_DIR": str(copy / "tests" / "data"), "PYTHONPATH": str(copy)}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
