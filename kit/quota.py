"""A rate limit for requests to an external service, with priorities.

A part of the burst is reserved for the higher priorities, so that they seldom wait. Within
a priority, permits are granted to the clients round robin.
"""

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from prometheus_client import Counter, Gauge

from kit.rate_limit import RateLimited, RateLimiter, rate_limit_key


class Priority(IntEnum):
    """The priority of a request; lower numbers are served first."""

    WEBHOOK = 1
    """Queries after a signed webhook event of the provider: a payment has probably changed."""
    KNOWN = 2
    """The reconciler, operators, customers with an order's response token, and new payments."""
    ANONYMOUS = 3
    """Strangers: they have an order's number, which can be guessed, but not its token."""


MAX_WAIT_SECONDS: Mapping[Priority, float] = MappingProxyType(
    {Priority.WEBHOOK: 30.0, Priority.KNOWN: 5.0, Priority.ANONYMOUS: 2.0}
)
"""The longest wait for a permit, in seconds, by priority."""
NOTHING_RESERVED: Mapping[Priority, float] = MappingProxyType(dict.fromkeys(Priority, 0.0))
RESERVED_FOR_WEBHOOKS: Mapping[Priority, float] = MappingProxyType(
    {Priority.WEBHOOK: 0.0, Priority.KNOWN: 0.25, Priority.ANONYMOUS: 0.5}
)
"""The share of the burst that each priority leaves to the higher ones."""

_MAX_SPREAD_SECONDS = 30.0
"""The maximum delay that is added to the retry times of one client to spread its retries."""

_CALLS = Counter(
    "campus_provider_calls",
    "Calls to the payment provider by kind and priority: sent, or refused by the rate limit.",
    ["call", "priority", "outcome"],
)
_WAITING = Gauge(
    "campus_provider_calls_waiting",
    "Calls that wait for a permit of the payment provider's quota.",
    ["call", "priority"],
)


@dataclass(frozen=True)
class Requester:
    """The client on whose behalf the provider is asked, and its priority."""

    priority: Priority
    client: str = ""

    @classmethod
    def at(cls, priority: Priority, address: str) -> "Requester":
        """Return the requester with this network address."""
        return cls(priority, rate_limit_key(address))


WEBHOOK = Requester(Priority.WEBHOOK)
RECONCILER = Requester(Priority.KNOWN, "reconciler")
ANYONE = Requester(Priority.ANONYMOUS)


class CurrentRequester:
    """The requester of all requests of a task; its priority can be raised while one waits."""

    def __init__(self, requester: Requester) -> None:
        self.priority = requester.priority
        self.client = requester.client
        self._on_raise: list[Callable[[], None]] = []

    def raise_to(self, priority: Priority) -> None:
        """Raise the priority to this one, if it is higher, also for a request that is waiting."""
        if priority < self.priority:
            self.priority = priority
            for each in tuple(self._on_raise):
                each()

    @contextmanager
    def watched(self, on_raise: Callable[[], None]) -> Generator[None]:
        """Call `on_raise` during the block whenever the priority has been raised."""
        self._on_raise.append(on_raise)
        try:
            yield
        finally:
            self._on_raise.remove(on_raise)


_context: ContextVar[CurrentRequester | None] = ContextVar("current_requester", default=None)


@contextmanager
def requests_for(requester: Requester | CurrentRequester) -> Generator[None]:
    """Make the requests of the block on behalf of a requester."""
    context = CurrentRequester(requester) if isinstance(requester, Requester) else requester
    token = _context.set(context)
    try:
        yield
    finally:
        _context.reset(token)


def current_requester() -> CurrentRequester:
    """Return the requester of the requests made in this context; the reconciler by default."""
    return _context.get() or CurrentRequester(RECONCILER)


