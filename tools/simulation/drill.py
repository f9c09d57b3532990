"""`make drill`: lose a host during a small lunch hour, restore it, and report what was lost.

All programs are killed and the database is deleted. After the restoring and the rest of the hour, the
audit compares our database with the books of our own Cashfree, with all e-mails and calls, and with
what customers and kitchens were shown. Exits with 1 if anything is missing.
"""

import asyncio
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.helpers.product import ROOT
from tools.simulation.audit import CheckResult, audit, findings
from tools.simulation.plan import DRILL
from tools.simulation.run import lunch_hour, print_summary, write
from tools.simulation.run_result import RunResult

RESULTS = ROOT / "var" / "drill"


def report(result: RunResult, check_results: Sequence[CheckResult]) -> str:
    """Return what was lost, and how long the restoring took."""
    times = result.host_loss
    assert times is not None
    lost = findings(list(check_results))
    before = [each for each in result.evidence.customer_logs if each.number]
    seconds = {
        "backup of the running database": times.backup,
        "from the loss until the database accepts writes": times.database,
        "from the loss until the site answers": times.site,
        "from the loss until the new database is archived": times.archive,
    }
    steps = [f"{name:<50}{duration:>6.1f} s" for name, duration in seconds.items()]
    found = [f"  {each.order}: {each.text}" for each in lost]
    return "\n".join(
        [
            *steps,
            f"{'orders that customers were given a number for':<50}{len(before):>6}",
            f"{'orders in the books of our own Cashfree':<50}"
            f"{len(result.evidence.provider_orders):>6}",
            f"lost: {'nothing' if not lost else f'{len(lost)} findings'}",
            *found,
        ]
    )


def main() -> int:
    """Return 1 if something was lost, or a step did not finish."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with tempfile.TemporaryDirectory(prefix="food_points_drill_") as folder:
        result = asyncio.run(lunch_hour(DRILL, Path(folder)))
    check_results = audit(result.evidence)
    path = write(result, check_results, RESULTS)
    print_summary(result, check_results)
    print(f"Report: {path}\n\n{report(result, check_results)}")
    return 1 if findings(check_results) or result.unfinished else 0


if __name__ == "__main__":
    sys.exit(main())
