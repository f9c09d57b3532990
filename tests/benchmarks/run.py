"""`make bench`: measures, prints one table, and keeps it as JSON under var/bench/."""

import argparse
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import apps
import complete_orders
import events
import flood
import history
import lighthouse
import long_menu
import machine
import page_weight
import pushes
import startup
import stepper
import visitors
from places import HISTORY, RESULTS, MeasurementFailed
from plan import QUICK, Plan
from report import Measured, as_json, table, write

Measurement = Callable[[Plan, Path], Measured]

_MEASUREMENTS: dict[str, Measurement] = {
    "events": events.measure,
    "page_weight": page_weight.measure,
    "lighthouse": lighthouse.measure,
    "long_menu": long_menu.measure,
    "complete_orders": complete_orders.measure,
    "pushes": pushes.measure,
    "flood": flood.measure,
    "startup": startup.measure,
    "stepper": stepper.measure,
    "visitors": visitors.measure,
}


def main() -> int:
    """Return 1 if a measurement failed; a goal that is not met is no failure."""
    # An interrupt unwinds, even out of an event loop, and so stops every server.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    chosen = _arguments()
    RESULTS.mkdir(parents=True, exist_ok=True)
    described = machine.description()
    apps.ensure_bare_build()
    plan = QUICK if chosen.quick else Plan()
    found: dict[str, Measured] = {}
    failed: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="run-", dir=RESULTS) as folder:
        for name in chosen.only or _MEASUREMENTS:
            _measure(name, plan, Path(folder) / name, found, failed)
    _tell(described, found, failed, is_kept=chosen.keep)
    return 1 if failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="short rounds, whose figures mean little"
    )
    parser.add_argument("--keep", action="store_true", help="also under docs/benchmarks/")
    parser.add_argument("--only", nargs="+", choices=_MEASUREMENTS, help="only these")
    return parser.parse_args()


def _measure(
    name: str, plan: Plan, folder: Path, found: dict[str, Measured], failed: dict[str, str]
) -> None:
    began = time.monotonic()
    try:
        found[name] = _MEASUREMENTS[name](plan, folder)
    except MeasurementFailed as reason:
        failed[name] = str(reason)
    except Exception:  # noqa: BLE001 - the other figures are still worth having
        failed[name] = traceback.format_exc()
    print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)


def _tell(
    described: dict[str, object],
    found: dict[str, Measured],
    failed: dict[str, str],
    *,
    is_kept: bool,
) -> None:
    figures = [figure for measured in found.values() for figure in measured.figures]
    notes = [note for measured in found.values() for note in measured.notes]
    name = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    content = {
        "machine": described,
        "figures": [as_json(figure) for figure in figures],
        "details": {measure: measured.details for measure, measured in found.items()},
        "notes": notes,
        "failed": failed,
    }
    file = write(RESULTS, name, content)
    print(f"\n{machine.headline(described)}\n\n{table(figures)}\n")
    for line in [*notes, *(f"FAILED {measure}: {why}" for measure, why in failed.items())]:
        print(line)
    print(f"Kept in {file}")
    if is_kept:
        print(f"And drawn in {history.keep(HISTORY, name, content)}")


if __name__ == "__main__":
    sys.exit(main())
