"""What Lighthouse says of the pages that anyone can open, the median of some looks.

A page of the ordering product that needs a cart leads who has none elsewhere.
Source: docs/usability.md U20.
"""

import json
import shutil
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps import BARE, OURS, served
from places import BENCHMARKS, RESULTS, MeasurementFailed, chromium
from plan import Plan
from report import Figure, Goal, Limit, Measured
from servers import environment

_TOOL = BENCHMARKS / "lighthouse_tool"
_INSTALLED = RESULTS / "lighthouse"
_INSTALL_SECONDS = 240
_LOOK_SECONDS = 120
_CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
_FLAGS = "--headless=new --no-sandbox --disable-dev-shm-usage"
_MOBILE, _DESKTOP = "mobile", "desktop"
_LCP_GOAL = Goal(Limit.RATIO_AT_MOST, 1.15)
_STILL = Goal(Limit.AT_MOST, 0)


@dataclass(frozen=True)
class _View:
    """A page as one kind of device sees it, and the least that its speed may be worth."""

    name: str
    address: str
    device: str
    performance: int


_VIEWS = (
    _View("The page", "/?desktop=true", _MOBILE, 100),
    _View("The page", "/?desktop=true", _DESKTOP, 100),
    _View("The block screen", "/", _MOBILE, 100),
)
_SCREENS = tuple(
    _View(address, address, _MOBILE, 98)
    for address in (
        "/campus",
        "/about",
        "/about2",
        "/menu/1",
        "/offers",
        "/pre-reserve",
        "/terms",
        "/underprogress",
    )
)


def measure(plan: Plan, folder: Path) -> Measured:
    """Look at each view of `/` and at the screens; at the bare page for its largest paint."""
    folder.mkdir(parents=True)
    with served(OURS, folder / "ours") as server:
        found = {
            view: looks_at(plan, f"{server.url}{view.address}", view.device)
            for view in (*_VIEWS, *_SCREENS)
        }
    bare = {device: _bare(plan, folder, device) for device in (_MOBILE, _DESKTOP)}
    figures = [figure for view in _VIEWS for figure in _figures(view, found[view], bare)]
    for view in _SCREENS:
        figures += worth(view.name, found[view], view.performance)
    details = {f"{view.name}, {view.device}": looks for view, looks in found.items()}
    return Measured(figures, {"looks": details, "bare": bare})


def worth(where: str, looks: Sequence[Mapping[str, float]], performance: int) -> list[Figure]:
    """Return how fast a page is, and the least of what else is judged."""
    others = min(median_of(looks, name) for name in _CATEGORIES if name != "performance")
    return [
        Figure(
            f"{where}, mobile: performance",
            "",
            median_of(looks, "performance"),
            goal=Goal(Limit.AT_LEAST, performance),
        ),
        Figure("  the least of the others", "", others, goal=Goal(Limit.AT_LEAST, 100)),
    ]


def _figures(
    view: _View, looks: Sequence[Mapping[str, float]], bare: Mapping[str, Any]
) -> list[Figure]:
    where = f"{view.name}, {view.device}"
    least = dict.fromkeys(_CATEGORIES, 100) | {"performance": view.performance}
    return [
        *(
            Figure(
                f"{where}: {name}",
                "",
                median_of(looks, name),
                goal=Goal(Limit.AT_LEAST, least[name]),
            )
            for name in _CATEGORIES
        ),
        Figure(
            f"{where}: largest paint",
            "ms",
            median_of(looks, "lcp"),
            median_of(bare[view.device], "lcp"),
            _LCP_GOAL,
        ),
        Figure(f"{where}: shift of the layout", "", median_of(looks, "cls"), goal=_STILL),
    ]


def _bare(plan: Plan, folder: Path, device: str) -> list[dict[str, float]]:
    with served(BARE, folder / f"bare-{device}") as server:
        return looks_at(plan, f"{server.url}{BARE.page}", device)


def looks_at(plan: Plan, url: str, device: str = _MOBILE) -> list[dict[str, float]]:
    """Return what Lighthouse says of an address at each look: 0 to 100, and milliseconds."""
    _ensure_tool()
    return [_look(url, device) for _ in range(plan.lighthouse_looks)]


def _look(url: str, device: str) -> dict[str, float]:
    command = [str(_INSTALLED / "node_modules" / ".bin" / "lighthouse"), url]
    command += ["--output=json", "--quiet", f"--chrome-flags={_FLAGS}"]
    command += [f"--only-categories={','.join(_CATEGORIES)}"]
    command += ["--preset=desktop"] if device == _DESKTOP else []
    report = json.loads(_run(command, _INSTALLED, _LOOK_SECONDS))
    if "runtimeError" in report:
        raise MeasurementFailed(f"{url}: {report['runtimeError']['message']}")
    scores = {name: 100 * report["categories"][name]["score"] for name in _CATEGORIES}
    audits = report["audits"]
    return scores | {
        "lcp": audits["largest-contentful-paint"]["numericValue"],
        "cls": audits["cumulative-layout-shift"]["numericValue"],
    }


def median_of(looks: Sequence[Mapping[str, float]], name: str) -> float:
    """Return the median of one of the figures."""
    return statistics.median(look[name] for look in looks)


def _ensure_tool() -> None:
    """Install what the lock file names, unless it is there."""
    wanted = (_TOOL / "package-lock.json").read_text()
    stamp = _INSTALLED / "stamp"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print("Installing Lighthouse …", flush=True)
    shutil.rmtree(_INSTALLED, ignore_errors=True)
    shutil.copytree(_TOOL, _INSTALLED)
    _run(["npm", "ci", "--no-audit", "--no-fund"], _INSTALLED, _INSTALL_SECONDS)
    stamp.write_text(wanted)


def _run(command: Sequence[str], folder: Path, seconds: float) -> str:
    try:
        ended = subprocess.run(
            command,
            check=False,
            cwd=folder,
            env=environment({"CHROME_PATH": chromium()}),
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise MeasurementFailed(f"{command[0]} took more than {seconds} s") from None
    if ended.returncode != 0:
        raise MeasurementFailed(f"{' '.join(command)}: {ended.stderr[-2000:]}")
    return ended.stdout
