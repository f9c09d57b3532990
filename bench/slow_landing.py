"""TARA's page on a slow phone line and an old processor: its largest paint, its shifts, 'Hear TARA'.

'Hear TARA' is pressed at the first paint, long before its scripts have loaded.
"""

from pathlib import Path
from statistics import median
from typing import Any

from apps import OURS, served
from browser import new_tab, slow_down
from plan import Plan
from report import Figure, Goal, Limit, Result

_PAGES = {"page": ("/?desktop=true", ".hero"), "wall of phones": ("/", ".blocked")}
_LONGEST_MS = 40_000
_OBSERVE = """
window.seen = { shifts: 0 };
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  this.addEventListener("playing", () => (seen.sound ??= performance.now()));
  return play.call(this);
};
addEventListener("click", () => (seen.press ??= performance.now()), true);
new PerformanceObserver((list) => (seen.largest = list.getEntries().at(-1).startTime))
  .observe({ type: "largest-contentful-paint", buffered: true });
// The call takes the place of the headline: what moves then was asked for.
new PerformanceObserver((list) => {
  if (document.querySelector(".hero-call")) return;
  for (const each of list.getEntries()) seen.shifts += each.value;
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver(() => {
  if (document.querySelector(".tara .btn[aria-busy=true]")) seen.busy ??= performance.now();
}).observe(document, { subtree: true, attributeFilter: ["aria-busy"] });
"""
_GOALS = {
    "largest": Goal(Limit.AT_MOST, 2.5),
    "shifts": Goal(Limit.AT_MOST, 0.05),
    "busy": Goal(Limit.AT_MOST, 4),
    "sound": None,
}
_NAMES = {
    "largest": ("largest paint (LCP)", "s"),
    "shifts": ("layout shifts (CLS)", ""),
    "busy": ("'Hear TARA' answers a press at that paint", "s"),
    "sound": ("its sound begins", "s"),
}


def measure(plan: Plan, folder: Path) -> Result:
    """Load each view with an empty cache in every round, and take the median."""
    with served(OURS, folder) as server:
        runs = {
            name: [_load(f"{server.url}{path}", part) for _ in range(plan.rounds)]
            for name, (path, part) in _PAGES.items()
        }
    figures = [
        Figure(f"{name}: {words}", unit, median(run[key] for run in runs[name]), goal=_GOALS[key])
        for name in _PAGES
        for key, (words, unit) in _NAMES.items()
    ]
    return Result(figures, runs)


def _load(url: str, part: str) -> dict[str, float]:
    """Return the figures of one load, times in seconds from its beginning."""
    with new_tab() as tab:
        tab.page.set_viewport_size({"width": 390, "height": 844})
        tab.page.add_init_script(_OBSERVE)
        slow_down(tab.devtools)
        page = tab.page
        page.goto(url, wait_until="commit")
        page.wait_for_function("() => window.seen?.largest", timeout=_LONGEST_MS)
        page.locator(part).get_by_role("button", name="Hear TARA").click(no_wait_after=True)
        page.wait_for_function("() => window.seen.sound", timeout=_LONGEST_MS)
        seen: dict[str, Any] = page.evaluate("seen")
    # Without the time that Playwright takes to scroll to the button.
    busy = seen["largest"] + seen["busy"] - seen["press"]
    times = {"largest": seen["largest"], "busy": busy, "sound": seen["sound"]}
    return {"shifts": seen["shifts"], **{key: value / 1000 for key, value in times.items()}}
