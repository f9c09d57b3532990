"""The trial of another release of Reflex: what it installs, runs and prints."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools import reflex_check
from tools.reflex_check import (
    ROOT,
    Done,
    Row,
    copy_tree,
    environment,
    problems_of,
    release_of,
    shown,
)

PYPROJECT = """
[project]
dependencies = ["reflex==0.10.1", "fastapi==0.165.0", "reflex-otel==0.2.0"]
"""
FAILED_RUN = """
..F.E
=========================== short test summary info ============================
FAILED tests/kit/test_one.py::test_is_one[a b] - AssertionError: 1 != 2
ERROR tests/kit/test_two.py - ImportError: no such name
1 failed, 3 passed, 1 error in 2.50s
"""


def test_release_is_installed_with_other_required_packages_of_reflex():
    assert release_of("0.10.0", PYPROJECT) == ["reflex==0.10.0", "reflex-otel"]


def test_parts_of_a_pre_release_may_be_pre_releases():
    assert release_of("0.11.0a1", PYPROJECT) == [
        "reflex==0.11.0a1",
        "reflex-otel",
        "--prerelease=allow",
    ]


def test_programs_use_the_copy_and_its_environment():
    own = {"PATH": "/bin", "LANG": "C", "VIRTUAL_ENV": "/other", "PYTHONPATH": "/other"}
    assert environment(own, Path("/trial/bin"), Path("/tree")) == {
        "PATH": "/trial/bin:/bin",
        "LANG": "C",
        "DATA_DIR": "/tree/tests/data",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "COLUMNS": "200",
    }


def test_copy_has_files_of_the_working_tree_but_no_ignored_ones(tmp_path):
    copy_tree(tmp_path)
    own = Path(__file__).relative_to(ROOT)
    assert (tmp_path / own).read_bytes() == Path(__file__).read_bytes()
    assert (tmp_path / "kit" / "reflex" / "patches" / "own_origin.patch").is_file()
    assert not any((tmp_path / name).exists() for name in (".venv", ".web", "var", ".git"))


def test_problems_are_failed_tests_with_their_messages():
    assert problems_of(Done(has_succeeded=False, output=FAILED_RUN, seconds=1)) == [
        "tests/kit/test_one.py::test_is_one[a b] - AssertionError: 1 != 2",
        "tests/kit/test_two.py - ImportError: no such name",
    ]
    assert problems_of(Done(has_succeeded=True, output=FAILED_RUN, seconds=1)) == []


def test_problem_is_end_of_output_when_no_test_is_named():
    (problem,) = problems_of(Done(has_succeeded=False, output="usage\n\nKilled\n", seconds=1))
    assert problem == "usage\nKilled"


def test_row_has_its_problems_below_it():
    row = Row("build", ["line one\nline two", "other"], "a note", 61.4)
    assert shown(row).splitlines() == [
        f"{'build':25}  BREAKS (2)   61 s  a note",
        "    line one",
        "    line two",
        "    other",
    ]
    assert shown(Row("patch release", note="release.patch")).split() == [
        *("patch", "release", "passes", "release.patch"),
    ]


def test_row_shows_some_of_many_problems():
    lines = shown(Row("states", [f"test {number}" for number in range(784)])).splitlines()
    assert lines[0].endswith("BREAKS (784)")
    assert lines[-2:] == ["    test 19", "    and 764 more: see the log"]


def test_script_that_finds_fitting_patches_names_each():
    command = [sys.executable, "-c", reflex_check._PATCHES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert '"own_origin": ["own_origin.patch", ""]' in done.stdout


@pytest.mark.parametrize("arguments", [[], ["latest"], ["0.10.1", "0.10.0"]])
def test_command_without_a_version_explains_itself(monkeypatch, capsys, arguments):
    monkeypatch.setattr(sys, "argv", ["reflex_check", *arguments])
    assert reflex_check.main() == 2
    assert "VERSION=" in capsys.readouterr().out


def test_each_tried_test_exists():
    tried = [*reflex_check._UNIT.values(), *reflex_check._BROWSER.values()]
    for test in (test for tests in tried for test in tests):
        file, _, name = test.partition("::")
        assert (ROOT / file).exists()
        assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
