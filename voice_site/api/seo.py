"""robots.txt, the sitemap, and the metadata of "/" for search engines and link previews.

One build serves every origin (docs/decisions/0004), so the server inserts the elements that contain
the origin.
"""

import hashlib
import json
from collections.abc import Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import brotli
from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse

from kit.fonts import font_url
from kit.http.csp import escape_script_json
from kit.http.locale import PageFolders
from kit.text import gettext_noop
from kit.translations import ENGLISH, QUERY, language, page_language, use_locale
from voice_site.content.company import COMPANY
from voice_site.content.copy import PREVIEW, TITLE, description
from voice_site.content.facts import published_facts
from voice_site.content.plans import PLANS
from voice_site.content.questions import Question, questions
from voice_site.domain.stored_request import LINK_PATH
from voice_site.translations import LANGUAGES, t

_PREVIEW_WIDTH, _PREVIEW_HEIGHT = 1200, 630
_PREVIEW_ALT = gettext_noop("TARA by DA'VINCI: five luminous voices over one measured string")
_PRELOADED_FONTS = ("tara-cormorant-normal", "tara-ysabeau-normal")
_FONTS_OF_LANGUAGES = {"en": ("tara-cormorant-italic",), "hi": ("tara-noto-devanagari",)}
"""The fonts of the text above the fold: of every language, and of one."""
_HOME = "index"
PRIVATE = ("/api/", "/payment/", "/sandbox/", "/forms/", "/data/", "/kitchen", "/desk", LINK_PATH)
_BUILT_PREVIEW = f'<meta content="{PREVIEW}" property="og:image"/>'


def create_router(origin: str, folders: PageFolders, public: Sequence[str]) -> APIRouter:
    """Return the router; `folders` has the built pages, `public` the paths of the sitemap."""
    router = APIRouter(include_in_schema=False)

    @router.get("/robots.txt")
    async def robots() -> Response:  # pyright: ignore[reportUnusedFunction]
        lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE)]
        return PlainTextResponse("\n".join([*lines, "", f"Sitemap: {origin}/sitemap.xml", ""]))

    @router.get("/sitemap.xml")
    async def sitemap() -> Response:  # pyright: ignore[reportUnusedFunction]
        urls = "".join(f"<url><loc>{escape(origin + path)}</loc></url>" for path in public)
        namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        body = f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{namespace}">{urls}</urlset>'
        return Response(body, media_type="application/xml")

    for code in folders.languages:
        with use_locale(code):
            if folders.file(_HOME).is_file():
                _add_home_page(router, HomePage(folders.file(_HOME), origin), folders.path(_HOME))
        # Otherwise the page of a language would answer at its folder, where its scripts fail.
        for address in (f"/{code}", f"/{code}/"):
            router.add_api_route(
                address, partial(_redirect, home_address(code)), methods=["GET", "HEAD"]
            )
    return router


def _add_home_page(router: APIRouter, home: "HomePage", path: str) -> None:
    """Serve the page of one language at the path of its file, to which "/" is mapped."""

    @router.api_route(path, methods=["GET", "HEAD"])
    async def index(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        home.reload()
        headers = {"etag": home.etag, "vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == home.etag:
            return Response(status_code=304, headers=headers)
        if "br" not in request.headers.get("accept-encoding", ""):
            return HTMLResponse(home.html, headers=headers)
        return HTMLResponse(home.compressed, headers=headers | {"content-encoding": "br"})


async def _redirect(address: str) -> Response:
    return RedirectResponse(address)


def home_address(code: str) -> str:
    """Return the address of the page in a language."""
    return "/" if code == ENGLISH else f"/?{QUERY}={code}"


class HomePage:
    """The built page of the current language with the elements that contain the origin."""

    def __init__(self, file: Path, origin: str) -> None:
        self._file = file
        self._head = head(origin)
        self._preview = f'<meta content="{escape(origin + PREVIEW)}" property="og:image"/>'
        self._built_at = 0.0
        self.html, self.etag, self.compressed = "", "", b""

    def reload(self) -> None:
        """Load the HTML, its entity tag and its compressed form, if the file has changed."""
        built_at = self._file.stat().st_mtime
        if built_at != self._built_at:
            html = self._file.read_text(encoding="utf-8")
            html = html.replace(_BUILT_PREVIEW, self._preview, 1)
            self.html = html.replace("</head>", f"{self._head}</head>", 1)
            self.etag = f'W/"{hashlib.sha256(self.html.encode()).hexdigest()[:16]}"'
            self.compressed = brotli.compress(self.html.encode())
            self._built_at = built_at


def head(origin: str) -> str:
    """Return the elements of the head, in the current language, that contain the origin."""
    address = f"{origin}{home_address(language())}"
    addresses = {page_language(code): home_address(code) for code in LANGUAGES}
    alternates = [
        f'<link rel="alternate" hreflang="{tag}" href="{escape(origin + each)}"/>'
        for tag, each in {**addresses, "x-default": home_address(ENGLISH)}.items()
    ]
    properties = {
        "og:type": "website",
        "og:site_name": COMPANY.name,
        "og:title": t(TITLE),
        "og:description": description(),
        "og:url": address,
        "og:locale": page_language(language()).replace("-", "_"),
        "og:image:width": str(_PREVIEW_WIDTH),
        "og:image:height": str(_PREVIEW_HEIGHT),
        "og:image:alt": t(_PREVIEW_ALT),
    }
    metas = [
        f'<meta property="{name}" content="{escape(content)}"/>'
        for name, content in properties.items()
    ]
    asked = questions(published_facts())
    data = escape_script_json(json.dumps(json_ld(origin, asked), ensure_ascii=False))
    # Low priority: on a slow line the style sheet and picture of the first paint come first.
    fonts = [
        f'<link rel="preload" href="{font_url(name)}" as="font" type="font/woff2"'
        ' crossorigin="anonymous" fetchpriority="low"/>'
        for name in (*_PRELOADED_FONTS, *_FONTS_OF_LANGUAGES.get(language(), ()))
    ]
    return "".join(
        [
            *fonts,
            f'<link rel="canonical" href="{escape(address)}"/>',
            *alternates,
            *metas,
            '<meta name="twitter:card" content="summary_large_image"/>',
            f'<script type="application/ld+json">{data}</script>',
        ]
    )


def json_ld(origin: str, asked: Sequence[Question]) -> dict[str, Any]:
    """Return JSON-LD, in the current language, of the company, its plans and its answers."""
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
                "@type": ["Product", "SoftwareApplication"],
                "name": "TARA",
                "applicationCategory": "BusinessApplication",
                "operatingSystem": "Web",
                "description": description(),
                "provider": {"@id": organization},
                "offers": offers,
            },
            {
                "@type": "FAQPage",
                "mainEntity": [
                    {
                        "@type": "Question",
                        "name": each.question,
                        "acceptedAnswer": {"@type": "Answer", "text": each.whole_answer},
                    }
                    for each in asked
                ],
            },
        ],
    }
