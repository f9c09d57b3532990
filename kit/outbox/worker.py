"""Carries out the effects that the outbox holds."""

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
    OUTCOME_UNKNOWN,
    ChannelDown,
    DeliveryPostponed,
    DeliveryRejected,
    OutcomeAwaited,
    OutcomeUnknown,
)
from kit.outbox.store import Job, Outbox

logger = logging.getLogger(__name__)
_random = SystemRandom()

_EFFECTS = Counter(
    "campus_outbox_effects",
    "How often effects were carried out by this process, and how that ended.",
    ["topic", "outcome"],
)

_BATCH_SIZE = 12
_AT_ONCE = 3 * _BATCH_SIZE
_PATIENCE_SECONDS = 0.25
"""How long the next batch waits for the one before; whatever takes longer holds up nobody."""
_IDLE_SECONDS = 5.0
_TAKEN_BY_OTHERS_SECONDS = 0.02
_SPREAD_SECONDS = 2.0
_NO_ANSWER = "outbox: the database did not answer"


class Outcome(StrEnum):
    """How it ended to carry out an effect once."""

    DONE = "done"
    REJECTED = "rejected"
    """It will never happen."""
    POSTPONED = "postponed"
    GIVEN_UP = "given up"
    UNKNOWN = "unknown"
    """It may have happened, and is not repeated."""
    CHANNEL_DOWN = "channel down"
    AWAITED = "awaited"
    """It is under way."""


@dataclass(frozen=True)
class Effect:
    """How a topic is carried out.

    `at_most_once` effects are not repeated once they were begun and nobody knows how they ended.
    """

    carry_out: Callable[[Job], Awaitable[None]]
    at_most_once: bool = False
    max_attempts: int = 8
    timeout_seconds: float = 45.0
    first_retry_seconds: float = 2.0
    max_retry_seconds: float = 600.0
    channel: str = ""
    """The transport that several topics share, where they can be retried together."""


