"""A quota of calls to an outside system: by priority, and fairly among the clients of each.

A part of the quota is reserved for the higher priorities, so that their calls need not even wait
for the next permit. Within a priority the clients that wait take turns (round robin), whatever the
number of their calls.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Protocol

from prometheus_client import Counter, Gauge

from kit.rate_limit import RateLimited, RateLimiter, rate_limit_key


class Priority(IntEnum):
    """The priority of a call; lower numbers are served first."""

    WEBHOOK = 1
    """After a signed webhook of the provider: money has moved."""
    KNOWN = 2
    """Our reconciler and operators, customers with an order's secret token, and new payments."""
    ANONYMOUS = 3
    """Anyone with an order's number, which can be guessed."""


PATIENCE_SECONDS: Mapping[Priority, float] = MappingProxyType(
    {Priority.WEBHOOK: 30.0, Priority.KNOWN: 5.0, Priority.ANONYMOUS: 2.0}
)
"""How long a call of each priority waits for a permit."""
NOTHING_RESERVED: Mapping[Priority, float] = MappingProxyType(dict.fromkeys(Priority, 0.0))
RESERVED_FOR_WEBHOOKS: Mapping[Priority, float] = MappingProxyType(
    {Priority.WEBHOOK: 0.0, Priority.KNOWN: 0.25, Priority.ANONYMOUS: 0.5}
)
"""The share of the burst that each priority leaves to the higher ones."""

_LONGEST_SPREAD_SECONDS = 30.0
"""The longest time over which the retries of one client are spread."""

_CALLS = Counter(
    "campus_provider_calls",
    "Calls to the payment provider by kind and priority: sent, or refused without a permit.",
    ["call", "priority", "outcome"],
)
_WAITING = Gauge(
    "campus_provider_calls_waiting",
    "Calls that wait for a permit of the payment provider's quota.",
    ["call", "priority"],
)


@dataclass(frozen=True)
class Caller:
    """On whose behalf the provider is called: a priority, and a client within it."""

    priority: Priority
    client: str = ""

    @classmethod
    def at(cls, priority: Priority, address: str) -> "Caller":
        """Return the caller with this network address."""
        return cls(priority, rate_limit_key(address))


WEBHOOK = Caller(Priority.WEBHOOK)
RECONCILER = Caller(Priority.KNOWN, "reconciler")
ANYONE = Caller(Priority.ANONYMOUS)


class CallContext:
    """The caller of the calls made in a context; its priority can be raised at any time."""

    def __init__(self, caller: Caller) -> None:
        self.priority = caller.priority
        self.client = caller.client
        self._on_raise: list[Callable[[], None]] = []

    def raise_to(self, priority: Priority) -> None:
        """Raise the priority, also of a call that is waiting, if this one is higher."""
        if priority < self.priority:
            self.priority = priority
            for each in tuple(self._on_raise):
                each()

    @contextmanager
    def watched(self, on_raise: Callable[[], None]) -> Generator[None]:
        """Run a callback after each raise, for as long as the block lasts."""
        self._on_raise.append(on_raise)
        try:
            yield
        finally:
            self._on_raise.remove(on_raise)


_context: ContextVar[CallContext | None] = ContextVar("call_context", default=None)


@contextmanager
def calls_for(caller: Caller | CallContext) -> Generator[None]:
    """Make the calls of the block on behalf of a caller."""
    context = CallContext(caller) if isinstance(caller, Caller) else caller
    token = _context.set(context)
    try:
        yield
    finally:
        _context.reset(token)


def current_call() -> CallContext:
    """Return on whose behalf calls are made here; the reconciler by default."""
    return _context.get() or CallContext(RECONCILER)


class TimerHandle(Protocol):
    """A planned callback."""

    def cancel(self) -> None:
        """Cancel it."""
        ...


class Timer(Protocol):
    """The part of an event loop's interface that concerns time."""

    def time(self) -> float:
        """Return the time in seconds."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> TimerHandle:
        """Run a callback at that time."""
        ...


class _LoopTimer:
    """The time of the running event loop."""

    def time(self) -> float:
        return asyncio.get_running_loop().time()

    def call_at(self, when: float, callback: Callable[[], None]) -> TimerHandle:
        return asyncio.get_running_loop().call_at(when, callback)


@dataclass(eq=False)
class _Waiter:
    context: CallContext
    priority: Priority
    permit: asyncio.Future[None]
    deadline: TimerHandle | None = None


class _Clients:
    """The waiting calls of one priority: a queue for each client, in round-robin order."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[_Waiter]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def append(self, waiter: _Waiter) -> None:
        self._queues.setdefault(waiter.context.client, deque()).append(waiter)

    def remove(self, waiter: _Waiter) -> None:
        queue = self._queues[waiter.context.client]
        queue.remove(waiter)
        if not queue:
            del self._queues[waiter.context.client]

    def first(self) -> _Waiter | None:
        return next((queue[0] for queue in self._queues.values()), None)

    def move_to_end(self, client: str) -> None:
        self._queues.move_to_end(client)

    def ahead_of_next(self, client: str) -> int:
        """Return how many calls are served before the next call of a client."""
        own = len(self._queues.get(client, ()))
        return own + sum(
            min(len(queue), own + 1) for other, queue in self._queues.items() if other != client
        )


