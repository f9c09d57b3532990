"""The figures of the cost calculator, and their limits.

`assets/js/voice_site/estimate.js` computes the estimate from them.
"""

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
