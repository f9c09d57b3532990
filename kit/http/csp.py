"""What a page may load and run: a content security policy made of the page itself.

Scripts run that are files of ours, or stand in the page as it was built; each of those is named by
its hash, so that nothing which finds its way into a page is ever run.
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

POLICY = "content-security-policy"
_INLINE = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL)
_NEVER_RUN = re.compile(r"\bsrc=|application/ld\+json")
_PAGE = re.compile(r"[\w-]{1,80}(?:/[\w-]{1,80}){0,4}\.html", re.ASCII)
_SOCKET_SCHEMES = {"http": "ws", "https": "wss"}


def in_script(data: str) -> str:
    """Return JSON as a script of a page may hold it: whatever it says, it can't end that script."""
    return data.replace("<", "\\u003c")


@dataclass(frozen=True)
class PagePolicy:
    """The policy of every page of the deployment.

    `origins` are the site's own addresses, whose sockets pages may open; `also` are what else a
    part of the policy allows, like `{"script-src": ["https://cdn.example"]}`.
    """

    origins: Sequence[str] = ()
    also: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])

    def of(self, page: str = "") -> str:
        """Return the policy of a page, by the scripts that stand in it."""
        parts = {
            "default-src": ["'self'"],
            "script-src": ["'self'", *_hashes(page)],
            "style-src": ["'self'", "'unsafe-inline'"],  # what draws the pages sets styles inline
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


class BuiltPages:
    """Sends each page that was built with its own policy, and all others with one of them."""

    def __init__(self, app: ASGIApp, static: Path, policy: PagePolicy) -> None:
        self._app = app
        self._static = static
        self._policy = policy
        self._known: dict[Path, tuple[float, str]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "html" in headers.get("content-type", "") and POLICY not in headers:
                    headers[POLICY] = self._policy_at(scope["path"])
            await send(message)

        await self._app(scope, receive, send_with_policy)

    def _policy_at(self, path: str) -> str:
        """Return the policy of the page at a path, or of the one for all other addresses."""
        for name in (path.lstrip("/") or "index.html", "404.html"):
            file = self._static / name
            if _PAGE.fullmatch(name) and file.is_file():
                return self._of(file)
        return self._policy.of()

    def _of(self, file: Path) -> str:
        built_at = file.stat().st_mtime
        if self._known.get(file, (0.0, ""))[0] != built_at:
            page = file.read_text(encoding="utf-8")
            self._known[file] = (built_at, self._policy.of(page))
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