class Quota:
    """Limits the calls to `per_minute` in any minute; a quarter of them may be made at once."""

    def __init__(
        self,
        name: str,
        per_minute: int,
        reserved: Mapping[Priority, float] = NOTHING_RESERVED,
        timer: Timer | None = None,
    ) -> None:
        """`reserved` is the share of the burst that each priority leaves to those above it."""
        self._name = name
        self._timer = timer or _LoopTimer()
        self._limiter = RateLimiter.within_a_minute(per_minute, now=self._timer.time)
        self._returns = RateLimiter(per_minute, burst=1, now=self._timer.time)
        spare = self._limiter.burst - 1
        self._reserved = {
            each: min(int(self._limiter.burst * reserved[each]), spare) for each in Priority
        }
        self._waiting = {each: _Clients() for each in Priority}
        self._wake: TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How many calls wait for a permit."""
        return sum(map(len, self._waiting.values()))

    def block(self, seconds: float) -> None:
        """Grant no permit for this time."""
        self._limiter.block(seconds)

    async def acquire(self) -> None:
        """Wait for a permit on behalf of the current caller.

        Raises:
            RateLimited: If none comes within the patience of the caller's priority.
        """
        context = current_call()
        priority = self._priority_of(context)
        wait = self._expected_wait(context)
        if wait > PATIENCE_SECONDS[priority]:
            raise self._refused(context)
        waiter = _Waiter(context, priority, asyncio.get_running_loop().create_future())
        self._append(waiter)
        try:
            with context.watched(lambda: self._move_up(waiter)):
                self._grant()
                await waiter.permit
        finally:
            self._remove(waiter)
        self._count(waiter.priority, "sent")

    def _priority_of(self, context: CallContext) -> Priority:
        return context.priority

    def _expected_wait(self, context: CallContext) -> float:
        """Return in how many seconds a new call of this caller would get its permit."""
        priority = self._priority_of(context)
        ahead = self._waiting[priority].ahead_of_next(context.client)
        ahead += sum(len(self._waiting[each]) for each in Priority if each < priority)
        return self._limiter.seconds_until(1 + ahead + self._reserved[priority])

    def _append(self, waiter: _Waiter) -> None:
        self._waiting[waiter.priority].append(waiter)
        _WAITING.labels(self._name, waiter.priority.name.lower()).inc()
        until = self._timer.time() + PATIENCE_SECONDS[waiter.priority]
        waiter.deadline = self._timer.call_at(until, lambda: self._expire(waiter))

    def _remove(self, waiter: _Waiter) -> None:
        """Remove a call from its queue, if it is there."""
        if waiter.deadline is None:
            return
        waiter.deadline.cancel()
        waiter.deadline = None
        self._waiting[waiter.priority].remove(waiter)
        _WAITING.labels(self._name, waiter.priority.name.lower()).dec()

    def _move_up(self, waiter: _Waiter) -> None:
        if waiter.deadline is not None:
            self._remove(waiter)
            waiter.priority = self._priority_of(waiter.context)
            self._append(waiter)
            self._grant()

    def _expire(self, waiter: _Waiter) -> None:
        self._grant()  # a permit may become free at the moment of the deadline
        self._remove(waiter)
        if not waiter.permit.done():
            waiter.permit.set_exception(self._refused(waiter.context))

    def _refused(self, context: CallContext) -> RateLimited:
        """Return the error with the time to retry, spread over the calls of one client."""
        self._count(self._priority_of(context), "refused")
        spread = min(self._returns.reserve(context.client), _LONGEST_SPREAD_SECONDS)
        return RateLimited(self._expected_wait(context) + spread)

    def _grant(self) -> None:
        """Grant the permits that are free now, and schedule the next grant."""
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        while (waiter := self._first()) is not None:
            if wait := self._limiter.seconds_until(1 + self._reserved[waiter.priority]):
                self._wake = self._timer.call_at(self._timer.time() + wait, self._grant)
                return
            self._waiting[waiter.priority].move_to_end(waiter.context.client)
            self._remove(waiter)
            if not waiter.permit.done():  # done: its task was cancelled
                self._limiter.reserve()
                waiter.permit.set_result(None)

    def _first(self) -> _Waiter | None:
        everyone = (self._waiting[each].first() for each in Priority)
        return next((each for each in everyone if each is not None), None)

    def _count(self, priority: Priority, outcome: str) -> None:
        _CALLS.labels(self._name, priority.name.lower(), outcome).inc()
