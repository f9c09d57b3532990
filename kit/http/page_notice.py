"""ASGI middleware for `requests_only` that shows a sentence at the top of every page.

The sentence depends on a setting, and the pages are built without settings.
"""

import base64
import hashlib
import re
from collections.abc import Callable

from brotli_asgi import BrotliMiddleware
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.http.csp import HEADER
from kit.http.security_headers import RESOURCES

_BROTLI_QUALITY = 4
_CONDITIONS = frozenset({b"accept-encoding", b"if-none-match", b"if-modified-since", b"range"})
"""Request headers whose response has no page that can be changed."""
_VALIDATORS = ("etag", "last-modified", "accept-ranges")
_STYLE = (
    'body::before{{content:"{}";position:fixed;inset:0 0 auto;z-index:2147483647;'
    "width:fit-content;max-width:100%;margin:auto;padding:1px 8px;border-radius:0 0 6px 6px;"
    "background:#8a1c00;color:#fff;font:600 12px/1.35 system-ui,sans-serif;text-align:center;"
    "pointer-events:none}}"
)
"""Generated content: React replaces elements of the body that it does not know."""
_STYLE_SOURCES = re.compile(r"style-src (?P<sources>[^;]*)")
_NOT_PLAIN = re.compile(r'[\\"<>\x00-\x1f]')


def page_notice(sentence: Callable[[], str]) -> Callable[[ASGIApp], ASGIApp]:
    """Show `sentence()`, in the language of the request, at the top of every HTML response."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            headers = [each for each in scope["headers"] if each[0] not in _CONDITIONS]
            notice = _Notice(send, _style(sentence()))
            await app({**scope, "headers": headers}, receive, notice.send)

        compressed = BrotliMiddleware(serve, quality=_BROTLI_QUALITY)

        async def serve_pages(scope: Scope, receive: Receive, send: Send) -> None:
            is_resource = scope["path"].startswith(RESOURCES)
            await (app if is_resource else compressed)(scope, receive, send)

        return serve_pages

    return wrap


def _style(sentence: str) -> str:
    """Return the style sheet whose generated content is the sentence."""
    return _STYLE.format(_NOT_PLAIN.sub(lambda found: f"\\{ord(found[0]):x} ", sentence))


class _Notice:
    """Sends a response; if it is a page, completely received and with the style in its head."""

    def __init__(self, send: Send, style: str) -> None:
        self._send = send
        self._style = style
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and self._is_page(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._send_page(self._start)

    def _is_page(self, start: Message) -> bool:
        return "html" in MutableHeaders(scope=start).get("content-type", "")

    async def _send_page(self, start: Message) -> None:
        element = f"<style>{self._style}</style>".encode()
        head, end, rest = bytes(self._body).partition(b"</head>")
        page = head + element + end + rest if end else self._body and element + bytes(self._body)
        headers = MutableHeaders(scope=start)
        for name in _VALIDATORS:
            del headers[name]
        headers["content-length"] = str(len(page))
        if HEADER in headers:
            headers[HEADER] = _STYLE_SOURCES.sub(self._allowed, headers[HEADER])
        await self._send(start)
        await self._send({"type": "http.response.body", "body": bytes(page)})

    def _allowed(self, found: re.Match[str]) -> str:
        """Return the directive `style-src` with the style's hash, unless all styles are allowed."""
        if "'unsafe-inline'" in found["sources"]:
            return found[0]
        digest = base64.b64encode(hashlib.sha256(self._style.encode()).digest()).decode()
        return f"{found[0]} 'sha256-{digest}'"
