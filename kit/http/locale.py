"""Which language a visitor is answered in; the pages are drawn once for each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import reflex as rx
from reflex.state import BaseState
from reflex_base.event import Event
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(frozen=True)
class PageFolders:
    """Where the pages of each language are built: those of the first one on top, the others below.

    `static` is the folder of all; `languages` are their codes; `language` says which one is
    spoken here and now.
    """

    static: Path
    languages: Sequence[str]
    language: Callable[[], str]

    def names(self) -> frozenset[str]:
        """Return what the pages are called, whatever their language: `about`, `menu/0`."""
        files = (file.relative_to(self.static) for file in self.static.rglob("*.html"))
        return frozenset(
            file.with_suffix("").as_posix()
            for file in files
            if file.parts[0] not in self.languages[1:]
        )

    def file(self, name: str) -> Path:
        """Return the file of a page in the language that is spoken, or in the first one."""
        own = self.static / self.language() / f"{name}.html"
        return own if own.is_file() else self.static / f"{name}.html"

    def path(self, name: str) -> str:
        """Return the address at which that file is served."""
        return f"/{self.file(name).relative_to(self.static).as_posix()}"

    def is_first(self) -> bool:
        """Whether the first language is spoken."""
        return self.language() == self.languages[0]


def in_chosen_language(
    chosen: Callable[[str], str], speak: Callable[[str], None]
) -> Callable[[ASGIApp], ASGIApp]:
    """Answer each request in the language that its cookies have `chosen`."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                speak(chosen(Headers(scope=scope).get("cookie", "")))
            await app(scope, receive, send)

        return serve

    return wrap


class EventLanguage(rx.Middleware):
    """Lets every event be answered in the language that its page's cookies have chosen."""

    def __init__(self, chosen: Callable[[str], str], speak: Callable[[str], None]) -> None:
        self._chosen = chosen
        self._speak = speak

    # No coroutine, as in timed_events.py; each event has a task, and with it a context, of its own.
    def preprocess(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        app: rx.App,  # noqa: ARG002
        state: BaseState,
        event: Event,  # noqa: ARG002
    ) -> None:
        """Speak the language of the page that the event came from."""
        headers = cast("dict[str, str]", state.router_data.get("headers", {}))
        self._speak(self._chosen(headers.get("cookie", "")))
