"""The content security policy (CSP) of each page, made from the page itself.

A browser runs only scripts that are files of this site, or inline scripts of the built page, which
the policy names by their hash. An injected script is not run.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "content-security-policy"
_INLINE = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
_NEVER_RUN = re.compile(r"\bsrc=|application/ld\+json")
_PAGE = re.compile(r"[\w-]{1,80}(?:/[\w-]{1,80}){0,4}\.html", re.ASCII)
_SOCKET_SCHEMES = {"http": "ws", "https": "wss"}


def escape_script_json(data: str) -> str:
    """Return JSON that is safe inside a `<script>` element: it cannot contain its end tag."""
    return data.replace("<", "\\u003c")


@dataclass(frozen=True)
class PagePolicy:
    """The policy of the deployment's pages.

    Args:
        origins: The site's own origins, to whose WebSockets pages may connect.
        also: Further sources by directive: `{"script-src": ["https://cdn.example"]}`.
    """

    origins: Sequence[str] = ()
    also: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])

    def for_page(self, page: str = "") -> str:
        """Return the header's value for a page with these inline scripts."""
        parts = {
            "default-src": ["'self'"],
            "script-src": ["'self'", *_hashes(page)],
            "style-src": ["'self'", "'unsafe-inline'"],  # React sets inline styles
            "img-src": ["'self'", "data:"],
            "connect-src": ["'self'", *map(_socket, self.origins)],
            "object-src": ["'none'"],
            "frame-src": ["'none'"],
            "base-uri": ["'none'"],
            "form-action": ["'self'"],
            "frame-ancestors": ["'none'"],
        }
        return "; ".join(
            " ".join([name, *allowed, *self.also.get(name, ())]) for name, allowed in parts.items()
        )


class ContentSecurityPolicy:
    """Sets the policy of each built page, by its file in `static`; for `requests_only`."""

    def __init__(self, app: ASGIApp, static: Path, policy: PagePolicy) -> None:
        self._app = app
        self._static = static
        self._policy = policy
        self._known: dict[Path, tuple[float, str]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "html" in headers.get("content-type", "") and HEADER not in headers:
                    headers[HEADER] = self._policy_at(scope["path"])
            await send(message)

        await self._app(scope, receive, send_with_policy)

    def _policy_at(self, path: str) -> str:
        """Return the policy of the page at a path, or of the page 404."""
        for name in (path.lstrip("/") or "index.html", "404.html"):
            file = self._static / name
            if _PAGE.fullmatch(name) and file.is_file():
                return self._for_file(file)
        return self._policy.for_page()

    def _for_file(self, file: Path) -> str:
        built_at = file.stat().st_mtime
        if self._known.get(file, (0.0, ""))[0] != built_at:
            page = file.read_text(encoding="utf-8")
            self._known[file] = (built_at, self._policy.for_page(page))
        return self._known[file][1]


def _hashes(page: str) -> list[str]:
    codes = {
        found["code"]
        for found in _INLINE.finditer(page)
        if not _NEVER_RUN.search(found["attributes"])
    }
    digests = (hashlib.sha256(code.encode()).digest() for code in codes)
    return sorted(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def _socket(origin: str) -> str:
    parts = urlsplit(origin)
    return f"{_SOCKET_SCHEMES[parts.scheme]}://{parts.netloc}"
