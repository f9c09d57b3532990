"""Steps of the outbox that the product takes only together with others."""

import asyncio
from collections.abc import Sequence

from kit.outbox.models import NewJob, enqueue
from kit.outbox.store import Outbox
from kit.outbox.worker import _BATCH, OutboxWorker


async def add(outbox: Outbox, jobs: Sequence[NewJob]) -> None:
    """Enqueue jobs in a transaction of their own."""
    await outbox._database.write(lambda connection: enqueue(connection, jobs))
    outbox.announce()


async def carry_out_batch(worker: OutboxWorker) -> int:
    """Carry out one batch of due jobs; return how many there were."""
    jobs = await worker._outbox.claim(_BATCH)
    await asyncio.gather(*(worker._work(job) for job in jobs))
    return len(jobs)