class OutboxWorker:
    """Carries out what the outbox holds, until it is cancelled."""

    def __init__(self, outbox: Outbox, effects: Mapping[str, Effect], clock: Clock) -> None:
        self._outbox = outbox
        self._effects = effects
        self._clock = clock
        self._under_way: set[asyncio.Task[None]] = set()
        self._has_released = True

    def add_effects(self, effects: Mapping[str, Effect]) -> None:
        """Carry out the topics of another product too."""
        self._effects = {**self._effects, **effects}

    async def run_waiting(self, channel: str) -> int:
        """Let all effects of a channel that wait after a failure run now; return how many."""
        return await self._outbox.run_waiting(self.topics_of(channel))

    def topics_of(self, channel: str) -> list[str]:
        """Return the topics that share a channel."""
        return [topic for topic, effect in self._effects.items() if effect.channel == channel]

    async def run(self) -> None:
        """Work for as long as the process lives; begin with what waited for a transport.

        A process that starts has not found any transport to be down.
        """
        self._has_released = False
        try:
            while True:
                self._outbox.wake.clear()
                seconds = await self._work_off()
                self._outbox.is_idle = True
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await self._outbox.wake.wait()
                self._outbox.is_idle = False
        finally:
            await cancel_and_wait(*self._under_way)

    async def _work_off(self) -> float:
        """Carry out everything that is due; return for how long nothing will be."""
        try:
            if not self._has_released:
                await self._outbox.run_waiting()
                self._has_released = True
            while (seconds := await self._idle_seconds()) == 0:
                if not (claimed := await self._next_batch()):
                    return _TAKEN_BY_OTHERS_SECONDS
                # Where a claim found all that it may take, there is likely more: no need to ask.
                while claimed == _BATCH_SIZE:
                    claimed = await self._next_batch()
        except DatabaseUnavailable:
            logger.warning(_NO_ANSWER)
        except Exception:  # nothing may end the worker
            logger.exception("outbox: the worker stumbled")
        else:
            return seconds
        return _IDLE_SECONDS

    async def _next_batch(self) -> int:
        """Begin a batch of due jobs, wait for it a little, and return how many there were."""
        if len(self._under_way) >= _AT_ONCE:
            await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
        jobs = await self._outbox.claim(min(_BATCH_SIZE, _AT_ONCE - len(self._under_way)))
        if jobs:
            begun = [asyncio.create_task(self._work_safely(job)) for job in jobs]
            self._under_way.update(begun)
            for task in begun:
                task.add_done_callback(self._under_way.discard)
            await asyncio.wait(begun, timeout=_PATIENCE_SECONDS)
        return len(jobs)

    async def _work_safely(self, job: Job) -> None:
        """Carry out a job; one that can't even be written down is found again after its lease."""
        try:
            await self.run_job(job)
        except DatabaseUnavailable:
            logger.warning(_NO_ANSWER)
        except Exception:  # nothing may end the worker
            logger.exception("outbox: %s %s stumbled", job.topic, job.subject, extra=_about(job))

    async def _idle_seconds(self) -> float:
        due = await self._outbox.next_due()
        if due is None:
            return _IDLE_SECONDS
        wait = (due - self._clock.now()).total_seconds()
        return min(max(wait, 0.0), _IDLE_SECONDS)

    async def run_job(self, job: Job) -> None:
        effect = self._effects.get(job.topic)
        if effect is None:
            await self._outbox.dead(job, f"nobody carries out {job.topic}")
        elif await self._outbox.mark_started(job, at_most_once=effect.at_most_once):
            outcome = await self._carry_out(job, effect)
            _EFFECTS.labels(job.topic, outcome).inc()
        elif effect.at_most_once and await self._outbox.fail_unknown(job):
            _EFFECTS.labels(job.topic, Outcome.UNKNOWN).inc()

    async def _carry_out(self, job: Job, effect: Effect) -> Outcome:
        try:
            async with asyncio.timeout(effect.timeout_seconds):
                await effect.carry_out(job)
        except DeliveryRejected as error:
            return await self._reject(job, error)
        except (ChannelDown, OutcomeAwaited) as error:
            return await self._wait(job, error)
        except DeliveryPostponed as error:
            return await self._try_later(job, effect, str(error))
        except Exception as error:
            logger.exception("outbox: %s %s failed", job.topic, job.subject, extra=_about(job))
            if not effect.at_most_once:
                return await self._try_later(job, effect, type(error).__name__)
            await self._outbox.dead(job, OUTCOME_UNKNOWN)
            return Outcome.UNKNOWN
        await self._outbox.done(job)
        return Outcome.DONE

    async def _reject(self, job: Job, error: DeliveryRejected) -> Outcome:
        logger.warning(
            "outbox: %s %s rejected: %s", job.topic, job.subject, error, extra=_about(job)
        )
        await self._outbox.dead(job, str(error))
        return Outcome.UNKNOWN if isinstance(error, OutcomeUnknown) else Outcome.REJECTED

    async def _wait(self, job: Job, error: ChannelDown | OutcomeAwaited) -> Outcome:
        is_down = isinstance(error, ChannelDown)
        # All who wait for the same transport would otherwise come back in the same instant.
        spread = _random.uniform(0, _SPREAD_SECONDS) if is_down else 0.0
        reason = f"{CHANNEL_DOWN}{error}" if is_down else str(error)
        await self._outbox.retry(job, reason, error.seconds + spread, counts=False)
        return Outcome.CHANNEL_DOWN if is_down else Outcome.AWAITED

    async def _try_later(self, job: Job, effect: Effect, error: str) -> Outcome:
        if job.attempts >= effect.max_attempts:
            logger.error(
                "outbox: %s %s given up: %s", job.topic, job.subject, error, extra=_about(job)
            )
            await self._outbox.dead(job, error)
            return Outcome.GIVEN_UP
        longest = effect.first_retry_seconds * 2 ** (job.attempts - 1)
        await self._outbox.retry(
            job, error, _random.uniform(0, min(longest, effect.max_retry_seconds))
        )
        return Outcome.POSTPONED


def _about(job: Job) -> dict[str, str]:
    """Return what a line of the log is about, as a field of its own."""
    return {"subject": job.subject}
