"""The app as it is imported, and a visitor's tab that needs neither browser nor server."""

import functools
import importlib
import inspect
import re
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
import reflex as rx
from reflex.istate.storage import LocalStorage, SessionStorage
from reflex.state import OnLoadInternalState, State, StateUpdate
from reflex_base.event import Event, EventHandler
from reflex_base.event.processor import BaseStateEventProcessor
from reflex_base.registry import RegistrationContext
from reflex_base.utils.format import format_event_handler

from campus_app import wiring
from tests.helpers.settings import settings_for

_MARK = "_rx_state_"
_ARGUMENT = re.compile(r"\[(\w+)\]")


@functools.cache
def the_app() -> rx.App:
    """Return the app with its route table; importing it opens nothing that stays open."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        services = wiring.build(settings_for(f"sqlite:///{folder}/never-opened.db", folder))
        patch.setattr(wiring, "services", lambda: services)
        app = importlib.import_module("campus_app.campus_app").app
        services.close()
    return app


@dataclass(frozen=True)
class Move:
    """Where the server sent a tab."""

    address: str
    replaces: bool = False
    """Whether the screen before is gone from the history."""


class Tab:
    """One tab of a browser: what it keeps, what it was told, where it was sent."""

    def __init__(
        self,
        processor: BaseStateEventProcessor,
        local: dict[str, Any] | None = None,
        session: dict[str, Any] | None = None,
    ) -> None:
        self.local = {} if local is None else local
        """What all tabs of the browser keep, by the names of specification C5."""
        self.session = {} if session is None else session
        """What this tab alone keeps."""
        self.moves: list[Move] = []
        self.other_events: list[Event] = []
        self.token = str(uuid.uuid4())
        self._address = "/"
        self._processor = processor
        self._told: dict[str, Any] = {}

    async def visit(self, address: str) -> None:
        """Open a screen as a reload does; return when all that it starts has ended."""
        self._address = address
        self.moves.clear()
        await self.call(State.hydrate_and_load, self._kept())

    async def go_on(self) -> None:
        """Open the screen that the server has sent the tab to, without a reload."""
        self._address = self.moves[-1].address
        self.moves.clear()
        await self.call(OnLoadInternalState.on_load_internal)

    async def call(self, handler: EventHandler, *arguments: Any) -> None:
        """Send an event from the screen that is open; return when all that it starts has ended."""
        _, *names = inspect.signature(handler.fn).parameters
        event = Event(
            name=format_event_handler(handler),
            payload=dict(zip(names, arguments, strict=False)),
            router_data=_router_data(self._address) | {"token": self.token},
        )
        await (await self._processor.enqueue(self.token, event)).wait_all()

    def sees(self, variable: Any) -> Any:
        """Return what the browser was told of a state's variable."""
        return self._told[_full_name(variable)]

    def take_in(self, update: StateUpdate) -> None:
        """Take in what the server says, as a page does."""
        for state, changes in (update.delta or {}).items():
            for name, value in changes.items():
                self._told[f"{state}.{name}"] = value
        for name, (variable, kind) in _storage().items():
            if (value := self._told.get(variable)) is not None:
                self._keeps(kind)[name] = value
        for event in update.events:
            self._follow(event)

    def _follow(self, event: Event) -> None:
        if event.name == "_redirect":
            self.moves.append(Move(event.payload["path"], event.payload["replace"]))
        else:
            self.other_events.append(event)

    def _keeps(self, kind: type) -> dict[str, Any]:
        return self.local if kind is LocalStorage else self.session

    def _kept(self) -> dict[str, Any]:
        """Return what this tab and its browser keep, by the names of the variables."""
        return {
            variable: self._keeps(kind)[name]
            for name, (variable, kind) in _storage().items()
            if self._keeps(kind).get(name, "") != ""
        }


class Line:
    """What carries the server's words to the tabs, in place of the socket."""

    def __init__(self) -> None:
        self._tabs: dict[str, Tab] = {}

    def connect(self, tab: Tab) -> Tab:
        """From now on the tab is told what is meant for it."""
        self._tabs[tab.token] = tab
        return tab

    async def emit_update(self, update: StateUpdate, token: str) -> None:
        self._tabs[token].take_in(update)


@functools.cache
def _storage() -> dict[str, tuple[str, type]]:
    """Return the variable and the kind of what browsers keep, by the name that it has there."""
    return {
        kept.name: (f"{state.get_full_name()}.{name}{_MARK}", type(kept))
        for state in RegistrationContext.get().base_states.values()
        for name, field_ in state.get_fields().items()
        if name in state.base_vars
        if isinstance(kept := field_.default, (LocalStorage, SessionStorage))
    }


def _full_name(variable: Any) -> str:
    owner = variable._get_all_var_data()
    return f"{owner.state}.{owner.field_name}{_MARK}"


def _router_data(address: str) -> dict[str, Any]:
    """Return where a page says that it is, with the route's arguments among the query's."""
    url = urlsplit(address)
    route = the_app().router(url.path) or "404"
    arguments: dict[str, Any] = dict(parse_qsl(url.query))
    parts, names = url.path.strip("/").split("/"), route.split("/")
    for part, name in zip(parts, names, strict=False):
        if found := _ARGUMENT.fullmatch(name):
            arguments[found[1]] = unquote(part)
    if names[-1] == "[[...splat]]":
        arguments["splat"] = parts[len(names) - 1 :]
    return {"pathname": f"/{route.removeprefix('/')}", "asPath": address, "query": arguments}
