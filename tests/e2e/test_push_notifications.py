"""The service worker shows push messages as notifications, and opens their page when clicked.

It runs on a site of empty pages: no build of the product is needed.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.helpers.product import ROOT

_FILES = {"/service-worker.js": ROOT / "assets" / "service-worker.js"}
_RECORD = """() => {
  // Headless Chromium grants no permission for notifications: this records them as a browser shows them, one for
  // each tag.
  self.shown = new Map();
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    const close = () => self.shown.delete(options.tag);
    self.shown.set(options.tag, { title, ...options, close });
  };
  // A script can neither focus nor open a window without a real click.
  self.calls = [];
  WindowClient.prototype.focus = async function () { self.calls.push(["focus", this.url]); };
  Clients.prototype.openWindow = async (url) => { self.calls.push(["open", url]); };
  self.deliver = async (event) => {
    const waited = [];
    event.waitUntil = (promise) => waited.push(promise);
    self.dispatchEvent(event);
    await Promise.all(waited);
    return waited.length;
  };
}"""
_PUSH = """async (text) => {
  const waited = await self.deliver(new PushEvent("push", text === null ? {} : { data: text }));
  return [waited, [...self.shown.values()].map(({ close, ...shown }) => shown)];
}"""
_CLICK = """async () => {
  const [notification] = self.shown.values();
  const waited = await self.deliver(Object.assign(new ExtendableEvent("notificationclick"), { notification }));
  return [waited, self.calls, self.shown.size];
}"""


class _Site(BaseHTTPRequestHandler):
    def do_GET(self):
        file = _FILES.get(self.path)
        content = file.read_bytes() if file else b"<!doctype html><title>Page</title>"
        self.send_response(200)
        self.send_header("content-type", "text/javascript" if file else "text/html")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args):
        """Print nothing."""


@pytest.fixture(scope="module")
def site():
    """The address of a site whose pages are empty."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(browser, site):
    """A page with an active service worker, which records notifications."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/campus")
    page.evaluate("navigator.serviceWorker.register('/service-worker.js')")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    context.service_workers[0].evaluate(_RECORD)
    yield page
    context.close()


def push(page, text):
    """Deliver a message to the service worker; return the notifications that are shown."""
    waited, shown = page.context.service_workers[0].evaluate(_PUSH, text)
    assert waited == 1  # the browser keeps the worker until the notification is shown
    return shown


MESSAGE = {
    "title": "ऑर्डर AS_482 तैयार है",
    "body": "Pehla Food Point ने आपका ऑर्डर तैयार कर दिया है।",
    "url": "/underprogress",
    "tag": "ready-AS_482",
}


def test_push_message_is_shown_as_a_notification(page):
    (shown,) = push(page, json.dumps(MESSAGE))
    assert shown == {
        "title": MESSAGE["title"],
        "body": MESSAGE["body"],
        "tag": MESSAGE["tag"],
        "renotify": True,
        "icon": "/images/app-192.png",
        "data": {"url": "/underprogress"},
    }


def test_repeated_push_message_replaces_the_notification(page):
    push(page, json.dumps(MESSAGE))
    assert len(push(page, json.dumps(MESSAGE))) == 1
    assert len(push(page, json.dumps(MESSAGE | {"tag": "ready-AS_483"}))) == 2


def test_malformed_push_message_shows_the_name_of_the_app(page):
    wrong_types = '{"title": 5, "body": {}, "tag": null, "url": []}'
    for text in (None, "", "{", "null", "[]", "5", wrong_types, '{"title": ""}'):
        (shown,) = push(page, text)
        assert (shown["title"], shown["body"]) == ("FOOD_points", ""), text
        assert shown["data"] == {"url": "/underprogress"}


def test_notification_leads_to_pages_of_this_site_only(page):
    for url, opened in {
        "/campus?start": "/campus?start",
        "https://evil.example/x": "/underprogress",
        "//evil.example/x": "/underprogress",
        "/\\evil.example/x": "/underprogress",
        "javascript:alert(1)": "/underprogress",
        "data:text/html,x": "/underprogress",
        "https://[": "/underprogress",
    }.items():
        (shown,) = push(page, json.dumps(MESSAGE | {"url": url}))
        assert shown["data"] == {"url": opened}, url


def click(page):
    """Click the notification; return the calls to windows and the number of notifications left."""
    waited, calls, left = page.context.service_workers[0].evaluate(_CLICK)
    assert waited == 1
    return calls, left


def test_click_opens_the_page_and_closes_the_notification(page):
    push(page, json.dumps(MESSAGE))
    assert click(page) == ([["open", "/underprogress"]], 0)


def test_click_focuses_the_window_that_shows_the_page(page, site):
    other = page.context.new_page()
    other.goto("/underprogress")
    push(page, json.dumps(MESSAGE))
    assert click(page) == ([["focus", f"{site}/underprogress"]], 0)
