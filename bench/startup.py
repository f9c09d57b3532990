"""Time from `make run` until the product serves requests, in a fresh copy and in a built one."""

import shutil
import subprocess
import time
from pathlib import Path

from apps import environment
from paths import ROOT
from plan import Plan
from report import Figure, Goal, Limit, Result
from servers import started, wait_for

from tests.helpers.ports import free_port

_FIRST = Goal(Limit.AT_MOST, 120)
_AGAIN = Goal(Limit.AT_MOST, 10)
_TIMEOUT_SECONDS = 600


def measure(plan: Plan, folder: Path) -> Result:
    """Run a copy without environment and pages twice; packages may be in pip's and npm's caches."""
    copy = folder / "copy"
    _copy_tracked_files(copy)
    first, again = (_seconds_until_ready(copy, folder / name) for name in ("first", "again"))
    return Result(
        [
            Figure("`make run` until ready, nothing installed", "s", first, goal=_FIRST),
            Figure("`make run` until ready, all built", "s", again, goal=_AGAIN),
        ]
    )


def _copy_tracked_files(target: Path) -> None:
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def _seconds_until_ready(copy: Path, folder: Path) -> float:
    folder.mkdir()
    port, log = free_port(), folder / "log"
    changes = environment(folder) | {"PORT": str(port)}
    start = time.monotonic()
    with started(["make", "run"], copy, changes, log) as process:
        wait_for(f"http://127.0.0.1:{port}/health", process, log, _TIMEOUT_SECONDS)
        return time.monotonic() - start
