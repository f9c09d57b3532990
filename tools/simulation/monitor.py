"""Counts the open jobs and the orders once a second during the simulated hour."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass

import psycopg

from tools.simulation.stack import Stack

_INTERVAL_SECONDS = 1.0
_COUNTS = """
    select
        (select count(*) from outbox where state in ('ready', 'leased')
            and topic in ('mail.customer', 'mail.vendor')) as mails,
        (select count(*) from outbox where state in ('ready', 'leased')
            and topic = 'call.vendor') as calls,
        (select count(*) from orders) as orders,
        (select count(*) from orders where state = 'confirmed') as confirmed"""


@dataclass(frozen=True)
class Sample:
    """One sample of the tables; `at` in seconds since 1970."""

    at: float
    mails: int
    calls: int
    orders: int
    confirmed: int


async def monitor(stack: Stack, samples: list[Sample], *, loses_host: bool) -> None:
    """Append a sample every second, until cancelled.

    A run that loses its host (`loses_host`) takes none while the database is down. In any other
    run a database that is down is an error.
    """
    expected = (psycopg.OperationalError,) if loses_host else ()
    while True:
        with suppress(*expected):
            (row,) = await asyncio.to_thread(stack.deployment.rows, _COUNTS)
            samples.append(Sample(time.time(), **row))
        await asyncio.sleep(_INTERVAL_SECONDS)
