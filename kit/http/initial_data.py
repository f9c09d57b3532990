"""ASGI middleware for `requests_only`: pages whose HTML is completed per request."""

from collections.abc import Callable, Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from kit.http.compression import compressed_page
from kit.http.csp import PagePolicy
from kit.http.locale import PageFolders


def rendered_pages(
    render: Callable[[str], str | None], policy: PagePolicy
) -> Callable[[ASGIApp], ASGIApp]:
    """Serve what `render` returns for a path; pass on paths for which it returns None."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            is_read = scope["method"] in {"GET", "HEAD"}
            page = render(scope["path"].rstrip("/")) if is_read else None
            response = app if page is None else compressed_page(page, 200, policy)
            await response(scope, receive, send)

        return serve

    return wrap


def with_initial_data(
    folders: PageFolders, data: Mapping[str, Callable[[], str]]
) -> Callable[[str], str | None]:
    """Return a renderer that adds HTML to the head of built pages; `data` returns it by path."""

    def render(path: str) -> str | None:
        if path not in data:
            return None
        page = folders.file(path.lstrip("/")).read_text(encoding="utf-8")
        return page.replace("</head>", f"{data[path]()}</head>", 1)

    return render
