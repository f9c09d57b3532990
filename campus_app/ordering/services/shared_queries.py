"""One query per payment at a time, shared by the callers that need its answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from kit.quota import CallContext, Caller, calls_for

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class _Query(Generic[Answer]):
    """A query that is not sent yet, with the context of its callers."""

    context: CallContext
    answer: asyncio.Task[Answer]


class SharedQueries(Generic[Answer]):
    """Runs the queries of each key one after the other, and merges those that wait."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Query[Answer]] = {}
        self._running: dict[str, CallContext] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def is_waiting(self, key: str) -> bool:
        """Whether a query is going to be sent whose answer a caller would share."""
        return key in self._waiting

    async def run(self, key: str, caller: Caller, query: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the answer of a query, and raise its errors.

        Callers that arrive before the query is sent share its answer. Later ones may know of a
        newer event, so one more query is sent for all of them. A query has the highest priority of
        its waiting callers, and so has the running query that it waits for.
        """
        shared = self._waiting.get(key)
        if shared is None:
            context = CallContext(caller)
            answer = asyncio.create_task(self._send(key, context, query))
            shared = self._waiting[key] = _Query(context, answer)
            answer.add_done_callback(lambda done: self._discard(key, done))
        shared.context.raise_to(caller.priority)
        if running := self._running.get(key):
            running.raise_to(caller.priority)
        return await asyncio.shield(shared.answer)

    async def _send(
        self, key: str, context: CallContext, query: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            self._waiting.pop(key, None)
            self._running[key] = context
            try:
                with calls_for(context):
                    return await query()
            finally:
                del self._running[key]

    def _discard(self, key: str, answer: asyncio.Task[Answer]) -> None:
        shared = self._waiting.get(key)
        if shared is not None and shared.answer is answer:  # cancelled before it started
            del self._waiting[key]
