"""Measurements over time: kept runs as JSON, and one chart of how far they meet the goals."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

CHART = "history.svg"
_GOAL = re.compile(r"(?P<ratio>ratio )?(?P<limit>[≤≥]) (?P<figure>[\d.,]+)")
_WIDTH, _LEFT, _RIGHT, _ROW, _TOP = 1120, 430, 190, 26, 54
_WIDEST = 4.0
"""Margins above this, and below its inverse, are drawn at the edge."""
_MAXIMUM_NAME_CHARACTERS = 48
_STYLE = """
svg{background:#fbf7f0;color:#1b1714;font:14px "IBM Plex Mono",ui-monospace,monospace}
text{fill:currentColor}.quiet{opacity:.72}.rule{stroke:currentColor;opacity:.18}
.goal{stroke:currentColor;stroke-width:2}.met{fill:#1e6b3c}.missed{fill:#c7341a}
@media (prefers-color-scheme:dark){svg{background:#15110e;color:#f7efe2}
.met{fill:#78d294}.missed{fill:#ff8266}}
"""

Run = Mapping[str, Any]
"""A run's JSON."""


def keep(folder: Path, name: str, content: Run) -> Path:
    """Write a run's figures and its machine, without details; draw the chart again."""
    kept = {part: content[part] for part in ("machine", "figures", "failed")}
    text = json.dumps(kept, indent=2, ensure_ascii=False) + "\n"
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    (folder / CHART).write_text(chart(runs), encoding="utf-8")
    return folder / CHART


def chart(runs: Sequence[Run]) -> str:
    """Return the chart as SVG: a row for each figure, a dot for each run, the newest one opaque.

    All dots of a row show the distance to the newest goal. Figures without a goal are omitted.
    """
    rows: dict[str, list[Run]] = {}
    for run in runs:
        for figure in run["figures"]:
            rows.setdefault(figure["name"], []).append(figure)
    rows = {name: figures for name, figures in rows.items() if figures[-1]["goal"]}
    height = _TOP + len(rows) * _ROW + 16
    parts = [*_axis(height), *_rows(rows)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">'
        f"<title>How far each goal was met, run by run</title><style>{_STYLE}</style>"
        f"{''.join(parts)}</svg>\n"
    )


def margin(figure: Run, goal: str) -> float:
    """Return how far a figure meets a goal: 1 meets it exactly, 2 is twice as good."""
    value, limit, wanted = _compared(figure, goal)
    if limit == "≥":
        return value / wanted
    return wanted / value if value else _WIDEST


def _compared(figure: Run, goal: str) -> tuple[float, str, float]:
    """Return the figure or its ratio, the kind of limit, and the limit."""
    found = _GOAL.fullmatch(goal)
    if found is None:
        raise ValueError(f"not a goal: {goal}")
    value = figure["ratio"] if found["ratio"] else figure["ours"]
    return float(value), found["limit"], float(found["figure"].replace(",", ""))


def _x(margin: float) -> float:
    """Return the position of a margin, on a logarithmic scale with the goal in the middle."""
    inside = min(max(margin, 1 / _WIDEST), _WIDEST)
    share = (math.log(inside, _WIDEST) + 1) / 2
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _axis(height: int) -> Iterator[str]:
    yield f'<text class="quiet" x="12" y="{_TOP - 22}">newest run opaque, earlier runs pale</text>'
    for position, label in ((0.25, "¼"), (0.5, "½"), (1.0, "goal"), (2.0, "2×"), (4.0, "4×")):
        x, kind = _x(position), "goal" if position == 1 else "rule"
        yield f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 12}" y2="{height - 8}"/>'
        yield f'<text x="{x:.1f}" y="{_TOP - 22}" text-anchor="middle">{label}</text>'


def _rows(rows: Mapping[str, Sequence[Run]]) -> Iterator[str]:
    for index, (name, figures) in enumerate(rows.items()):
        y = _TOP + index * _ROW + 9
        newest = figures[-1]
        goal = newest["goal"]
        yield f'<text x="12" y="{y + 5}">{escape(_shortened(name))}</text>'
        for age, figure in enumerate(reversed(figures)):
            distance = margin(figure, goal)
            kind = "met" if distance >= 1 else "missed"
            opacity = "" if age == 0 else ' opacity=".35"'
            yield f'<circle class="{kind}" cx="{_x(distance):.1f}" cy="{y}" r="5"{opacity}/>'
        value, limit, wanted = _compared(newest, goal)
        unit = "" if goal.startswith("ratio") else f" {newest['unit']}".rstrip()
        text = escape(f"{value:.3g}{unit}, goal {limit} {wanted:g}")
        yield f'<text class="quiet" x="{_WIDTH - _RIGHT + 12}" y="{y + 5}">{text}</text>'


def _shortened(name: str) -> str:
    if len(name) <= _MAXIMUM_NAME_CHARACTERS:
        return name
    return f"{name[: _MAXIMUM_NAME_CHARACTERS - 1]}…"
