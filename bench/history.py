"""Kept measurements: one history as JSON, a chart of the goals over time, and docs/benchmarks.md."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

FILE = "history.json"
CHART = "history.svg"
PAGE = "benchmarks.md"
SCALING_PAGE = "scaling.md"
SCALING = Path(__file__).parent / "scaling" / "scaling.md"
"""What the model is, and where the design ends; `{model}` and `{noon}` are its tables."""
COMPARISON = Path(__file__).parent / "peers" / "comparison.md"
"""What the compared shops and frameworks do and do not do."""
_NAME_OF_RUN = "%Y%m%dT%H%M%SZ"
_SIGNIFICANT_DIGITS = 4
_WHOLE_FROM = 100
_STEP = re.compile(r"Visitor, (?P<row>[^:]+): (?P<column>.+)")
_NOON = re.compile(r"Noon, (?P<row>.+): (?P<column>[\d,]+)")
_MODEL = re.compile(r"Model, (?P<row>.+)")
_INTRODUCTION = """# Benchmarks

For readers who want to know how fast the product is, beside what, and since when. `make bench ARGS=--keep` writes this page; each row shows the
newest measurement, with its day. A ratio compares with what was measured in the same run. The goals are those of
[tests/README.md](../tests/README.md#benchmarks).
"""
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
"""A run of the history: `at`, `machine`, and `figures` with `ours` and `baseline` by name."""
Figure = Mapping[str, Any]
"""The newest measurement of a figure: its values, `unit`, `goal`, `beside`, `ratio` and `day`."""


def keep(folder: Path, name: str, content: Mapping[str, Any], headline: str) -> Path:
    """Add a run to the history; write the chart and the pages of all runs; return the first one."""
    file = folder / FILE
    history = json.loads(file.read_text(encoding="utf-8"))
    history["runs"].append(
        {
            "at": name,
            "machine": headline,
            "figures": {
                each["name"]: [_rounded(each["ours"]), _rounded(each["baseline"])]
                for each in content["figures"]
            },
        }
    )
    for each in content["figures"]:
        history["rows"][each["name"]] = {key: each[key] for key in ("unit", "goal", "beside")}
    file.write_text(as_text(history), encoding="utf-8")
    return write(folder)


def write(folder: Path) -> Path:
    """Write the chart and the pages of a history; return the first page."""
    history = json.loads((folder / FILE).read_text(encoding="utf-8"))
    (folder / CHART).write_text(chart(history), encoding="utf-8")
    scaling = scaling_page(history, SCALING.read_text(encoding="utf-8"))
    (folder.parent / SCALING_PAGE).write_text(scaling, encoding="utf-8")
    file = folder.parent / PAGE
    file.write_text(page(history, COMPARISON.read_text(encoding="utf-8")), encoding="utf-8")
    return file


def as_text(history: Mapping[str, Any]) -> str:
    """Return a history as JSON with a line for each run and each row."""
    rows = [f"{json.dumps(name)}: {_json(row)}" for name, row in history["rows"].items()]
    runs = [_json(run) for run in history["runs"]]
    parts = [",\n".join(each) for each in (rows, runs)]
    return f'{{"rows": {{\n{parts[0]}\n}}, "runs": [\n{parts[1]}\n]}}\n'


def newest(history: Mapping[str, Any]) -> dict[str, Figure]:
    """Return the newest measurement of each figure."""
    found: dict[str, Figure] = {}
    for run in history["runs"]:
        for name in run["figures"]:
            found[name] = _measured(history, run, name)
    return {name: found[name] for name in history["rows"] if name in found}


def _measured(history: Mapping[str, Any], run: Run, name: str) -> Figure:
    ours, baseline = run["figures"][name]
    day = datetime.strptime(run["at"], _NAME_OF_RUN).date().isoformat()
    ratio = ours / baseline if baseline else None
    values = {"ours": ours, "baseline": baseline, "ratio": ratio, "day": day}
    return {**history["rows"][name], **values, "machine": run["machine"]}


def page(history: Mapping[str, Any], comparison: str) -> str:
    """Return docs/benchmarks.md; `comparison` explains what the compared products do."""
    figures = newest(history)
    goals = {name: each for name, each in figures.items() if each["goal"]}
    peers = {name: each for name, each in figures.items() if _is_of_peer(name, each)}
    steps = {name: each for name, each in figures.items() if _STEP.fullmatch(name)}
    scaling = {name for name in figures if _NOON.fullmatch(name) or _MODEL.fullmatch(name)}
    grouped = goals.keys() | peers.keys() | steps.keys() | scaling
    others = {name: each for name, each in figures.items() if name not in grouped}
    return "\n".join(
        [
            _INTRODUCTION,
            f"## Goals\n\n{summary(goals.values())}\n",
            *_table(goals, has_goals=True),
            f"\n![How far each goal was met, run by run](benchmarks/{CHART})\n",
            *(["## Without a goal\n", *_table(others, has_goals=False), ""] if others else []),
            *(
                ["## What a visitor costs at each step\n", *_grid("step", _STEP, steps), ""]
                if steps
                else []
            ),
            *(["## Beside other shops and frameworks\n", *_comparison(peers)] if peers else []),
            *_demoted(comparison),
            "## Machines\n",
            *_machines(figures.values()),
            "",
        ]
    )


def summary(goals: Iterable[Figure]) -> str:
    """Return how many goals are met."""
    met = [is_met(each) for each in goals]
    return f"{sum(met)} of {len(met)} goals are met."


def is_met(figure: Figure) -> bool:
    """Whether a figure meets its goal."""
    return margin(figure, figure["goal"]) >= 1


def _table(figures: Mapping[str, Figure], *, has_goals: bool) -> Iterator[str]:
    heads = ["figure", "ours", "beside", "ratio", *(["goal", "met"] if has_goals else []), "day"]
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for name, each in figures.items():
        goal = [each["goal"], "yes" if is_met(each) else "**no**"] if has_goals else []
        beside = f"{_value(each, 'baseline')} {each['beside']}".strip()
        cells = [name, _value(each, "ours"), beside, _ratio(each), *goal, each["day"]]
        yield f"| {' | '.join(cells)} |"


def _grid(head: str, pattern: re.Pattern[str], figures: Mapping[str, Figure]) -> Iterator[str]:
    """Yield a table of the figures whose names match a pattern with a `row` and a `column`."""
    rows: dict[str, dict[str, str]] = {}
    days: list[str] = []
    for name, each in figures.items():
        found = pattern.fullmatch(name)
        if found is not None:
            rows.setdefault(found["row"], {})[found["column"]] = _value(each, "ours")
            days.append(each["day"])
    columns = list(dict.fromkeys(column for cells in rows.values() for column in cells))
    yield f"| {head} | {' | '.join(columns)} |"
    yield f"|{'---|' * (len(columns) + 1)}"
    for row, cells in rows.items():
        yield f"| {row} | {' | '.join(cells.get(each, '') for each in columns)} |"
    yield from [f"\nMeasured on {max(days)}."] if days else []


def scaling_page(history: Mapping[str, Any], text: str) -> str:
    """Return docs/scaling.md: a text with the tables of the model."""
    figures = newest(history)
    points = {
        found["row"]: each
        for name, each in figures.items()
        if (found := _MODEL.fullmatch(name)) and each["beside"]
    }
    model = [
        "| | predicted | measured | ratio | day |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {_value(each, 'ours')} | {_value(each, 'baseline')} | {_ratio(each)} |"
            f" {each['day']} |"
            for name, each in points.items()
        ),
    ]
    noon = _grid("population", _NOON, figures)
    return text.replace("{model}", "\n".join(model)).replace("{noon}", "\n".join(noon))


def _is_of_peer(name: str, figure: Figure) -> bool:
    """Whether a figure compares with another product: its name begins with the product's."""
    return bool(figure["beside"]) and name.startswith(f"{figure['beside']}: ")


def _comparison(figures: Mapping[str, Figure]) -> Iterator[str]:
    """Yield a table for each compared product."""
    last = ""
    for name, each in figures.items():
        peer = each["beside"]
        if peer != last:
            last = peer
            yield f"\n**{peer}**, measured on {each['day']}\n"
            yield f"| figure | ours | {peer} | ratio |"
            yield "|---|---|---|---|"
        values = [_value(each, "ours"), _value(each, "baseline"), _ratio(each)]
        yield f"| {name.removeprefix(f'{peer}: ')} | {' | '.join(values)} |"
    yield ""


def _machines(figures: Iterable[Figure]) -> Iterator[str]:
    days = sorted({(each["day"], each["machine"]) for each in figures}, reverse=True)
    yield from ("| day | machine |", "|---|---|")
    yield from (f"| {day} | {machine} |" for day, machine in days)


def _demoted(text: str) -> Iterator[str]:
    """Yield a page's lines with headings one level lower, so that it can be a part of another."""
    for line in text.splitlines():
        yield f"#{line}" if line.startswith("#") else line
    yield ""


def _value(figure: Figure, key: str) -> str:
    value = figure[key]
    if value is None:
        return ""
    digits = 0 if value == int(value) or value >= _WHOLE_FROM else 2
    return f"{value:,.{digits}f} {figure['unit']}".strip()


def _ratio(figure: Figure) -> str:
    return "" if figure["ratio"] is None else f"{figure['ratio']:.2f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{_SIGNIFICANT_DIGITS}g}")


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False)


def chart(history: Mapping[str, Any]) -> str:
    """Return the chart as SVG: a row for each figure, a dot for each run, the newest one opaque.

    All dots of a row show the distance to the newest goal. Figures without a goal are omitted.
    """
    rows = {
        name: [_measured(history, run, name) for run in history["runs"] if name in run["figures"]]
        for name, row in history["rows"].items()
        if row["goal"]
    }
    rows = {name: figures for name, figures in rows.items() if figures}
    height = _TOP + len(rows) * _ROW + 16
    parts = [*_axis(height), *_rows(rows)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">'
        f"<title>How far each goal was met, run by run</title><style>{_STYLE}</style>"
        f"{''.join(parts)}</svg>\n"
    )


def margin(figure: Figure, goal: str) -> float:
    """Return how far a figure meets a goal: 1 meets it exactly, 2 is twice as good."""
    value, limit, wanted = _compared(figure, goal)
    if limit == "≥":
        return value / wanted
    return wanted / value if value else _WIDEST


def _compared(figure: Figure, goal: str) -> tuple[float, str, float]:
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


def _rows(rows: Mapping[str, Sequence[Figure]]) -> Iterator[str]:
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
