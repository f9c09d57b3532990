"""Where things are, and which programs are used."""

import sys
from pathlib import Path

from tests.helpers import browsers

BENCHMARKS = Path(__file__).parent
ROOT = BENCHMARKS.parents[1]
RESULTS = ROOT / "var" / "bench"
HISTORY = ROOT / "docs" / "benchmarks"
PYTHON = sys.executable
PROGRAMS = str(Path(PYTHON).parent)


class MeasurementFailed(Exception):
    """A figure could not be had; the text says why."""


def chromium() -> str:
    """Return Chromium's path."""
    found = browsers.chromium()
    if found is None:
        raise MeasurementFailed("Chromium is missing")
    return found
