"""The handlers of a page that opens run as one event, in their order."""

import pytest
import reflex as rx

from kit.reflex import page_load
from kit.reflex.page_load import PageLoad, as_one_event

pytestmark = pytest.mark.anyio


class FirstState(PageLoad, rx.State):
    """A state with a handler that is no coroutine."""

    visits: int = 0

    @rx.event
    def count(self):
        self.visits += 1
        return rx.redirect("/elsewhere")

    @rx.event
    def fail(self):
        raise ValueError(self.visits)

    @rx.event
    def count_slowly(self):
        yield


class SecondState(rx.State):
    """A state with a coroutine, which reads the other one."""

    seen: int = -1

    @rx.event
    async def look(self):
        self.seen = (await self.get_state(FirstState)).visits


@pytest.fixture(autouse=True)
def _no_pages(monkeypatch):
    monkeypatch.setattr(page_load, "_loads", {})


@pytest.fixture
def session():
    return rx.State(_reflex_internal_init=True)


def logged(_error):
    """What a handler that failed is replaced by."""
    return rx.redirect("/failed")


async def opened(session, route):
    """Open a page; return what the event yields."""
    state = await session.get_state(FirstState)
    return [each async for each in FirstState.event_handlers["load_page"].fn(state, route)]


def paths(events):
    return [{str(name): str(value) for name, value in each.args}["path"] for each in events]


async def test_handlers_run_in_their_order_and_redirects_come_last(session):
    as_one_event(FirstState, "menu", [FirstState.count, SecondState.look], failed=logged)
    first, second, events = await opened(session, "menu")
    assert (first, second) == (None, None), "the page shows what each one changed"
    assert paths(events) == ['"/elsewhere"']
    assert (await session.get_state(SecondState)).seen == 1


async def test_other_handlers_run_when_one_fails(session):
    as_one_event(FirstState, "menu", [FirstState.fail, FirstState.count], failed=logged)
    *_, events = await opened(session, "menu")
    assert paths(events) == ['"/failed"', '"/elsewhere"']
    assert (await session.get_state(FirstState)).visits == 1


@pytest.mark.parametrize("route", ["another", ["menu"], None])
async def test_forged_route_runs_nothing(session, route):
    as_one_event(FirstState, "menu", [FirstState.count], failed=logged)
    assert await opened(session, route) == [[]]


def test_event_names_its_route():
    event = as_one_event(FirstState, "menu", [], failed=logged)
    assert [str(value) for _, value in event.args] == ['"menu"']


def test_handler_that_yields_is_refused():
    with pytest.raises(TypeError, match="count_slowly yields: on_load of menu"):
        as_one_event(FirstState, "menu", [FirstState.count_slowly], failed=logged)
