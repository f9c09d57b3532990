"""Threads that work for the event loop.

`concurrent.futures` has a future, a lock and a condition of its own for each errand, besides the
loop's future. An order needs twenty errands, most of them a statement that takes less than that.
Errands are handed over once in each turn of the loop: threads that are woken by one after the other
and the loop take turns at the interpreter, and each waits for it.
"""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

Work = TypeVar("Work")
Outcome = tuple[Any, BaseException | None]
"""What an errand comes to: what it returns, or what it raises."""


def outcome_of(work: Callable[[], Any]) -> Outcome:
    """Do it."""
    try:
        return work(), None
    except BaseException as raised:  # noqa: BLE001 - it is for whoever waits
        return None, raised


def each_by_itself(works: Sequence[Callable[[], Any]]) -> Sequence[Outcome]:
    """Do one after the other, for crews whose errands have nothing in common."""
    return [outcome_of(work) for work in works]


@dataclass(frozen=True)
class _Errand:
    work: Any
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Crew(Generic[Work]):
    """As many threads as there is work for, up to so many; for one event loop at a time.

    `carry_out` does several errands, in their order; as many as wait are handed to it, up to
    `most_together`. Whoever waits for one of them waits for all.
    """

    def __init__(
        self,
        most: int,
        name: str,
        carry_out: Callable[[Sequence[Work]], Sequence[Outcome]],
        most_together: int = 1,
    ) -> None:
        self._most = most
        self._name = name
        self._do = carry_out
        self._most_together = most_together
        self._asked: list[_Errand] = []
        self._errands: SimpleQueue[_Errand | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._unfinished = 0
        self._lock = threading.Lock()

    def run(self, work: Work) -> Awaitable[Any]:
        """Let a thread do this; return what becomes of it.

        Cancelled before it has begun, it is not done; later, nobody learns how it ends.
        """
        loop = asyncio.get_running_loop()
        errand = _Errand(work, loop, loop.create_future())
        if self._asked and self._asked[0].loop is loop:
            self._asked.append(errand)
        else:
            self._asked = [errand]
            loop.call_soon(self._hand_over)
        return errand.done

    def dismiss(self) -> None:
        """Let the threads end once they have done everything that was asked of them."""
        self._hand_over()
        for _ in self._threads:
            self._errands.put(None)
        for thread in self._threads:
            thread.join()

    def _hand_over(self) -> None:
        asked, self._asked = self._asked, []
        with self._lock:
            self._unfinished += len(asked)
        for errand in asked:
            self._errands.put(errand)
        while len(self._threads) < min(self._unfinished, self._most):
            self._hire()

    def _hire(self) -> None:
        name = f"{self._name}-{len(self._threads)}"
        thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        while (errand := self._errands.get()) is not None:
            self._carry_out([errand, *self._that_wait(self._most_together - 1)])
            del errand  # else it would be kept until the next one comes

    def _that_wait(self, most: int) -> list[_Errand]:
        waiting: list[_Errand] = []
        with contextlib.suppress(Empty):
            while len(waiting) < most:
                errand = self._errands.get_nowait()
                if errand is None:
                    self._errands.put(None)  # dismissed; what was asked before is here
                    break
                waiting.append(errand)
        return waiting

    def _carry_out(self, errands: Sequence[_Errand]) -> None:
        wanted = [errand for errand in errands if not errand.done.cancelled()]
        outcomes = self._do([errand.work for errand in wanted]) if wanted else ()
        with self._lock:
            self._unfinished -= len(errands)
        finished = zip(wanted, outcomes, strict=True)
        for loop, told in groupby(finished, lambda each: each[0].loop):
            answers = [(errand.done, outcome) for errand, outcome in told]
            with contextlib.suppress(RuntimeError):  # nobody waits: the loop is closed
                loop.call_soon_threadsafe(_answer, answers)


def _answer(answers: Sequence[tuple[asyncio.Future[Any], Outcome]]) -> None:
    for done, (result, error) in answers:
        if done.cancelled():
            continue
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)
