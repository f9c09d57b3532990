"""The garbage collector: survivors of clean collections are frozen, closed pages collected."""

import gc
import weakref

import pytest

from kit import gc_tuning
from kit.background import running
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

CLEAN, DIRTY = 99, 100
"""Freed objects of a collection after which survivors are frozen, or not."""


class Session:
    """An object that refers to itself, as the framework's states do."""

    def __init__(self, items=()):
        self.own = {"self": self, "items": items}


class ClosedPages:
    """A counter of closed pages that also counts how often it is read."""

    def __init__(self):
        self.count = self.reads = 0

    def __call__(self):
        self.reads += 1
        return self.count

    async def next_collection(self):
        """Wait until a collection that starts after this call has ended."""
        before = self.reads
        await eventually(lambda: self.reads > before + 1, "two collections start")


@pytest.fixture(autouse=True)
def no_other_collection(monkeypatch):
    threshold = gc.get_threshold()
    gc.disable()
    gc.collect()
    gc.freeze()
    monkeypatch.setattr(gc_tuning, "_INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(gc_tuning, "_LARGEST_SHARE", 1.0)
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()
    gc.enable()


@pytest.fixture
async def closed_pages():
    """A running collection loop that reads this counter."""
    closed_pages = ClosedPages()
    async with running(gc_tuning.collect_regularly(closed_pages)):
        await closed_pages.next_collection()
        yield closed_pages


def test_configure_leaves_the_oldest_generation_to_the_loop():
    gc_tuning.configure()
    assert gc.get_threshold() == (5_000, 20, 1_000)


def test_freeze_excludes_existing_objects_from_full_collections():
    session = Session()
    gc_tuning.freeze()
    left = weakref.ref(session)
    del session
    gc.collect()
    assert left() is not None


async def test_collect_regularly_frees_cyclic_garbage(closed_pages):
    left = weakref.ref(Session())
    await closed_pages.next_collection()
    assert left() is None


@pytest.mark.parametrize(
    ("garbage", "survivors", "is_frozen"),
    [(CLEAN // 2, 0, True), (DIRTY, 5_000, False), (DIRTY, 10_000, True)],
)
def test_survivors_of_a_collection_are_frozen_if_it_found_little_or_left_many(
    garbage, survivors, is_frozen
):
    session = Session([[] for _ in range(survivors)])
    for _ in range(garbage // 2):
        Session()
    gc_tuning.collect()
    left = weakref.ref(session)
    del session
    gc.collect()
    assert (left() is not None) is is_frozen


async def test_frozen_garbage_is_collected_after_500_closed_pages(closed_pages):
    for count in (500, 1_000):
        session = Session()
        await closed_pages.next_collection()
        left = weakref.ref(session)
        del session
        closed_pages.count = count - 1
        await closed_pages.next_collection()
        assert left() is not None
        closed_pages.count = count
        await eventually(lambda left=left: left() is None, "the garbage is collected")


async def test_frozen_garbage_is_collected_after_1000_freezes_with_garbage(
    closed_pages, monkeypatch
):
    assert gc_tuning._FREEZES_WITH_GARBAGE == 1_000
    monkeypatch.setattr(gc_tuning, "_FREEZES_WITH_GARBAGE", 3)
    monkeypatch.setattr(gc_tuning, "_MANY_SURVIVORS", 0)
    monkeypatch.setattr(gc_tuning, "_FEW_OBJECTS", 0)
    session = Session()
    await closed_pages.next_collection()
    left = weakref.ref(session)
    del session
    await eventually(lambda: left() is None, "the garbage is collected")
