"""Pages that the server renders link the style sheets that they need, in order."""

import re

import pytest

from tests.helpers.product import ROOT

SHEETS = ["tokens", "base", "components", "screens"]
OF_FOLDER = {"device_link": SHEETS, "pay": SHEETS, "sandbox": [*SHEETS, "order"]}
PAGES = sorted(
    file
    for file in (ROOT / "campus_app").glob("*/templates/**/*.html")
    if file.parent.name != "mail"  # e-mails are no pages
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_server_rendered_page_links_the_style_sheets_that_it_needs(page):
    html = page.read_text(encoding="utf-8")
    assert re.findall(r'href="/css/(\w+)\.css"', html) == OF_FOLDER[page.parent.name]


def test_all_server_rendered_pages_are_found():
    assert [f"{file.parent.name}/{file.name}" for file in PAGES] == [
        *("pay/pay.html", "sandbox/pay.html", "device_link/link.html"),
    ]
