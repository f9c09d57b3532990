"""A menu of 300 dishes: what Lighthouse says of it, and how soon a slow phone answers a tap.

Source: docs/usability.md U20.
"""

import csv
import shutil
import statistics
from pathlib import Path

from apps import OURS, served
from browser import Tab, new_tab
from lighthouse import looks_at, worth
from places import ROOT, MeasurementFailed
from plan import Plan
from playwright.sync_api import FloatRect
from report import Figure, Goal, Limit, Measured

_DISHES = 300
_LEAST = 95
_INTERACTION = Goal(Limit.AT_MOST, 100)
_SLOWER = 4
_TAPS = 12
_REST_MS = 600
_TOP, _BOTTOM = 120, 650
"""What neither the bar nor the cart hides, in pixels."""
_WATCH = """
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


def measure(plan: Plan, folder: Path) -> Measured:
    """Look at the menu, and tap the + of its dishes with a processor that is made slower."""
    folder.mkdir(parents=True)
    menus = _long_menu(folder / "data")
    where = f"/menu/1 of {_DISHES} dishes"
    with served(OURS, folder / "ours", {"DATA_DIR": str(menus)}) as server:
        looks = looks_at(plan, f"{server.url}{OURS.page}")
        taps = [_slowest_tap(f"{server.url}{OURS.page}") for _ in range(plan.rounds)]
    slowest = Figure(
        f"  the slowest of {_TAPS} taps, a {_SLOWER} times slower phone",
        "ms",
        statistics.median(taps),
        goal=_INTERACTION,
    )
    return Measured([*worth(where, looks, _LEAST), slowest], {"looks": looks, "slowest taps": taps})


def _long_menu(data: Path) -> Path:
    shutil.copytree(ROOT / "data", data)
    menu = data / "menu_1.csv"
    with menu.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    more = [
        {**rows[number % len(rows)], "id": str(10_000 + number)}
        for number in range(_DISHES - len(rows))
    ]
    with menu.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        # As kitchens write them: what belongs together stands together.
        writer.writerows(sorted([*rows, *more], key=lambda row: row["category"]))
    return data


def _slowest_tap(url: str) -> float:
    """Return the milliseconds of the slowest interaction, as browsers report it."""
    with new_tab() as tab:
        tab.page.set_viewport_size({"width": 390, "height": 844})
        # From the start: a page whose pointer becomes a finger is laid out anew as a whole.
        tab.network.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        tab.page.add_init_script(_WATCH)
        tab.open(url)
        buttons = tab.page.locator('button[aria-label^="Add one"]')
        if buttons.count() < _DISHES:
            raise MeasurementFailed(f"{url} shows {buttons.count()} dishes")
        buttons.nth(_DISHES // 2).scroll_into_view_if_needed()
        spots = list(filter(None, (each.bounding_box() for each in buttons.all())))
        spots = [spot for spot in spots if _TOP < spot["y"] < _BOTTOM]
        tab.network.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
        tab.page.wait_for_timeout(_REST_MS)
        for number in range(_TAPS):
            _tap(tab, spots[number % len(spots)])
            tab.page.wait_for_timeout(_REST_MS)
        if tab.page.locator(".item-card.in-cart").count() != min(_TAPS, len(spots)):
            raise MeasurementFailed("the taps have not met the dishes")
        took = tab.page.evaluate("[...window.interactions.values()]")
    if not took:
        raise MeasurementFailed("the browser has reported no interaction")
    return max(took)


def _tap(tab: Tab, spot: FloatRect) -> None:
    """Touch the middle of a spot, as a finger does: a click would first look whether it may."""
    point = {"x": spot["x"] + spot["width"] / 2, "y": spot["y"] + spot["height"] / 2}
    tab.network.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    tab.network.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
