"""Jobs and effects for tests of the outbox, and single steps of its worker."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

from kit.clock import Clock
from kit.outbox.models import NewJob, enqueue
from kit.outbox.store import Job, Outbox
from kit.outbox.worker import _BATCH_SIZE, Effect, OutboxWorker
from tests.helpers.clock import WEDNESDAY

LEASE_SECONDS = 60


class Recorder:
    """An effect that records its jobs, and may then raise an error."""

    def __init__(self, error: Exception | None = None) -> None:
        self.keys: list[str] = []
        self.error = error

    async def __call__(self, job: Job) -> None:
        self.keys.append(job.dedupe_key)
        if self.error is not None:
            raise self.error


def job(
    key: str = "a", *, topic: str = "mail", after: timedelta = timedelta(0), **payload: Any
) -> NewJob:
    """Return a job that is due this long after Wednesday 13:00."""
    return NewJob(key, topic, f"the subject of {key}", payload, WEDNESDAY + after)


def worker(
    outbox: Outbox, clock: Clock, effect: Callable[[Job], Awaitable[None]], **options: Any
) -> OutboxWorker:
    """Return a worker that runs the topic `mail`."""
    return OutboxWorker(outbox, {"mail": Effect(effect, **options)}, clock)


async def add(outbox: Outbox, jobs: Sequence[NewJob]) -> None:
    """Enqueue jobs in a transaction of their own."""
    await outbox._database.write(lambda connection: enqueue(connection, jobs))
    outbox.notify()


async def run_batch(worker: OutboxWorker) -> int:
    """Run one batch of due jobs; return how many there were."""
    jobs = await worker._outbox.claim(_BATCH_SIZE)
    await asyncio.gather(*(worker.run_job(job) for job in jobs))
    return len(jobs)
