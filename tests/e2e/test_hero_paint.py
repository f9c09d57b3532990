"""The hero on a slow connection, which brings its HTML in pieces."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from tests.e2e.assistant_page import DESKTOP
from tests.e2e.frames import wait_for_frames
from tests.helpers.product import eventually

PIECE_ENDS_BEFORE = '<div class="hero__text">'
WATCH = """
window.isPainted = false;
new PerformanceObserver(() => { isPainted = true })
  .observe({ type: "largest-contentful-paint", buffered: true });
window.shifts = [];
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) {
    shifts.push([each.value, ...each.sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
SHIFT_BY_FONTS = 0.01
"""The web fonts that replace their fallbacks move some words of the navigation by some pixels."""
RENDER_BLOCK = '<link blocking="render" href="#listen" rel="expect"/>'


class PageInPieces(ThreadingHTTPServer):
    """Sends a page up to the texts of its hero, and the rest after `release`."""

    def __init__(self, html):
        self.first, self.rest = html.encode().split(PIECE_ENDS_BEFORE.encode(), 1)
        self.rest = PIECE_ENDS_BEFORE.encode() + self.rest
        self.is_released = threading.Event()
        super().__init__(("127.0.0.1", 0), _Piecewise)

    @contextmanager
    def in_background(self):
        with self:
            threading.Thread(target=self.serve_forever, daemon=True).start()
            yield self
            self.shutdown()

    def release(self):
        self.is_released.set()


class _Piecewise(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.first)
        self.wfile.flush()
        assert self.server.is_released.wait(60)
        self.wfile.write(self.server.rest)

    def log_message(self, *_args):
        """Print nothing."""


@pytest.fixture
def page(visit, server):
    page = visit(server, **DESKTOP)
    page.add_init_script(WATCH)
    return page


@pytest.fixture
def html(server):
    return httpx.get(f"{server.url}/", timeout=30).text


def open_first_piece(page, server, site):
    """Load the page from the site, and everything else from the product."""
    own = f"http://127.0.0.1:{site.server_port}/"
    page.route(
        lambda url: url.startswith(own) and url != own,
        lambda route: route.continue_(url=route.request.url.replace(own, f"{server.url}/")),
    )
    page.goto(own, wait_until="commit")
    # Playwright's own waits need frames, which a page that is not painted does not have.
    eventually(
        lambda: page.evaluate("Boolean(document.querySelector('.hero .measure'))"),
        "the first piece",
    )


def shifts_when_rest_arrives(page, site):
    site.release()
    page.wait_for_function("isPainted && document.readyState === 'complete'")
    page.evaluate("document.fonts.ready")
    wait_for_frames(page, 2)  # layout shifts are reported a frame later
    return page.evaluate("shifts")


def test_hero_is_painted_when_all_of_it_has_arrived(page, server, html):
    with PageInPieces(html).in_background() as site:
        open_first_piece(page, server, site)
        page.wait_for_timeout(500)
        assert not page.evaluate("isPainted")
        shifts = shifts_when_rest_arrives(page, site)
    assert sum(shift[0] for shift in shifts) < SHIFT_BY_FONTS, shifts


def test_hero_without_render_block_moves_when_its_rest_arrives(page, server, html):
    assert RENDER_BLOCK in html
    with PageInPieces(html.replace(RENDER_BLOCK, "")).in_background() as site:
        open_first_piece(page, server, site)
        page.wait_for_function("isPainted")
        wait_for_frames(page, 2)
        shifts = shifts_when_rest_arrives(page, site)
    assert sum(shift[0] for shift in shifts) > 0.01, shifts
