"""The content security policy of pages."""

import base64
import hashlib
import os

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from kit.http.csp import HEADER, ContentSecurityPolicy, PagePolicy

pytestmark = pytest.mark.anyio
SHOP = "let cart = [];"
ABOUT = "let\nwords = '</b>';"
DATA = '{"@type": "Offer"}'


def digest(code):
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def parts(policy):
    return {name: allowed for name, *allowed in (part.split() for part in policy.split("; "))}


def page(*scripts):
    return f"<html><body>{''.join(scripts)}</body></html>"


def test_policy_names_inline_scripts_by_hash():
    scripts = (f"<script>{SHOP}</script>", f'<script type="text/plain" id="x">{ABOUT}</script>')
    policy = parts(PagePolicy().for_page(page(*scripts)))
    assert set(policy["script-src"]) == {"'self'", digest(SHOP), digest(ABOUT)}
    file = '<script src="/assets/app.js" async=""></script>'
    data = f'<script type="application/ld+json">{DATA}</script>'
    assert parts(PagePolicy().for_page(page(file, data)))["script-src"] == ["'self'"]


def test_policy_allows_neither_inline_code_nor_other_sites():
    policy = parts(PagePolicy().for_page())
    assert "unsafe-inline" not in " ".join(policy["script-src"])
    assert "unsafe-eval" not in PagePolicy().for_page()
    for name in ("object-src", "frame-src", "base-uri", "frame-ancestors"):
        assert policy[name] == ["'none'"]
    assert {policy[name][0] for name in ("default-src", "form-action", "connect-src")} == {"'self'"}


def test_policy_allows_sockets_to_own_origins_and_sources_from_the_settings():
    policy = parts(PagePolicy(("https://food.example", "http://localhost:3000")).for_page())
    assert policy["connect-src"] == ["'self'", "wss://food.example", "ws://localhost:3000"]
    chosen = parts(PagePolicy(also={"script-src": ["https://cdn.example"]}).for_page())
    assert chosen["script-src"] == ["'self'", "https://cdn.example"]


@pytest.fixture
def static(tmp_path):
    (tmp_path / "about").mkdir()
    for name, code in {"index": SHOP, "about/us": ABOUT, "404": "lost()"}.items():
        (tmp_path / f"{name}.html").write_text(page(f"<script>{code}</script>"), encoding="utf-8")
    return tmp_path


@pytest.fixture
async def site(static):
    async def answer(request):
        if request.url.path == "/api":
            return PlainTextResponse("no page")
        own = {HEADER: "default-src 'none'"} if request.url.path == "/own" else {}
        return HTMLResponse("a page", headers=own)

    app = Starlette(routes=[Route("/{rest:path}", answer)])
    transport = httpx.ASGITransport(app=ContentSecurityPolicy(app, static, PagePolicy()))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def test_page_is_sent_with_the_policy_of_its_file(site):
    hostile = ("/" + "x" * 5_000 + ".html", "/..%2f..%2fetc.html")
    lost = dict.fromkeys(("/menu/1", "/nowhere.html", *hostile), "lost()")
    for path, code in ({"/": SHOP, "/about/us.html": ABOUT} | lost).items():
        policy = parts((await site.get(path)).headers[HEADER])
        assert policy["script-src"] == ["'self'", digest(code)], path[:30]


async def test_policy_is_read_again_when_the_page_is_rebuilt(site, static):
    await site.get("/")
    (static / "index.html").write_text(page("<script>new()</script>"), encoding="utf-8")
    os.utime(static / "index.html", (1, 1))
    assert digest("new()") in (await site.get("/")).headers[HEADER]


async def test_policy_of_the_application_is_kept(site):
    assert (await site.get("/own")).headers[HEADER] == "default-src 'none'"
    assert HEADER not in (await site.get("/api")).headers
