"""The sentence at the top of every page of a demonstration."""

import re

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kit.http.csp import HEADER, PagePolicy
from kit.http.page_notice import page_notice

pytestmark = pytest.mark.anyio

PAGE = "<html><head><title>Menu</title></head><body><p>Thali</p></body></html>"
STRICT = "default-src 'none'; style-src 'self'; img-src 'self'"
SENTENCE = 'Not "real".'
SHOWN = 'body::before{content:"Not \\22 real\\22 ."'


def answer(body=PAGE, status=200, **headers):
    async def respond(_request):
        return HTMLResponse(
            body, status, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )

    return respond


@pytest.fixture
async def site(tmp_path):
    (tmp_path / "terms.html").write_text(PAGE)
    app = Starlette(
        routes=[
            Route("/menu", answer(content_security_policy=PagePolicy().for_page(PAGE))),
            Route("/kitchen", answer(content_security_policy=STRICT)),
            Route("/bare", answer("<p>Thali</p>")),
            Route("/nowhere", answer(status=404)),
            Route("/data", lambda _: JSONResponse({"page": PAGE})),
            Route("/assets/app.js", lambda _: Response(PAGE, media_type="text/javascript")),
            Mount("/", StaticFiles(directory=tmp_path, html=True)),
        ]
    )
    transport = httpx.ASGITransport(app=page_notice(lambda: SENTENCE)(app))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


@pytest.mark.parametrize("path", ["/menu", "/kitchen", "/bare", "/nowhere", "/terms.html"])
async def test_page_shows_the_sentence(site, path):
    response = await site.get(path)
    assert SHOWN in response.text
    assert "<p>Thali</p>" in response.text
    assert response.text.count("<style>") == 1


async def test_page_is_sent_whole_when_the_browser_has_an_old_copy(site):
    first = await site.get("/terms.html")
    assert not {"etag", "last-modified"} & set(first.headers)
    old = {"if-modified-since": "Tue, 24 Nov 2099 00:00:00 GMT", "range": "bytes=0-10"}
    response = await site.get("/terms.html", headers=old)
    assert (response.status_code, SHOWN in response.text) == (200, True)


async def test_style_is_allowed_by_the_policy_of_a_strict_page(site):
    (policy,) = (await site.get("/kitchen")).headers.get_list(HEADER)
    assert re.search(r"style-src 'self' 'sha256-[\w+/]+='; img-src 'self'$", policy)
    unchanged = (await site.get("/menu")).headers[HEADER]
    assert unchanged == PagePolicy().for_page(PAGE)


@pytest.mark.parametrize("path", ["/data", "/assets/app.js"])
async def test_response_without_a_page_is_not_changed(site, path):
    response = await site.get(path)
    assert "::before" not in response.text
    assert PAGE in (response.json()["page"] if path == "/data" else response.text)
