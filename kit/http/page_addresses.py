"""ASGI middleware that maps the address of a page to the file that was built for it."""

from collections.abc import Callable, Mapping, Set

from starlette.types import ASGIApp, Receive, Scope, Send

from kit.http.locale import PageFolders


def page_addresses(
    folders: PageFolders, examples: Mapping[str, str] | None = None
) -> Callable[[ASGIApp], ASGIApp]:
    """Serve a page at its own address; Reflex redirects to the same address with a slash (307).

    Args:
        folders: Where the pages are.
        examples: Pages that are served for every address with a prefix: `{"/menu/": "/menu/0"}`.
    """
    by_prefix = {start.lstrip("/"): page.lstrip("/") for start, page in (examples or {}).items()}
    pages = folders.names()

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}:
                name = _page_at(scope["path"], pages, by_prefix)
                if name:
                    path = folders.path(name)
                    scope = {**scope, "path": path, "raw_path": path.encode()}
            await app(scope, receive, send)

        return serve

    return wrap


def _page_at(path: str, pages: Set[str], by_prefix: Mapping[str, str]) -> str:
    """Return the name of the page for an address, or an empty string."""
    name = path.strip("/").removesuffix(".html")
    if name not in pages:
        start, slash, _ = name.rpartition("/")
        name = by_prefix.get(f"{start}{slash}", "")
    return name if name in pages else ""
