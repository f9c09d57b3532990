"""The quota of an outside system: priorities, fairness, maximum waits. Time is virtual."""

import asyncio
from contextlib import suppress

import pytest
from anyio import wait_all_tasks_blocked
from prometheus_client import REGISTRY

from kit.quota import (
    NOTHING_RESERVED,
    RECONCILER,
    RESERVED_FOR_WEBHOOKS,
    WEBHOOK,
    CurrentRequester,
    Priority,
    Quota,
    Requester,
    current_requester,
    requests_for,
)
from kit.rate_limit import RateLimited
from tests.helpers.virtual_time import VirtualTime

pytestmark = pytest.mark.anyio

A_MINUTE = 80
"""20 at once, and one each second after that."""
KNOWN, ANONYMOUS = Priority.KNOWN, Priority.ANONYMOUS


@pytest.fixture
def time():
    return VirtualTime()


@pytest.fixture
async def calls():
    """Starts calls, and ends those that wait when the test is over."""
    started = Calls()
    yield started
    for each in started.tasks:
        each.cancel()
    await asyncio.gather(*started.tasks, return_exceptions=True)


class Calls:
    """Calls of a quota, and in which order they were granted."""

    def __init__(self):
        self.granted = []
        self.refused = {}
        self.tasks = []

    async def start(self, quota, requester, *names):
        """Begin calls; return when each of them is granted, refused or waiting."""
        for name in names:
            self.tasks.append(asyncio.create_task(self._call(quota, requester, name)))
            await wait_all_tasks_blocked()
        return self.tasks[-1]

    async def _call(self, quota, requester, name):
        with requests_for(requester):
            try:
                await quota.acquire()
            except RateLimited as limited:
                self.refused[name] = limited.seconds
            else:
                self.granted.append(name)


@pytest.fixture
async def busy(time, calls):
    """A quota without reserved parts, whose burst is used up."""
    quota = Quota("call", A_MINUTE, NOTHING_RESERVED, time)
    await calls.start(quota, WEBHOOK, *["before"] * 20)
    calls.granted.clear()
    return quota


async def passes(time, seconds):
    for _ in range(round(seconds * 10)):
        time.advance(0.1)
        await wait_all_tasks_blocked()


async def test_acquire_reserves_parts_of_the_burst_for_higher_priorities(time, calls):
    quota = Quota("call", A_MINUTE, RESERVED_FOR_WEBHOOKS, time)
    await calls.start(quota, Requester(ANONYMOUS), *["anonymous"] * 12)
    assert calls.granted == ["anonymous"] * 10
    await calls.start(quota, RECONCILER, *["known"] * 7)
    assert calls.granted[10:] == ["known"] * 5
    await calls.start(quota, WEBHOOK, *["webhook"] * 6)
    assert calls.granted[15:] == ["webhook"] * 5


async def test_acquire_reserves_nothing_when_the_burst_is_one(time, calls):
    quota = Quota("call", 4, RESERVED_FOR_WEBHOOKS, time)
    await calls.start(quota, Requester(ANONYMOUS), "first")
    assert calls.granted == ["first"]


async def test_acquire_grants_higher_priorities_first(busy, time, calls):
    await calls.start(busy, Requester(ANONYMOUS, "a"), "anonymous")
    await calls.start(busy, Requester(KNOWN, "b"), "known")
    await calls.start(busy, WEBHOOK, "webhook")
    await passes(time, 1)
    assert calls.granted == ["webhook"]
    await passes(time, 1)
    assert calls.granted == ["webhook", "known"]
    assert busy.waiting == 0, "the anonymous call was refused after its maximum wait"


async def test_acquire_is_round_robin_among_clients(busy, time, calls):
    await calls.start(busy, Requester(KNOWN, "flood"), *[f"flood {n}" for n in range(3)])
    await calls.start(busy, Requester(KNOWN, "campus"), "campus")
    await passes(time, 5)
    assert calls.granted == ["flood 0", "campus", "flood 1", "flood 2"]


async def test_acquire_puts_a_returning_client_last(busy, time, calls):
    await calls.start(busy, Requester(KNOWN, "campus"), "campus 0", "campus 1")
    await calls.start(busy, Requester(KNOWN, "new 0"), "new 0")
    await passes(time, 1)
    await calls.start(busy, Requester(KNOWN, "new 1"), "new 1")
    await passes(time, 3)
    assert calls.granted == ["campus 0", "new 0", "campus 1", "new 1"]


