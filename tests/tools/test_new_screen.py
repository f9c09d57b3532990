"""The screen that `make new-screen` adds passes the checks and tests that every screen passes."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.helpers.product import ROOT
from tools.new_screen import add_screen

PARTS = ("assets", "campus_app", "data", "deploy", "kit", "tests", "tools", "voice_site")
FILES = ("pyproject.toml", "rxconfig.py", "requirements.txt")
COMPILE = """
from campus_app.campus_app import app
app._compile_page("saved-dishes")
print(len(app._pages))
"""


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


def test_new_screen_is_formatted_typed_built_and_tested(copy):
    files = [str(file.relative_to(copy)) for file in add_screen("ordering", "saved_dishes", copy)]
    changed = [*files, "campus_app/campus_app.py", "campus_app/shell/layout.py"]
    run(copy, "-m", "ruff", "check", *changed)
    run(copy, "-m", "ruff", "format", "--check", *changed)
    run(copy, "-m", "pyright", *changed[:-3], *changed[-2:])
    run(copy, "-c", COMPILE)
    page_tests = ["tests/campus_app/test_routes.py", "tests/campus_app/test_screens.py"]
    run(copy, "-m", "pytest", "-q", files[-1], *page_tests)


@pytest.mark.parametrize(
    "name", ["", "Favourites", "my-screen", "a__b", "_a", "../evil", "checkout"]
)
def test_new_screen_is_refused_when_its_name_is_invalid_or_taken(name):
    with pytest.raises(ValueError, match=r"made of|there already"):
        add_screen("ordering", name)


@pytest.mark.parametrize("room", ["", "shell", "shared", "attic", "../kit"])
def test_new_screen_is_refused_when_there_is_no_such_room(room):
    with pytest.raises(ValueError, match="none of the rooms"):
        add_screen(room, "favourites")
