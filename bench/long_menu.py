"""Menus of 300 dishes: Lighthouse scores, and the response to taps and letters on a four times slower processor.

Source: docs/usability.md U20.
"""

import csv
import shutil
import statistics
from pathlib import Path

from apps import OURS, served
from browser import Tab, new_tab
from lighthouse import run_lighthouse, score_figures
from paths import ROOT
from plan import Plan
from playwright.sync_api import FloatRect
from report import Figure, Goal, Limit, MeasurementFailed, Result

_DISHES = 300
_PERFORMANCE = 95
_INTERACTION_MS = Goal(Limit.AT_MOST, 100)
_CPU_SLOWDOWN = 4
_TAPS = 12
_PAUSE_MS = 600
_TYPED = "paneer masala"
_BETWEEN_LETTERS_MS = 150
_LIST = "/about"
_TOP, _BOTTOM = 120, 650
"""Between these pixels, neither the navigation bar nor the cart covers a button."""
_OBSERVE_INTERACTIONS = """
window.interactions = new Map();
new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
        if (entry.interactionId) {
            const longest = Math.max(
                entry.duration, window.interactions.get(entry.interactionId) ?? 0);
            window.interactions.set(entry.interactionId, longest);
        }
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""


def measure(plan: Plan, folder: Path) -> Result:
    """Run Lighthouse, and tap + buttons with a slowed-down processor."""
    data = _data_with_long_menus(folder / "data")
    name = f"Menu of {_DISHES} dishes"
    with served(OURS, folder / "ours", {"DATA_DIR": str(data)}) as server:
        url = f"{server.url}{OURS.page}"
        scores = run_lighthouse(url)
        taps = [_slowest_tap(url) for _ in range(plan.rounds)]
        letters = [_slowest_letter(url, "dish-card") for _ in range(plan.rounds)]
        everywhere = f"{server.url}{_LIST}"
        all_letters = [_slowest_letter(everywhere, "found-dish") for _ in range(plan.rounds)]
    interactions = {
        f"{name}: slowest of {_TAPS} taps": taps,
        f"{name}: slowest letter in the search": letters,
        f"All kitchens, {_DISHES} dishes each: slowest letter in the search": all_letters,
    }
    figures = [
        *score_figures(name, scores, _PERFORMANCE),
        *(
            Figure(words, "ms", statistics.median(slowest), goal=_INTERACTION_MS)
            for words, slowest in interactions.items()
        ),
    ]
    return Result(figures, {"lighthouse": scores, "slowest_ms": interactions})


def _data_with_long_menus(data: Path) -> Path:
    shutil.copytree(ROOT / "data", data)
    for menu in data.glob("menu_*.csv"):
        _lengthen(menu)
    return data


def _lengthen(menu: Path) -> None:
    with menu.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    more = [
        {**rows[number % len(rows)], "id": str(10_000 + number)}
        for number in range(_DISHES - len(rows))
    ]
    with menu.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        # Like in real menus, the dishes of a category are consecutive.
        writer.writerows(sorted([*rows, *more], key=lambda row: row["category"]))


def _slowest_tap(url: str) -> float:
    """Return the milliseconds of the slowest interaction, as the browser reports it."""
    with new_tab() as tab:
        tab.page.set_viewport_size({"width": 390, "height": 844})
        # Before the page loads: switching to touch lays out a loaded page again as a whole.
        tab.devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        tab.page.add_init_script(_OBSERVE_INTERACTIONS)
        tab.open(url)
        buttons = tab.page.locator('button[aria-label^="Add one"]')
        if buttons.count() < _DISHES:
            raise MeasurementFailed(f"{url} shows {buttons.count()} dishes")
        buttons.nth(_DISHES // 2).scroll_into_view_if_needed()
        boxes = list(filter(None, (each.bounding_box() for each in buttons.all())))
        boxes = [box for box in boxes if _TOP < box["y"] < _BOTTOM]
        tab.devtools.send("Emulation.setCPUThrottlingRate", {"rate": _CPU_SLOWDOWN})
        tab.page.wait_for_timeout(_PAUSE_MS)
        for number in range(_TAPS):
            _tap(tab, boxes[number % len(boxes)])
            tab.page.wait_for_timeout(_PAUSE_MS)
        if tab.page.locator(".dish-card.in-cart").count() != min(_TAPS, len(boxes)):
            raise MeasurementFailed("not every tap added its dish")
        durations = tab.page.evaluate("[...window.interactions.values()]")
    if not durations:
        raise MeasurementFailed("the browser reported no interaction")
    return max(durations)


def _slowest_letter(url: str, row: str) -> float:
    """Return the milliseconds of the slowest letter, typed into the search and deleted again."""
    with new_tab() as tab:
        tab.page.set_viewport_size({"width": 390, "height": 844})
        tab.page.add_init_script(_OBSERVE_INTERACTIONS)
        tab.open(url)
        tab.page.get_by_role("searchbox").focus()
        tab.page.wait_for_timeout(_PAUSE_MS)
        tab.devtools.send("Emulation.setCPUThrottlingRate", {"rate": _CPU_SLOWDOWN})
        for letter in _TYPED:
            tab.page.keyboard.press(letter if letter != " " else "Space")
            tab.page.wait_for_timeout(_BETWEEN_LETTERS_MS)
        tab.page.wait_for_timeout(_PAUSE_MS)
        if not tab.page.locator(f".{row}").count():
            raise MeasurementFailed(f"the search on {url} found nothing")
        for _ in _TYPED:
            tab.page.keyboard.press("Backspace")
            tab.page.wait_for_timeout(_BETWEEN_LETTERS_MS)
        tab.page.wait_for_timeout(_PAUSE_MS)
        return max(tab.page.evaluate("[...window.interactions.values()]"), default=0)


def _tap(tab: Tab, box: FloatRect) -> None:
    """Touch the middle of a box, without the checks that a Playwright click runs first."""
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    tab.devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    tab.devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
