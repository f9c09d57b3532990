"""`make bench`: run the benchmarks, print one table, and write JSON to var/bench/."""

import argparse
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
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
import reconnect_storm
import second_order
import slow_landing
import startup
import status_push
import step_costs
import stepper
import visitors
from paths import HISTORY, RESULTS
from peers.compared import BENCHMARKS as PEERS
from plan import QUICK, Plan
from report import MeasurementFailed, Result, as_json, table, write
from scaling import measured as scaling

_BENCHMARKS: dict[str, Callable[[Plan, Path], Result]] = {
    "stepper": stepper.measure,
    "visitors": visitors.measure,
    "events": events.measure,
    "complete_orders": complete_orders.measure,
    "lighthouse": lighthouse.measure,
    "long_menu": long_menu.measure,
    "page_weight": page_weight.measure,
    "slow_landing": slow_landing.measure,
    "status_push": status_push.measure,
    "second_order": second_order.measure,
    "flood": flood.measure,
    "reconnect_storm": reconnect_storm.measure,
    "startup": startup.measure,
}
_SCALING: dict[str, Callable[[Plan, Path], Result]] = {
    "step_costs": step_costs.measure,
    "scaling": scaling.measure,
}
_ALL = _BENCHMARKS | _SCALING | PEERS
"""Those of `--scaling` and `--peers` too."""


def main() -> int:
    """Return 1 if a benchmark failed; a figure that misses its goal is no failure."""
    # KeyboardInterrupt runs the finally blocks that stop the servers, in event loops as well.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    arguments = _arguments()
    RESULTS.mkdir(parents=True, exist_ok=True)
    described = machine.description()
    apps.ensure_bare_build()
    plan = QUICK if arguments.quick else Plan()
    results: dict[str, Result] = {}
    failed: dict[str, str] = {}
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="run-", dir=RESULTS) as folder:
        for name in _chosen(arguments):
            start = time.monotonic()
            try:
                results[name] = _ALL[name](plan, Path(folder) / name)
            except MeasurementFailed as error:
                failed[name] = str(error)
            except Exception:  # noqa: BLE001 - the other figures are still useful
                failed[name] = traceback.format_exc()
            print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
    print(f"all: {(time.monotonic() - began) / 60:.1f} minutes", flush=True)
    _report(described, results, failed, keep=arguments.keep)
    return 1 if failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="short rounds, whose figures mean little"
    )
    parser.add_argument("--keep", action="store_true", help="also write to docs/benchmarks/")
    parser.add_argument("--peers", action="store_true", help="also run other shops and frameworks")
    parser.add_argument(
        "--scaling", action="store_true", help="also predict what larger universities need"
    )
    parser.add_argument("--only", nargs="+", choices=_ALL, help="run only these")
    return parser.parse_args()


def _chosen(arguments: argparse.Namespace) -> Iterable[str]:
    """Return the names of the benchmarks to run."""
    if arguments.only:
        return arguments.only
    scaling = _SCALING if arguments.scaling else {}
    peers = PEERS if arguments.peers else {}
    return _BENCHMARKS | scaling | peers


def _report(
    described: dict[str, object], results: dict[str, Result], failed: dict[str, str], *, keep: bool
) -> None:
    """Print the table, and write the run's files."""
    figures = [figure for result in results.values() for figure in result.figures]
    name = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    content = {
        "machine": described,
        "figures": [as_json(figure) for figure in figures],
        "details": {benchmark: result.details for benchmark, result in results.items()},
        "failed": failed,
    }
    file = write(RESULTS, name, content)
    print(f"\n{machine.headline(described)}\n\n{table(figures)}\n")
    for benchmark, reason in failed.items():
        print(f"FAILED {benchmark}: {reason}")
    print(f"Written to {file}")
    goals = [each for each in content["figures"] if each["goal"]]
    missed = [each["name"] for each in goals if not each["met"]]
    print(history.summary(goals), *(f"Not met: {name}" for name in missed), sep="\n")
    if keep:
        page = history.keep(HISTORY, name, content, machine.headline(described))
        print(f"Kept in {page}")


if __name__ == "__main__":
    sys.exit(main())
