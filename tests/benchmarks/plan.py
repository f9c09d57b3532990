"""How thoroughly is measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Ours and the bare app take turns, so many rounds each."""

    rounds: int = 5
    round_seconds: float = 3.0
    clicking_sessions: int = 50
    watching_sessions: int = 1000
    visitors: int = 2000
    visit_seconds: float = 60.0
    flips: int = 12
    lighthouse_looks: int = 5


QUICK = Plan(
    rounds=2,
    round_seconds=1.0,
    clicking_sessions=20,
    watching_sessions=200,
    visitors=200,
    visit_seconds=8.0,
    flips=6,
    lighthouse_looks=1,
)
"""For people who change the benchmarks; its figures mean little."""
