"""What every HTTP answer has in common: one address per page, safe headers, bounded bodies."""

import json

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kit.http.locale import PageFolders
from kit.http.middleware import (
    body_limit,
    common_headers,
    page_addresses,
    short_headers,
)

pytestmark = pytest.mark.anyio

MEGABYTE = 1_000_000
YEAR = "public, max-age=31536000, immutable"


@pytest.fixture
def static(tmp_path):
    """The files of a small production build: each page lies there twice, as Reflex leaves it."""
    files = {
        "index.html": "<p>index</p>",
        "404.html": "<p>not found</p>",
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


def one_language(static):
    return PageFolders(static, ["en"], lambda: "en")


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
    transport = httpx.ASGITransport(
        app=common_headers(is_encrypted=False)(
            page_addresses(one_language(static), {"/menu/": "/menu/1"})(app)
        )
    )
    async with httpx.AsyncClient(transport=transport, base_url="http://food.example") as client:
        yield client


@pytest.mark.parametrize(
    ("address", "content"),
    [
        ("/", "<p>index</p>"),
        ("/campus", "<p>campus</p>"),
        ("/campus/", "<p>campus</p>"),
        ("/menu/1", "<p>menu one</p>"),
        ("/menu/1?preReserved=true", "<p>menu one</p>"),
        ("/menu/8", "<p>menu one</p>"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_page_answers_at_its_own_address_and_never_with_a_redirect(
    site, method, address, content
):
    # Source: specification C3.17.
    answer = await site.request(method, address)
    assert answer.status_code == 200
    assert answer.text == (content if method == "GET" else "")


async def test_without_the_wrapper_a_page_redirects_to_another_spelling_of_itself(static):
    """The negative control of the test above."""
    app = Starlette(routes=[Mount("/", StaticFiles(directory=static, html=True))])
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://food.example") as client:
        answer = await client.get("/campus")
    assert (answer.status_code, answer.headers["location"]) == (307, "http://food.example/campus/")


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("/nowhere", id="no such page"),
        pytest.param("/menu", id="nothing of what stands for many"),
        pytest.param("/menu/1/2", id="more than what stands for many"),
        pytest.param("/assets/nothing.js", id="no such file"),
        pytest.param("/..%2f..%2fetc/passwd", id="out of the folder"),
        pytest.param("/%00", id="a zero byte"),
        pytest.param("/" + "a" * 300, id="a name longer than a file's"),
        pytest.param("/" + "a/" * 3_000, id="a path longer than a file's"),
        pytest.param("/%ff%fe", id="no text"),
    ],
)
async def test_an_address_that_leads_nowhere_is_not_found(site, address):
    assert (await site.get(address)).status_code == 404


async def test_a_redirect_to_another_page_stays(site):
    answer = await site.get("/old")
    assert (answer.status_code, answer.headers["location"]) == (307, "/campus")


async def test_a_call_keeps_its_own_address(site):
    assert (await site.get("/api/path")).text == "/api/path"


@pytest.mark.parametrize("address", ["/", "/campus", "/assets/app-1a2b3c.js", "/api/path"])
async def test_every_answer_says_that_its_type_is_not_to_be_guessed(site, address):
    assert (await site.get(address)).headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("address", ["/", "/campus", "/api/path"])
async def test_a_document_says_what_may_be_done_with_it(site, address):
    headers = (await site.get(address)).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "strict-origin-when-cross-origin"
    assert "camera=()" in headers["permissions-policy"]


@pytest.mark.parametrize("is_encrypted", [True, False])
async def test_a_site_that_is_reached_over_https_says_never_to_come_otherwise(is_encrypted):
    app = common_headers(is_encrypted=is_encrypted)(Starlette(routes=[Route("/", _hello)]))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        told = (await client.get("/")).headers.get("strict-transport-security", "")
    assert told.startswith("max-age=31536000") == is_encrypted


def _hello(_request):
    return Response("Hello")


async def test_a_header_that_an_answer_sets_itself_stays(site):
    assert (await site.get("/api/framed")).headers["x-frame-options"] == "SAMEORIGIN"
    assert (await site.get("/api/kept")).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        pytest.param("/assets/app-1a2b3c.js", YEAR, id="a file that has its hash in its name"),
        pytest.param("/campus", "no-cache", id="a page"),
        pytest.param("/", "no-cache", id="the first page"),
        pytest.param("/api/path", None, id="a call decides for itself"),
    ],
)
async def test_browsers_keep_hashed_files_for_a_year_and_ask_for_pages(site, address, kept):
    assert (await site.get(address)).headers.get("cache-control") == kept


