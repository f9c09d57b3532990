"""ASGI middleware for HTTP requests alone that maps the address of a page to its built file."""

from collections.abc import Callable, Collection, Mapping

from starlette.datastructures import MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.http.locale import PageFolders, vary_by_language
from kit.translations import QUERY

_HOME = "index"
"""The name of the page at "/"."""
_EXTENSION = ".html"


def page_addresses(
    folders: PageFolders, routes: Collection[str], examples: Mapping[str, str] | None = None
) -> Callable[[ASGIApp], ASGIApp]:
    """Serve a page at its own address, where Reflex alone would add a slash by a redirect (307).

    `/about.html` redirects to `/about`, because the script of the page has no route for the former.

    Args:
        folders: Where the pages are.
        routes: The addresses of the pages.
        examples: Pages that are served for every address with a prefix: `{"/menu/": "/menu/0"}`.
    """
    addresses = _Addresses(folders, routes, examples or {})

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["method"] not in {"GET", "HEAD"}:
                await app(scope, receive, send)
            elif address := addresses.address_of_file(scope["path"]):
                await RedirectResponse(address)(scope, receive, send)
            elif name := addresses.page_at(scope["path"]):
                path = folders.path(name)
                scope = {**scope, "path": path, "raw_path": path.encode()}
                await app(scope, receive, _of_page(send))
            else:
                await app(scope, receive, send)

        return serve

    return wrap


class _Addresses:
    """The addresses of pages and of their files. A page's name is `index`, `about` or `menu/0`."""

    def __init__(
        self, folders: PageFolders, routes: Collection[str], examples: Mapping[str, str]
    ) -> None:
        self._by_prefix = {start.lstrip("/"): page.lstrip("/") for start, page in examples.items()}
        self._built = folders.names()
        self._routed = {route.strip("/") or _HOME for route in routes}
        self._languages = folders.languages

    def page_at(self, path: str) -> str:
        """Return the name of the page for an address, or an empty string."""
        # The file of a page without a route, such as /offline.html, is served by its own path.
        name = path.strip("/").removesuffix(_EXTENSION) or _HOME
        if name not in self._built:
            name = self._by_prefix.get(_folder(name), "")
        return name if name in self._built else ""

    def address_of_file(self, path: str) -> str:
        """Return the address of the page whose file has this path; empty if it has no route."""
        if not path.endswith(_EXTENSION):
            return ""
        name, query = path.strip("/").removesuffix(_EXTENSION), ""
        code, slash, rest = name.partition("/")
        if slash and code in self._languages:
            name, query = rest, f"?{QUERY}={code}"
        name = name.removesuffix(f"/{_HOME}")
        if name not in self._routed and _folder(name) not in self._by_prefix:
            return ""
        return f"/{'' if name == _HOME else name}{query}"


def _folder(name: str) -> str:
    """Return the part of a name before its last part, with the slash."""
    start, slash, _ = name.rpartition("/")
    return f"{start}{slash}"


def _of_page(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            vary_by_language(MutableHeaders(scope=message))
        await send(message)

    return send_with_headers
