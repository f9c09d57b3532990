"""When customers and strangers make us query the provider, and when our own books answer them."""

from collections.abc import Callable
from datetime import datetime, timedelta

from prometheus_client import Counter

from kit.clock import Clock
from kit.quota import Caller
from kit.rate_limit import RateLimited, RateLimiter

_ORDER_BURST = 6
"""One visit of the return page queries the provider as often."""
_ORDER_PER_MINUTE = 6
_CLIENT_BURST = 60
_CLIENT_PER_MINUTE = 120
"""A whole campus may share one address: far above what its lunch hour needs."""

_ANSWERS = Counter(
    "campus_payment_queries",
    "Questions after a payment by priority and who answered: the provider, or our own books.",
    ["priority", "answered_by"],
)


class QueryLimits:
    """Limits the queries after payments: per order, per client, and by how fresh our books are.

    Webhooks and our own reconciler are not limited. What is refused here is answered from our own
    books, which the next webhook or reconciliation brings up to date.
    """

    def __init__(self, clock: Clock, fresh_for: timedelta = timedelta(0)) -> None:
        """`fresh_for` is how long an answer of the provider is good for."""
        self._clock = clock
        self._fresh_for = fresh_for
        self._answered_at: dict[str, datetime] = {}
        now = _seconds_of(clock)
        self._orders = RateLimiter(_ORDER_PER_MINUTE, burst=_ORDER_BURST, now=now)
        self._clients = RateLimiter(_CLIENT_PER_MINUTE, burst=_CLIENT_BURST, now=now)

    def allows(self, payment_id: str, caller: Caller) -> bool:
        """Return whether the provider is queried now for this caller, and count it if so."""
        is_allowed = not self._is_fresh(payment_id) and self._is_within_limits(payment_id, caller)
        answered_by = "provider" if is_allowed else "books"
        _ANSWERS.labels(caller.priority.name.lower(), answered_by).inc()
        return is_allowed

    def record_answer(self, payment_id: str, asked_at: datetime) -> None:
        """Record that the provider has answered a query that was begun then."""
        self._answered_at.pop(payment_id, None)  # the newest one stands last
        self._answered_at[payment_id] = asked_at
        while (oldest := next(iter(self._answered_at), None)) and not self._is_fresh(oldest):
            del self._answered_at[oldest]

    def _is_fresh(self, payment_id: str) -> bool:
        answered_at = self._answered_at.get(payment_id)
        if answered_at is None:
            return False
        # A clock that was set back must not make an old answer fresh.
        return answered_at <= self._clock.now() < answered_at + self._fresh_for

    def _is_within_limits(self, payment_id: str, caller: Caller) -> bool:
        # Strangers can name any order, and share a campus's address with its customers: they must
        # not use up what these may ask.
        try:
            self._orders.reserve(f"{caller.priority} {payment_id}", patience_seconds=0.0)
            self._clients.reserve(f"{caller.priority} {caller.client}", patience_seconds=0.0)
        except RateLimited:
            return False
        return True


def _seconds_of(clock: Clock) -> Callable[[], float]:
    return lambda: clock.now().timestamp()
