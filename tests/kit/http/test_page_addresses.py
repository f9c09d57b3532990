"""Each page answers at one address, without a redirect."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

pytestmark = pytest.mark.anyio


ADDRESSES = {
    "<p>index</p>": ["/"],
    "<p>campus</p>": ["/campus", "/campus/"],
    "<p>menu one</p>": ["/menu/1", "/menu/1?preReserved=true", "/menu/8"],
}


@pytest.mark.parametrize("content", ADDRESSES)
async def test_page_answers_at_its_own_address_without_redirect(site, content):
    # Source: specification C3.17.
    for address in ADDRESSES[content]:
        for method, sent in (("GET", content), ("HEAD", "")):
            answer = await site.request(method, address)
            assert (answer.status_code, answer.text) == (200, sent), address


async def test_static_files_redirect_to_a_slash_without_the_middleware(static):
    """The negative control of the test above."""
    app = Starlette(routes=[Mount("/", StaticFiles(directory=static, html=True))])
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://food.example") as client:
        answer = await client.get("/campus")
    assert (answer.status_code, answer.headers["location"]) == (307, "http://food.example/campus/")


async def test_file_of_a_page_redirects_to_the_address_of_the_page(site):
    """The script of the page has no route for the address of its file."""
    for file, address in {
        "/index.html": "/",
        "/campus.html": "/campus",
        "/campus/index.html": "/campus",
        "/menu/8.html": "/menu/8",
        "/hi/index.html": "/?language=hi",
        "/hi/campus.html": "/campus?language=hi",
    }.items():
        answer = await site.get(file)
        assert (answer.status_code, answer.headers["location"]) == (307, address)
    assert (await site.get("/offline.html")).text == "<p>offline</p>"  # no route: a file alone


async def test_unknown_address_is_not_found(site):
    long = ("/" + "a" * 300, "/" + "a/" * 3_000)
    absent = ("/nowhere", "/nowhere.html", "/menu", "/menu/1/2", "/assets/nothing.js")
    for address in (*absent, "/..%2f..%2fetc/passwd", "/%00", *long, "/%ff%fe"):
        assert (await site.get(address)).status_code == 404, address[:30]


async def test_redirect_of_the_application_is_kept(site):
    answer = await site.get("/old")
    assert (answer.status_code, answer.headers["location"]) == (307, "/campus")
    assert (await site.get("/api/path")).text == "/api/path"
