"""The icons and the manifest of each product, in every built page and language."""

import json
import re

import pytest
from playwright.sync_api import expect

from campus_app.build import BUILT
from tests.e2e.journey import open_page
from tests.helpers.product import ROOT

ORDERING = {
    "icon": "/favicon.svg",
    "apple-touch-icon": "/images/app-180.png",
    "manifest": "/manifest.webmanifest",
}
TARA = {
    "icon": "/tara.svg",
    "apple-touch-icon": "/images/tara/icon-180.png",
    "manifest": "/tara.webmanifest",
}
PAGES = BUILT.absolute()
WITHOUT_A_SCREEN = {"offline.html", "__spa-fallback.html", "404.html"}
"""The first is a page of its own; the others are empty until their scripts run."""
SHOWN = """() => [...document.querySelectorAll("link[rel=icon], link[rel=manifest]")]
    .map((link) => link.getAttribute("href")).sort()"""
LINK = re.compile(r"<link\b[^>]*>")
ATTRIBUTE = re.compile(r'\b(rel|href)="([^"]*)"')


def pages():
    """Return the paths of all built pages."""
    files = (file.relative_to(PAGES).as_posix() for file in PAGES.rglob("*.html"))
    return sorted(file for file in files if file.rpartition("/")[2] not in WITHOUT_A_SCREEN)


def icons_in(html):
    """Return the icons and manifests of a page, as pairs of rel and href."""
    head = html.partition("</head>")[0]
    links = [dict(ATTRIBUTE.findall(link)) for link in LINK.findall(head)]
    return [(link["rel"], link["href"]) for link in links if link.get("rel") in ORDERING]


def test_build_contains_pages_of_both_products_in_every_language():
    """The negative control of the tests below: an empty build would satisfy them."""
    assert {"index.html", "campus.html", "menu/0.html"} <= set(pages())
    assert {"hi/campus.html", "hi/menu/0.html", "hi/terms.html"} <= set(pages())
    assert {"tara/privacy.html", "tara/terms.html", "hi/tara/terms.html"} <= set(pages())


def test_each_built_page_links_icons_of_its_own_product_only():
    wrong = {}
    for page in pages():
        is_tara = page.removeprefix("hi/").startswith(("index.html", "tara/"))
        expected = sorted((TARA if is_tara else ORDERING).items())
        found = sorted(icons_in((PAGES / page).read_text(encoding="utf-8")))
        if found != expected:
            wrong[page] = found
    assert wrong == {}


def test_icons_change_when_visitor_switches_product(page):
    open_page(page, "/campus")
    assert page.evaluate(SHOWN) == ["/favicon.svg", "/manifest.webmanifest"]
    page.get_by_role("link", name="01/HOME").click()
    page.locator("link[href='/tara.svg']").wait_for(state="attached")
    assert page.evaluate(SHOWN) == ["/tara.svg", "/tara.webmanifest"]


def test_unknown_address_shows_icons_of_ordering_product(page):
    page.goto("/nowhere")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate(SHOWN) == ["/favicon.svg", "/manifest.webmanifest"]


@pytest.mark.parametrize("icons", [ORDERING, TARA], ids=["ordering", "tara"])
def test_manifest_and_icons_are_served(server, icons):
    for address in icons.values():
        assert server.get(address).status_code == 200
    manifest = json.loads(server.get(icons["manifest"]).text)
    for icon in manifest["icons"]:
        answer = server.get(icon["src"])
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(icon["type"])
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}


def test_products_share_no_icon_and_no_identity():
    ours, theirs = (
        json.loads((ROOT / "assets" / icons["manifest"][1:]).read_text(encoding="utf-8"))
        for icons in (TARA, ORDERING)
    )
    assert {icon["src"] for icon in ours["icons"]}.isdisjoint(
        icon["src"] for icon in theirs["icons"]
    )
    assert (ours["id"], theirs["id"]) == ("/", "/campus")
    assert ours["name"] != theirs["name"]
    installed = (theirs["name"], theirs["start_url"], theirs["display"])
    assert installed == ("FOOD_points", "/campus?start", "standalone")
