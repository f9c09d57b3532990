"""What a page learns of statuses: how it asks, and the socket that tells it."""

import json
import re

from playwright.sync_api import Page, expect

INIT = "**/api/restaurants/status/init"
POLL = re.compile(r"/api/restaurants/status$")


def connection(page: Page):
    """Expect something of the indicator."""
    return expect(page.get_by_test_id("connection"))


def asked_for_statuses(page: Page, moment: str = "request") -> list[str]:
    """Return a list that fills with the status calls of a page."""
    asked = []

    def note(request):
        if "/api/restaurants/status" in request.url:
            asked.append(request.url.rsplit("/api/restaurants/", 1)[1])

    page.on(moment, note)
    return asked


def without_first_statuses(page: Page) -> None:
    """Let pages come without statuses, as an old copy of them would."""
    page.add_init_script("Object.defineProperty(window, 'firstStatuses', {value: undefined})")


_LINE = """isCut => {
  const Real = window.WebSocket;
  const lines = [];
  class Dead extends EventTarget {
    readyState = Real.CONNECTING;
    constructor(url) {
      super();
      this.url = url;
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


class Line:
    """The socket of a page, which can be cut and mended; calls over HTTP get through."""

    def __init__(self, page, *, is_cut=False):
        self._page = page
        page.add_init_script(f"({_LINE})({json.dumps(is_cut)})")

    def cut(self):
        self._page.evaluate("window.cut()")

    def mend(self):
        self._page.evaluate("window.isCut = false")
