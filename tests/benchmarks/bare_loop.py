"""The loop that only stores orders, in a process of its own."""

import os
import subprocess
from dataclasses import replace
from typing import Literal

from places import BENCHMARKS, PYTHON, ROOT, MeasurementFailed
from rounds import Turn, Watch
from servers import SERVER_CORE, environment, on_core

_SPARE_SECONDS = 20


def bare_turn(
    template: str, database: str, seconds: float, rows: Literal["prepared", "complete"]
) -> Turn:
    """Store rows like those of the template's first order for so long, on the servers' core."""
    script = BENCHMARKS / "bare_orders.py"
    command = [PYTHON, str(script), template, database, str(seconds), rows]
    watch = Watch(_children_cpu_seconds)
    with on_core(SERVER_CORE):
        done = subprocess.run(
            command,
            env=environment({"PYTHONPATH": str(ROOT)}),
            capture_output=True,
            text=True,
            timeout=seconds + _SPARE_SECONDS,
            check=False,
        )
    if done.returncode:
        raise MeasurementFailed(done.stderr)
    stored, cpu_seconds = map(float, done.stdout.split())
    # What it used before the first order is not the loop's.
    return replace(watch.turn(stored, seconds), per_cpu_second=stored / cpu_seconds)


def _children_cpu_seconds() -> float:
    used = os.times()
    return used.children_user + used.children_system
