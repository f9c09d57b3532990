"""Where things are, and which programs are used."""

import shutil
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent
ROOT = BENCHMARKS.parents[1]
RESULTS = ROOT / "var" / "bench"
PYTHON = sys.executable
PROGRAMS = str(Path(PYTHON).parent)

_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


class MeasurementFailed(Exception):
    """A figure could not be had; the text says why."""


def chromium() -> str:
    """Return Chromium's path."""
    found = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if found is None:
        raise MeasurementFailed("Chromium is missing")
    return found
