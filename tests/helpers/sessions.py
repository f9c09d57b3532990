"""The imported app, and a visitor's tab without browser and server."""

import functools
import importlib
import inspect
import re
import tempfile
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
import reflex as rx
from reflex.app_mixins.middleware import MiddlewareMixin
from reflex.istate.manager import StateManager
from reflex.istate.storage import LocalStorage, SessionStorage
from reflex.state import OnLoadInternalState, State, StateUpdate, UpdateVarsInternalState
from reflex_base.event import Event, EventHandler
from reflex_base.event.processor import BaseStateEventProcessor
from reflex_base.registry import RegistrationContext
from reflex_base.utils.format import format_event_handler
from starlette.types import Scope

from campus_app import wiring
from campus_app.kitchen.screens.kitchen_state import device_cookie
from campus_app.operators.screens.desk_entry import desk_cookie
from campus_app.shared import current
from campus_app.shell.banner_state import event_failed
from tests.helpers.settings import settings_for

_MARK = "_rx_state_"
_ARGUMENT = re.compile(r"\[(\w+)\]")


@functools.cache
def the_app() -> rx.App:
    """Return the app with its route table, without opening resources."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        services = wiring.build(settings_for(f"sqlite:///{folder}/never-opened.db", folder))
        patch.setattr(current, "services", lambda: services)
        app = importlib.import_module("campus_app.campus_app").app
        services.close()
    return app


@dataclass(frozen=True)
class Redirect:
    """A redirect sent by the server."""

    address: str
    replaces: bool = False
    """Whether the redirect replaces the history entry."""


class Tab:
    """A browser tab: its storage, received variables and redirects."""

    def __init__(
        self,
        processor: BaseStateEventProcessor,
        local: dict[str, Any] | None = None,
        session: dict[str, Any] | None = None,
    ) -> None:
        self.socket_id = uuid.uuid4().hex
        self.local = {} if local is None else local
        """localStorage, by the names of specification C5."""
        self.session = {} if session is None else session
        """sessionStorage."""
        self.redirects: list[Redirect] = []
        self.other_events: list[Event] = []
        self.sent: list[str] = []
        """The full names of the variables that the server has sent, in that order."""
        self.token = str(uuid.uuid4())
        self._address = "/"
        self._processor = processor
        self._vars: dict[str, Any] = {}

    @property
    def path(self) -> str:
        """The path of the current page."""
        return urlsplit(self._address).path

    async def visit(self, address: str) -> None:
        """Load a page; return when all its events have ended."""
        self._address = address
        self.redirects.clear()
        await self.call(State.hydrate_and_load, self._stored())

    async def follow_redirect(self) -> None:
        """Navigate to the last redirect, without a reload."""
        self._address = self.redirects[-1].address
        self.redirects.clear()
        await self.call(OnLoadInternalState.on_load_internal)

    async def call(self, handler: EventHandler, *arguments: Any) -> None:
        """Send an event from the current page; return when all its events have ended."""
        _, *names = inspect.signature(handler.fn).parameters
        event = Event(
            name=format_event_handler(handler),
            payload=dict(zip(names, arguments, strict=False)),
            router_data=_router_data(self._address) | {"token": self.token, "sid": self.socket_id},
        )
        await (await self._processor.enqueue(self.token, event)).wait_all()

    async def synchronize(self, variable: Any, value: str) -> None:
        """Receive a storage value that another tab has stored; return when it is known."""
        name = _full_name(variable)
        for stored, (known, kind) in _storage().items():
            if known == name:
                self._storage_of(kind)[stored] = value
        await self.call(UpdateVarsInternalState.update_vars_internal, {name: value})

    def get(self, variable: Any) -> Any:
        """Return the received value of a state's variable."""
        return self._vars[_full_name(variable)]

    def was_sent(self, variable: Any) -> bool:
        """Return whether the server has sent a variable since `sent` was cleared."""
        return _full_name(variable) in self.sent

    def apply_update(self, update: StateUpdate) -> None:
        """Apply a state update as a page does."""
        for state, changes in (update.delta or {}).items():
            for name, value in changes.items():
                self._vars[f"{state}.{name}"] = value
                self.sent.append(f"{state}.{name}")
        for name, (variable, kind) in _storage().items():
            if (value := self._vars.get(variable)) is not None:
                self._storage_of(kind)[name] = value
        for event in update.events:
            self._follow(event)

    def _follow(self, event: Event) -> None:
        if event.name == "_redirect":
            self.redirects.append(Redirect(event.payload["path"], event.payload["replace"]))
        else:
            self.other_events.append(event)

    def _storage_of(self, kind: type) -> dict[str, Any]:
        return self.local if kind is LocalStorage else self.session

    def _stored(self) -> dict[str, Any]:
        """Return the storage values, by the names of their variables."""
        return {
            variable: self._storage_of(kind)[name]
            for name, (variable, kind) in _storage().items()
            if self._storage_of(kind).get(name, "") != ""
        }


class Sockets(MiddlewareMixin):
    """The handshakes of the tabs' sockets, in place of Reflex's app; runs the middleware."""

    event_namespace = SimpleNamespace(namespace="/_event")

    def __init__(self) -> None:
        super().__init__()
        self._scopes: dict[str, Scope] = {}

    def router(self, path: str) -> str | None:
        return the_app().router(path)

    def get_load_events(self, path: str) -> list[Any]:
        return the_app().get_load_events(path)

    @property
    def sio(self) -> "Sockets":
        return self

    def connect(self, tab: Tab, cookies: str) -> None:
        """Open a tab's socket with these cookies."""
        headers = [(b"cookie", cookies.encode())] if cookies else []
        self._scopes[tab.socket_id] = desk_cookie.moved(device_cookie.moved({"headers": headers}))

    def get_environ(self, socket_id: str, _namespace: str) -> dict[str, Any]:
        return {"asgi.scope": self._scopes.get(socket_id, {})}


class UpdateRouter:
    """Routes state updates to the tabs, in place of the socket."""

    def __init__(self) -> None:
        self._tabs: dict[str, Tab] = {}

    def connect(self, tab: Tab) -> Tab:
        """Register a tab for updates."""
        self._tabs[tab.token] = tab
        return tab

    async def emit_update(self, update: StateUpdate, token: str) -> None:
        self._tabs[token].apply_update(update)


@asynccontextmanager
async def open_tabs(sessions: StateManager) -> AsyncIterator[Callable[..., Tab]]:
    """Run an event processor; yield the function that opens a tab.

    By default the tab's browser has stored the north campus; `local={}` has stored nothing.
    `cookies` are those of the socket's handshake.
    """
    router, sockets = UpdateRouter(), Sockets()
    for each in the_app()._middlewares:
        sockets.add_middleware(each)
    processor = BaseStateEventProcessor(backend_exception_handler=event_failed, middleware=sockets)
    configured = processor.configure(state_manager=sessions, event_namespace=router)

    def open_tab(
        local: dict[str, Any] | None = None,
        session: dict[str, Any] | None = None,
        cookies: str = "",
    ) -> Tab:
        stored = {"selectedCampus": "north"} if local is None else local
        tab = router.connect(Tab(configured, stored, session))
        sockets.connect(tab, cookies)
        return tab

    async with configured:
        yield open_tab


@functools.cache
def _storage() -> dict[str, tuple[str, type]]:
    """Return variable and kind of each stored value, by its storage name."""
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
    """Return the router data of a page, with route arguments and query."""
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
