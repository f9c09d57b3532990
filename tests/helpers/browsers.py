"""Which Chromium drives the screens."""

import contextlib
import shutil

import psutil

SHELL = "chromium-headless-shell"
"""Chromium without a window: a visitor costs it less than half of the work."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Return the path of the lightest Chromium that is here."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def end_browsers_of(pid: int) -> None:
    """End every Chromium that a process, or a process that it started, has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if "chrom" in child.name():
                    child.kill()
