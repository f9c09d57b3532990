"""What every HTTP answer of the deployment has in common, as ASGI wrappers."""

from collections.abc import Awaitable, Callable, Mapping, Set

from brotli_asgi import BrotliMiddleware
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.http.csp import POLICY, PagePolicy
from kit.http.locale import PageFolders

BROTLI_QUALITY = 5
"""For what is compressed at each request: smaller than gzip's best, and sooner."""
_NO_GUESSING = {"x-content-type-options": "nosniff"}
_DOCUMENT_HEADERS = {
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cross-origin-opener-policy": "same-origin",
}
_ENCRYPTED_HEADERS = {"strict-transport-security": "max-age=31536000; includeSubDomains"}
_TOO_LARGE = b'{"error": {"code": "too_large", "message": "This is more than the server takes."}}'
_KEPT = ("/assets/", "/fonts/")
_PARTS = (*_KEPT, "/audio/", "/css/", "/images/", "/video/")
"""What pages are made of: what rules a document says nothing to them."""
_NOT_FOUND = 404
_YEAR = "public, max-age=31536000, immutable"
_ASKED_AFTER_WITH = ("etag", "last-modified", "accept-ranges")


def page_addresses(
    folders: PageFolders, drawn: Mapping[str, str] | None = None
) -> Callable[[ASGIApp], ASGIApp]:
    """Serve a page at its own address, without Reflex's 307 to the same with a slash behind.

    `drawn` names the page that stands for all others beside it, by their common beginning, like
    `{"/menu/": "/menu/0"}`.
    """
    examples = {start.lstrip("/"): page.lstrip("/") for start, page in (drawn or {}).items()}
    pages = folders.names()

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}:
                name = _page_at(scope["path"], pages, examples)
                if name:
                    path = folders.path(name)
                    scope = {**scope, "path": path, "raw_path": path.encode()}
            await app(scope, receive, send)

        return serve

    return wrap


def one_line_addresses(app: ASGIApp) -> ASGIApp:
    """Let an address with a line break in it be unknown as any other is.

    No route of the framework matches one, not even those for whatever is unknown.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and "\n" in scope["path"]:
            scope = {**scope, "path": scope["path"].replace("\n", "%0A")}
        await app(scope, receive, send)

    return serve


def short_headers(app: ASGIApp) -> ASGIApp:
    """Say once what several layers say, and of what is kept for good not how to ask after it.

    A page is made of some thirty files: it is a fiftieth of what a first visit transfers.
    """

    def serve(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "http":
            return app(scope, receive, send)  # no frame of ours stays with an open socket

        async def send_short(message: Message) -> None:
            if message["type"] == "http.response.start":
                _shorten(MutableHeaders(scope=message), scope["path"])
            await send(message)

        return app(scope, receive, send_short)

    return serve


def _shorten(headers: MutableHeaders, path: str) -> None:
    varies = ",".join(headers.getlist("vary"))
    if varies:
        headers["vary"] = ", ".join(dict.fromkeys(part.strip() for part in varies.split(",")))
    if path.startswith(_KEPT) and headers.get("cache-control") == _YEAR:
        for name in _ASKED_AFTER_WITH:
            del headers[name]


def written_pages(
    write: Callable[[str], str | None], policy: PagePolicy
) -> Callable[[ASGIApp], ASGIApp]:
    """Send the pages that are written at each request; for other paths `write` returns nothing."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            is_read = scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}
            page = write(scope["path"].rstrip("/")) if is_read else None
            answer = app if page is None else _page(page, 200, policy)
            await answer(scope, receive, send)

        return serve

    return wrap


def with_first_words(
    folders: PageFolders, words: Mapping[str, Callable[[], str]]
) -> Callable[[str], str | None]:
    """Return what writes these pages: as they were built, with something more in their head."""

    def write(path: str) -> str | None:
        if path not in words:
            return None
        page = folders.file(path.lstrip("/")).read_text(encoding="utf-8")
        return page.replace("</head>", f"{words[path]()}</head>", 1)

    return write


def not_found_in_language(folders: PageFolders, policy: PagePolicy) -> Callable[[ASGIApp], ASGIApp]:
    """Say in the language that is spoken that there is no page at an address."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or folders.is_first():
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
                await _page(page, _NOT_FOUND, policy)(scope, receive, send)

        return serve

    return wrap


def _is_built_page(headers: MutableHeaders) -> bool:
    """Whether a page is sent from its file: one that is written for a request has no such date."""
    return "html" in headers.get("content-type", "") and "last-modified" in headers


def _page(page: str, status: int, policy: PagePolicy) -> ASGIApp:
    answer = HTMLResponse(page, status, headers={POLICY: policy.of(page)})
    return BrotliMiddleware(answer, quality=BROTLI_QUALITY)


def common_headers(*, is_encrypted: bool) -> Callable[[ASGIApp], ASGIApp]:
    """Keep hashed assets for a year, ask after pages each time, never guess a type.

    A site that is reached over https tells browsers never to come otherwise.
    """
    part = _NO_GUESSING | (_ENCRYPTED_HEADERS if is_encrypted else {})
    document = part | _DOCUMENT_HEADERS

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return

            async def send_with_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    headers = MutableHeaders(scope=message)
                    wanted = part if scope["path"].startswith(_PARTS) else document
                    for name, value in wanted.items():
                        headers.setdefault(name, value)
                    _say_how_long(headers, scope["path"])
                await send(message)

            await app(scope, receive, send_with_headers)

        return serve

    return wrap


def _say_how_long(headers: MutableHeaders, path: str) -> None:
    """Say how long an answer may be kept."""
    if path.startswith(_KEPT):
        headers.setdefault("cache-control", _YEAR)
    elif "html" in headers.get("content-type", ""):
        headers.setdefault("cache-control", "no-cache")
        headers.add_vary_header("Cookie")


def _page_at(path: str, pages: Set[str], examples: Mapping[str, str]) -> str:
    """Return the name of the page at an address, or of the one that stands for it; else nothing."""
    name = path.strip("/").removesuffix(".html")
    if name not in pages:
        start, slash, _ = name.rpartition("/")
        name = examples.get(f"{start}{slash}", "")
    return name if name in pages else ""


def body_limit(most_bytes: int, prefixes: tuple[str, ...]) -> Callable[[ASGIApp], ASGIApp]:
    """Answer 413 to a body of more bytes than that, said or not, below these paths."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or not scope["path"].startswith(prefixes):
                await app(scope, receive, send)
                return
            try:
                body = await _whole_body(receive, most_bytes)
            except ClientDisconnect:
                return  # half a body must not be taken for a whole one
            if body is None:
                await _refuse(send)
                return
            pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

            async def receive_again() -> Message:
                return pending.pop() if pending else await receive()

            await app(scope, receive_again, send)

        return serve

    return wrap


async def _whole_body(receive: Receive, most_bytes: int) -> bytes | None:
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientDisconnect
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > most_bytes:
            return None
        if not message.get("more_body", False):
            return b"".join(chunks)


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": _TOO_LARGE})