async def test_acquire_fails_at_once_when_the_wait_exceeds_the_maximum(busy, calls):
    await calls.start(busy, Requester(KNOWN, "a"), *range(7))
    assert calls.refused == {5: pytest.approx(6.0), 6: pytest.approx(6.75)}, "not both at once"
    assert busy.waiting == 5


async def test_rate_limited_has_the_wait_of_its_own_client(busy, time, calls):
    await calls.start(busy, Requester(KNOWN, "flood"), *range(5))
    await calls.start(busy, Requester(KNOWN, "flood"), "flood")
    await calls.start(busy, Requester(KNOWN, "campus"), "campus")
    assert list(calls.refused) == ["flood"]
    await passes(time, 2)
    assert "campus" in calls.granted


async def test_acquire_fails_when_higher_priorities_use_its_permits(busy, time, calls):
    await calls.start(busy, Requester(ANONYMOUS, "a"), "anonymous")
    await calls.start(busy, WEBHOOK, *["webhook"] * 5)
    await passes(time, 3)
    assert calls.refused == {"anonymous": pytest.approx(4.0)}
    assert busy.waiting == 2


async def test_raise_to_moves_a_waiting_call_up(time, calls):
    quota = Quota("call", A_MINUTE, RESERVED_FOR_WEBHOOKS, time)
    await calls.start(quota, Requester(ANONYMOUS), *["before"] * 10)
    calls.granted.clear()
    context = CurrentRequester(Requester(ANONYMOUS, "a"))
    await calls.start(quota, context, "raised")
    assert calls.granted == []
    context.raise_to(Priority.WEBHOOK)
    context.raise_to(Priority.ANONYMOUS)
    await wait_all_tasks_blocked()
    assert calls.granted == ["raised"]
    assert context.priority is Priority.WEBHOOK


async def test_raise_to_changes_the_maximum_wait_of_a_waiting_call(busy, time, calls):
    context = CurrentRequester(Requester(ANONYMOUS, "a"))
    await calls.start(busy, context, "raised")
    context.raise_to(Priority.WEBHOOK)
    busy.block(10)
    await passes(time, 11)
    assert (calls.granted[-1], calls.refused) == ("raised", {})


async def test_cancelled_acquire_takes_no_permit(busy, time, calls):
    gone = await calls.start(busy, WEBHOOK, "gone")
    await calls.start(busy, WEBHOOK, "next")
    gone.cancel()
    time.advance(1)  # before the cancelled task has run
    with suppress(asyncio.CancelledError):
        await gone
    await passes(time, 0.1)
    assert calls.granted == ["next"]
    assert busy.waiting == 0


async def test_block_grants_no_permit_to_any_priority(time, calls):
    quota = Quota("call", A_MINUTE, RESERVED_FOR_WEBHOOKS, time)
    quota.block(7)
    await calls.start(quota, RECONCILER, "known")
    await calls.start(quota, WEBHOOK, "webhook")
    assert calls.refused == {"known": pytest.approx(7.0)}
    await passes(time, 7.1)
    assert calls.granted == ["webhook"]


async def test_current_call_is_the_reconcilers_by_default():
    assert (current_requester().priority, current_requester().client) == (KNOWN, RECONCILER.client)
    with requests_for(WEBHOOK):
        assert current_requester().priority is Priority.WEBHOOK
    assert current_requester().priority is KNOWN


def test_caller_at_uses_the_network_of_an_ipv6_address():
    assert Requester.at(KNOWN, "2001:db8::1") == Requester.at(KNOWN, "2001:db8::2")


def counted(name, **labels):
    return REGISTRY.get_sample_value(f"campus_provider_{name}", {"call": "metered", **labels})


async def test_metrics_count_sent_refused_and_waiting_calls_by_priority(time, calls):
    quota = Quota("metered", A_MINUTE, RESERVED_FOR_WEBHOOKS, time)
    await calls.start(quota, Requester(ANONYMOUS, "a"), *range(15))
    assert counted("calls_total", priority="anonymous", outcome="sent") == 10
    assert counted("calls_total", priority="anonymous", outcome="refused") == 3
    assert counted("calls_waiting", priority="anonymous") == 2
    await passes(time, 3)
    assert counted("calls_total", priority="anonymous", outcome="sent") == 12
    assert counted("calls_waiting", priority="anonymous") == 0
