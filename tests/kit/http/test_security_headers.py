"""The headers that every response has."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kit.http.security_headers import security_headers

pytestmark = pytest.mark.anyio

YEAR = "public, max-age=31536000, immutable"


@pytest.mark.parametrize("address", ["/", "/campus", "/assets/app-1a2b3c.js", "/api/path"])
async def test_every_response_forbids_type_sniffing(site, address):
    assert (await site.get(address)).headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("address", ["/", "/campus", "/api/path"])
async def test_documents_forbid_frames_and_devices(site, address):
    headers = (await site.get(address)).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "strict-origin-when-cross-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "microphone=(self)" in headers["permissions-policy"]


async def test_json_has_no_headers_of_documents():
    routes = [Route("/api/data", lambda _: JSONResponse({}))]
    app = security_headers(is_encrypted=False)(Starlette(routes=routes))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        headers = (await client.get("/api/data")).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "permissions-policy" not in headers


@pytest.mark.parametrize("is_encrypted", [True, False])
async def test_hsts_is_set_when_the_site_uses_https(is_encrypted):
    app = security_headers(is_encrypted=is_encrypted)(Starlette(routes=[Route("/", _hello)]))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        told = (await client.get("/")).headers.get("strict-transport-security", "")
    assert told.startswith("max-age=31536000") == is_encrypted


def _hello(_request):
    return Response("Hello")


async def test_header_of_the_application_is_kept(site):
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
async def test_hashed_files_are_cached_for_a_year_and_pages_validated(site, address, kept):
    assert (await site.get(address)).headers.get("cache-control") == kept


@pytest.mark.parametrize("folder", ["assets", "fonts"])
@pytest.mark.parametrize("status", [400, 404, 405, 416, 429, 500, 503])
async def test_error_in_place_of_a_hashed_file_is_not_cached(folder, status):
    def fail(_request):
        return Response(status_code=status, headers={"cache-control": YEAR})

    app = Starlette(routes=[Route(f"/{folder}/app-1a2b3c.js", fail)])
    transport = httpx.ASGITransport(app=security_headers(is_encrypted=False)(app))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        response = await client.get(f"/{folder}/app-1a2b3c.js")
        missing = await client.get(f"/{folder}/of-the-next-release.js")
    assert response.headers["cache-control"] == "no-store"
    assert missing.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("status", [200, 206, 304])
async def test_control_hashed_file_is_cached_for_a_year(status):
    routes = [Route("/assets/app-1a2b3c.js", lambda _: Response(status_code=status))]
    app = security_headers(is_encrypted=False)(Starlette(routes=routes))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        assert (await client.get("/assets/app-1a2b3c.js")).headers["cache-control"] == YEAR
