"""Each page answers at one address, without a redirect."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

pytestmark = pytest.mark.anyio


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
async def test_page_answers_at_its_own_address_without_redirect(site, method, address, content):
    # Source: specification C3.17.
    answer = await site.request(method, address)
    assert answer.status_code == 200
    assert answer.text == (content if method == "GET" else "")


async def test_static_files_redirect_to_a_slash_without_the_middleware(static):
    """The negative control of the test above."""
    app = Starlette(routes=[Mount("/", StaticFiles(directory=static, html=True))])
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://food.example") as client:
        answer = await client.get("/campus")
    assert (answer.status_code, answer.headers["location"]) == (307, "http://food.example/campus/")


@pytest.mark.parametrize(
    ("file", "address"),
    [
        ("/index.html", "/"),
        ("/campus.html", "/campus"),
        ("/campus/index.html", "/campus"),
        ("/menu/8.html", "/menu/8"),
        ("/hi/index.html", "/?language=hi"),
        ("/hi/campus.html", "/campus?language=hi"),
    ],
)
async def test_file_of_a_page_redirects_to_the_address_of_the_page(site, file, address):
    # The script of the page has no route for the address of its file.
    answer = await site.get(file)
    assert (answer.status_code, answer.headers["location"]) == (307, address)


async def test_file_without_a_route_answers_at_its_own_address(site):
    # The service worker stores /offline.html.
    assert (await site.get("/offline.html")).text == "<p>offline</p>"


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("/nowhere", id="no such page"),
        pytest.param("/nowhere.html", id="no such file of a page"),
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
async def test_unknown_address_is_not_found(site, address):
    assert (await site.get(address)).status_code == 404


async def test_redirect_of_the_application_is_kept(site):
    answer = await site.get("/old")
    assert (answer.status_code, answer.headers["location"]) == (307, "/campus")


async def test_address_of_a_call_is_unchanged(site):
    assert (await site.get("/api/path")).text == "/api/path"
