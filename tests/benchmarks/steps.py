"""How soon a step of the cart is seen, over lines of a phone, in a real browser.

Beside a single-page app whose cart needs no server, and NiceGUI, whose cart is on the server as
ours is. Source: docs/usability.md U20.
"""

import contextlib
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from apps import OURS, App, served
from browser import new_tab
from peers import NICEGUI, SPA, nicegui, spa
from places import MeasurementFailed
from plan import Plan
from report import Figure, Goal, Limit, Measured
from servers import Server
from slow_line import slow_line

from tests.helpers.ports import free_port

_ROUND_TRIPS_MS = (0, 150, 600)
_STEPS_PER_ROUND = 8
_DISHES = 12
_AS_SOON = Goal(Limit.RATIO_AT_MOST, 1.5)
_ONE_FRAME = Goal(Limit.AT_MOST, 16)
_TOTALS = Goal(Limit.AT_MOST, 20)
_REST_MS = 350
"""Until the answer to the step before is there, and nothing moves on the page any more."""
_STEP = """async ([button, total, rest]) => {
    // Not always at the same moment of a frame.
    await new Promise((resolve) => setTimeout(resolve, rest + Math.random() * 16));
    const changed = (node) => new Promise((resolve) => {
        const what = { childList: true, characterData: true, subtree: true };
        new MutationObserver((_, observer) => {
            observer.disconnect();
            resolve(performance.now());
        }).observe(node, what);
    });
    const began = performance.now();
    const quantity = changed(button.previousElementSibling);
    const sum = total && changed(total);
    button.click();
    const changedAt = await quantity;
    await new Promise(requestAnimationFrame);
    const drawnAt = performance.now();
    const summedAt = sum ? await sum : began;
    return [changedAt - began, drawnAt - began, summedAt - began];
}"""


@dataclass(frozen=True)
class _Seen:
    """Milliseconds from a step until the page has changed, is drawn, and shows the new total."""

    changed: list[float]
    drawn: list[float]
    summed: list[float]


def measure(plan: Plan, folder: Path) -> Measured:
    """Take steps in each of the three, over each line."""
    folder.mkdir(parents=True)
    steps = _STEPS_PER_ROUND * plan.rounds
    port = free_port()
    notes: list[str] = []
    ours = _seen(OURS, lambda: _ours(folder, port), port, steps)
    app = _seen(SPA, lambda: spa(folder), port, steps)
    try:
        peer = _seen(NICEGUI, lambda: nicegui(folder), port, steps)
    except MeasurementFailed as error:
        peer = {}
        notes.append(f"NiceGUI could not be measured: {error}")
    figures: list[Figure] = []
    for delay in _ROUND_TRIPS_MS:
        what = f"A step is seen over a line of {delay} ms"
        mine = ours[delay]
        drawn = statistics.median(mine.drawn)
        figures += [
            Figure(what, "ms", drawn, statistics.median(app[delay].drawn), _AS_SOON),
            Figure("  the page has changed, p95", "ms", _p95(mine.changed), None, _ONE_FRAME),
            Figure(
                "  its total, beyond the line",
                "ms",
                statistics.median(mine.summed) - delay,
                None,
                _TOTALS,
            ),
        ]
        if delay in peer:
            beside = statistics.median(peer[delay].drawn)
            figures.append(Figure("  beside NiceGUI", "ms", drawn, beside))
    details = {
        each.name: {str(delay): vars(seen) for delay, seen in found.items()}
        for each, found in ((OURS, ours), (SPA, app), (NICEGUI, peer))
    }
    notes.append("A step: the baseline is a single-page app with its cart in the browser.")
    return Measured(figures, details, notes)


@contextlib.contextmanager
def _ours(folder: Path, port: int) -> Iterator[Server]:
    with served(OURS, folder / "ours", {"PUBLIC_URL": f"http://127.0.0.1:{port}"}) as server:
        yield server


def _seen(
    app: App,
    lend: Callable[[], contextlib.AbstractContextManager[Server]],
    port: int,
    steps: int,
) -> dict[int, _Seen]:
    found: dict[int, _Seen] = {}
    with lend() as server, slow_line(port, server.port) as line:
        there = Server(server.process, port)
        for delay in _ROUND_TRIPS_MS:
            line.round_trip_seconds = 0.0
            with new_tab() as tab:
                buttons = tab.open_menu(app, there)
                total = tab.page.get_by_test_id("total") if app is OURS else None
                sums = total.element_handle() if total else None
                line.round_trip_seconds = delay / 1_000
                taken = [
                    tab.page.evaluate(
                        _STEP,
                        [buttons.nth(number % _DISHES).element_handle(), sums, _REST_MS + delay],
                    )
                    for number in range(steps)
                ]
            found[delay] = _Seen(*(list(each) for each in zip(*taken, strict=True)))
    return found


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]
