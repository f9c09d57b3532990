"""Races between processes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from campus_app.shared.rules.errors import Conflict

PROCESSES = 5
"""The number of service instances on one database, which represent processes."""


class Together:
    """A store of versions whose callers all read before one of them writes."""

    def __init__(self, store: Any, barrier: asyncio.Barrier) -> None:
        self._store, self._barrier = store, barrier

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def add(self, version: Any, entry: Any) -> bool:
        await self._barrier.wait()
        return await self._store.add(version, entry)


class Unguarded(Together):
    """The store of Together, which takes the next free number instead of the given number."""

    async def add(self, version: Any, entry: Any) -> bool:
        await self._barrier.wait()
        number = version.number
        while not await self._store.add(replace(version, number=number), entry):
            number += 1
        return True


async def versions_published(
    processes: Sequence[Any], store: type[Together], publish: Callable[[int, Any], Awaitable[Any]]
) -> int:
    """Return how many of these processes published their version; all do so at the same time."""
    barrier = asyncio.Barrier(len(processes))
    for each in processes:
        each._store = store(each._store, barrier)

    async def attempt(number: int, versions: Any) -> bool:
        try:
            await publish(number, versions)
        except Conflict:
            return False
        return True

    return sum(await asyncio.gather(*map(attempt, count(), processes)))
