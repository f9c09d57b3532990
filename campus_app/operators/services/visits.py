"""How far visits come, counted without cookies. Source: specification 13.5."""

from collections import Counter, OrderedDict
from datetime import datetime
from typing import Final

from campus_app.operators.rules.figures import VisitStep
from campus_app.operators.sql.visits import SqlVisits
from kit.clock import Clock

_REMEMBERED: Final = 20_000
"""How many of the newest page sessions a process remembers, so that each counts once."""


class Visits:
    """Counts page sessions by hour and step in memory; `store` adds the counts to the database."""

    def __init__(self, store: SqlVisits, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._reached: OrderedDict[int, set[VisitStep]] = OrderedDict()
        self.counts: Counter[tuple[datetime, VisitStep]] = Counter()
        """What was counted and is not stored yet."""

    def note(self, session: str, step: VisitStep) -> None:
        """Count that a page session came to a step; once, whatever the page does.

        Who opens a confirmation again has not paid in this session, unless it came to the summary.
        """
        key = hash(session)
        reached = self._reached.setdefault(key, set())
        self._reached.move_to_end(key)
        if len(self._reached) > _REMEMBERED:
            self._reached.popitem(last=False)
        is_other_order = step is VisitStep.PAID and VisitStep.SUMMARY not in reached
        if step in reached or is_other_order:
            return
        reached.add(step)
        hour = self._clock.now().replace(minute=0, second=0, microsecond=0)
        self.counts[hour, step] += 1

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
