"""Which Chromium drives the screens."""

import contextlib
import os
import shutil
import signal
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium without a window: a visitor costs it less than half of the work."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Return the path of the lightest Chromium that is here."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def end_browsers_of(pid: int) -> None:
    """End every Chromium that a process, or a process that it started, has started."""
    for child in _children(pid):
        end_browsers_of(child)
        with contextlib.suppress(OSError):
            if "chrom" in Path(f"/proc/{child}/comm").read_text():
                os.kill(child, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # After the name, which may hold anything: the state, then the parent.
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found
