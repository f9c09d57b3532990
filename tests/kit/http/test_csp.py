"""What pages may load and run."""

import base64
import hashlib
import os

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from kit.http.csp import POLICY, BuiltPages, PagePolicy

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


def test_a_script_that_stands_in_the_page_is_named_by_its_hash():
    policy = parts(PagePolicy().of(page(f"<script>{SHOP}</script>", f"<script>{ABOUT}</script>")))
    assert set(policy["script-src"]) == {"'self'", digest(SHOP), digest(ABOUT)}


def test_a_script_that_waits_for_its_turn_is_named_too():
    policy = parts(PagePolicy().of(page(f'<script type="text/plain" id="x">{SHOP}</script>')))
    assert digest(SHOP) in policy["script-src"]


@pytest.mark.parametrize(
    "never_run",
    [
        pytest.param('<script src="/assets/app.js" async=""></script>', id="a file"),
        pytest.param(f'<script type="application/ld+json">{DATA}</script>', id="data"),
    ],
)
def test_what_is_no_script_of_the_page_is_not_named(never_run):
    assert parts(PagePolicy().of(page(never_run)))["script-src"] == ["'self'"]


def test_nothing_is_run_that_is_not_named_and_nothing_comes_from_elsewhere():
    policy = parts(PagePolicy().of())
    assert "unsafe-inline" not in " ".join(policy["script-src"])
    assert "unsafe-eval" not in PagePolicy().of()
    for name in ("object-src", "frame-src", "base-uri", "frame-ancestors"):
        assert policy[name] == ["'none'"]
    assert {policy[name][0] for name in ("default-src", "form-action", "connect-src")} == {"'self'"}


def test_the_sites_own_sockets_may_be_opened():
    policy = parts(PagePolicy(("https://food.example", "http://localhost:3000")).of())
    assert policy["connect-src"] == ["'self'", "wss://food.example", "ws://localhost:3000"]


def test_another_site_is_asked_only_where_an_operator_said_so():
    also = {"script-src": ["https://cdn.example"]}
    assert parts(PagePolicy(also=also).of())["script-src"] == ["'self'", "https://cdn.example"]


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
        own = {POLICY: "default-src 'none'"} if request.url.path == "/own" else {}
        return HTMLResponse("a page", headers=own)

    app = Starlette(routes=[Route("/{rest:path}", answer)])
    transport = httpx.ASGITransport(app=BuiltPages(app, static, PagePolicy()))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/", SHOP),
        ("/about/us.html", ABOUT),
        ("/menu/1", "lost()"),
        ("/nowhere.html", "lost()"),
        ("/" + "x" * 5_000 + ".html", "lost()"),
        ("/..%2f..%2fetc.html", "lost()"),
    ],
)
async def test_each_page_is_sent_with_its_own(site, path, code):
    assert parts((await site.get(path)).headers[POLICY])["script-src"] == ["'self'", digest(code)]


async def test_a_page_that_is_built_again_gets_another(site, static):
    await site.get("/")
    (static / "index.html").write_text(page("<script>new()</script>"), encoding="utf-8")
    os.utime(static / "index.html", (1, 1))
    assert digest("new()") in (await site.get("/")).headers[POLICY]


async def test_a_page_with_a_policy_of_its_own_keeps_it(site):
    assert (await site.get("/own")).headers[POLICY] == "default-src 'none'"


async def test_what_is_no_page_has_none(site):
    assert POLICY not in (await site.get("/api")).headers
