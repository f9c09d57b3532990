"""The garbage collector: survivors of clean full collections are frozen, closed pages collected."""

import gc
import weakref

import pytest

from kit import gc_tuning
from kit.background import running
from tests.helpers.waiting import eventually

CLEAN, DIRTY = 99, 100
"""Freed objects of a full collection after which survivors are frozen, or not."""


class Session:
    """An object that refers to itself, as the framework's states do."""

    def __init__(self):
        self.own = {"self": self}


@pytest.fixture(autouse=True)
def no_other_collection():
    threshold, callbacks = gc.get_threshold(), gc.callbacks[:]
    gc.disable()
    gc.collect()
    gc.freeze()
    yield
    gc.callbacks[:] = callbacks
    gc.set_threshold(*threshold)
    gc.unfreeze()
    gc.enable()


def frozen_garbage():
    """Return a weak reference to garbage that was frozen while it was in use."""
    session = Session()
    gc.freeze()
    return weakref.ref(session)


def test_configure_sets_small_thresholds():
    gc_tuning.configure()
    assert gc.get_threshold() == (1_000, 10, 2)


def test_freeze_excludes_existing_objects_from_full_collections():
    session = Session()
    gc_tuning.freeze()
    left = weakref.ref(session)
    del session
    gc.collect()
    assert left() is not None


@pytest.mark.parametrize(("garbage", "is_frozen"), [(CLEAN // 2, True), (DIRTY, False)])
def test_survivors_of_a_full_collection_are_frozen_if_it_found_little(garbage, is_frozen):
    gc_tuning.configure()
    session = Session()
    for _ in range(garbage // 2):
        Session()
    gc.collect()
    left = weakref.ref(session)
    del session
    gc.collect()
    assert (left() is not None) is is_frozen


def test_survivors_of_a_young_collection_are_not_frozen():
    gc_tuning.configure()
    session = Session()
    gc.collect(1)
    left = weakref.ref(session)
    del session
    gc.collect()
    assert left() is None


@pytest.mark.anyio
async def test_collect_closed_pages_frees_frozen_garbage_after_many_pages(monkeypatch):
    monkeypatch.setattr(gc_tuning, "_CHECK_EVERY_SECONDS", 0.01)
    closed, checks = 0, 0

    def closed_pages():
        nonlocal checks
        checks += 1
        return closed

    async def checked_again():
        before = checks
        await eventually(lambda: checks > before + 2, "the count is checked")

    async with running(gc_tuning.collect_closed_pages(closed_pages)):
        for count in (500, 1_000):
            await checked_again()
            left, closed = frozen_garbage(), count - 1
            await checked_again()
            assert left() is not None
            closed = count
            await eventually(lambda left=left: left() is None, "the garbage is collected")
