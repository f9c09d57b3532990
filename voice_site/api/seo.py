"""robots.txt, the sitemap, and the metadata of "/" for search engines and link previews.

The pages are built once for every origin (docs/decisions/0004), so the server inserts the elements
that contain the origin.
"""

import hashlib
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import brotli
from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from kit.fonts import font_url
from kit.http.csp import escape_script_json
from voice_site.content.company import COMPANY
from voice_site.content.copy import DESCRIPTION, PREVIEW, TITLE
from voice_site.content.plans import PLANS

_PREVIEW_WIDTH, _PREVIEW_HEIGHT = 1200, 630
_PREVIEW_ALT = "TARA by DA'VINCI: five luminous voices over one measured string"
_FIRST_FONTS = ("tara-cormorant-normal", "tara-cormorant-italic", "tara-ysabeau-normal")
_PRIVATE = ("/api/", "/payment/", "/sandbox/", "/forms/", "/data/")
_BUILT_PREVIEW = f'<meta content="{PREVIEW}" property="og:image"/>'


def create_router(origin: str, page: Path, public: Sequence[str]) -> APIRouter:
    """Return the router; `page` is the built "/", `public` the paths for the sitemap."""
    router = APIRouter(include_in_schema=False)
    home = HomePage(page, origin)

    @router.get("/robots.txt")
    async def robots() -> Response:  # pyright: ignore[reportUnusedFunction]
        lines = ["User-agent: *", *(f"Disallow: {path}" for path in _PRIVATE)]
        return PlainTextResponse("\n".join([*lines, "", f"Sitemap: {origin}/sitemap.xml", ""]))

    @router.get("/sitemap.xml")
    async def sitemap() -> Response:  # pyright: ignore[reportUnusedFunction]
        urls = "".join(f"<url><loc>{escape(origin + path)}</loc></url>" for path in public)
        namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        body = f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{namespace}">{urls}</urlset>'
        return Response(body, media_type="application/xml")

    if page.is_file():

        @router.api_route("/", methods=["GET", "HEAD"])
        async def index(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
            home.read()
            headers = {"etag": home.etag, "vary": "Accept-Encoding"}
            if request.headers.get("if-none-match") == home.etag:
                return Response(status_code=304, headers=headers)
            if "br" not in request.headers.get("accept-encoding", ""):
                return HTMLResponse(home.html, headers=headers)
            return HTMLResponse(home.compressed, headers=headers | {"content-encoding": "br"})

    return router


class HomePage:
    """The built page with the elements that contain the origin; reloaded after a build."""

    def __init__(self, file: Path, origin: str) -> None:
        self._file = file
        self._head = head(origin)
        self._preview = f'<meta content="{escape(origin + PREVIEW)}" property="og:image"/>'
        self._built_at = 0.0
        self.html, self.etag, self.compressed = "", "", b""

    def read(self) -> None:
        """Reload the page if it was built again: its HTML, entity tag and compressed form."""
        built_at = self._file.stat().st_mtime
        if built_at != self._built_at:
            html = self._file.read_text(encoding="utf-8")
            html = html.replace(_BUILT_PREVIEW, self._preview, 1)
            self.html = html.replace("</head>", f"{self._head}</head>", 1)
            self.etag = f'W/"{hashlib.sha256(self.html.encode()).hexdigest()[:16]}"'
            self.compressed = brotli.compress(self.html.encode())
            self._built_at = built_at


def head(origin: str) -> str:
    """Return the elements of the head that contain the origin."""
    properties = {
        "og:type": "website",
        "og:site_name": COMPANY.name,
        "og:title": TITLE,
        "og:description": DESCRIPTION,
        "og:url": f"{origin}/",
        "og:locale": "en_IN",
        "og:image:width": str(_PREVIEW_WIDTH),
        "og:image:height": str(_PREVIEW_HEIGHT),
        "og:image:alt": _PREVIEW_ALT,
    }
    metas = [
        f'<meta property="{name}" content="{escape(content)}"/>'
        for name, content in properties.items()
    ]
    data = escape_script_json(json.dumps(json_ld(origin), ensure_ascii=False))
    fonts = [
        f'<link rel="preload" href="{font_url(name)}" as="font" type="font/woff2"'
        ' crossorigin="anonymous"/>'
        for name in _FIRST_FONTS
    ]
    return "".join(
        [
            *fonts,
            f'<link rel="canonical" href="{escape(origin)}/"/>',
            *metas,
            '<meta name="twitter:card" content="summary_large_image"/>',
            f'<script type="application/ld+json">{data}</script>',
        ]
    )


def json_ld(origin: str) -> dict[str, Any]:
    """Return the company and its three offers in schema.org's vocabulary."""
    organization = f"{origin}/#organization"
    offers = [
        {
            "@type": "Offer",
            "name": plan.name,
            "description": plan.summary,
            "price": str(plan.price_rupees),
            "priceCurrency": "INR",
            "url": f"{origin}/#tara-variants-section",
            "seller": {"@id": organization},
        }
        for plan in PLANS
    ]
    return {
        "@context": "https://schema.org",
        "@graph": [
            {
                "@type": "Organization",
                "@id": organization,
                "name": COMPANY.name,
                "legalName": COMPANY.legal_name,
                "url": f"{origin}/",
                "email": COMPANY.email,
            },
            {
                "@type": "SoftwareApplication",
                "name": "TARA",
                "applicationCategory": "BusinessApplication",
                "operatingSystem": "Web",
                "description": DESCRIPTION,
                "provider": {"@id": organization},
                "offers": offers,
            },
        ],
    }
