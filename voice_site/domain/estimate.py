"""The figures of the cost calculator, their limits, and the estimate from them.

`assets/js/voice_site/estimate.js` computes the same estimate in the browser.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voice_site.domain.constants import AGENT_RUPEES, ATTRITION_PERCENT


@dataclass(frozen=True)
class Figure:
    """A whole number that the visitor can change; `name` is also its name in a link's query."""

    name: str
    minimum: int
    maximum: int
    initial: int


FIGURES = (
    Figure("conversations", minimum=1, maximum=10_00_000, initial=4_000),
    Figure("agents", minimum=1, maximum=1_000, initial=6),
    Figure("cost", minimum=0, maximum=5_00_000, initial=AGENT_RUPEES),
    Figure("attrition", minimum=0, maximum=200, initial=ATTRITION_PERCENT),
    Figure("replacement", minimum=0, maximum=10_00_000, initial=0),
    Figure("share", minimum=0, maximum=100, initial=50),
)
"""In this order: conversations a month, agents, rupees per agent and month, % of the agents a year,
rupees per replaced agent, % of the conversations.

The limits keep all products below 2^53, up to which JavaScript's numbers are exact.
"""


@dataclass(frozen=True)
class PlanLimit:
    """What the estimate knows of a plan; `interactions` are a month's, None without a limit."""

    name: str
    rupees: int
    interactions: int | None


@dataclass(frozen=True)
class Estimate:
    """A month in rupees: today, and with the plan that fits and the agents who remain."""

    plan: str
    taken: int
    """The conversations that TARA takes over."""
    today: int
    with_tara: int


def estimate(figures: Mapping[str, int], plans: Sequence[PlanLimit]) -> Estimate:
    """Return the estimate from all figures; `plans` are sorted by limits, the last has none.

    Source: specification V2.45.
    """
    taken = _ceil(figures["conversations"] * figures["share"], 100)
    plan = next(each for each in plans if each.interactions is None or taken <= each.interactions)
    remaining = _ceil(figures["agents"] * (100 - figures["share"]), 100)
    today, later = (_month(agents, figures) for agents in (figures["agents"], remaining))
    return Estimate(plan.name, taken, today, plan.rupees + later)


def _month(agents: int, figures: Mapping[str, int]) -> int:
    """Return what agents cost in a month; replacing those who leave is rounded, halves up."""
    replacing = agents * figures["attrition"] * figures["replacement"]
    return agents * figures["cost"] + (replacing + 600) // 1_200


def _ceil(number: int, divisor: int) -> int:
    return -(-number // divisor)
