"""How far the kitchen is with a paid order. Source: specification 10.26, 10.27."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from campus_app.shared.rules.constants import HELD_SECONDS

LONGEST_ON_BOARD: Final = timedelta(days=1)
"""A kitchen board shows no order that was paid earlier. Source: specification 10.25."""


class CookingState(StrEnum):
    """How far the kitchen is with an order, in this sequence."""

    SENT = "sent"
    SEEN = "seen"
    READY = "ready"
    HANDED_OVER = "handed_over"

    @property
    def rank(self) -> int:
        """The place in the sequence, from 0."""
        return list(CookingState).index(self)


@dataclass(frozen=True)
class Cooking:
    """The state of cooking of one order; `previous` is the state that an undo restores."""

    state: CookingState = CookingState.SENT
    previous: CookingState = CookingState.SENT
    changed_at: datetime | None = None
    seen_at: datetime | None = None
    ready_at: datetime | None = None

    @property
    def is_handed_over(self) -> bool:
        """Whether the kitchen has nothing to do with the order any more."""
        return self.state is CookingState.HANDED_OVER

    def shown_at(self, now: datetime) -> CookingState:
        """Return the state that the customer is shown: a slip of the kitchen's is undone before.

        Source: specification 10.45.
        """
        if self.changed_at is None or self.state.rank < CookingState.READY.rank:
            return self.state
        is_held = now < self.changed_at + timedelta(seconds=HELD_SECONDS)
        return min(self.state, self.previous, key=lambda each: each.rank) if is_held else self.state
