"""A small production build and a site that serves it."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kit.http.locale import PageFolders
from kit.http.page_addresses import page_addresses
from kit.http.security_headers import security_headers


@pytest.fixture
def static(tmp_path):
    """The files of a build. Reflex writes each page twice."""
    files = {
        "index.html": "<p>index</p>",
        "404.html": "<p>not found</p>",
        "offline.html": "<p>offline</p>",
        "campus.html": "<p>campus</p>",
        "campus/index.html": "<p>campus</p>",
        "menu/1.html": "<p>menu one</p>",
        "menu/1/index.html": "<p>menu one</p>",
        "assets/app-1a2b3c.js": "1;",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


@pytest.fixture
async def site(static):
    app = Starlette(
        routes=[
            Route("/api/path", lambda request: PlainTextResponse(request.url.path)),
            Route("/api/kept", lambda _: Response(headers={"cache-control": "no-store"})),
            Route("/api/framed", lambda _: Response(headers={"x-frame-options": "SAMEORIGIN"})),
            Route("/old", lambda _: RedirectResponse("/campus", 307)),
            Mount("/", StaticFiles(directory=static, html=True)),
        ]
    )
    folders = PageFolders(static, ["en", "hi"], lambda: "en")
    pages = page_addresses(folders, ["/", "/campus"], {"/menu/": "/menu/1"})
    transport = httpx.ASGITransport(app=security_headers(is_encrypted=False)(pages(app)))
    async with httpx.AsyncClient(transport=transport, base_url="http://food.example") as client:
        yield client
