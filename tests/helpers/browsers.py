"""Find and kill the Chromium that runs the browser tests."""

import contextlib
import shutil

import psutil

SHELL = "chromium-headless-shell"
"""Chromium without a window, which needs less than half the processor time per page."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Return the path of the installed Chromium, preferably of the headless shell."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def kill_browsers_of(pid: int) -> None:
    """Kill every Chromium started by a process or its children."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if "chrom" in child.name():
                    child.kill()
