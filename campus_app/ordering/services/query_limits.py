"""Limits of provider queries that visitors cause; refused ones are answered from the database."""

from datetime import datetime, timedelta

from prometheus_client import Counter

from kit.clock import Clock
from kit.quota import Requester
from kit.rate_limit import RateLimited, RateLimiter

_ORDER_BURST = 6
"""The number of queries that one visit of the return page makes."""
_ORDER_PER_MINUTE = 6
_CLIENT_BURST = 60
_CLIENT_PER_MINUTE = 120
"""A whole campus may share one address; this is far above its lunch-hour load."""

_ANSWERS = Counter(
    "campus_payment_queries",
    "Status queries of visitors by priority, answered by the provider or the database.",
    ["priority", "answered_by"],
)


class QueryLimits:
    """Limits provider queries per order, per client, and by the age of the last answer.

    Webhooks and the reconciler are not limited. Refused queries are answered from the database,
    which the next webhook or reconciliation updates.
    """

    def __init__(self, clock: Clock, fresh_for: timedelta = timedelta(0)) -> None:
        """`fresh_for` is how long a provider's answer counts as current."""
        self._clock = clock
        self._fresh_for = fresh_for
        self._answered_at: dict[str, datetime] = {}
        monotonic = clock.monotonic
        self._orders = RateLimiter(_ORDER_PER_MINUTE, burst=_ORDER_BURST, now=monotonic)
        self._clients = RateLimiter(_CLIENT_PER_MINUTE, burst=_CLIENT_BURST, now=monotonic)

    def allows(self, payment_id: str, requester: Requester) -> bool:
        """Return whether this requester may query the provider now, and count the query."""
        is_allowed = not self._is_fresh(payment_id) and self._is_within_limits(
            payment_id, requester
        )
        answered_by = "provider" if is_allowed else "database"
        _ANSWERS.labels(requester.priority.name.lower(), answered_by).inc()
        return is_allowed

    def record_answer(self, payment_id: str, queried_at: datetime) -> None:
        """Record that the provider answered a query that was sent at `queried_at`."""
        self._answered_at.pop(payment_id, None)  # the dict is ordered by time
        self._answered_at[payment_id] = queried_at
        while (oldest := next(iter(self._answered_at), None)) and not self._is_fresh(oldest):
            del self._answered_at[oldest]

    def _is_fresh(self, payment_id: str) -> bool:
        answered_at = self._answered_at.get(payment_id)
        if answered_at is None:
            return False
        # If the clock is set back, an old answer must not count as current.
        return answered_at <= self._clock.now() < answered_at + self._fresh_for

    def _is_within_limits(self, payment_id: str, requester: Requester) -> bool:
        # Separate keys per priority: anonymous clients can name any order and may share the
        # campus's address, so they must not exhaust the customers' limit.
        try:
            self._orders.reserve(f"{requester.priority} {payment_id}", max_wait_seconds=0.0)
            self._clients.reserve(f"{requester.priority} {requester.client}", max_wait_seconds=0.0)
        except RateLimited:
            return False
        return True
