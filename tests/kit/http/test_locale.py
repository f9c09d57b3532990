"""Pages are sent in the language that a visitor's cookie chooses. Source: specification P6.1."""

from types import SimpleNamespace

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from campus_app.translations import chosen_language, language, set_locale, use_locale
from kit.http.csp import POLICY, PagePolicy
from kit.http.locale import EventLanguage, PageFolders, in_chosen_language
from kit.http.middleware import (
    common_headers,
    not_found_in_language,
    page_addresses,
    with_first_words,
    written_pages,
)

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


@pytest.fixture
async def site(tmp_path):
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
        page_addresses(folders, {"/menu/": "/menu/0"}),
        written_pages(with_first_words(folders, words), PagePolicy()),
        not_found_in_language(folders, PagePolicy()),
        in_chosen_language(chosen_language, set_locale),
        common_headers(is_encrypted=False),
    ):
        app = layer(app)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url="http://site.test"
    ) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "english", "hindi"),
    [
        pytest.param("/menu/7", "<p>menu</p>", "<p>hindi menu</p>", id="drawn for many"),
        pytest.param(
            "/about",
            "<head><meta content=en></head><p>about</p>",
            "<head><meta content=hi></head><p>hindi about</p>",
            id="with first words",
        ),
        pytest.param("/terms", "<p>terms</p>", "<p>terms</p>", id="not there in hindi"),
        pytest.param("/", "<p>home</p>", "<p>home</p>", id="the other product"),
        pytest.param("/assets/app-1.js", "1;", "1;", id="a script"),
        pytest.param("/api/language", "en", "hi", id="a call"),
    ],
)
async def test_a_page_is_sent_in_the_chosen_language(path, english, hindi, site):
    assert (await site.get(path)).text == english
    assert (await site.get(path, headers=HINDI)).text == hindi
    assert (await site.get(path)).text == english  # and the next visitor's in theirs


@pytest.mark.parametrize(
    "cookie",
    [
        "language=xx",
        "language=",
        "language=../hi",
        "language=en",
        "tongue=hi",
        "=",
        ";" * 9,
        "é=hi",
    ],
)
async def test_who_chooses_none_of_ours_reads_english(cookie, site):
    answer = await site.get("/menu/7", headers={"cookie": cookie.encode("latin-1")})
    assert answer.text == "<p>menu</p>"


@pytest.mark.parametrize("path", ["/hi/about", "/hi/menu/0", "/hi"])
async def test_the_folder_of_a_language_is_no_address(path, site):
    assert (await site.get(path)).status_code == 404


@pytest.mark.parametrize("path", ["/nowhere", "/hi/nowhere", "/menu/7/8"])
async def test_a_missing_page_is_missed_in_the_chosen_language(path, site):
    english, hindi = await site.get(path), await site.get(path, headers=HINDI)
    assert (english.status_code, english.text) == (404, FILES["404.html"])
    assert (hindi.status_code, hindi.text) == (404, FILES["hi/404.html"])
    assert "sha256-" in hindi.headers[POLICY]


async def test_a_page_of_the_servers_own_that_finds_nothing_says_so_itself(site):
    answer = await site.get("/pay/unknown", headers=HINDI)
    assert (answer.status_code, answer.text) == (404, "<p>no such payment</p>")


async def test_a_call_that_finds_nothing_answers_as_ever(site):
    answer = await site.get("/api/missing", headers=HINDI)
    assert (answer.status_code, answer.json()) == (404, {"code": "unknown"})


@pytest.mark.parametrize("path", ["/about", "/menu/7", "/nowhere"])
async def test_whoever_keeps_a_page_is_told_that_it_depends_on_the_cookie(path, site):
    assert "cookie" in (await site.get(path)).headers["vary"].lower()


@pytest.mark.parametrize(
    ("headers", "spoken"),
    [
        pytest.param({"cookie": "a=b; language=hi"}, "hi", id="chosen"),
        pytest.param({"cookie": "a=b"}, "en", id="not chosen"),
        pytest.param({}, "en", id="no cookies"),
        pytest.param(None, "en", id="no headers"),
    ],
)
async def test_an_event_is_answered_in_the_language_of_its_page(headers, spoken):
    state = SimpleNamespace(router_data={} if headers is None else {"headers": headers})
    with use_locale("en"):
        EventLanguage(chosen_language, set_locale).preprocess(None, state, None)
        assert language() == spoken
