"""Pages are sent in the language of the cookie. Source: specification P6.1."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kit.http.csp import HEADER, PagePolicy
from kit.http.initial_data import rendered_pages, with_initial_data
from kit.http.locale import PageFolders, request_locale
from kit.http.not_found import localized_not_found
from kit.http.page_addresses import page_addresses
from kit.http.security_headers import security_headers
from kit.translations import language

pytestmark = pytest.mark.anyio

LANGUAGES = ("en", "hi")
FILES = {
    "index.html": "<p>home</p>",
    "404.html": "<p>not found</p>",
    "about.html": "<head></head><p>about</p>",
    "terms.html": "<p>terms</p>",
    "menu/0.html": "<p>menu</p>",
    "assets/app-1.js": "1;",
    "hi/404.html": "<script>1</script><p>hindi not found</p>",
    "hi/about.html": "<head></head><p>hindi about</p>",
    "hi/menu/0.html": "<p>hindi menu</p>",
}
HINDI = {"cookie": "language=hi"}
VARY = "Accept-Language, Cookie"


@pytest.fixture
async def site(tmp_path, catalogues):
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    app = Starlette(
        routes=[
            Route("/api/language", lambda _: PlainTextResponse(language())),
            Route("/api/missing", lambda _: JSONResponse({"code": "unknown"}, 404)),
            Route("/pay/unknown", lambda _: HTMLResponse("<p>no such payment</p>", 404)),
            Mount("/", StaticFiles(directory=tmp_path, html=True)),
        ]
    )
    folders = PageFolders(tmp_path, LANGUAGES, language)
    words = {"/about": lambda: f"<meta content={language()}>"}
    for layer in (
        page_addresses(folders, ["/", "/about", "/terms"], {"/menu/": "/menu/0"}),
        rendered_pages(with_initial_data(folders, words), PagePolicy()),
        localized_not_found(folders, PagePolicy()),
        request_locale(catalogues, is_encrypted=False),
        security_headers(is_encrypted=False),
    ):
        app = layer(app)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url="http://site.test"
    ) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "english", "hindi"),
    [
        pytest.param("/menu/7", "<p>menu</p>", "<p>hindi menu</p>", id="for many addresses"),
        pytest.param(
            "/about",
            "<head><meta content=en></head><p>about</p>",
            "<head><meta content=hi></head><p>hindi about</p>",
            id="with initial data",
        ),
        pytest.param("/terms", "<p>terms</p>", "<p>terms</p>", id="not there in hindi"),
        pytest.param("/", "<p>home</p>", "<p>home</p>", id="the other product"),
        pytest.param("/assets/app-1.js", "1;", "1;", id="a script"),
        pytest.param("/api/language", "en", "hi", id="a call"),
    ],
)
async def test_page_is_sent_in_the_language_of_the_cookie(path, english, hindi, site):
    assert (await site.get(path)).text == english
    assert (await site.get(path, headers=HINDI)).text == hindi
    assert (await site.get(path)).text == english  # and the next visitor's in theirs


async def test_first_visit_is_answered_in_the_language_of_the_browser(site):
    # Source: specification 10.64.
    browser = {"accept-language": "hi-IN,hi;q=0.9,en-US;q=0.8"}
    first = await site.get("/menu/7", headers=browser)
    assert (first.text, "set-cookie" in first.headers) == ("<p>hindi menu</p>", False)
    assert (await site.get("/api/language", headers=browser)).text == "hi"
    chosen = browser | {"cookie": "language=en"}
    assert (await site.get("/menu/7", headers=chosen)).text == "<p>menu</p>"
    named = await site.get("/menu/7?language=en", headers=browser)
    assert named.text == "<p>menu</p>"
    assert named.headers["set-cookie"].startswith("language=en;")


async def test_query_chooses_the_language_and_stores_it_in_the_cookie(site):
    answer = await site.get("/menu/7?preReserved=true&language=hi")
    assert answer.text == "<p>hindi menu</p>"
    cookie = answer.headers["set-cookie"]
    assert cookie == "language=hi; Path=/; Max-Age=31536000; SameSite=Lax"
    assert (await site.get("/menu/7?language=en", headers=HINDI)).text == "<p>menu</p>"
    unknown = await site.get("/menu/7?language=xx", headers=HINDI)
    assert (unknown.text, "set-cookie" in unknown.headers) == ("<p>hindi menu</p>", False)


@pytest.mark.parametrize("query", ["&" * 101 + "language=hi", "%ff=%fe&language=hi", "a=1;" * 200])
async def test_hostile_query_is_answered(query, site):
    assert (await site.get(f"/menu/7?{query}")).status_code == 200


@pytest.mark.parametrize("path", ["/hi/about", "/hi/menu/0", "/hi"])
async def test_folder_of_a_language_is_not_found(path, site):
    assert (await site.get(path)).status_code == 404


@pytest.mark.parametrize("path", ["/nowhere", "/hi/nowhere", "/menu/7/8"])
async def test_page_404_is_sent_in_the_language_of_the_cookie(path, site):
    english, hindi = await site.get(path), await site.get(path, headers=HINDI)
    assert (english.status_code, english.text) == (404, FILES["404.html"])
    assert (hindi.status_code, hindi.text) == (404, FILES["hi/404.html"])
    assert "sha256-" in hindi.headers[HEADER]


async def test_rendered_page_404_is_not_replaced(site):
    answer = await site.get("/pay/unknown", headers=HINDI)
    assert (answer.status_code, answer.text) == (404, "<p>no such payment</p>")


async def test_json_404_is_not_replaced(site):
    answer = await site.get("/api/missing", headers=HINDI)
    assert (answer.status_code, answer.json()) == (404, {"code": "unknown"})


@pytest.mark.parametrize("path", ["/about", "/menu/7", "/nowhere"])
async def test_page_varies_with_what_chooses_its_language(path, site):
    answer = await site.get(path)
    assert (answer.headers["vary"], answer.headers["cache-control"]) == (VARY, "no-cache")


async def test_page_304_varies_with_what_chooses_its_language(site):
    first = await site.get("/terms")
    again = await site.get("/terms", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (again.headers["vary"], again.headers["cache-control"]) == (VARY, "no-cache")


@pytest.mark.parametrize("cookie", ["language=xx", "language=../hi", "tongue=hi", ";" * 9, "é=hi"])
async def test_page_is_english_when_the_cookie_has_no_known_language(cookie, site):
    answer = await site.get("/menu/7", headers={"cookie": cookie.encode("latin-1")})
    assert answer.text == "<p>menu</p>"
