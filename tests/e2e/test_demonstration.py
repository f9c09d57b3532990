"""A demonstration says on every page that it is one. Source: specification C2.7."""

import pytest

from kit.translations import COOKIE
from tests.e2e.journey import wait_until_hydrated
from tests.e2e.test_pages import LINKS

SENTENCE = "Demonstration: orders, payments and requests are not real."
HINDI = "यह केवल प्रदर्शन है"
ADDRESSES = [
    "/campus",
    "/about",
    "/menu/1",
    "/pre-reserve",
    "/offers",
    "/checkout",
    "/order-confirmation",
    "/forms/response/abc",
    "/underprogress",
    "/terms",
    "/kitchen",
    "/kitchen/no-such-link",
    "/pay/no-such-token-of-a-checkout",
    "/sandbox/pay",
    "/nowhere",
    "/offline.html",
    "/",
    "/tara/privacy",
    "/api/docs",
]
_SHOWN = "() => getComputedStyle(document.body, '::before').content"


@pytest.fixture
def demonstration(own_server):
    """An installation that is a demonstration."""
    own_server.stop()
    own_server.settings["DEMONSTRATION"] = "true"
    own_server.start()
    return own_server


def test_every_page_says_that_it_is_a_demonstration(demonstration, visit):
    page = visit(demonstration)
    missing = []
    for address in ADDRESSES:
        page.goto(address, wait_until="domcontentloaded")
        if SENTENCE not in page.evaluate(_SHOWN):
            missing.append(address)
    assert missing == []


def test_demonstration_is_said_after_hydration_and_a_link(demonstration, visit):
    page = visit(demonstration)
    page.goto("/campus")
    wait_until_hydrated(page)
    assert SENTENCE in page.evaluate(_SHOWN)
    (terms,) = [name for name in LINKS if "TERMS" in name]
    page.get_by_role("link", name=terms).first.click()
    page.wait_for_url("**/terms")
    assert SENTENCE in page.evaluate(_SHOWN)


def test_demonstration_is_said_in_hindi(demonstration, visit):
    page = visit(demonstration)
    page.context.add_cookies([{"name": COOKIE, "value": "hi", "url": demonstration.url}])
    page.goto("/terms")
    assert HINDI in page.evaluate(_SHOWN)


def test_control_other_installation_says_nothing(server, page):
    page.goto("/terms")
    assert page.evaluate(_SHOWN) in {"none", "normal"}
    assert SENTENCE not in server.get("/terms").text
