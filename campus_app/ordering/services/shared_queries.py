"""One query per payment at a time, shared by the requesters that need its answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from kit.quota import CurrentRequester, Requester, requests_for

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class _Query(Generic[Answer]):
    """A query that is not sent yet, with the context of its requesters."""

    context: CurrentRequester
    answer: asyncio.Task[Answer]


class SharedQueries(Generic[Answer]):
    """Runs the queries of each key one after the other, and merges those that wait."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Query[Answer]] = {}
        self._running: dict[str, CurrentRequester] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def is_waiting(self, key: str) -> bool:
        """Whether a query is going to be sent whose answer a requester would share."""
        return key in self._waiting

    async def run(
        self, key: str, requester: Requester, query: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        """Return the answer of a query, and raise its errors.

        Callers that arrive before the query is sent share its answer. Later ones may know of a
        newer event, so one more query is sent for all of them. A query has the highest priority of
        its waiting requesters, and so has the running query that it waits for.
        """
        shared = self._waiting.get(key)
        if shared is None:
            context = CurrentRequester(requester)
            answer = asyncio.create_task(self._send(key, context, query))
            shared = self._waiting[key] = _Query(context, answer)
            answer.add_done_callback(lambda done: self._discard(key, done))
        shared.context.raise_to(requester.priority)
        if running := self._running.get(key):
            running.raise_to(requester.priority)
        return await asyncio.shield(shared.answer)

    async def _send(
        self, key: str, context: CurrentRequester, query: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            self._waiting.pop(key, None)
            self._running[key] = context
            try:
                with requests_for(context):
                    return await query()
            finally:
                del self._running[key]

    def _discard(self, key: str, answer: asyncio.Task[Answer]) -> None:
        shared = self._waiting.get(key)
        if shared is not None and shared.answer is answer:  # cancelled before it started
            del self._waiting[key]
