"""A page without network: it is taken away and given back, requests are collected, sockets cut."""

import json
import re

from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.journey import freeze_clock
from tests.helpers.product import eventually

NEEDED = "This needs a connection. Press again when this line is gone."
ASKED_MS = 1_000
"""From the event `offline` until the page asks the server."""
_AWAIT_OFFLINE = """() => {
  window.isTold = new Promise((resolve) => {
    addEventListener("offline", () => resolve(true), { once: true });
  });
}"""
_STEP_MS = 20
INIT = "**/api/restaurants/status/init"
POLL = re.compile(r"/api/restaurants/status$")


def line(page: Page):
    """Return the banner of a lost connection."""
    return page.locator(".connection-banner")


def lose_network(page: Page, *other_tabs: Page) -> None:
    """Take the network away, and wait until each page has handled the event `offline`.

    The browser sends it to the pages later than it answers, and a page whose clock stands still starts
    its timers only then.
    """
    pages = (page, *other_tabs)
    for each in pages:
        each.evaluate(_AWAIT_OFFLINE)
    page.context.set_offline(True)
    for each in pages:
        each.evaluate("window.isTold")


def go_offline(page: Page, text: str, *other_tabs: Page) -> None:
    """Take the network away until the page shows a text; its clock stands still afterwards."""
    freeze_clock(page)
    lose_network(page, *other_tabs)
    page.clock.run_for(ASKED_MS)
    expect(line(page)).to_have_text(text)


def come_back(page: Page, *other_tabs: Page) -> None:
    """Give the network back and run the pages' clock until their banners are gone.

    Browsers may say that they are online before a request succeeds: the page then tries again.
    """
    page.context.set_offline(False)
    eventually(
        lambda: (
            page.clock.run_for(_STEP_MS)
            or not any(line(each).text_content() for each in (page, *other_tabs))
        ),
        "the banner of the lost connection is gone",
    )


def noted(page: Page, event: str, path: str) -> list[str]:
    """Return a list that gets the address of each request to a path with this event of the page."""
    addresses: list[str] = []

    def note(request: Request) -> None:
        addresses.extend([request.url] if request.url.endswith(path) else [])

    page.on(event, note)
    return addresses


class HeldScripts:
    """Holds the scripts of a page, or those that match a pattern, until they are released."""

    def __init__(self, page: Page, scripts: str = "**/assets/**/*.js") -> None:
        self.routes: list[Route] = []
        self._is_over = False
        page.route(scripts, self._take)

    def _take(self, route: Route) -> None:
        if self._is_over:
            route.continue_()
        else:
            self.routes.append(route)

    def release(self) -> None:
        self._is_over = True
        for route in self.routes:
            route.continue_()


def go_back_slowly(page: Page, path: str, scripts: str) -> None:
    """Go back to a screen whose scripts arrive after a second of the page's clock, which stands."""
    held = HeldScripts(page, scripts)
    page.go_back()
    page.wait_for_url(f"**{path}*")
    page.clock.run_for(1_000)
    eventually(lambda: page.evaluate("1") and held.routes, "the screen loads")
    held.release()


def connection(page: Page):
    """Return expectations about the connection indicator."""
    return expect(page.get_by_test_id("connection"))


def status_requests(page: Page, moment: str = "request") -> list[str]:
    """Return a list that collects the page's status requests."""
    requested = []

    def note(request):
        if "/api/restaurants/status" in request.url:
            requested.append(request.url.rsplit("/api/restaurants/", 1)[1])

    page.on(moment, note)
    return requested


def remove_initial_statuses(page: Page) -> None:
    """Remove the statuses that the page contains, as in an outdated copy."""
    page.add_init_script("Object.defineProperty(window, 'initialStatuses', {value: undefined})")


_SOCKET_SCRIPT = """isCut => {
  const Real = window.WebSocket;
  const lines = [];
  class Dead extends EventTarget {
    readyState = Real.CONNECTING;
    constructor(url) {
      super();
      this.url = url;
      window.refused = (window.refused ?? 0) + 1;
      Promise.resolve().then(() => {
        this.readyState = Real.CLOSED;
        for (const end of [new Event("error"), new CloseEvent("close", { code: 1006 })]) {
          this[`on${end.type}`]?.(end);
          this.dispatchEvent(end);
        }
      });
    }
    close() {}
  }
  class Cuttable extends Real {
    constructor(url, protocols) {
      if (window.isCut) return new Dead(url);
      super(url, protocols);
      lines.push(this);
    }
  }
  window.isCut = isCut;
  window.WebSocket = Cuttable;
  window.cut = () => {
    window.isCut = true;
    lines.forEach((line) => line.close());
  };
}"""


class PageSocket:
    """Disconnects and reconnects the sockets of a page; HTTP requests still work."""

    def __init__(self, page, *, is_cut=False):
        self._page = page
        page.add_init_script(f"({_SOCKET_SCRIPT})({json.dumps(is_cut)})")

    def disconnect(self):
        self._page.evaluate("window.cut()")

    def reconnect(self):
        self._page.evaluate("window.isCut = false")
