"""The parameters of a run: customers, faults, speed and seed.

Times are minutes of the hour, from 0 (12:00) to 60 (13:00).
"""

from dataclasses import dataclass, replace

HOUR_MINUTES = 60
CAMPUS_SIZE = 20_000
ORDERING_SHARE = 0.06
"""The share of the campus that orders in this hour, an assumption. Most students eat in their mess or
at the counters; 0.06 gives each of the eight restaurants 150 orders, as many as one can prepare.
"""

_LIMITS_PER_MINUTE = {"create": 200, "order": 400, "payments": 100, "refund": 100, "get refund": 30}
"""Cashfree's rate limits per minute in production. Source: Cashfree API reference, rate limits."""
_SANDBOX_LIMIT = 30
"""The sandbox's limit of `payments`, on which CASHFREE_LIMIT_PERCENT is based."""
_PRODUCT_SHARE = 0.8


@dataclass(frozen=True)
class Span:
    """A time span in minutes of the hour."""

    target: str
    """The service, or the restaurant's id."""
    begins: float
    ends: float


OUTAGES = (
    Span("cashfree", 20.0, 25.0),
    Span("twilio", 29.0, 35.0),
    Span("mail", 38.0, 46.0),
)
"""The outages of external services."""
CLOSURES = (Span("3", 15.0, 32.0), Span("7", 34.0, 52.0))
"""The restaurants that the operator closes; socket customers order at restaurant 1."""

SOLD_OUT = (
    Span("2", 12.0, 30.0),
    Span("5", 16.0, 40.0),
    Span("6", 18.0, 28.0),
    Span("8", 25.0, 55.0),
    Span("6", 40.0, 54.0),
    Span("2", 44.0, 58.0),
)
"""Where the kitchens mark their most ordered dish as sold out."""


@dataclass(frozen=True)
class Plan:
    """One run."""

    campus_size: int
    """Number of people on the campus."""
    seconds: float
    """The duration of the hour on the machine's clock."""
    socket_customers: int
    """Number of customers who order over a socket, as the pages do."""
    kill_every: float = 1.0
    """Minutes between two kills; the processes alternate."""
    settlement_seconds: float = 150.0
    """Timeout of each settlement step."""
    seed: int = 2026
    host_loss_minute: float = 0.0
    """When the host is lost with its database, which is then restored; 0 if it is not."""

    @property
    def speed(self) -> float:
        """Simulated seconds per real second."""
        return HOUR_MINUTES * 60 / self.seconds

    @property
    def limits(self) -> dict[str, int]:
        """The fake Cashfree's rate limits per minute: the real ones, scaled to campus and speed."""
        factor = self.speed * self.campus_size / CAMPUS_SIZE
        return {call: round(limit * factor) for call, limit in _LIMITS_PER_MINUTE.items()}

    @property
    def limit_percent(self) -> int:
        """CASHFREE_LIMIT_PERCENT: lets the product use four fifths of the limit of `payments`."""
        return round(100 * _PRODUCT_SHARE * self.limits["payments"] / _SANDBOX_LIMIT)


FULL = Plan(campus_size=CAMPUS_SIZE, seconds=300.0, socket_customers=24)
SMALL = Plan(
    campus_size=1_500, seconds=36.0, socket_customers=3, kill_every=12.0, settlement_seconds=90.0
)
"""A smaller campus with the same faults."""
DRILL = replace(SMALL, host_loss_minute=27.0)
"""The run of `make drill` and of the tests: a small one, and all programs and the database are lost."""
BACKUP_MINUTE = 4.0
"""When the lost database is backed up; what comes later is in its log alone."""
