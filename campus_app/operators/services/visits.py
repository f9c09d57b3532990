"""How far visits come, counted without cookies. Source: specification 13.5."""

from collections import Counter, OrderedDict
from datetime import datetime
from typing import Final

from campus_app.operators.rules.figures import VisitStep
from campus_app.operators.sql.visits import SqlVisits
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from kit.clock import Clock

_REMEMBERED: Final = 10_000
"""How many of the newest page sessions a process remembers, so that each counts once."""
_BITS: Final = {step: 1 << number for number, step in enumerate(VisitStep)}


class Visits:
    """Counts page sessions by hour and step in memory; `store` adds the counts to the database."""

    def __init__(self, store: SqlVisits, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._reached: OrderedDict[int, int] = OrderedDict()
        """The steps of each session as bits: a set would take four times the memory."""
        self.counts: Counter[tuple[datetime, VisitStep]] = Counter()
        """What was counted and is not stored yet."""

    def note(self, session: str, step: VisitStep) -> None:
        """Count that a page session came to a step; once, whatever the page does.

        Who opens a confirmation again has not paid in this session, unless it came to the summary.
        """
        key = hash(session)
        reached = self._reached.pop(key, 0)
        is_other_order = step is VisitStep.PAID and not reached & _BITS[VisitStep.SUMMARY]
        is_new = not reached & _BITS[step] and not is_other_order
        self._reached[key] = reached | (_BITS[step] if is_new else 0)
        if len(self._reached) > _REMEMBERED:
            self._reached.popitem(last=False)
        if not is_new:
            return
        # An hour of the campus, where a day begins with one: hours of UTC begin 30 min apart.
        now = self._clock.now().astimezone(CAMPUS_TIME_ZONE)
        self.counts[now.replace(minute=0, second=0, microsecond=0), step] += 1

    async def store(self) -> None:
        """Add what was counted since the last call to the sums of the hours.

        Raises:
            DatabaseUnavailable: If that is not possible now; the counts are kept.
        """
        counts, self.counts = self.counts, Counter()
        if not counts:
            return
        try:
            await self._store.add(counts)
        except BaseException:
            self.counts.update(counts)
            raise