class Timer:
    """The clock and timers of the running event loop."""

    def time(self) -> float:
        """Return the time in seconds."""
        return asyncio.get_running_loop().time()

    def call_at(self, when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Schedule a callback."""
        return asyncio.get_running_loop().call_at(when, callback)


@dataclass(eq=False)
class _Waiter:
    """A queued request; at its deadline it is refused."""

    context: CurrentRequester
    permit: asyncio.Future[None]
    position: tuple[Priority, int]
    """The priority, and the round of the client's permit; the lowest position is served first."""
    deadline: Any
    """The handle of the timer that refuses the request."""


class Quota:
    """Limits requests to `per_minute` in any minute, with a burst of a quarter of that number."""

    def __init__(
        self,
        name: str,
        per_minute: int,
        reserved: Mapping[Priority, float] = NOTHING_RESERVED,
        timer: Timer | None = None,
    ) -> None:
        """`reserved` is the share of the burst that each priority leaves to the higher ones."""
        self._name = name
        self._timer = timer or Timer()
        self._limiter = RateLimiter.within_a_minute(per_minute, now=self._timer.time)
        self._retries = RateLimiter(per_minute, burst=1, now=self._timer.time)
        burst = self._limiter.burst
        self._reserved = {each: min(int(burst * reserved[each]), burst - 1) for each in Priority}
        self._waiting: list[_Waiter] = []
        self._last_round = dict.fromkeys(Priority, 0)
        self._next_grant: Any = None

    @property
    def waiting(self) -> int:
        """The number of requests that wait for a permit."""
        return len(self._waiting)

    def block(self, seconds: float) -> None:
        """Grant no permit for this number of seconds."""
        self._limiter.block(seconds)

    async def acquire(self) -> None:
        """Wait for a permit on behalf of the current requester.

        Raises:
            RateLimited: If none is free within the maximum wait of the requester's priority.
        """
        context = current_requester()
        if self._expected_wait(context) > MAX_WAIT_SECONDS[context.priority]:
            raise self._refused(context)
        permit = asyncio.get_running_loop().create_future()
        waiter = _Waiter(context, permit, self._position_of(context), None)
        self._append(waiter)
        try:
            with context.watched(lambda: self._move_up(waiter)):
                self._grant()
                await permit
        finally:
            self._remove(waiter)
        self._count(waiter.position[0], "sent")

    def _position_of(self, context: CurrentRequester) -> tuple[Priority, int]:
        """Return the position of a client's next request: one round after its last one."""
        priority = context.priority
        rounds = (
            each.position[1]
            for each in self._waiting
            if each.position[0] is priority and each.context.client == context.client
        )
        return priority, max([self._last_round[priority], *rounds]) + 1

    def _expected_wait(self, context: CurrentRequester) -> float:
        """Return the seconds until a new request of this requester would get its permit."""
        position = self._position_of(context)
        ahead = sum(each.position <= position for each in self._waiting)
        return self._limiter.seconds_until(1 + ahead + self._reserved[position[0]])

    def _append(self, waiter: _Waiter) -> None:
        self._waiting.append(waiter)
        priority = waiter.position[0]
        _WAITING.labels(self._name, priority.name.lower()).inc()
        until = self._timer.time() + MAX_WAIT_SECONDS[priority]
        waiter.deadline = self._timer.call_at(until, lambda: self._expire(waiter))

    def _remove(self, waiter: _Waiter) -> None:
        """Remove a request from the queue, if it is still queued."""
        if waiter in self._waiting:
            self._waiting.remove(waiter)
            waiter.deadline.cancel()
            _WAITING.labels(self._name, waiter.position[0].name.lower()).dec()

    def _move_up(self, waiter: _Waiter) -> None:
        if waiter in self._waiting:
            self._remove(waiter)
            waiter.position = self._position_of(waiter.context)
            self._append(waiter)
            self._grant()

    def _expire(self, waiter: _Waiter) -> None:
        self._grant()  # a permit may become free at the moment of the deadline
        self._remove(waiter)
        if not waiter.permit.done():
            waiter.permit.set_exception(self._refused(waiter.context))

    def _refused(self, context: CurrentRequester) -> RateLimited:
        """Count a refused request; return its error, which spreads the retries of a client."""
        self._count(context.priority, "refused")
        spread = min(self._retries.reserve(context.client), _MAX_SPREAD_SECONDS)
        return RateLimited(self._expected_wait(context) + spread)

    def _grant(self) -> None:
        """Grant the permits that are free now, and schedule the next grant."""
        if self._next_grant is not None:
            self._next_grant.cancel()
            self._next_grant = None
        while self._waiting:
            waiter = min(self._waiting, key=lambda each: each.position)
            priority, round_ = waiter.position
            if wait := self._limiter.seconds_until(1 + self._reserved[priority]):
                self._next_grant = self._timer.call_at(self._timer.time() + wait, self._grant)
                return
            self._remove(waiter)
            if not waiter.permit.done():  # done: its task was cancelled
                self._limiter.reserve()
                self._last_round[priority] = round_
                waiter.permit.set_result(None)

    def _count(self, priority: Priority, outcome: str) -> None:
        _CALLS.labels(self._name, priority.name.lower(), outcome).inc()
