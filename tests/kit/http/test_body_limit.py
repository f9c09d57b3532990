"""Bodies above the limit are refused before the application sees them."""

import json

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from kit.http.body_limit import body_limit

pytestmark = pytest.mark.anyio

MEGABYTE, CHUNK = 1_000_000, 64_000


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


async def in_chunks(size):
    """Send so many bytes without saying how many there are."""
    for start in range(0, size, CHUNK):
        yield b"x" * min(CHUNK, size - start)


@pytest.mark.parametrize("path", ["/api/count", "/payment/count"])
@pytest.mark.parametrize("is_said", [True, False], ids=["with a content-length", "without one"])
async def test_body_twice_the_limit_is_refused(limited, path, is_said):
    # Source: specification C3.20.
    body = b"x" * (2 * MEGABYTE) if is_said else in_chunks(2 * MEGABYTE)
    answer = await limited.post(path, content=body)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["error"]["code"] == "too_large"


async def test_body_within_the_limit_arrives_whole(limited):
    for size in (0, 1, MEGABYTE - 1, MEGABYTE):
        for body in (b"x" * size, in_chunks(size)):
            answer = await limited.post("/api/count", content=body)
            assert (answer.status_code, answer.json()) == (200, {"bytes": size})
    answer = await limited.post("/api/count", content=b"x" * (MEGABYTE + 1))
    assert answer.status_code == 413


async def test_limit_applies_only_below_its_prefixes(limited):
    answer = await limited.post("/elsewhere", content=b"x" * (2 * MEGABYTE))
    assert answer.json() == {"bytes": 2 * MEGABYTE}


async def test_body_is_not_read_beyond_the_limit():
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
