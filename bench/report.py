"""Figures with their baselines and goals, as a table and as JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

_HEADS = ("", "ours", "baseline", "ratio", "goal", "met")
_NONE = "–"
_WHOLE_FROM = 100


class MeasurementFailed(Exception):
    """A figure could not be measured; the text says why."""


class Limit(StrEnum):
    """What a goal limits: a figure, or its ratio to the baseline."""

    RATIO_AT_LEAST = "ratio ≥ {}"
    RATIO_AT_MOST = "ratio ≤ {}"
    AT_MOST = "≤ {}"
    AT_LEAST = "≥ {}"


@dataclass(frozen=True)
class Goal:
    """A limit that a figure must keep."""

    limit: Limit
    figure: float

    def __str__(self) -> str:
        return self.limit.format(_number(self.figure))


@dataclass(frozen=True)
class Figure:
    """One line of the table; without a goal it is only reported."""

    name: str
    unit: str
    ours: float
    baseline: float | None = None
    goal: Goal | None = None
    beside: str = ""
    """What the baseline is."""

    @property
    def ratio(self) -> float | None:
        return self.ours / self.baseline if self.baseline else None

    @property
    def is_met(self) -> bool | None:
        if self.goal is None:
            return None
        limit = self.goal.limit
        value = self.ours if limit in {Limit.AT_MOST, Limit.AT_LEAST} else self.ratio
        if value is None:
            return None
        if limit in {Limit.RATIO_AT_LEAST, Limit.AT_LEAST}:
            return value >= self.goal.figure
        return value <= self.goal.figure


@dataclass(frozen=True)
class Result:
    """What one benchmark measured; `details` are written to the JSON file only."""

    figures: Sequence[Figure]
    details: Mapping[str, Any] = field(default_factory=dict)


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as plain text in columns."""
    rows = [_HEADS, *map(_cells, figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, tuple("-" * width for width in widths))
    return "\n".join(_line(row, widths) for row in rows)


def write(folder: Path, name: str, content: Mapping[str, Any]) -> Path:
    """Write a run's JSON under its name and as `latest.json`; return the first file."""
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    for file in (folder / f"{name}.json", folder / "latest.json"):
        file.write_text(text)
    return folder / f"{name}.json"


def as_json(figure: Figure) -> dict[str, Any]:
    """Return a figure with its ratio and whether its goal is met."""
    goal = str(figure.goal) if figure.goal else None
    return {**asdict(figure), "goal": goal, "ratio": figure.ratio, "met": figure.is_met}


def _cells(figure: Figure) -> tuple[str, ...]:
    amounts = [
        _NONE if amount is None else f"{_number(amount)} {figure.unit}".strip()
        for amount in (figure.ours, figure.baseline)
    ]
    ratio = _NONE if figure.ratio is None else f"{figure.ratio:.2f}"
    met = {True: "met", False: "not met", None: _NONE}[figure.is_met]
    return (figure.name, *amounts, ratio, str(figure.goal or _NONE), met)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    cells = [first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]
    return "  ".join(cells).rstrip()


def _number(amount: float) -> str:
    if amount == int(amount) or amount >= _WHOLE_FROM:
        return f"{amount:,.0f}"
    return f"{amount:.2f}"
