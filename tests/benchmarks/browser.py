"""A real browser with an empty cache, and what passes through its network."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from apps import App
from places import MeasurementFailed, chromium
from playwright.sync_api import CDPSession, Locator, Page, sync_playwright
from servers import Server

_DISHES = 60
_LOAD_MS = 20_000
_QUIET_MS = 1_000
_CHOSEN_CAMPUS = "try { localStorage.setItem('selectedCampus', 'north'); } catch {}"
"""Menus ask a visitor without a campus for it; about:blank has no storage."""


@dataclass(frozen=True)
class Tab:
    """A page that nothing was loaded into yet."""

    page: Page
    network: CDPSession

    def open(self, url: str) -> None:
        """Open a page, and wait until nothing more comes."""
        self.page.goto(url, wait_until="networkidle", timeout=_LOAD_MS)
        self.page.wait_for_timeout(_QUIET_MS)

    def open_menu(self, app: App, server: Server) -> Locator:
        """Open the menu, wait until nothing more comes, and return every + button."""
        self.page.goto(f"{server.url}{app.page}", wait_until="networkidle", timeout=_LOAD_MS)
        buttons = self.page.locator('button[aria-label^="Add one"]')
        buttons.nth(_DISHES - 1).wait_for(timeout=_LOAD_MS)
        self.page.wait_for_timeout(_QUIET_MS)
        if buttons.count() != _DISHES:
            raise MeasurementFailed(f"{app.page} shows {buttons.count()} dishes")
        return buttons


@contextlib.contextmanager
def new_tab() -> Iterator[Tab]:
    """Lend a tab of a browser of our own."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            page = started.new_page()
            page.add_init_script(_CHOSEN_CAMPUS)
            network = page.context.new_cdp_session(page)
            network.send("Network.enable")
            network.send("Network.setCacheDisabled", {"cacheDisabled": True})
            yield Tab(page, network)
        finally:
            started.close()
