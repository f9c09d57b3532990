"""Threads that work for the event loop."""

import asyncio
import gc
import threading
import weakref

import pytest

from kit.crew import Crew, each_by_itself

pytestmark = pytest.mark.anyio


@pytest.fixture
def one():
    crew = Crew(1, "one", each_by_itself)
    yield crew
    crew.dismiss()


async def test_an_errand_is_done_by_a_thread_of_the_crew(one):
    assert await one.run(lambda: threading.current_thread().name) == "one-0"


async def test_what_goes_wrong_is_raised_where_it_is_awaited(one):
    def fail():
        raise LookupError("there is none")

    with pytest.raises(LookupError, match="there is none"):
        await one.run(fail)
    assert await one.run(lambda: 1) == 1


async def test_even_the_end_of_a_program_is_only_for_whoever_waits(one):
    def leave():
        raise SystemExit(3)

    task = asyncio.ensure_future(one.run(leave))
    await asyncio.wait([task])
    assert isinstance(task.exception(), SystemExit)
    assert await one.run(lambda: 1) == 1


async def test_one_thread_does_one_errand_after_the_other_in_their_order(one):
    done = []
    await asyncio.gather(
        *(one.run(lambda number=number: done.append(number)) for number in range(99))
    )
    assert done == list(range(99))


async def test_as_many_errands_are_done_at_once_as_there_are_threads():
    crew = Crew(3, "three", each_by_itself)
    together = threading.Barrier(3)
    try:
        await asyncio.gather(*(crew.run(lambda: together.wait(20)) for _ in range(9)))
    finally:
        crew.dismiss()


async def test_nobody_is_hired_for_whom_there_is_nothing_to_do():
    crew = Crew(8, "eight", each_by_itself)
    try:
        names = {await crew.run(lambda: threading.current_thread().name) for _ in range(50)}
        assert names == {"eight-0"}
    finally:
        crew.dismiss()


async def test_what_is_cancelled_before_it_has_begun_is_not_done(one):
    goes_on, done = threading.Event(), []
    first = one.run(lambda: goes_on.wait(20))
    second = asyncio.ensure_future(one.run(lambda: done.append("second")))
    second.cancel()
    goes_on.set()
    assert await first
    await one.run(lambda: done.append("third"))
    assert done == ["third"]


async def test_what_is_cancelled_later_is_done_all_the_same(one):
    has_begun, goes_on, done = threading.Event(), threading.Event(), []

    def work():
        has_begun.set()
        goes_on.wait(20)
        done.append("all")

    errand = asyncio.ensure_future(one.run(work))
    await asyncio.to_thread(has_begun.wait, 20)
    errand.cancel()
    goes_on.set()
    await one.run(lambda: None)
    assert (errand.cancelled(), done) == (True, ["all"])


async def test_whoever_is_dismissed_finishes_what_was_asked_before():
    crew, done = Crew(2, "two", each_by_itself), []
    errands = [crew.run(lambda number=number: done.append(number)) for number in range(20)]
    crew.dismiss()
    assert sorted(done) == list(range(20))
    await asyncio.gather(*errands)


def test_a_loop_that_is_gone_hears_nothing_and_the_next_one_is_served():
    crew, goes_on = Crew(1, "one", each_by_itself), threading.Event()

    async def ask_and_leave():
        crew.run(lambda: goes_on.wait(20))

    async def ask():
        return await crew.run(lambda: "served")

    asyncio.run(ask_and_leave())
    goes_on.set()
    assert asyncio.run(ask()) == "served"
    crew.dismiss()


async def test_nothing_of_an_errand_is_kept_once_it_is_done(one):
    class Thing:
        pass

    thing = Thing()
    trace = weakref.ref(thing)
    await one.run(lambda kept=thing: None)
    del thing
    await one.run(lambda: None)
    gc.collect()
    assert trace() is None


# Several together


async def handed_over(crew_size, asked, most_together):
    """Return which errands were handed to a thread at once, when all were asked for at once."""
    together = []

    def carry_out(works):
        together.append(len(works))
        return each_by_itself(works)

    crew = Crew(crew_size, "together", carry_out, most_together)
    try:
        answers = await asyncio.gather(*(crew.run(lambda n=n: n) for n in range(asked)))
    finally:
        crew.dismiss()
    assert answers == list(range(asked))
    return together


async def test_what_waits_is_handed_over_at_once():
    assert await handed_over(1, asked=7, most_together=16) == [7]


async def test_no_more_is_handed_over_at_once_than_is_allowed():
    assert await handed_over(1, asked=7, most_together=3) == [3, 3, 1]


async def test_of_errands_that_are_done_together_each_has_its_own_end(one):
    def fail():
        raise LookupError("there is none")

    crew = Crew(1, "together", each_by_itself, most_together=16)
    try:
        first, second, third = await asyncio.gather(
            *(crew.run(work) for work in (lambda: 1, fail, lambda: 3)), return_exceptions=True
        )
    finally:
        crew.dismiss()
    assert (first, third) == (1, 3)
    assert isinstance(second, LookupError)


async def test_whoever_is_dismissed_finishes_all_that_was_asked_together():
    done = []
    crew = Crew(1, "together", each_by_itself, most_together=4)
    errands = [crew.run(lambda number=number: done.append(number)) for number in range(9)]
    crew.dismiss()
    assert done == list(range(9))
    await asyncio.gather(*errands)


def test_what_was_asked_in_a_loop_that_broke_off_does_not_hold_up_the_next_one():
    crew = Crew(1, "one", each_by_itself)

    async def ask():
        return await crew.run(lambda: "served")

    def ask_and_stop():
        crew.run(lambda: "nobody hears it")
        broken.stop()

    broken = asyncio.new_event_loop()
    broken.call_soon(ask_and_stop)
    broken.run_forever()
    broken.close()
    assert asyncio.run(ask()) == "served"
    crew.dismiss()
