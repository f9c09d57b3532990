"""The garbage collector: survivors of clean collections are frozen, closed pages collected."""

import gc
import sys
import weakref

import pytest

from kit import gc_tuning
from kit.background import running
from kit.http.sockets import PageCount
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

CLEAN, DIRTY = 99, 100
"""Freed objects of a collection after which survivors are frozen, or not."""


class Session:
    """An object that refers to itself, as the framework's states do."""

    def __init__(self, items=()):
        self.own = {"self": self, "items": items}


class Pages:
    """Counters of pages that also count how often they are read."""

    def __init__(self):
        self.opened = self.closed = self.reads = 0

    def __call__(self):
        self.reads += 1
        return PageCount(self.opened, self.closed)

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
async def pages():
    """A running collection loop that reads these counters."""
    pages = Pages()
    async with running(gc_tuning.collect_regularly(pages)):
        await pages.next_collection()
        yield pages


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


async def test_collect_regularly_frees_cyclic_garbage(pages):
    left = weakref.ref(Session())
    await pages.next_collection()
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


async def test_frozen_garbage_is_collected_after_500_closed_pages(pages):
    for count in (500, 1_000):
        session = Session()
        await pages.next_collection()
        left = weakref.ref(session)
        del session
        pages.closed = count - 1
        await pages.next_collection()
        assert left() is not None
        pages.closed = count
        await eventually(lambda left=left: left() is None, "the garbage is collected")


@pytest.fixture
def is_counted_at_once(monkeypatch):
    """Collect all garbage as soon as the process has become one hundredth larger."""
    assert (gc_tuning._LARGEST_GROWTH, gc_tuning._ROUNDS_BETWEEN_COUNTS) == (0.25, 20)
    monkeypatch.setattr(gc_tuning, "_LARGEST_GROWTH", 0.01)
    monkeypatch.setattr(gc_tuning, "_ROUNDS_BETWEEN_COUNTS", 1)


@pytest.mark.usefixtures("is_counted_at_once")
async def test_frozen_garbage_is_collected_when_the_process_grows(pages):
    blocks = sys.getallocatedblocks()
    left = []
    for _ in range(5):
        in_progress = Session([[] for _ in range(blocks // 150)])
        left.append(weakref.ref(in_progress))
        await pages.next_collection()
        del in_progress
    await eventually(lambda: sum(each() is not None for each in left) < 3, "most are collected")


@pytest.mark.usefixtures("is_counted_at_once")
async def test_blocks_of_new_pages_are_no_reason_for_a_full_collection(pages):
    blocks = sys.getallocatedblocks()
    garbage = Session()
    await pages.next_collection()
    left = weakref.ref(garbage)
    del garbage
    pages.opened = blocks // 800
    opened = [[] for _ in range(blocks // 2)]
    await pages.next_collection()
    assert left() is not None
    pages.opened = 0
    await eventually(lambda: left() is None, "the garbage is collected")
    assert opened
