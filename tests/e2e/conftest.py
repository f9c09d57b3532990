"""Fixtures: the browser, the running product and its visitors."""

import contextlib
import json
import math
import os
import re
import threading
import time
from collections import deque
from datetime import datetime
from itertools import count

import pytest
from playwright.sync_api import expect, sync_playwright

from campus_app.build import BUILT_FROM, source_hashes
from campus_app.catalogue.screens.campus_state import STORAGE_KEY
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from kit.translations import COOKIE, ENGLISH, language
from tests.e2e.server import Server
from tests.helpers.browsers import chromium, kill_browsers_of
from tests.helpers.product import ROOT
from tests.helpers.settings import DATA

WEDNESDAY = datetime(2026, 11, 18, 13, 0, tzinfo=CAMPUS_TIME_ZONE)
"""All eight restaurants but number 4 are open, and the Wednesday offer holds."""

SCREENSHOTS = ROOT / "var" / "e2e"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_WITHOUT_WORKER = {"service_workers": "block"}
"""A test can't intercept the requests of a service worker; only its own tests allow it."""
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_NETWORK = re.compile(
    r"Failed to load resource|WebSocket (connection|is already in CLOSING)|net::ERR|ERR_CONNECTION"
)
_report = pytest.StashKey()
_customers = count(1)
_LONGEST_TEST_SECONDS = 180
_LONGEST_SHARED_SECONDS = 900
_LINES_KEPT, _CHARACTERS_KEPT = 100, 200

expect.set_options(timeout=20_000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[_report] = report
    return report


@pytest.fixture(autouse=True)
def browser_watchdog(browser):
    """Kills the browser of a hanging test, which then fails where it waits.

    Not every browser call has its own timeout.
    """
    watchdog = threading.Timer(_LONGEST_TEST_SECONDS, kill_browsers_of, [os.getpid()])
    watchdog.daemon = True
    watchdog.start()
    yield
    watchdog.cancel()


@pytest.fixture(scope="package")
def browser():
    """The browser that all tests of a process share."""
    program = chromium()
    if program is None:
        pytest.fail("Chromium is missing (Debian, Ubuntu: apt-get install chromium)", pytrace=False)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=list(_FLAGS))
        yield opened
        opened.close()


class SharedServer:
    """The installation that most tests share; its campus clock starts at 13:00.

    It outlives a restart of the browser. A new one replaces it before the clock reaches times that
    tests name, such as 13:30: a slow run takes longer.
    """

    def __init__(self, new_folder):
        self._new_folder = new_folder
        self._server = None
        self._started_at = -math.inf

    def get(self):
        if time.monotonic() - self._started_at > _LONGEST_SHARED_SECONDS:
            self.stop()
            self._server = Server(self._new_folder("shared"), WEDNESDAY)
            self._server.start()
            self._started_at = time.monotonic()
        return self._server

    def stop(self):
        if self._server is not None:
            self._server.stop()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    require_build()
    shared = SharedServer(tmp_path_factory.mktemp)
    yield shared
    shared.stop()


@pytest.fixture(scope="module")
def module_server(shared_server):
    """The shared installation; it is replaced between modules only, as a module may share a page."""
    return shared_server.get()


@pytest.fixture
def server(module_server):
    """The shared installation; menus and overrides are reset afterwards."""
    yield module_server
    module_server.restore_menus()
    board = module_server.get("/api/restaurants/status").json()
    for restaurant_id, status in board["statuses"].items():
        if not status["isOpen"]:
            module_server.set_override(int(restaurant_id), is_open=True)
    for restaurant_id, dishes in board["soldOut"].items():
        for dish in dishes:
            module_server.set_sold_out(int(restaurant_id), dish, is_sold_out=False)


@pytest.fixture
def own_server(tmp_path):
    """An installation for one test, which may stop and restart it."""
    require_build()
    server = Server(tmp_path / "own", WEDNESDAY)
    server.start()
    yield server
    server.stop()


