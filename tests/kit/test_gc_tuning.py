"""The garbage collector: young objects in small steps, old ones when there is garbage among them."""

import gc
import weakref

import pytest

from kit import gc_tuning
from kit.gc_tuning import FullCollections
from tests.helpers.waiting import eventually


class Session:
    """An object that refers to itself, as the framework's states do."""

    def __init__(self):
        self.own = {"self": self}


class Closed:
    """A counter of closed pages."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        return self.count


@pytest.fixture(autouse=True)
def no_other_collection():
    threshold = gc.get_threshold()
    gc.disable()
    gc.freeze()
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()
    gc.enable()


def old_garbage():
    """Return a weak reference to garbage that has survived the collections of young objects."""
    session = Session()
    gc.collect(1)
    return weakref.ref(session)


def fail_events(count):
    """Leave the garbage of so many failed events, and collect it while it is young."""
    for _ in range(count):
        Session()
    gc.collect(1)


def test_configure_never_collects_the_oldest_generation():
    gc_tuning.configure()
    young, middle, old = gc.get_threshold()
    assert (young, middle) == (2_000, 5)
    assert old > 1_000_000


def test_freeze_excludes_existing_objects_from_full_collections():
    session = Session()
    gc_tuning.freeze()
    left = weakref.ref(session)
    del session
    gc.collect()
    assert left() is not None


@pytest.mark.parametrize(("closed", "is_collected"), [(499, False), (500, True)])
def test_full_collection_runs_after_many_closed_pages(closed, is_collected):
    pages = Closed()
    collections = FullCollections(pages)
    for _ in range(2):
        left = old_garbage()
        pages.count += closed
        collections.collect_if_due()
        assert (left() is None) is is_collected
        if not is_collected:
            break


def test_full_collection_runs_after_much_young_garbage():
    collections = FullCollections(Closed())
    left = old_garbage()
    fail_events(3_000)
    collections.collect_if_due()
    assert left() is not None
    fail_events(3_000)
    collections.collect_if_due()
    assert left() is None


def test_full_collection_does_not_run_again_without_new_garbage():
    collections = FullCollections(Closed())
    fail_events(10_000)
    collections.collect_if_due()
    left = old_garbage()
    collections.collect_if_due()
    assert left() is not None


@pytest.mark.anyio
async def test_watch_collects_while_the_server_runs(monkeypatch):
    monkeypatch.setattr(gc_tuning, "_CHECK_EVERY_SECONDS", 0.01)
    pages = Closed()
    async with FullCollections(pages).watch():
        left = old_garbage()
        pages.count = 500
        await eventually(lambda: left() is None, "the old garbage is collected")
