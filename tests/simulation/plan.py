"""What happens in the lunch hour, and how fast: its people, its troubles, its seed.

Moments are minutes of the hour, from 0 (12:00) to 60 (13:00).
"""

from dataclasses import dataclass

HOUR_MINUTES = 60
CAMPUS_PEOPLE = 20_000
SHARE_THAT_ORDERS = 0.06
"""Of the campus, in this hour, through this product: an assumption. Most eat in their mess or at
the counters; with 0.06 the eight kitchens have 150 orders each to cook, a full hour's work."""

_GRANTED_A_MINUTE = {"create": 200, "order": 400, "payments": 100, "refund": 100, "get refund": 30}
"""What Cashfree grants an account in its production world.

Source: Cashfree API reference, rate limits.
"""
_GRANTED_IN_TEST_WORLD = 30
"""The same for `payments` in its test world, which the product takes ours for."""
_OURS_OF_IT = 0.8


@dataclass(frozen=True)
class Span:
    """Something that is so from one minute of the hour to another."""

    what: str
    begins: float
    ends: float


OUTAGES = (
    Span("cashfree", 20.0, 25.0),
    Span("twilio", 29.0, 35.0),
    Span("mail", 38.0, 46.0),
)
"""Who does not answer, and when."""
CLOSURES = (Span("3", 15.0, 32.0), Span("7", 34.0, 52.0))
"""Which restaurants the operator closes; visitors with a socket order at restaurant 1."""


@dataclass(frozen=True)
class Plan:
    """One run."""

    people: int
    seconds: float
    """How long the hour takes, by the machine's clock."""
    browsers: int
    """How many of those who order do so over a socket, as the pages do."""
    kill_every: float = 1.0
    """Minutes between one kill of a process and the next, of another one."""
    calm_seconds: float = 150.0
    """How long what is under way may take to come to its end, at most."""
    seed: int = 2026

    @property
    def speed(self) -> float:
        """How many seconds of the hour pass in a second."""
        return HOUR_MINUTES * 60 / self.seconds

    @property
    def limits(self) -> dict[str, int]:
        """How many calls a minute our Cashfree grants: what the real one grants a whole campus."""
        as_fast = self.speed * self.people / CAMPUS_PEOPLE
        return {call: round(most * as_fast) for call, most in _GRANTED_A_MINUTE.items()}

    @property
    def limit_percent(self) -> int:
        """How the product is told of that: four fifths of the scarcest, `payments`."""
        return round(100 * _OURS_OF_IT * self.limits["payments"] / _GRANTED_IN_TEST_WORLD)


FULL = Plan(people=CAMPUS_PEOPLE, seconds=300.0, browsers=24)
SMALL = Plan(people=1_500, seconds=36.0, browsers=3, kill_every=12.0, calm_seconds=90.0)
"""For the tests: the same hour with everything in it, in the time that they have."""
