"""Builds and tries the product with another release of Reflex: `make reflex-check VERSION=0.10.0`.

It has an environment and a copy of the tree of its own in `var/reflex_check/`, with the packages of
the requirements files except those that this release needs in other versions. It prints what passes
and what breaks, and where; the logs of all steps stay there. It ends within ten minutes.
docs/reflex/moving-to-a-new-release.md says how to go on.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
_SECONDS = 600.0
_REQUIREMENTS = ("requirements.txt", "requirements-dev.txt")
_PATCHES = """
import json
from kit.reflex.patches import PATCHES, fitting, script_of_reflex, variants
found = {}
for name in PATCHES:
    try:
        found[name] = [fitting(script_of_reflex(variants(name)[0].target), name).file, ""]
    except Exception as error:
        found[name] = ["", str(error)]
print(json.dumps(found))
"""
_UNIT = {
    "use of Reflex": ["tests/kit/reflex"],
    "states of the screens": [
        "tests/campus_app/shell",
        "tests/campus_app/catalogue/screens",
        "tests/campus_app/ordering/screens",
        "tests/campus_app/kitchen/screens",
    ],
}
_BROWSER = {
    "orders and reconnection": [
        "tests/e2e/test_whole_order.py",
        "tests/e2e/test_reconnection.py",
        "tests/e2e/test_server_restarts.py::test_restart_keeps_scroll_position_and_focus",
    ],
    "make dev": ["tests/e2e/test_development.py"],
}
_PROBLEM = re.compile(r"^(?:FAILED|ERROR) (.+)$", re.MULTILINE)
_PASSED = re.compile(r"^.*\b\d+ passed\b.*$", re.MULTILINE)
_CHANGE = re.compile(r"^ \+ (\S+)$", re.MULTILINE)
_LINES_SHOWN = 8
_PROBLEMS_SHOWN = 20
_WIDTH = 25


@dataclass(frozen=True)
class Row:
    """A step, and what broke in it: a text for each problem."""

    step: str
    problems: Sequence[str] = ()
    note: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Done:
    """A program that has ended; `output` are its two streams together."""

    has_succeeded: bool
    output: str
    seconds: float


class Trial:
    """The environment and the copy of the tree for one release of Reflex."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._folder = ROOT / "var" / "reflex_check" / version
        self._tree = self._folder / "tree"
        self._programs = self._folder / "venv" / "bin"
        self._python = str(self._programs / "python")
        self._ends = time.monotonic() + _SECONDS

    def rows(self) -> Iterator[Row]:
        """Try everything, and yield a row after each step; a failed one ends what needs it."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        yield (installed := self._install())
        if installed.problems:
            return
        copy_tree(self._tree)
        (self._tree / ".venv").symlink_to(self._folder / "venv")
        yield from self._patches()
        yield from (self._test(*each) for each in _UNIT.items())
        yield (built := self._build())
        if not built.problems:
            yield from (self._test(*each) for each in _BROWSER.items())

    def _install(self) -> Row:
        uv = str(Path(sys.executable).with_name("uv"))
        install = [uv, "pip", "install", "--python", self._python]
        pinned = [f"--requirement={ROOT / name}" for name in _REQUIREMENTS]
        steps = [
            [uv, "venv", "--quiet", "--python", sys.executable, str(self._folder / "venv")],
            [*install, "--quiet", "--no-deps", *pinned],
            [*install, *release_of(self._version, (ROOT / "pyproject.toml").read_text())],
        ]
        seconds, changed = 0.0, ""
        for number, command in enumerate(steps):
            done = self._run(command, f"environment_{number}", cwd=self._folder)
            seconds += done.seconds
            if not done.has_succeeded:
                return Row("environment", [last_lines(done.output)], seconds=seconds)
            changed = ", ".join(_CHANGE.findall(done.output))
        return Row(
            "environment", note=f"instead of the pinned ones: {changed or 'none'}", seconds=seconds
        )

    def _patches(self) -> list[Row]:
        done = self._run([self._python, "-c", _PATCHES], "patches")
        if not done.has_succeeded:
            return [Row("patches", [last_lines(done.output)])]
        found = json.loads(done.output.splitlines()[-1])
        return [
            Row(f"patch {name}", [problem] if problem else [], file)
            for name, (file, problem) in found.items()
        ]

    def _build(self) -> Row:
        done = self._run([self._python, "-m", "campus_app.build"], "build")
        problems = [] if done.has_succeeded else [last_lines(done.output)]
        return Row("build", problems, seconds=done.seconds)

    def _test(self, step: str, tests: Sequence[str]) -> Row:
        command = [self._python, "-m", "pytest", "--quiet", "--numprocesses=2", *tests]
        done = self._run(command, step.replace(" ", "_"))
        note = (_PASSED.findall(done.output) or [""])[-1]
        return Row(step, problems_of(done), note, done.seconds)

    def _run(self, command: Sequence[str], name: str, cwd: Path | None = None) -> Done:
        """Run a program; its output is also in a log of this name."""
        log, started = self._folder / f"{name}.log", time.monotonic()
        with log.open("w", encoding="utf-8") as output:
            process = subprocess.Popen(  # noqa: S603 - no outside input but a version
                command,
                cwd=cwd or self._tree,
                env=environment(os.environ, self._programs, self._tree),  # noqa: TID251 - passed on
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                process.wait(max(0.0, self._ends - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                output.write(f"\nERROR not finished {_SECONDS:.0f} s after the start\n")
                process.wait()
        text = log.read_text(encoding="utf-8")
        return Done(process.returncode == 0, text, time.monotonic() - started)


def release_of(version: str, pyproject: str) -> list[str]:
    """Return what to install: this release, and the other packages of Reflex that we require.

    Each keeps its version if it fits.
    """
    required: list[str] = tomllib.loads(pyproject)["project"]["dependencies"]
    others = [each.partition("==")[0] for each in required if each.startswith("reflex-")]
    chosen = [f"reflex=={version}", *others]
    return [*chosen, "--prerelease=allow"] if Version(version).is_prerelease else chosen


def copy_tree(to: Path) -> None:
    """Copy what git tracks or would track, as it is in the working tree."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(  # noqa: S603 - no outside input
        command, cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, to / name)


