"""How long `make run` takes until orders can be taken, when nothing has changed since the last."""

import subprocess
import time
from pathlib import Path

from apps import our_environment
from places import ROOT, MeasurementFailed
from plan import Plan
from report import Figure, Goal, Limit, Measured
from servers import environment, started, wait_for

from tests.helpers.ports import free_port

_GOAL = Goal(Limit.AT_MOST, 10)


def measure(plan: Plan, folder: Path) -> Measured:
    """Start with an empty database, as on a machine where everything is built."""
    folder.mkdir(parents=True)
    if not _is_built():
        raise MeasurementFailed("the sources have changed since the build")
    port = free_port()
    changes = our_environment(folder) | {"PORT": str(port)}
    began = time.monotonic()
    with started(["make", "run"], ROOT, changes, folder / "log") as process:
        wait_for(f"http://127.0.0.1:{port}/health", process, folder / "log")
        seconds = time.monotonic() - began
    return Measured([Figure("`make run` until ready, all built", "s", seconds, goal=_GOAL)])


def _is_built() -> bool:
    command = ["make", "--question", "build"]
    return not subprocess.run(command, cwd=ROOT, env=environment({}), check=False).returncode
