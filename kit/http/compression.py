"""Compression of pages that are rendered per request; the build compresses its files."""

from brotli_asgi import BrotliMiddleware
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp

from kit.http.csp import HEADER, PagePolicy

BROTLI_QUALITY = 8
"""Quality for responses that are compressed per request: smaller and faster than gzip's best."""


def compressed_page(page: str, status: int, policy: PagePolicy) -> ASGIApp:
    """Return an app that answers with a page and the content security policy of its scripts."""
    response = HTMLResponse(page, status, headers={HEADER: policy.for_page(page)})
    return BrotliMiddleware(response, quality=BROTLI_QUALITY)
