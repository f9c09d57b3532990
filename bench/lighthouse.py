"""Lighthouse scores on a mobile device of the pages that need no cart.

One run of each: the three runs of a page on one machine differed by at most a point.

Source: docs/usability.md U20.
"""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apps import OURS, served
from browser import chromium
from paths import BENCHMARKS, RESULTS
from plan import Plan
from report import Figure, Goal, Limit, MeasurementFailed, Result
from servers import process_environment

_TOOL = BENCHMARKS / "lighthouse_tool"
_INSTALLED = RESULTS / "lighthouse"
_INSTALL_SECONDS = 240
_RUN_SECONDS = 120
_OTHERS = ("accessibility", "best-practices", "seo")
_CATEGORIES = ("performance", *_OTHERS)
_PAINT = "first-contentful-paint"
_FLAGS = "--headless=new --no-sandbox --disable-dev-shm-usage"
_LANDING, _ORDERING = 98, 95
_PERFORMANCE = {
    "/": _LANDING,
    "/?desktop=true": _LANDING,
    "/campus": _ORDERING,
    "/about": _ORDERING,
    "/about2": _ORDERING,
    "/menu/1": _ORDERING,
    "/offers": _ORDERING,
    "/pre-reserve": _ORDERING,
    "/terms": _ORDERING,
    "/underprogress": _ORDERING,
}
"""The least performance of each page."""

Scores = Mapping[str, float]
"""Lighthouse's categories, and their scores from 0 to 100."""


def measure(_plan: Plan, folder: Path) -> Result:
    """Run Lighthouse on each page."""
    with served(OURS, folder) as server:
        scores = {page: run_lighthouse(f"{server.url}{page}") for page in _PERFORMANCE}
    figures = [
        figure
        for page, performance in _PERFORMANCE.items()
        for figure in score_figures(page, scores[page], performance)
    ]
    return Result(figures, scores)


def score_figures(name: str, scores: Scores, performance: int) -> list[Figure]:
    """Return a page's performance, and the lowest of its other scores."""
    lowest = min(scores[each] for each in _OTHERS)
    goals = Goal(Limit.AT_LEAST, performance), Goal(Limit.AT_LEAST, 100)
    return [
        Figure(f"{name}: performance", "", scores["performance"], goal=goals[0]),
        Figure(f"{name}: lowest other score", "", lowest, goal=goals[1]),
    ]


def run_lighthouse(url: str) -> Scores:
    """Return the scores of an address."""
    _ensure_installed()
    return _scores_of(_report(url))


def run_reports(runs: int, url: str) -> list[dict[str, float]]:
    """Return the scores and the simulated first paint, in milliseconds, of each run."""
    _ensure_installed()
    reports = [_report(url) for _ in range(runs)]
    return [
        {**_scores_of(each), _PAINT: each["audits"][_PAINT]["numericValue"]} for each in reports
    ]


def _scores_of(report: Mapping[str, Any]) -> dict[str, float]:
    return {name: 100 * report["categories"][name]["score"] for name in _CATEGORIES}


def _report(url: str) -> dict[str, Any]:
    command = [str(_INSTALLED / "node_modules" / ".bin" / "lighthouse"), url]
    command += ["--output=json", "--quiet", f"--chrome-flags={_FLAGS}"]
    command += [f"--only-categories={','.join(_CATEGORIES)}"]
    report = json.loads(_run(command, _RUN_SECONDS))
    if "runtimeError" in report:
        raise MeasurementFailed(f"{url}: {report['runtimeError']['message']}")
    return report


def _ensure_installed() -> None:
    """Install the locked version of Lighthouse unless it is installed."""
    wanted = (_TOOL / "package-lock.json").read_text()
    stamp = _INSTALLED / "stamp"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print("Installing Lighthouse …", flush=True)
    shutil.rmtree(_INSTALLED, ignore_errors=True)
    shutil.copytree(_TOOL, _INSTALLED)
    _run(["npm", "ci", "--no-audit", "--no-fund"], _INSTALL_SECONDS)
    stamp.write_text(wanted)


def _run(command: Sequence[str], seconds: float) -> str:
    """Return a program's output; raise MeasurementFailed unless it succeeds in time."""
    try:
        ended = subprocess.run(
            command,
            check=False,
            cwd=_INSTALLED,
            env=process_environment({"CHROME_PATH": chromium()}),
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise MeasurementFailed(f"{command[0]} took more than {seconds} s") from None
    if ended.returncode != 0:
        raise MeasurementFailed(f"{' '.join(command)}: {ended.stderr[-2000:]}")
    return ended.stdout
