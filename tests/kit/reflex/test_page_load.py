"""The handlers of a page that opens run as one event, in their order."""

import pytest
import reflex as rx

from kit.reflex import page_load
from kit.reflex.page_load import PageLoadState, as_one_event

pytestmark = pytest.mark.anyio


class FirstState(rx.State):
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
    monkeypatch.setattr(page_load, "_handlers", {})


@pytest.fixture
def session():
    return rx.State(_reflex_internal_init=True)


async def opened(session, route):
    """Open a page; return what its handlers returned."""
    state = await session.get_state(PageLoadState)
    return [each async for each in PageLoadState.event_handlers["run"].fn(state, route)]


async def test_handlers_run_in_their_order(session):
    as_one_event("menu", [FirstState.count, SecondState.look])
    redirect, nothing = await opened(session, "menu")
    assert redirect.handler.fn.__qualname__ == "_redirect"
    assert nothing is None
    assert (await session.get_state(SecondState)).seen == 1


async def test_handlers_after_a_failed_one_do_not_run(session):
    as_one_event("menu", [FirstState.fail, FirstState.count])
    with pytest.raises(ValueError, match="0"):
        await opened(session, "menu")
    assert (await session.get_state(FirstState)).visits == 0


@pytest.mark.parametrize("route", ["another", ["menu"], None])
async def test_forged_route_runs_nothing(session, route):
    as_one_event("menu", [FirstState.count])
    assert await opened(session, route) == []


def test_event_names_its_route():
    event = as_one_event("menu", [])
    assert [str(value) for _, value in event.args] == ['"menu"']


def test_handler_that_yields_is_refused():
    with pytest.raises(TypeError, match="count_slowly yields: on_load of menu"):
        as_one_event("menu", [FirstState.count_slowly])
