"""Figures beside their baselines and goals: as one table, and as JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

_HEADS = ("", "ours", "baseline", "ratio", "goal", "met")
_NOTHING = "–"
_WHOLE_FROM = 100


class Limit(Enum):
    """What a goal is held against."""

    RATIO_AT_LEAST = "ratio ≥ {}"
    RATIO_AT_MOST = "ratio ≤ {}"
    AT_MOST = "≤ {}"
    AT_LEAST = "≥ {}"


@dataclass(frozen=True)
class Goal:
    """What was promised."""

    limit: Limit
    figure: float

    def __str__(self) -> str:
        return self.limit.value.format(_number(self.figure))


@dataclass(frozen=True)
class Figure:
    """One line of the table; without a goal it is only reported."""

    what: str
    unit: str
    ours: float
    baseline: float | None = None
    goal: Goal | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.baseline if self.baseline else None

    @property
    def is_met(self) -> bool | None:
        if self.goal is None:
            return None
        limit = self.goal.limit
        held = self.ours if limit in {Limit.AT_MOST, Limit.AT_LEAST} else self.ratio
        if held is None:
            return None
        if limit in {Limit.RATIO_AT_LEAST, Limit.AT_LEAST}:
            return held >= self.goal.figure
        return held <= self.goal.figure


@dataclass(frozen=True)
class Measured:
    """What one measurement found; `details` go into the JSON only, `notes` below the table."""

    figures: Sequence[Figure] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as plain text in columns."""
    rows = [_HEADS, *map(_cells, figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def write(folder: Path, name: str, content: Mapping[str, Any]) -> Path:
    """Keep a run under its name, and as the latest."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    for file in (folder / f"{name}.json", folder / "latest.json"):
        file.write_text(text)
    return folder / f"{name}.json"


def as_json(figure: Figure) -> dict[str, Any]:
    """Return a figure with what follows from it."""
    goal = str(figure.goal) if figure.goal else None
    return {**asdict(figure), "goal": goal, "ratio": figure.ratio, "met": figure.is_met}


def _cells(figure: Figure) -> tuple[str, ...]:
    amounts = [
        _NOTHING if amount is None else f"{_number(amount)} {figure.unit}".strip()
        for amount in (figure.ours, figure.baseline)
    ]
    ratio = _NOTHING if figure.ratio is None else f"{figure.ratio:.2f}"
    met = {True: "met", False: "not met", None: _NOTHING}[figure.is_met]
    return (figure.what, *amounts, ratio, str(figure.goal or _NOTHING), met)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    cells = [first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]
    return "  ".join(cells).rstrip()


def _number(amount: float) -> str:
    if amount == int(amount) or amount >= _WHOLE_FROM:
        return f"{amount:,.0f}"
    return f"{amount:.2f}"
