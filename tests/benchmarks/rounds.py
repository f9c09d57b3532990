"""Turns that ours and the bare app take on one core, and which of them count."""

import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plan import Plan
from report import Figure, Goal

_NOISE = 0.25
"""Of a core: a turn beside programs that use more is taken again."""
_MOST_PAIRS_PER_ROUND = 3
_ENOUGH = 3
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_BUSY_COLUMNS = (1, 2, 3, 6, 7, 8)
"""user, nice, system, irq, softirq, steal of /proc/stat."""


@dataclass(frozen=True)
class Turn:
    """How much was done, and who used how much of a core meanwhile."""

    per_second: float
    per_cpu_second: float
    client: float
    others: float
    details: dict[str, Any] = field(default_factory=dict)


class Watch:
    """Watches the machine while one turn is taken."""

    def __init__(self, cpu_seconds: Callable[[], float]) -> None:
        self._cpu_seconds = cpu_seconds
        self._before = self._now()

    def turn(self, done: float, seconds: float, **details: Any) -> Turn:
        """Return the turn in which so much was done."""
        passed, measured, client, busy = (
            now - then for now, then in zip(self._now(), self._before, strict=True)
        )
        others = max(0.0, busy - measured - client) / passed
        return Turn(
            done / seconds, done / measured, round(client / passed, 2), round(others, 2), details
        )

    def _now(self) -> tuple[float, float, float, float]:
        return time.monotonic(), self._cpu_seconds(), time.process_time(), _busy_seconds()


Pair = tuple[Turn, Turn]
"""A turn of ours and the bare app's beside it."""


def are_enough(pairs: Sequence[Pair], plan: Plan) -> bool:
    """Whether so many were taken in quiet, or too many in noise."""
    is_tired = len(pairs) >= _MOST_PAIRS_PER_ROUND * plan.rounds
    return is_tired or len(_quiet(pairs)) >= plan.rounds


def figures(what: str, unit: str, goal: Goal, pairs: Sequence[Pair]) -> list[Figure]:
    """Return the medians of the turns that count.

    Where the machine was never quiet, the goal is held against processor time: what other
    programs take from a core falls on whoever has its turn.
    """
    counted, is_quiet = _counted(pairs)
    by_clock = [statistics.median(pair[i].per_second for pair in counted) for i in (0, 1)]
    by_cpu = [statistics.median(pair[i].per_cpu_second for pair in counted) for i in (0, 1)]
    per_cpu = "  same, per second of processor time"
    return [
        Figure(what, unit, *by_clock, goal if is_quiet else None),
        Figure(per_cpu, unit, *by_cpu, None if is_quiet else goal),
    ]


def notes(what: str, pairs: Sequence[Pair]) -> list[str]:
    """Say which turns count, if not all do."""
    quiet = len(_quiet(pairs))
    if quiet == len(pairs):
        return []
    _, is_quiet = _counted(pairs)
    others = max(turn.others for pair in pairs for turn in pair)
    used = f"{what}: other programs used up to {others} of a core; {quiet} of {len(pairs)} pairs of"
    end = "only they count" if is_quiet else "all count, and processor time decides"
    return [f"{used} turns were quiet: {end}."]


def as_json(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Return every turn."""
    return [{"ours": asdict(ours), "bare": asdict(bare)} for ours, bare in pairs]


def _quiet(pairs: Sequence[Pair]) -> list[Pair]:
    return [pair for pair in pairs if max(turn.others for turn in pair) < _NOISE]


def _counted(pairs: Sequence[Pair]) -> tuple[Sequence[Pair], bool]:
    """Return the turns that count, and whether they were taken in quiet."""
    quiet = _quiet(pairs)
    is_quiet = len(quiet) >= min(_ENOUGH, len(pairs))
    return (quiet if is_quiet else pairs), is_quiet


def _busy_seconds() -> float:
    fields = Path("/proc/stat").read_text().splitlines()[0].split()
    return sum(int(fields[column]) for column in _BUSY_COLUMNS) / _TICKS_PER_SECOND
