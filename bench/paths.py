"""Folders and programs of the benchmarks."""

import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent
ROOT = BENCHMARKS.parent
RESULTS = ROOT / "var" / "bench"
HISTORY = ROOT / "docs" / "benchmarks"
PYTHON = sys.executable
PROGRAMS = str(Path(PYTHON).parent)
