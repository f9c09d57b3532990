"""What is left of a run: its books, and what was measured on the way."""

from dataclasses import dataclass, field

from tests.simulation.books import Books
from tests.simulation.plan import Plan
from tests.simulation.settle import Settled
from tests.simulation.stack import PROCESSES
from tests.simulation.watch import Sample


@dataclass
class Day:
    """One run, over."""

    plan: Plan
    books: Books
    began: float
    """When the hour began, in seconds since 1970."""
    took_seconds: float = 0.0
    samples: list[Sample] = field(default_factory=list)
    settled: Settled = field(default_factory=Settled)
    troubles: list[str] = field(default_factory=list)
    """Where the processes' log tells of errors, each line by its logger and its words."""
    notices: dict[str, int] = field(default_factory=dict)
    """How often the site took a notice of the provider's or the telephones', and how often not."""
    processes: int = PROCESSES

    @property
    def unfinished(self) -> list[str]:
        """What did not come to its end in the time that it had."""
        return self.settled.unfinished

    def minute_of(self, moment: float) -> float:
        """Return the minute of the hour of a moment in seconds since 1970."""
        return (moment - self.began) * self.plan.speed / 60
