"""A real browser with an empty cache."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from apps import App
from playwright.sync_api import CDPSession, Locator, Page, sync_playwright
from report import MeasurementFailed
from servers import Server

from tests.helpers import browsers

_DISHES = 60
_LOAD_MS = 20_000
_IDLE_MS = 1_000
_SLOW_LINE = {"latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
_CPU_SLOWDOWN = 4
SELECT_CAMPUS = "try { localStorage.setItem('selectedCampus', 'north'); } catch {}"
"""Menus ask a visitor without a campus for it; about:blank has no storage."""


@dataclass(frozen=True)
class Tab:
    """A tab in which no page has been opened yet."""

    page: Page
    devtools: CDPSession

    def open(self, url: str) -> None:
        """Open a page, and wait until its network is idle."""
        self.page.goto(url, wait_until="networkidle", timeout=_LOAD_MS)
        self.page.wait_for_timeout(_IDLE_MS)

    def open_menu(self, app: App, server: Server) -> Locator:
        """Open the menu, wait until its network is idle, and return all + buttons."""
        self.open(f"{server.url}{app.page}")
        buttons = self.page.locator('button[aria-label^="Add one"]')
        # Trending dishes have a second button.
        buttons.nth(_DISHES - 1).wait_for(timeout=_LOAD_MS)
        return buttons


@contextlib.contextmanager
def new_tab() -> Iterator[Tab]:
    """Start a browser for the block, and yield its tab."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            page = browser.new_page()
            page.add_init_script(SELECT_CAMPUS)
            devtools = page.context.new_cdp_session(page)
            devtools.send("Network.enable")
            devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
            yield Tab(page, devtools)
        finally:
            browser.close()


def slow_down(devtools: CDPSession) -> None:
    """Make a tab as slow as an old phone on a weak line: 400 ms, 400 kbit/s, a quarter as fast."""
    devtools.send("Network.emulateNetworkConditions", {"offline": False, **_SLOW_LINE})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": _CPU_SLOWDOWN})


def chromium() -> str:
    """Return Chromium's path."""
    path = browsers.chromium()
    if path is None:
        raise MeasurementFailed("Chromium is missing")
    return path
