"""Which Chromium drives the screens."""

import shutil

SHELL = "chromium-headless-shell"
"""Chromium without a window: a visitor costs it less than half of the work."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Return the path of the lightest Chromium that is here."""
    return next(filter(None, map(shutil.which, NAMES)), None)
