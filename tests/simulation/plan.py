"""The parameters of a run: customers, faults, speed and seed.

Times are minutes of the hour, from 0 (12:00) to 60 (13:00).
"""

from dataclasses import dataclass

HOUR_MINUTES = 60
CAMPUS_PEOPLE = 20_000
SHARE_THAT_ORDERS = 0.06
"""The share of the campus that orders in this hour, an assumption. Most people eat in their mess or
at the counters; 0.06 gives each of the eight kitchens 150 orders, a full hour's work.
"""

_GRANTED_A_MINUTE = {"create": 200, "order": 400, "payments": 100, "refund": 100, "get refund": 30}
"""Cashfree's rate limits per minute in production. Source: Cashfree API reference, rate limits."""
_GRANTED_IN_TEST_WORLD = 30
"""The limit of `payments` in the sandbox, which the product assumes."""
_OURS_OF_IT = 0.8


@dataclass(frozen=True)
class Span:
    """A time span in minutes of the hour."""

    what: str
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


@dataclass(frozen=True)
class Plan:
    """One run."""

    people: int
    seconds: float
    """The duration of the hour on the machine's clock."""
    browsers: int
    """Number of customers who order over a socket, as the pages do."""
    kill_every: float = 1.0
    """Minutes between two kills; the processes alternate."""
    calm_seconds: float = 150.0
    """Longest time for the settlement of open payments and jobs."""
    seed: int = 2026

    @property
    def speed(self) -> float:
        """Simulated seconds per real second."""
        return HOUR_MINUTES * 60 / self.seconds

    @property
    def limits(self) -> dict[str, int]:
        """The fake Cashfree's rate limits: the real limits, scaled to this campus and speed."""
        as_fast = self.speed * self.people / CAMPUS_PEOPLE
        return {call: round(most * as_fast) for call, most in _GRANTED_A_MINUTE.items()}

    @property
    def limit_percent(self) -> int:
        """The product's share of the scarcest limit, `payments`: four fifths."""
        return round(100 * _OURS_OF_IT * self.limits["payments"] / _GRANTED_IN_TEST_WORLD)


FULL = Plan(people=CAMPUS_PEOPLE, seconds=300.0, browsers=24)
SMALL = Plan(people=1_500, seconds=36.0, browsers=3, kill_every=12.0, calm_seconds=90.0)
"""The size for the tests: the same hour with all its faults."""