async def test_an_answer_says_once_what_it_varies_with():
    heard = [(b"vary", b"Accept-Encoding, Origin"), (b"vary", b"Origin"), (b"etag", b"1")]
    headers = await through_short_headers("/api/menus/1", heard)
    assert headers == {"vary": "Accept-Encoding, Origin", "etag": "1"}


async def test_what_is_kept_for_good_does_not_say_how_to_ask_after_it():
    heard = [(b"etag", b"1"), (b"last-modified", b"now"), (b"accept-ranges", b"bytes")]
    kept = (b"cache-control", YEAR.encode())
    assert await through_short_headers("/fonts/a.woff2", [kept, *heard]) == {"cache-control": YEAR}
    assert set(await through_short_headers("/fonts/a.woff2", heard)) == {
        "etag",
        "last-modified",
        "accept-ranges",
    }


async def through_short_headers(path, heard):
    sent = []

    async def app(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": heard})

    async def send(message):
        sent.append(message)

    await short_headers(app)({"type": "http", "path": path}, None, send)
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


# Bodies


async def count_bytes(request):
    return JSONResponse({"bytes": len(await request.body())})


@pytest.fixture
async def limited():
    app = Starlette(
        routes=[
            Route(path, count_bytes, methods=["GET", "POST"])
            for path in ("/api/count", "/payment/count", "/elsewhere")
        ]
    )
    transport = httpx.ASGITransport(app=body_limit(MEGABYTE, ("/api/", "/payment/"))(app))
    async with httpx.AsyncClient(transport=transport, base_url="http://food.example") as client:
        yield client


async def in_chunks(size, *, of=64_000):
    """Send so many bytes without saying how many there are."""
    for start in range(0, size, of):
        yield b"x" * min(of, size - start)


@pytest.mark.parametrize("path", ["/api/count", "/payment/count"])
@pytest.mark.parametrize("is_said", [True, False], ids=["with a content-length", "without one"])
async def test_two_megabytes_are_refused(limited, path, is_said):
    # Source: specification C3.20.
    body = b"x" * (2 * MEGABYTE) if is_said else in_chunks(2 * MEGABYTE)
    answer = await limited.post(path, content=body)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["error"]["code"] == "too_large"


@pytest.mark.parametrize("size", [0, 1, MEGABYTE - 1, MEGABYTE])
@pytest.mark.parametrize("is_said", [True, False], ids=["with a content-length", "without one"])
async def test_a_body_within_the_limit_arrives_whole(limited, size, is_said):
    body = b"x" * size if is_said else in_chunks(size)
    answer = await limited.post("/api/count", content=body)
    assert (answer.status_code, answer.json()) == (200, {"bytes": size})


async def test_one_byte_more_than_the_limit_is_refused(limited):
    answer = await limited.post("/api/count", content=b"x" * (MEGABYTE + 1))
    assert answer.status_code == 413


async def test_the_limit_holds_below_its_paths_alone(limited):
    answer = await limited.post("/elsewhere", content=b"x" * (2 * MEGABYTE))
    assert answer.json() == {"bytes": 2 * MEGABYTE}


async def test_a_body_that_is_too_large_is_not_read_to_its_end():
    read = []

    async def endless():
        read.append(1)
        return {"type": "http.request", "body": b"x" * 100_000, "more_body": True}

    sent = []

    async def send(message):
        sent.append(message)

    async def app(*_):
        raise AssertionError("the application must not see it")

    scope = {"type": "http", "path": "/api/count", "method": "POST", "headers": []}
    await body_limit(MEGABYTE, ("/api/",))(app)(scope, endless, send)
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["error"]["code"] == "too_large"
    assert len(read) == 11


async def test_body_limit_ignores_request_when_client_leaves_before_its_end():
    messages = [
        {"type": "http.request", "body": b'{"half": 1}', "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive():
        return messages.pop(0)

    async def app(*_):
        raise AssertionError("half a body must not reach the application")

    scope = {"type": "http", "path": "/api/count", "method": "POST", "headers": []}
    await body_limit(MEGABYTE, ("/api/",))(app)(scope, receive, None)


@pytest.mark.parametrize("kind", ["websocket", "lifespan"])
async def test_the_wrappers_leave_sockets_and_the_start_alone(static, kind):
    seen = []

    async def app(scope, receive, send):
        seen.append((scope, receive, send))

    scope, receive, send = {"type": kind, "path": "/api/live"}, object(), object()
    wrapped = common_headers(is_encrypted=False)(
        page_addresses(one_language(static))(body_limit(1, ("/",))(short_headers(app)))
    )
    await wrapped(scope, receive, send)
    assert seen == [(scope, receive, send)]
