"""ASGI middleware for `requests_only`: security headers and cache lifetime of each response."""

from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.http.locale import vary_by_language

_RESOURCE_HEADERS = {"x-content-type-options": "nosniff"}
_DOCUMENT_HEADERS = {
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    # The landing page listens when a visitor asks it to.
    "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
    "cross-origin-opener-policy": "same-origin",
}
_HTTPS_HEADERS = {"strict-transport-security": "max-age=31536000; includeSubDomains"}
_IMMUTABLE = ("/assets/", "/fonts/")
"""Files with a hash in their name."""
RESOURCES = (*_IMMUTABLE, "/audio/", "/css/", "/images/", "/video/")
"""Files that pages load; browsers ignore headers for documents on them, as on JSON."""
_YEAR = "public, max-age=31536000, immutable"
_IS_FILE = frozenset({200, 206, 304})
"""Statuses of a response that contains or confirms a file."""


def security_headers(*, is_encrypted: bool) -> Callable[[ASGIApp], ASGIApp]:
    """Set each header that a response does not set itself.

    Files with a hash in their name are cached for a year, and errors in their place not at all: an
    upgrade may add the file a moment later. Pages are validated on each visit. With `is_encrypted`
    browsers use https only (HSTS).
    """
    resource = _RESOURCE_HEADERS | (_HTTPS_HEADERS if is_encrypted else {})
    document = resource | _DOCUMENT_HEADERS

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_with_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    headers = MutableHeaders(scope=message)
                    is_data = headers.get("content-type", "").startswith("application/json")
                    is_resource = is_data or scope["path"].startswith(RESOURCES)
                    defaults = resource if is_resource else document
                    for name, value in defaults.items():
                        headers.setdefault(name, value)
                    _set_cache_control(headers, scope["path"], message["status"])
                await send(message)

            await app(scope, receive, send_with_headers)

        return serve

    return wrap


def _set_cache_control(headers: MutableHeaders, path: str, status: int) -> None:
    if path.startswith(_IMMUTABLE) and status not in _IS_FILE:
        headers["cache-control"] = "no-store"
    elif path.startswith(_IMMUTABLE):
        headers.setdefault("cache-control", _YEAR)
    elif "html" in headers.get("content-type", "") and "cache-control" not in headers:
        vary_by_language(headers)
