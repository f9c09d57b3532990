"""A page that opens is one event of its session, in which its handlers run in their order."""

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

pytestmark = pytest.mark.anyio

MENU, CLOSED, EMPTY = "/menu", "/closed", "/empty"


class FirstState(rx.State):
    """A state with a variable of the browser, and a handler that is no coroutine."""

    stored: str = rx.LocalStorage("")
    visits: int = 0
    read: str = ""

    @rx.event
    def count(self):
        self.visits += 1
        self.read = self.stored

    @rx.event
    def leave(self):
        return rx.redirect("/elsewhere")

    @rx.event
    def fail(self):
        raise ValueError(self.visits)


class SecondState(rx.State):
    """A state with a coroutine, which reads the other one."""

    seen: int = -1

    @rx.event
    async def look(self):
        self.seen = (await self.get_state(FirstState)).visits


PAGES = {
    MENU: [FirstState.count, SecondState.look],
    CLOSED: [FirstState.leave, FirstState.fail, FirstState.count],
    EMPTY: [],
}


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

    async def send(self, handler, path, **payload):
        """Send an event; return when all its events have ended."""
        self.received.clear()
        self.sessions.count = 0
        data = {"pathname": path, "asPath": path, "query": {}, "token": self.token, "sid": "a"}
        event = Event(name=format_event_handler(handler), payload=payload, router_data=data)
        await (await self.processor.enqueue(self.token, event)).wait_all()

    async def connect(self, path, **storage):
        stored = {
            f"{FirstState.get_full_name()}.{name}_rx_state_": each for name, each in storage.items()
        }
        await self.send(rx.State.event_handlers["hydrate_and_load"], path, vars=stored)

    async def navigate(self, path):
        await self.send(OnLoadInternalState.event_handlers["on_load_internal"], path)


@contextmanager
def an_app() -> Iterator[rx.App]:
    with RegistrationContext.get().fork():
        app = rx.App()
        for path, handlers in PAGES.items():
            app.add_page(rx.fragment(), route=path.strip("/"), on_load=handlers)
        app.add_page(rx.fragment(), route="404")
        app.add_middleware(PageLoad(lambda _error: rx.redirect("/failed")))
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


async def test_page_that_connects_gets_its_snapshot_and_then_what_its_handlers_changed():
    async with opened() as page:
        await page.connect(MENU, stored="from the browser")
        assert page.values("is_hydrated") == [False, True]
        assert page.values("read") == ["", "from the browser"], "the storage is applied first"
        assert page.values("seen") == [-1, 1], "in their order"


async def test_page_that_navigates_is_loading_until_its_handlers_have_run():
    async with opened() as page:
        await page.connect(EMPTY)
        await page.navigate(MENU)
        assert page.values("is_hydrated") == [False, True]
        assert page.values("seen") == [1]
        assert page.values("stored") == [], "without the snapshot"


async def test_session_is_locked_once():
    async with opened() as page:
        await page.connect(MENU)
        assert page.sessions.count == 1
        await page.navigate(CLOSED)
        assert page.sessions.count == 1


async def test_page_without_handlers_is_hydrated():
    async with opened() as page:
        await page.connect(EMPTY)
        assert page.values("is_hydrated")[-1] is True
        await page.navigate("/unknown")
        assert page.values("is_hydrated") == [False, True]


async def test_redirects_come_last_and_other_handlers_run_when_one_fails():
    async with opened() as page:
        await page.connect(CLOSED)
        assert page.values("visits") == [0, 1]
        assert page.received[-3:] == ["/elsewhere", "/failed", ("is_hydrated", True)]


async def test_page_whose_session_was_lost_gets_its_snapshot_when_it_navigates():
    async with opened() as page:
        await page.navigate(MENU)
        assert "" in page.values("stored")
        assert page.values("seen")[-1] > 0
        assert page.values("is_hydrated")[-1] is True


async def test_other_events_are_left_to_reflex():
    async with opened() as page:
        await page.connect(MENU)
        await page.send(FirstState.event_handlers["count"], MENU)
        assert page.values("visits") == [2]
