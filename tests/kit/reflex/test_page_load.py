"""The handlers of a page that opens run as one event of its session, in their order."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest
import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.state import OnLoadInternalState
from reflex_base.event import Event
from reflex_base.event.processor import BaseStateEventProcessor
from reflex_base.registry import RegistrationContext
from reflex_base.utils.format import format_event_handler

from kit.reflex.page_load import PageLoad
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

MENU, CLOSED, BILL, EMPTY = "/menu", "/closed", "/bill", "/empty"
SLOW, POLLING, BROKEN = "/slow", "/polling", "/broken"

waiting: list[bool] = []
"""Whether a handler waits."""


class FirstState(rx.State):
    """A state with a variable of the browser, and handlers that are no coroutines."""

    stored: str = rx.LocalStorage("")
    visits: int = 0
    read: str = ""

    @rx.var
    def fraction(self) -> float:
        return 1 / (self.visits + 1)

    @rx.event
    def count(self):
        self.visits += 1
        self.read = self.stored

    @rx.event
    def leave(self):
        return rx.redirect("/elsewhere")

    @rx.event
    def leave_twice(self):
        return [rx.redirect("/first"), rx.redirect("/second")]

    @rx.event
    def fail(self):
        raise ValueError(self.visits)

    @rx.event
    def return_a_number(self):
        return 1

    @rx.event
    def break_variable(self):
        self.visits = -1

    @rx.event
    def poll_later(self):
        return SecondState.wait


class SecondState(rx.State):
    """A state with coroutines, which read the other one or wait."""

    seen: int = -1

    @rx.event
    async def look(self):
        self.seen = (await self.get_state(FirstState)).visits

    @rx.event
    async def wait(self):
        waiting.append(True)
        await asyncio.Event().wait()


PAGES = {
    MENU: [FirstState.count, SecondState.look],
    CLOSED: [FirstState.count, FirstState.leave],
    BILL: [FirstState.count, SecondState.look],
    SLOW: [FirstState.leave, SecondState.wait],
    POLLING: [FirstState.count, FirstState.poll_later],
    BROKEN: [FirstState.fail, FirstState.return_a_number, FirstState.leave_twice, FirstState.count],
    EMPTY: [],
}
ON_CONNECT = {MENU, CLOSED, BROKEN}


class Sessions(StateManagerMemory):
    """The sessions of a server, which counts how often one is locked, read and stored."""

    count = 0

    @asynccontextmanager
    async def modify_state(self, token, **context):
        self.count += 1
        async with super().modify_state(token, **context) as state:
            yield state


class OpenPage:
    """A page and what it receives, in its order: variables, and the paths of redirects."""

    def __init__(self, sessions):
        self.sessions, self.token, self.received = sessions, str(uuid.uuid4()), []

    async def emit_update(self, update, token):
        assert token == self.token
        for changes in update.delta.values():
            names = {name.removesuffix("_rx_state_"): value for name, value in changes.items()}
            self.received += names.items()
        self.received += [each.payload["path"] for each in update.events]

    def values(self, name):
        """Return the values that a variable has had, as received."""
        pairs = [each for each in self.received if isinstance(each, tuple)]
        return [value for received, value in pairs if received == name]

    def redirects(self):
        return [each for each in self.received if isinstance(each, str)]

    async def start(self, handler, path, **payload):
        """Send an event."""
        self.received.clear()
        self.sessions.count = 0
        data = {"pathname": path, "asPath": path, "query": {}, "token": self.token, "sid": "a"}
        event = Event(name=format_event_handler(handler), payload=payload, router_data=data)
        return await self.processor.enqueue(self.token, event)

    async def send(self, handler, path, **payload):
        """Send an event; return when all its events have ended."""
        await (await self.start(handler, path, **payload)).wait_all()

    async def connect(self, path, **storage):
        stored = {
            f"{FirstState.get_full_name()}.{name}_rx_state_": each for name, each in storage.items()
        }
        await self.send(rx.State.event_handlers["hydrate_and_load"], path, vars=stored)

    async def start_to_connect(self, path):
        """Connect; return when a handler waits."""
        waiting.clear()
        await self.start(rx.State.event_handlers["hydrate_and_load"], path, vars={})
        await eventually(lambda: len(waiting) > 0, "a handler waits")

    async def navigate(self, path):
        await self.send(OnLoadInternalState.event_handlers["on_load_internal"], path)


@contextmanager
def an_app() -> Iterator[rx.App]:
    with RegistrationContext.get().fork():
        app = rx.App()
        for path, handlers in PAGES.items():
            app.add_page(rx.fragment(), route=path.strip("/"), on_load=handlers)
        app.add_page(rx.fragment(), route="404")
        app.add_middleware(PageLoad(lambda _error: rx.redirect("/failed"), ON_CONNECT))
        yield app


@asynccontextmanager
async def opened() -> AsyncIterator[OpenPage]:
    page = OpenPage(Sessions())
    with an_app() as app:
        processor = BaseStateEventProcessor(
            backend_exception_handler=lambda _: None, middleware=app
        )
        page.processor = processor.configure(state_manager=page.sessions, event_namespace=page)
        async with page.processor:
            yield page
    await page.sessions.close()


@pytest.mark.parametrize("path", [MENU, BILL])
async def test_page_that_connects_gets_its_snapshot_and_then_what_handlers_changed(path):
    async with opened() as page:
        await page.connect(path, stored="from the browser")
        assert page.values("is_hydrated") == [False, True]
        assert page.values("read") == ["", "from the browser"], "the storage is applied first"
        assert page.values("seen") == [-1, 1], "in their order"
        assert page.received[-1] == ("is_hydrated", True)


async def test_page_that_navigates_is_not_hydrated_until_its_handlers_have_run():
    async with opened() as page:
        await page.connect(EMPTY)
        await page.navigate(MENU)
        assert page.values("is_hydrated") == [False, True]
        assert page.values("seen") == [1]
        assert page.values("stored") == [], "without the snapshot"


async def test_session_is_locked_once_for_all_handlers():
    async with opened() as page:
        await page.connect(MENU)
        assert page.sessions.count == 1
        await page.navigate(BILL)
        assert page.sessions.count == 1
        await page.connect(BILL)
        assert page.sessions.count == 2, "for the snapshot and for the handlers"


async def test_page_without_handlers_is_hydrated():
    async with opened() as page:
        await page.connect(EMPTY)
        assert page.values("is_hydrated")[-1] is True
        await page.navigate("/unknown")
        assert page.values("is_hydrated") == [False, True]


@pytest.mark.parametrize("is_navigating", [False, True])
async def test_events_are_sent_when_all_handlers_have_run(is_navigating):
    async with opened() as page:
        if is_navigating:
            await page.connect(EMPTY)
            await page.navigate(BROKEN)
        else:
            await page.connect(BROKEN)
        assert page.values("visits")[-1] == 1
        assert page.redirects() == ["/failed", "/failed", "/first", "/second"]
        assert page.received[-1] == ("is_hydrated", True)


async def test_page_is_hydrated_when_a_variable_fails(monkeypatch):
    monkeypatch.setitem(PAGES, MENU, [FirstState.break_variable])
    async with opened() as page:
        await page.connect(EMPTY)
        await page.navigate(MENU)
        assert page.redirects() == ["/failed"]
        assert page.values("is_hydrated")[-1] is True


@pytest.mark.parametrize("path", [SLOW, POLLING])
async def test_visitor_who_leaves_a_page_does_not_wait_for_it(path):
    async with opened() as page:
        await page.start_to_connect(path)
        async with asyncio.timeout(5):
            await page.navigate(MENU)
        assert page.redirects() == []
        assert page.values("is_hydrated")[-1] is True


async def test_visitor_who_leaves_while_a_page_connects_is_not_redirected():
    async with opened() as page:
        await page.start(rx.State.event_handlers["hydrate_and_load"], CLOSED, vars={})
        await page.navigate(MENU)
        assert page.redirects() == []
        assert page.values("is_hydrated")[-1] is True


async def test_page_that_redirects_when_it_connects_is_hydrated():
    async with opened() as page:
        await page.connect(CLOSED)
        assert page.redirects() == ["/elsewhere"]
        assert page.values("visits")[-1] == 2, "its handlers run again, in an event of their own"
        assert page.received[-1] == ("is_hydrated", True)


async def test_page_whose_session_was_lost_gets_its_snapshot_when_it_navigates():
    async with opened() as page:
        await page.navigate(MENU)
        assert "" in page.values("stored")
        assert page.values("seen")[-1] == 2, "Reflex runs the handlers twice"
        assert page.values("is_hydrated")[-1] is True


async def test_other_events_are_left_to_reflex():
    async with opened() as page:
        await page.connect(MENU)
        await page.send(FirstState.event_handlers["count"], MENU)
        assert page.values("visits") == [2]
