"""What was measured over time: each kept run as JSON, and one chart of how far goals were met."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

CHART = "history.svg"
_GOAL = re.compile(r"(?P<ratio>ratio )?(?P<limit>[≤≥]) (?P<figure>[\d.,]+)")
_WIDTH, _LEFT, _RIGHT, _ROW, _TOP = 1120, 430, 190, 26, 54
_WIDEST = 4.0
"""Times its goal, or a part of it: what is further off is drawn at the edge."""
_STYLE = """
svg{background:#fbf7f0;color:#1b1714;font:14px "IBM Plex Mono",ui-monospace,monospace}
text{fill:currentColor}.quiet{opacity:.72}.rule{stroke:currentColor;opacity:.18}
.goal{stroke:currentColor;stroke-width:2}.met{fill:#1e6b3c}.missed{fill:#c7341a}
@media (prefers-color-scheme:dark){svg{background:#15110e;color:#f7efe2}
.met{fill:#78d294}.missed{fill:#ff8266}}
"""


@dataclass(frozen=True)
class Held:
    """A figure of one run against its goal; a margin of 1 or more meets it."""

    name: str
    margin: float
    words: str


def keep(folder: Path, name: str, content: Mapping[str, Any]) -> Path:
    """Keep a run's figures, of the machine that they were measured on; draw the chart anew."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {part: content[part] for part in ("machine", "figures", "notes", "failed")}
    text = json.dumps(kept, indent=2, ensure_ascii=False) + "\n"
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    chart = folder / CHART
    chart.write_text(drawn(runs), encoding="utf-8")
    return chart


def held(run: Mapping[str, Any]) -> Iterator[Held]:
    """Return each figure of a run that has a goal; parts are named after their whole."""
    whole = ""
    for figure in run["figures"]:
        what = figure["what"]
        name = f"{_subject(whole)}: {what.strip()}" if what.startswith(" ") else what
        whole = whole if what.startswith(" ") else what
        goal = _GOAL.fullmatch(figure["goal"] or "")
        value = figure["ratio"] if goal and goal["ratio"] else figure["ours"]
        if goal is None or value is None:
            continue
        margin = _margin(float(value), float(goal["figure"].replace(",", "")), goal["limit"])
        unit = "" if goal["ratio"] else f" {figure['unit']}"
        yield Held(name, margin, f"{value:.3g}{unit}, goal {goal['limit']} {goal['figure']}")


def drawn(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the chart: a row for each figure, a dot for each run, the newest one filled."""
    rows: dict[str, list[Held]] = {}
    for run in runs:
        for figure in held(run):
            rows.setdefault(figure.name, []).append(figure)
    height = _TOP + len(rows) * _ROW + 16
    parts = [*_axis(height), *_rows(rows)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">'
        f"<title>How far each goal was met, run by run</title><style>{_STYLE}</style>"
        f"{''.join(parts)}</svg>\n"
    )


def _subject(what: str) -> str:
    """Return what a line and its parts are about: what stands before its conditions."""
    return re.split("[,:]", what, maxsplit=1)[0]


def _margin(value: float, goal: float, limit: str) -> float:
    if limit == "≥":
        return value / goal if goal else _WIDEST
    if not goal:
        return 1.0 if value <= 0 else 1 / _WIDEST
    return goal / value if value else _WIDEST


def _x(margin: float) -> float:
    """Return where a margin stands: the goal in the middle, twice as good as far as half."""
    inside = min(max(margin, 1 / _WIDEST), _WIDEST)
    share = (math.log(inside, _WIDEST) + 1) / 2
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _axis(height: int) -> Iterator[str]:
    yield f'<text class="quiet" x="12" y="{_TOP - 22}">the newest run, and earlier ones pale</text>'
    for margin, words in ((0.25, "¼"), (0.5, "½"), (1.0, "goal"), (2.0, "2×"), (4.0, "4×")):
        x, kind = _x(margin), "goal" if margin == 1 else "rule"
        yield f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 12}" y2="{height - 8}"/>'
        yield f'<text x="{x:.1f}" y="{_TOP - 22}" text-anchor="middle">{words}</text>'


def _rows(rows: Mapping[str, Sequence[Held]]) -> Iterator[str]:
    for index, (name, figures) in enumerate(rows.items()):
        y = _TOP + index * _ROW + 9
        newest = figures[-1]
        yield f'<text x="12" y="{y + 5}">{escape(_shortened(name))}</text>'
        for age, figure in enumerate(reversed(figures)):
            kind = "met" if figure.margin >= 1 else "missed"
            look = "" if age == 0 else ' opacity=".35"'
            yield f'<circle class="{kind}" cx="{_x(figure.margin):.1f}" cy="{y}" r="5"{look}/>'
        x = _WIDTH - _RIGHT + 12
        yield f'<text class="quiet" x="{x}" y="{y + 5}">{escape(newest.words)}</text>'


def _shortened(name: str) -> str:
    most = 48
    return name if len(name) <= most else f"{name[: most - 1]}…"
