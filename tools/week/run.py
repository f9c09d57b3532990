"""`make week`: the week at the desk, then by `ops`; exits with 1 if anything is not as it must be."""

import json
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from tests.helpers.browsers import chromium
from tests.helpers.product import ROOT
from tools.week.at_desk import DeskOperator
from tools.week.by_ops import OpsOperator
from tools.week.days import Week
from tools.week.effort import Effort
from tools.week.operator_work import Operator
from tools.week.world import running_world

RESULT = ROOT / "var" / "week" / "summary.json"
_MINUTE = 60
_FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


def play(browser: Browser, make: type[Operator]) -> Week:
    """Play the week with one kind of operator."""
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="food_points_week_") as folder,
        running_world(browser, Path(folder)) as world,
    ):
        week = Week(world, make(world))
        try:
            week.play()
        except BaseException:
            _take_pictures(browser)
            raise
        week.problems += world.deployment.logged_errors()
    minutes = (time.monotonic() - began) / _MINUTE
    print(f"{make.name}: {len(week.ledger.sales)} orders, played in {minutes:.1f} min", flush=True)
    return week


def _take_pictures(browser: Browser) -> None:
    """Show what the open tabs showed when the week ended too early."""
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    for number, context in enumerate(browser.contexts):
        for page in context.pages:
            page.screenshot(path=RESULT.with_name(f"failure-{number}.png"))


def table(weeks: list[Week]) -> list[str]:
    """Return the minutes of each piece of work, one column for each operator."""
    columns = [_minutes(each.operator.efforts) for each in weeks]
    names = [each.operator.name for each in weeks]
    lines = ["| work | " + " | ".join(f"{name}, min" for name in names) + " |", "|---|---|---|"]
    lines += [
        f"| {task} | " + " | ".join(f"{each[task]:.2f}" for each in columns) + " |"
        for task in columns[0]
    ]
    sums = [sum(each.values()) for each in columns]
    lines.append("| **all** | " + " | ".join(f"**{each:.1f}**" for each in sums) + " |")
    return lines


def _minutes(efforts: list[Effort]) -> dict[str, float]:
    """Return the minutes by task, in the order of the week; repeated work is summed."""
    sums: dict[str, float] = {}
    for each in efforts:
        sums[each.task] = sums.get(each.task, 0.0) + each.seconds / _MINUTE
    return sums


def main() -> int:
    """Return 1 if a figure differs from the ledger, or anything else is not as it must be."""
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(_FLAGS))
        weeks = [play(browser, make) for make in (DeskOperator, OpsOperator)]
        browser.close()
    print(*table(weeks), sep="\n")
    content = {
        each.operator.name: {
            "orders": len(each.ledger.sales),
            "figures": {name: float(value) for name, value in each.expected.items()},
            "minutes": _minutes(each.operator.efforts),
            "keys": sum(effort.keys for effort in each.operator.efforts),
            "presses": sum(effort.presses for effort in each.operator.efforts),
            "waitedSeconds": sum(effort.waited_seconds for effort in each.operator.efforts),
            "problems": each.problems,
        }
        for each in weeks
    }
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    problems = [f"{each.operator.name}: {line}" for each in weeks for line in each.problems]
    print(*(problems or ["Every figure equals the ledger."]), sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
