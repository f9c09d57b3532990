"""Runs the effects of the outbox's jobs."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import SystemRandom

from prometheus_client import Counter

from kit.background import cancel_and_wait
from kit.clock import Clock
from kit.db.errors import DatabaseUnavailable
from kit.outbox.errors import (
    CHANNEL_DOWN,
    NEEDS_OPERATOR,
    OUTCOME_UNKNOWN,
    ChannelDown,
    DeliveryPostponed,
    DeliveryRejected,
    OperatorNeeded,
    OutcomeAwaited,
    OutcomeUnknown,
)
from kit.outbox.store import Job, Outbox

logger = logging.getLogger(__name__)
_random = SystemRandom()

_EFFECTS = Counter(
    "campus_outbox_effects",
    "Effects that this process ran, by topic and outcome.",
    ["topic", "outcome"],
)

_BATCH_SIZE = 12
_MAX_CONCURRENT = 3 * _BATCH_SIZE
_BATCH_SECONDS = 0.25
"""How long the worker waits for a batch before it claims the next; slow effects continue."""
_POLL_SECONDS = 5.0
_CONTENTION_SECONDS = 0.02
"""Pause when another worker claimed the due jobs first."""
_CHANNEL_JITTER_SECONDS = 2.0
_UNKNOWN_TOPIC_SECONDS = 60.0
_JITTER = 0.1
"""By which share a delay may be shorter, so that jobs do not run in the same instant. Full jitter
would let all attempts of a job pass within a fraction of the planned time.
"""
_DATABASE_DOWN = "outbox: the database did not answer"


class Outcome(StrEnum):
    """How one attempt ended; a label of the metric."""

    DONE = "done"
    REJECTED = "rejected"
    """Failed permanently."""
    POSTPONED = "postponed"
    GIVEN_UP = "given up"
    """Failed at the last attempt."""
    UNKNOWN = "unknown"
    """May have happened; not repeated."""
    CHANNEL_DOWN = "channel down"
    NEEDS_OPERATOR = "needs operator"
    AWAITED = "awaited"
    """In progress; the outcome is checked later."""


@dataclass(frozen=True)
class Effect:
    """How the jobs of a topic are run, and retried.

    An `at_most_once` effect is not repeated if it started and its outcome is unknown.
    """

    run: Callable[[Job], Awaitable[None]]
    at_most_once: bool = False
    max_attempts: int = 8
    timeout_seconds: float = 45.0
    first_retry_seconds: float = 2.0
    max_retry_seconds: float = 600.0
    channel: str = ""
    """The transport that several topics share, so that they can be retried together."""

    @classmethod
    def retried_for_a_day(
        cls, run: Callable[[Job], Awaitable[None]], *, channel: str = ""
    ) -> "Effect":
        """Return an effect that is given up after 61 attempts in 24 to 27 hours.

        The delays are 10 s, 20 s, 40 s and so on, at most half an hour.
        """
        return cls(
            run,
            max_attempts=61,
            first_retry_seconds=10.0,
            max_retry_seconds=1_800.0,
            channel=channel,
        )

    def retry_seconds(self, attempts: int) -> float:
        """Return the longest delay after this number of attempts."""
        return min(self.first_retry_seconds * 2 ** (attempts - 1), self.max_retry_seconds)


class OutboxWorker:
    """Claims jobs and runs their effects, until it is cancelled."""

    def __init__(self, outbox: Outbox, effects: Mapping[str, Effect], clock: Clock) -> None:
        self._outbox = outbox
        self._effects = effects
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_released_waiting = False

    def add_effects(self, effects: Mapping[str, Effect]) -> None:
        """Run the topics of another product too."""
        self._effects = {**self._effects, **effects}

    async def run_waiting(self, channel: str) -> int:
        """Run a channel's jobs that await a retry now; return how many."""
        return await self._outbox.run_waiting(self.topics_of(channel))

    def topics_of(self, channel: str) -> list[str]:
        """Return the topics that share a channel."""
        return [topic for topic, effect in self._effects.items() if effect.channel == channel]

    async def run(self) -> None:
        """Run jobs until cancelled; first those that waited for a transport.

        A process that has just started has no evidence that any transport is down.
        """
        try:
            while True:
                self._outbox.wake.clear()
                seconds = await self._run_due()
                self._outbox.is_idle = True  # while it is false, `notify` asks others for help
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await self._outbox.wake.wait()
                self._outbox.is_idle = False
        finally:
            await cancel_and_wait(*self._tasks)

    async def _run_due(self) -> float:
        """Run every due job; return the seconds until the next check."""
        try:
            if not self._has_released_waiting:
                await self._outbox.run_waiting()
                self._has_released_waiting = True
            while (seconds := await self._seconds_until_due()) == 0:
                if not (claimed := await self._next_batch()):
                    return _CONTENTION_SECONDS
                # After a full batch more jobs are likely due: claim them without `next_due` first.
                while claimed == _BATCH_SIZE:
                    claimed = await self._next_batch()
        except DatabaseUnavailable:
            logger.warning(_DATABASE_DOWN)
        except Exception:  # the worker must go on
            logger.exception("outbox: the worker failed")
        else:
            return seconds
        return _POLL_SECONDS

    async def _next_batch(self) -> int:
        """Start a batch of due jobs, wait for it briefly, and return how many there were."""
        if len(self._tasks) >= _MAX_CONCURRENT:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        free = _MAX_CONCURRENT - len(self._tasks)
        jobs = await self._outbox.claim(min(_BATCH_SIZE, free))
        if jobs:
            batch = [asyncio.create_task(self._run_safely(job)) for job in jobs]
            self._tasks.update(batch)
            for task in batch:
                task.add_done_callback(self._tasks.discard)
            await asyncio.wait(batch, timeout=_BATCH_SECONDS)
        return len(jobs)

    async def _run_safely(self, job: Job) -> None:
        """Run a job; if its end cannot be recorded, it is claimed again when its lease expires."""
        try:
            await self.run_job(job)
        except DatabaseUnavailable:
            logger.warning(_DATABASE_DOWN)
        except Exception:  # the worker must go on
            logger.exception(
                "outbox: %s %s was not recorded", job.topic, job.subject, extra=_fields(job)
            )

    async def _seconds_until_due(self) -> float:
        due = await self._outbox.next_due()
        if due is None:
            return _POLL_SECONDS
        wait = (due - self._clock.now()).total_seconds()
        return min(max(wait, 0.0), _POLL_SECONDS)

    async def run_job(self, job: Job) -> None:
        """Run the effect of a claimed job once, and record how it ended."""
        effect = self._effects.get(job.topic)
        if effect is None:
            # Another release may know it: during an upgrade, and before a return, both run.
            reason = f"no effect is registered for {job.topic}"
            logger.warning("outbox: %s, of %s", reason, job.subject, extra=_fields(job))
            await self._outbox.retry(job, reason, _UNKNOWN_TOPIC_SECONDS, counts=False)
        elif await self._outbox.mark_started(job, at_most_once=effect.at_most_once):
            outcome = await self._attempt(job, effect)
            _EFFECTS.labels(job.topic, outcome).inc()
        # The effect started before, so its outcome is unknown. Otherwise the lease has expired: the
        # worker that claims the job next records how it ended.
        elif effect.at_most_once and await self._outbox.fail_unknown(job):
            _EFFECTS.labels(job.topic, Outcome.UNKNOWN).inc()

    async def _attempt(self, job: Job, effect: Effect) -> Outcome:
        try:
            async with asyncio.timeout(effect.timeout_seconds):
                await effect.run(job)
        except DeliveryRejected as error:
            return await self._fail(job, error)
        except DeliveryPostponed as error:
            return await self._postpone(job, effect, error)
        except Exception as error:
            logger.exception("outbox: %s %s failed", job.topic, job.subject, extra=_fields(job))
            if not effect.at_most_once:
                return await self._retry(job, effect, type(error).__name__)
            await self._outbox.fail(job, OUTCOME_UNKNOWN)
            return Outcome.UNKNOWN
        await self._outbox.complete(job)
        return Outcome.DONE

    async def _fail(self, job: Job, error: DeliveryRejected) -> Outcome:
        logger.warning(
            "outbox: %s %s rejected: %s", job.topic, job.subject, error, extra=_fields(job)
        )
        await self._outbox.fail(job, str(error))
        return Outcome.UNKNOWN if isinstance(error, OutcomeUnknown) else Outcome.REJECTED

    async def _postpone(self, job: Job, effect: Effect, error: DeliveryPostponed) -> Outcome:
        if isinstance(error, OperatorNeeded):
            return await self._retry_without_end(job, effect, error)
        if isinstance(error, (ChannelDown, OutcomeAwaited)):
            return await self._retry_uncounted(job, error)
        return await self._retry(job, effect, str(error))

    async def _retry_uncounted(self, job: Job, error: ChannelDown | OutcomeAwaited) -> Outcome:
        is_down = isinstance(error, ChannelDown)
        # Without jitter, all jobs of the transport would be retried in the same instant.
        jitter = _random.uniform(0, _CHANNEL_JITTER_SECONDS) if is_down else 0.0
        reason = f"{CHANNEL_DOWN}{error}" if is_down else str(error)
        await self._outbox.retry(job, reason, error.seconds + jitter, counts=False)
        return Outcome.CHANNEL_DOWN if is_down else Outcome.AWAITED

    async def _retry(self, job: Job, effect: Effect, error: str) -> Outcome:
        if job.attempts >= effect.max_attempts:
            logger.error(
                "outbox: %s %s given up: %s", job.topic, job.subject, error, extra=_fields(job)
            )
            await self._outbox.fail(job, error)
            return Outcome.GIVEN_UP
        await self._outbox.retry(job, error, _with_jitter(effect.retry_seconds(job.attempts)))
        return Outcome.POSTPONED

    async def _retry_without_end(self, job: Job, effect: Effect, error: OperatorNeeded) -> Outcome:
        """Retry, with increasing delays; attempts count only until the delay is the longest.

        So an effect with more attempts, like `retried_for_a_day`, has some left after the repair.
        """
        seconds = effect.retry_seconds(job.attempts)
        await self._outbox.retry(
            job,
            f"{NEEDS_OPERATOR}{error}",
            _with_jitter(seconds),
            counts=seconds < effect.max_retry_seconds,
        )
        return Outcome.NEEDS_OPERATOR


def _with_jitter(seconds: float) -> float:
    return seconds * _random.uniform(1 - _JITTER, 1)


def _fields(job: Job) -> dict[str, str]:
    """Return the structured fields of a log record about a job."""
    return {"subject": job.subject}
