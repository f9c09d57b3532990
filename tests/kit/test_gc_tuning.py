"""The collector: what stands is put aside, and looked at when next to nobody is there."""

import gc
import weakref

import pytest

from kit import gc_tuning
from kit.gc_tuning import Collector
from tests.helpers.waiting import eventually

HOUR = 3_600.0


class Visitor:
    """Somebody whose session refers to itself, as the framework's do."""

    def __init__(self):
        self.session = {"of": self}


class Steady:
    """A clock that goes when it is told to."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


@pytest.fixture(autouse=True)
def only_these_objects_and_looks():
    threshold = gc.get_threshold()
    gc.disable()
    gc.freeze()
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()
    gc.enable()


def crowd():
    """Return so many objects that they are put aside though events fail."""
    return [[] for _ in range(20_000)]


def look_while_events_fail(tidier):
    """Let events fail, and the collector look."""
    for _ in range(200):
        Visitor()
    tidier.tidy()


def test_what_was_put_aside_is_not_looked_at_until_everything_is():
    visitor = Visitor()
    Collector(lambda: 2_000, lambda: 0, Steady()).tidy()
    left = weakref.ref(visitor)
    del visitor
    gc.collect()
    assert left() is not None
    gc_tuning.look_at_everything()
    assert left() is None


def test_garbage_that_is_young_is_collected_and_not_put_aside():
    visitor = Visitor()
    left = weakref.ref(visitor)
    del visitor
    Collector(lambda: 2_000, lambda: 0, Steady()).tidy()
    assert left() is None


def test_an_event_that_was_at_work_while_others_failed_is_looked_at_again():
    tidier = Collector(lambda: 2_000, lambda: 0, Steady())
    event = Visitor()
    look_while_events_fail(tidier)
    left = weakref.ref(event)
    del event
    others = crowd()
    tidier.tidy()
    assert left() is None
    assert others


def test_while_events_fail_only_many_are_put_aside():
    tidier = Collector(lambda: 2_000, lambda: 0, Steady())
    before = gc.get_freeze_count()
    at_work = [Visitor() for _ in range(9_000)]
    look_while_events_fail(tidier)
    del at_work
    tidier.tidy()
    assert gc.get_freeze_count() <= before
    others = crowd()
    tidier.tidy()
    assert gc.get_freeze_count() > before + len(others) // 2


@pytest.mark.parametrize(
    ("visitors", "after_seconds", "everything"),
    [
        pytest.param(0, 599, False, id="nobody is there, but it was just done"),
        pytest.param(0, 600, True, id="nobody is there"),
        pytest.param(5, 600, True, id="a few are"),
        pytest.param(6, 600, False, id="more than a few"),
        pytest.param(2_000, 23 * HOUR, False, id="a crowd"),
        pytest.param(2_000, 24 * HOUR, True, id="a crowd, for a whole day"),
    ],
)
def test_everything_is_looked_at_when_that_disturbs_few(visitors, after_seconds, everything):
    steady = Steady()
    tidier = Collector(lambda: visitors, lambda: 0, steady)
    visitor = Visitor()
    gc.freeze()
    left = weakref.ref(visitor)
    del visitor
    steady.seconds = after_seconds
    tidier.tidy()
    assert (left() is None) is everything


@pytest.mark.parametrize(("closed", "everything"), [(1_999, False), (2_000, True)])
def test_collector_looks_at_everything_when_many_pages_were_closed(closed, everything):
    counts = iter([closed, closed, 2 * closed, 2 * closed])
    tidier = Collector(lambda: 2_000, lambda: next(counts), Steady())
    left = []
    for _ in range(2):
        visitor = Visitor()
        gc.freeze()
        left.append(weakref.ref(visitor))
        del visitor
        tidier.tidy()
        if not everything:
            break
    assert [each() is None for each in left] == [everything] * len(left)


def test_after_a_look_at_everything_it_rests():
    steady = Steady()
    tidier = Collector(lambda: 0, lambda: 0, steady)
    steady.seconds = 600
    tidier.tidy()
    steady.seconds = 700
    visitor = Visitor()
    gc.freeze()
    left = weakref.ref(visitor)
    del visitor
    tidier.tidy()
    assert left() is not None


@pytest.mark.anyio
async def test_it_tidies_up_for_as_long_as_the_server_runs(monkeypatch):
    monkeypatch.setattr(gc_tuning, "_EVERY_SECONDS", 0.01)
    async with Collector(lambda: 2_000, lambda: 0).watch():
        visitor = Visitor()
        left = weakref.ref(visitor)
        del visitor
        await eventually(lambda: left() is None, "what is young is looked at")