@contextlib.contextmanager
def visitors(browser, node):
    """Yield a function that opens a new browser context on an installation, and returns its tab.

    The page's clock runs normally until a test moves it. The campus is chosen in browser storage,
    unless a test passes another one or "". Errors in the console and the server's log fail at the
    end. `node` is the test or the module that the visitors belong to.
    """
    contexts, logged_errors, servers = [], [], []
    page_log = PageLog()

    def listen(page):
        page_log.follow(page)
        page.on("pageerror", lambda error: logged_errors.append(f"{page.url}: {error}"))
        page.on("console", lambda line: complain(page, line))

    def complain(page, line):
        if line.type == "error" and not _NETWORK.search(line.text):
            logged_errors.append(f"{page.url}: {line.text}")

    def visit(server, *, campus="north", **options):
        stored = [{"name": STORAGE_KEY, "value": campus}] if campus else []
        state = {"origins": [{"origin": server.url, "localStorage": stored}]}
        context = browser.new_context(
            base_url=server.url,
            **{**PHONE, **_WITHOUT_WORKER, "storage_state": state, **options},
        )
        contexts.append(context)
        servers.append(server)
        context.on("page", listen)
        context.clock.install()
        if language() != ENGLISH:
            context.add_cookies([{"name": COOKIE, "value": language(), "url": server.url}])
        return context.new_page()

    yield visit
    if _report in node.stash:
        take_screenshots(contexts, node.name)
        page_log.show()
    for context in contexts:
        context.close()
    for server in servers:
        logged_errors += server.logged_errors()
    assert not logged_errors, "\n".join(logged_errors)


@pytest.fixture
def visit(browser, request):
    """Opens a browser context for one test: see `visitors`."""
    with visitors(browser, request.node) as visit:
        yield visit


@pytest.fixture(scope="module")
def module_visit(browser, request):
    """Opens a browser context for the tests of a module that change nothing on its page."""
    with visitors(browser, request.node) as visit:
        yield visit


class PageLog:
    """A log of what the tabs of a test did, printed when the test fails."""

    def __init__(self):
        self._lines = deque(maxlen=_LINES_KEPT)
        self._tabs = count(1)
        self._began = time.monotonic()

    def follow(self, page):
        tab = next(self._tabs)

        def log(what, text=""):
            seconds = time.monotonic() - self._began
            self._lines.append(f"{seconds:7.3f} tab {tab} {what} {text[:_CHARACTERS_KEPT]}")

        def follow_socket(socket):
            log("socket")
            socket.on("framesent", lambda content: log("sent", str(content)))
            socket.on("framereceived", lambda content: log("received", str(content)))
            socket.on("close", lambda _: log("socket closed"))

        page.on("framenavigated", lambda frame: log("navigated to", frame.url))
        page.on("requestfailed", lambda request: log("request failed", request.url))
        page.on("console", lambda line: log("console", line.text))
        page.on("websocket", follow_socket)

    def show(self):
        print("\n".join(self._lines))


@pytest.fixture
def page(visit, server):
    """A phone on the shared installation."""
    return visit(server)


@pytest.fixture
def customer():
    """An e-mail address that no other test orders with."""
    return f"aarav.{next(_customers)}@students.example"


def require_build():
    if not BUILT_FROM.exists():
        pytest.fail("The pages are not built: run make build", pytrace=False)
    built_from = json.loads(BUILT_FROM.read_text(encoding="utf-8"))
    if built_from["data"] != source_hashes(DATA)["data"]:
        pytest.fail(
            "The pages are made of other data: DATA_DIR=tests/data make build", pytrace=False
        )


def take_screenshots(contexts, name):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    tabs = [tab for context in contexts for tab in context.pages]
    for number, tab in enumerate(tabs, 1):
        file = SCREENSHOTS / f"{re.sub(r'[^a-zA-Z0-9_-]+', '-', name)[:120]}-{number}.png"
        tab.screenshot(path=file)
