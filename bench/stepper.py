"""Time from a click on + until the new quantity is drawn, at the round-trip times of mobile networks.

Measured in a browser, in our app and in a single-page app whose cart needs no server. Source:
docs/usability.md U20.
"""

import contextlib
import shutil
import statistics
from collections.abc import Iterator
from pathlib import Path

from apps import OURS, App, run, served
from browser import new_tab
from delay_proxy import delay_proxy
from paths import BENCHMARKS, PYTHON, ROOT
from plan import Plan
from report import Figure, Goal, Limit, Result
from servers import Server, serving

from tests.helpers.ports import free_port

_ROUND_TRIPS_MS = (0, 150, 600)
_CLICKS_PER_ROUND = 8
_DISHES = 12
_RATIO = Goal(Limit.RATIO_AT_MOST, 1.5)
_BESIDE = "single-page app"
_ONE_FRAME_MS = Goal(Limit.AT_MOST, 16)
_PAUSE_MS = 350
"""The pause after the response to the previous click; all animations have ended by then."""
_SINGLE_PAGE_APP = App(name="single-page app", page="/", state="", dishes=(), route_arguments={})
_SERVE_FOLDER = """
import os, sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
handler = partial(SimpleHTTPRequestHandler, directory=sys.argv[1])
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), handler).serve_forever()
"""
_CLICK = """async ([button, pause]) => {
    // The random part: clicks must not always fall on the same moment of a frame.
    await new Promise((resolve) => setTimeout(resolve, pause + Math.random() * 16));
    const start = performance.now();
    const changed = new Promise((resolve) => {
        new MutationObserver((_, observer) => {
            observer.disconnect();
            resolve(performance.now());
        }).observe(button.previousElementSibling,
            { childList: true, characterData: true, subtree: true });
    });
    button.click();
    const changedAt = await changed;
    await new Promise(requestAnimationFrame);
    return [changedAt - start, performance.now() - start];
}"""

Times = tuple[list[float], list[float]]
"""Milliseconds from each click until the document has changed, and until that is drawn."""


def measure(plan: Plan, folder: Path) -> Result:
    """Click in both apps at each round-trip time."""
    folder.mkdir(parents=True)
    clicks = _CLICKS_PER_ROUND * plan.rounds
    port = free_port()
    with served(OURS, folder / "ours", {"PUBLIC_URL": f"http://127.0.0.1:{port}"}) as server:
        ours = _times(OURS, server, port, clicks)
    with single_page_app(folder) as server:
        baseline = _times(_SINGLE_PAGE_APP, server, port, clicks)
    figures: list[Figure] = []
    for delay in _ROUND_TRIPS_MS:
        changed, drawn = ours[delay]
        condition = f"round trip {delay} ms"
        medians = statistics.median(drawn), statistics.median(baseline[delay][1])
        p95 = statistics.quantiles(changed, n=20)[-1]
        figures += [
            Figure(f"+ until the quantity is drawn, {condition}", "ms", *medians, _RATIO, _BESIDE),
            Figure(f"+ until the page changes, p95, {condition}", "ms", p95, goal=_ONE_FRAME_MS),
        ]
    return Result(figures, {"ours": ours, "single-page app": baseline})


@contextlib.contextmanager
def single_page_app(folder: Path) -> Iterator[Server]:
    """Build the single-page app with the Vite and React of our own pages, and serve it."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "single_page_app"
    shutil.copytree(BENCHMARKS / "single_page_app", source)
    (source / "node_modules").symlink_to(ROOT / ".web" / "node_modules")
    vite = source / "node_modules" / ".bin" / "vite"
    run([str(vite), "build", "--logLevel", "error"], source, {}, folder / "vite.log")
    command = [PYTHON, "-c", _SERVE_FOLDER, str(source / "dist")]
    log = folder / "single_page_app.log"
    with serving(command, source, {}, log, _SINGLE_PAGE_APP.page) as server:
        yield server


def _times(app: App, server: Server, port: int, clicks: int) -> dict[int, Times]:
    """Return the times of clicks by round-trip time in milliseconds."""
    times: dict[int, Times] = {}
    with delay_proxy(port, server.port) as proxy:
        for delay in _ROUND_TRIPS_MS:
            proxy.round_trip_seconds = 0.0
            with new_tab() as tab:
                buttons = tab.open_menu(app, Server(server.process, port))
                proxy.round_trip_seconds = delay / 1_000
                measured = [
                    tab.page.evaluate(
                        _CLICK,
                        [buttons.nth(number % _DISHES).element_handle(), _PAUSE_MS + delay],
                    )
                    for number in range(clicks)
                ]
            changed, drawn = zip(*measured, strict=True)
            times[delay] = list(changed), list(drawn)
    return times
