"""The language of a response. Each page is built once per language."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.translations import COOKIE, LANGUAGE_HEADERS, Catalogues, set_locale

_YEAR_S = 31_536_000


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


def vary_by_language(headers: MutableHeaders) -> None:
    """Have a page stored for each choice of its language, and validated on each visit."""
    headers.setdefault("cache-control", "no-cache")
    headers.add_vary_header(LANGUAGE_HEADERS)


def request_locale(catalogues: Catalogues, *, is_encrypted: bool) -> Callable[[ASGIApp], ASGIApp]:
    """Return ASGI middleware for `requests_only` that sets the language of each request's context.

    It is the language of the query, else of the cookie, else the one that the browser prefers. That
    of a query is stored in the cookie, so that the pages that follow have it too.
    """

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            headers = Headers(scope=scope)
            in_query = catalogues.language_of_query(scope["query_string"].decode("latin-1"))
            set_locale(in_query or catalogues.language_of_headers(headers))

            async def send_with_cookie(message: Message) -> None:
                if message["type"] == "http.response.start":
                    cookie = _cookie(in_query, is_encrypted=is_encrypted)
                    MutableHeaders(scope=message).append("set-cookie", cookie)
                await send(message)

            await app(scope, receive, send_with_cookie if in_query else send)

        return serve

    return wrap


def _cookie(code: str, *, is_encrypted: bool) -> str:
    secure = "; Secure" if is_encrypted else ""
    return f"{COOKIE}={code}; Path=/; Max-Age={_YEAR_S}; SameSite=Lax{secure}"
