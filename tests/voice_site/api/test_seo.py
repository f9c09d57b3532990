"""What search engines and link previews get."""

import json
import os
import re
import xml.etree.ElementTree as ET

import httpx
import pytest

from campus_app.http_api import create_api
from kit.http.locale import PageFolders
from kit.http.page_addresses import page_addresses
from kit.translations import language, use_locale
from tests.helpers.product import ROOT
from tests.helpers.settings import ORIGIN
from voice_site.api.seo import create_router, head, json_ld
from voice_site.content.copy import PREVIEW
from voice_site.content.questions import questions as answered_questions
from voice_site.domain.facts import FactName, Facts

pytestmark = pytest.mark.anyio

BUILT = (
    '<html><head><title>x</title><meta content="%s" property="og:image"/></head>'
    "<body>%s</body></html>"
)


@pytest.fixture
def page(tmp_path):
    file = tmp_path / "index.html"
    file.write_text(BUILT % (PREVIEW, "first"))
    return file


@pytest.fixture
async def client(page):
    folders = PageFolders(page.parent, ("en", "hi"), language)
    app = page_addresses(folders, ["/"])(
        create_api(create_router(ORIGIN, folders, ("/", "/campus")))
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ORIGIN) as client:
        yield client


async def test_home_page_contains_the_origin(client):
    html = (await client.get("/")).text
    assert f'<link rel="canonical" href="{ORIGIN}/"/>' in html
    assert f'content="{ORIGIN}{PREVIEW}"' in html
    assert html.count('og:image"') == 1
    assert html.index("canonical") < html.index("</head>") < html.index("<body>first")


async def test_home_page_is_304_when_etag_matches(client, page):
    first = await client.get("/")
    again = await client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    # A cache replaces the stored headers by these.
    assert (
        again.headers["vary"] == first.headers["vary"] == "Accept-Encoding, Accept-Language, Cookie"
    )
    page.write_text(BUILT % (PREVIEW, "second"))
    os.utime(page, (1, 1))
    changed = await client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (changed.status_code, "second" in changed.text) == (200, True)


@pytest.mark.parametrize(
    ("accepted", "sent"), [("gzip, deflate, br, zstd", "br"), ("gzip, deflate", "gzip"), ("", None)]
)
async def test_home_page_is_compressed_when_accepted(client, page, accepted, sent):
    page.write_text(BUILT % (PREVIEW, "many words, " * 200))
    os.utime(page, (2, 2))
    response = await client.get("/", headers={"accept-encoding": accepted})
    assert response.headers.get("content-encoding") == sent
    assert "accept-encoding" in response.headers["vary"].lower()
    assert response.text.count("many words") == 200


async def test_home_page_answers_head(client):
    response = await client.head("/")
    assert (response.status_code, response.content) == (200, b"")


async def test_home_page_is_404_without_a_build(tmp_path):
    folders = PageFolders(tmp_path, ("en", "hi"), language)
    app = create_api(create_router(ORIGIN, folders, ()))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ORIGIN) as client:
        assert (await client.get("/")).status_code == 404


async def test_sitemap_lists_the_public_pages(client):
    response = await client.get("/sitemap.xml")
    places = [
        place.text for place in ET.fromstring(response.text).iter() if place.tag.endswith("loc")
    ]
    assert places == [f"{ORIGIN}/", f"{ORIGIN}/campus"]
    assert response.headers["content-type"].startswith("application/xml")


async def test_home_page_names_its_address_in_each_language(client):
    html = (await client.get("/")).text
    for tag, address in (("en-IN", "/"), ("hi-IN", "/?language=hi"), ("x-default", "/")):
        link = f'<link rel="alternate" hreflang="{tag}" href="{ORIGIN}{address}"/>'
        assert link in html
    with use_locale("hi"):
        assert f'<link rel="canonical" href="{ORIGIN}/?language=hi"/>' in head(ORIGIN)
        assert 'property="og:locale" content="hi_IN"' in head(ORIGIN)


@pytest.mark.parametrize("address", ["/hi", "/hi/"])
async def test_folder_of_a_language_redirects_to_its_page(client, address):
    response = await client.get(address)
    assert (response.status_code, response.headers["location"]) == (307, "/?language=hi")


async def test_head_preloads_no_font_of_a_language_when_none_is_listed():
    with use_locale("ta"):
        fonts = re.findall(r'rel="preload" href="/fonts/([a-z-]+)', head(ORIGIN))
    assert fonts == ["tara-cormorant-normal", "tara-ysabeau-normal"]


async def test_preview_picture_has_the_size_that_the_head_states():
    picture = (ROOT / "assets" / PREVIEW[1:]).read_bytes()
    start_of_frame = re.search(
        rb"\xff[\xc0\xc2].{3}(?P<height>..)(?P<width>..)", picture, re.DOTALL
    )
    size = [int.from_bytes(start_of_frame[name], "big") for name in ("width", "height")]
    stated = re.findall(r'og:image:(?:width|height)" content="(\d+)"', head(ORIGIN))
    assert size == [1200, 630] == [int(each) for each in stated]


async def test_robots_txt_contains_the_sitemap(client):
    text = (await client.get("/robots.txt")).text
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in text
    assert "Disallow: /api/" in text
    assert "Disallow: /kitchen\n" in text
    assert "Disallow: /desk\n" in text
    assert "Disallow: /\n" not in text


async def test_json_ld_offers_are_the_three_plans_in_rupees():
    facts = Facts({FactName.GST: {"en": "Added: 18%."}})
    asked = answered_questions(facts)
    organization, software, questions = json_ld(ORIGIN, asked)["@graph"]
    assert organization["@type"] == "Organization"
    offers = [(each["name"], each["price"], each["priceCurrency"]) for each in software["offers"]]
    assert offers == [
        ("TARA BASE", "9800", "INR"),
        ("TARA PRO", "24900", "INR"),
        ("TARA ENTERPRISE", "74900", "INR"),
    ]
    assert "aggregateRating" not in json.dumps(json_ld(ORIGIN, asked))
    answers = {each["name"]: each["acceptedAnswer"]["text"] for each in questions["mainEntity"]}
    assert answers == {each.question: each.whole_answer for each in asked}
    assert answers["What does it cost?"].endswith("\nGST: Added: 18%.")


async def test_json_ld_is_escaped_and_parseable():
    (data,) = re.findall(r"<script[^>]*>(.*?)</script>", head('https://x.example"><script>'))
    assert json.loads(data)["@context"] == "https://schema.org"
    assert 'href="https://x.example"><' not in head('https://x.example"><script>')
