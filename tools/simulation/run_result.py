"""The result of a run: records and measurements."""

from dataclasses import dataclass, field

from tools.simulation.evidence import Evidence
from tools.simulation.host_loss import HostLossTimes
from tools.simulation.monitor import Sample
from tools.simulation.plan import Plan
from tools.simulation.settle import Settled
from tools.simulation.stack import PROCESSES


@dataclass
class RunResult:
    """One finished run."""

    plan: Plan
    evidence: Evidence
    began: float
    """Start of the hour, in seconds since 1970."""
    duration_seconds: float = 0.0
    samples: list[Sample] = field(default_factory=list)
    settled: Settled = field(default_factory=Settled)
    logged_errors: list[str] = field(default_factory=list)
    """The error messages of the processes' logs."""
    webhooks: dict[str, int] = field(default_factory=dict)
    """The number of webhooks that the site accepted and rejected."""
    processes: int = PROCESSES
    host_loss: HostLossTimes | None = None

    @property
    def unfinished(self) -> list[str]:
        """The settlement steps that did not finish in time."""
        return self.settled.unfinished

    def minute_of(self, moment: float) -> float:
        """Return the minute of the hour for a time in seconds since 1970."""
        return (moment - self.began) * self.plan.speed / 60