def environment(own: Mapping[str, str], programs: Path, tree: Path) -> dict[str, str]:
    """Return the variables with which the programs of the trial run, from those of this process.

    An older release of Reflex is not to warn that there is a newer one.
    """
    kept = {name: value for name, value in own.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return {
        **kept,
        "PATH": f"{programs}{os.pathsep}{own.get('PATH', '')}",
        "DATA_DIR": str(tree / "tests" / "data"),
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "COLUMNS": "200",  # pytest cuts the messages of failed tests
    }


def problems_of(done: Done) -> list[str]:
    """Return the failed tests of a run of pytest with their messages, or the end of its output."""
    if done.has_succeeded:
        return []
    return _PROBLEM.findall(done.output) or [last_lines(done.output)]


def last_lines(output: str) -> str:
    """Return the end of an output, where programs say why they failed."""
    return "\n".join([line for line in output.splitlines() if line.strip()][-_LINES_SHOWN:])


def shown(row: Row) -> str:
    """Return a row as a line of a table, and its problems below it."""
    result = f"BREAKS ({len(row.problems)})" if row.problems else "passes"
    seconds = f"{row.seconds:.0f} s" if row.seconds else ""
    line = f"{row.step:{_WIDTH}}  {result:10}  {seconds:>5}  {row.note}".rstrip()
    shown_ones = [*row.problems[:_PROBLEMS_SHOWN]]
    if further := len(row.problems) - len(shown_ones):
        shown_ones.append(f"and {further} more: see the log")
    problems = [f"    {line}" for problem in shown_ones for line in problem.splitlines()]
    return "\n".join([line, *problems])


def main() -> int:
    """Try the release that the command line names; return 1 if anything breaks."""
    try:
        (version,) = sys.argv[1:]
        Version(version)
    except (ValueError, InvalidVersion):
        print("make reflex-check VERSION=0.10.0")
        return 2
    started, broken = time.monotonic(), 0
    print(f"The product with Reflex {version}:", flush=True)
    for row in Trial(version).rows():
        broken += bool(row.problems)
        print(shown(row), flush=True)
    summary = f"{broken} steps break" if broken else "nothing breaks"
    print(f"{summary}; {time.monotonic() - started:.0f} s; logs: var/reflex_check/{version}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
