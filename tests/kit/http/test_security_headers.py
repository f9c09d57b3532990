"""The headers that every response has."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kit.http.security_headers import security_headers

pytestmark = pytest.mark.anyio

YEAR = "public, max-age=31536000, immutable"


async def test_every_response_forbids_type_sniffing(site):
    for address in ("/", "/campus", "/assets/app-1a2b3c.js", "/api/path"):
        assert (await site.get(address)).headers["x-content-type-options"] == "nosniff"


async def test_documents_forbid_frames_and_devices(site):
    for address in ("/", "/campus", "/api/path"):
        headers = (await site.get(address)).headers
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "strict-origin-when-cross-origin"
        assert "camera=()" in headers["permissions-policy"]
        assert "microphone=(self)" in headers["permissions-policy"]


async def headers_of(path, response, *, is_encrypted=False, asked=""):
    """Return the headers of a response of an application, which the middleware has changed."""
    app = Starlette(routes=[Route(path, lambda _request: response)])
    transport = httpx.ASGITransport(app=security_headers(is_encrypted=is_encrypted)(app))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        return (await client.get(asked or path)).headers


async def test_json_has_no_headers_of_documents():
    headers = await headers_of("/api/data", JSONResponse({}))
    assert headers["x-content-type-options"] == "nosniff"
    assert "permissions-policy" not in headers


async def test_hsts_is_set_when_the_site_uses_https():
    for is_encrypted in (True, False):
        headers = await headers_of("/", Response("Hello"), is_encrypted=is_encrypted)
        told = headers.get("strict-transport-security", "")
        assert told.startswith("max-age=31536000") == is_encrypted


async def test_header_of_the_application_is_kept(site):
    assert (await site.get("/api/framed")).headers["x-frame-options"] == "SAMEORIGIN"
    assert (await site.get("/api/kept")).headers["cache-control"] == "no-store"


async def test_hashed_files_are_cached_for_a_year_and_pages_validated(site):
    kept = {
        "/assets/app-1a2b3c.js": YEAR,
        "/campus": "no-cache",
        "/": "no-cache",
        "/api/path": None,
    }
    for address, value in kept.items():
        assert (await site.get(address)).headers.get("cache-control") == value, address


async def test_error_in_place_of_a_hashed_file_is_not_cached():
    for folder in ("assets", "fonts"):
        file = f"/{folder}/app-1a2b3c.js"
        for status in (400, 404, 405, 416, 429, 500, 503):
            response = Response(status_code=status, headers={"cache-control": YEAR})
            assert (await headers_of(file, response))["cache-control"] == "no-store", status
        missing = await headers_of(file, response, asked=f"/{folder}/of-the-next-release.js")
        assert missing["cache-control"] == "no-store"


async def test_control_hashed_file_is_cached_for_a_year():
    for status in (200, 206, 304):
        headers = await headers_of("/assets/app-1a2b3c.js", Response(status_code=status))
        assert headers["cache-control"] == YEAR
