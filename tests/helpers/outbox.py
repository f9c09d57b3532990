"""Single steps of the outbox, which the product only runs together with others."""

import asyncio
from collections.abc import Sequence

from kit.outbox.models import NewJob, enqueue
from kit.outbox.store import Outbox
from kit.outbox.worker import _BATCH_SIZE, OutboxWorker


async def add(outbox: Outbox, jobs: Sequence[NewJob]) -> None:
    """Enqueue jobs in a transaction of their own."""
    await outbox._database.write(lambda connection: enqueue(connection, jobs))
    outbox.notify()


async def run_batch(worker: OutboxWorker) -> int:
    """Run one batch of due jobs; return their number."""
    jobs = await worker._outbox.claim(_BATCH_SIZE)
    await asyncio.gather(*(worker.run_job(job) for job in jobs))
    return len(jobs)
