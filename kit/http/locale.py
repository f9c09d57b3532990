"""The language of a response. Each page is built once per language."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(frozen=True)
class PageFolders:
    """Where the built pages are: the first language's in `static`, the others' in subfolders.

    Args:
        static: The folder of all pages.
        languages: The codes of all languages.
        language: Returns the code of the current context's language.
    """

    static: Path
    languages: Sequence[str]
    language: Callable[[], str]

    def names(self) -> frozenset[str]:
        """Return the names of the pages without their language: `about`, `menu/0`."""
        files = (file.relative_to(self.static) for file in self.static.rglob("*.html"))
        return frozenset(
            file.with_suffix("").as_posix()
            for file in files
            if file.parts[0] not in self.languages[1:]
        )

    def file(self, name: str) -> Path:
        """Return the file of a page in the current language, else in the first one."""
        own = self.static / self.language() / f"{name}.html"
        return own if own.is_file() else self.static / f"{name}.html"

    def path(self, name: str) -> str:
        """Return the URL path of that file."""
        return f"/{self.file(name).relative_to(self.static).as_posix()}"

    def is_first(self) -> bool:
        """Whether the current language is the first one."""
        return self.language() == self.languages[0]


def request_locale(
    choose: Callable[[str], str], set_locale: Callable[[str], None]
) -> Callable[[ASGIApp], ASGIApp]:
    """Set the language of each request's context; `choose` returns it for a cookie header."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                set_locale(choose(Headers(scope=scope).get("cookie", "")))
            await app(scope, receive, send)

        return serve

    return wrap
