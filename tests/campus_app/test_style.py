"""Server-rendered pages link all style sheets of the ordering product, in order."""

import re

import pytest

from tests.helpers.product import ROOT

SHEETS = ["tokens", "base", "components", "screens"]
PAGES = sorted(
    file
    for file in (ROOT / "campus_app").glob("*/templates/**/*.html")
    if file.parent.name != "mail"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_server_rendered_page_links_all_style_sheets(page):
    html = page.read_text(encoding="utf-8")
    assert re.findall(r'href="/css/(\w+)\.css"', html) == SHEETS


def test_three_server_rendered_pages_exist():
    assert len(PAGES) == 3
