"""ASGI middleware: the page 404 in the language of the request."""

from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.http.compression import compressed_page
from kit.http.csp import PagePolicy
from kit.http.locale import PageFolders

_NOT_FOUND = 404


def localized_not_found(folders: PageFolders, policy: PagePolicy) -> Callable[[ASGIApp], ASGIApp]:
    """Replace the first language's page 404 by the one of the language in use."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if folders.is_first():
                await app(scope, receive, send)
                return
            is_missing = False

            async def send_unless_missing(message: Message) -> None:
                nonlocal is_missing
                if message["type"] == "http.response.start" and message["status"] == _NOT_FOUND:
                    is_missing = _is_built_page(MutableHeaders(scope=message))
                if not is_missing:
                    await send(message)

            await app(scope, receive, send_unless_missing)
            if is_missing:
                page = folders.file("404").read_text(encoding="utf-8")
                await compressed_page(page, _NOT_FOUND, policy)(scope, receive, send)

        return serve

    return wrap


def _is_built_page(headers: MutableHeaders) -> bool:
    """Whether a page is sent from a file: only files have `last-modified`.

    A page that is rendered for the request is in the right language already.
    """
    return "html" in headers.get("content-type", "") and "last-modified" in headers
