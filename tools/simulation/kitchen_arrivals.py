"""The time from the recording of a payment to its order's arrival on the kitchen's devices."""

from dataclasses import dataclass
from math import ceil

from tools.simulation.evidence import Evidence

_BEFORE_KILL_SECONDS, _AFTER_RESTART_SECONDS = 0.2, 0.5
_AFTER_CLOCK_JUMP_SECONDS = 15.0


@dataclass(frozen=True)
class Arrival:
    """One order on one device that was connected from the payment to the arrival."""

    order_id: str
    seconds: float
    is_undisturbed: bool
    """Whether no process was killed or starting meanwhile."""


def arrivals(evidence: Evidence) -> list[Arrival]:
    """Return the arrivals on connected devices; those whose line was cut meanwhile are missing."""
    recorded: dict[str, float] = {}
    for write in evidence.database.writes:
        if write.source == "payments" and write.state == "paid":
            recorded.setdefault(write.order_id, write.at)
    return [
        Arrival(
            order_id,
            max(at - recorded[order_id], 0.0),
            _is_undisturbed(evidence, recorded[order_id], at),
        )
        for log in evidence.device_logs
        for order_id, at in log.arrivals.items()
        if order_id in recorded and log.was_connected(recorded[order_id], at)
    ]


def percentile(seconds: list[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed; 0 if empty."""
    return sorted(seconds)[max(ceil(len(seconds) * share) - 1, 0)] if seconds else 0.0


def _is_undisturbed(evidence: Evidence, begins: float, ends: float) -> bool:
    kills = [
        (kill.at - _BEFORE_KILL_SECONDS, kill.restarted_at + _AFTER_RESTART_SECONDS)
        for kill in evidence.kills
    ]
    restarts = [(at, at + _AFTER_CLOCK_JUMP_SECONDS) for at, _seconds in evidence.clock_jumps]
    return not any(from_ <= ends and begins <= to for from_, to in (*kills, *restarts))
