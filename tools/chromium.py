"""A page of Chromium, for the tools that draw pictures."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright


@contextmanager
def chromium_page(width: int = 1280, height: int = 720) -> Iterator[Page]:
    """Open an empty page of a size in CSS pixels.

    Raises:
        SystemExit: if Chromium is missing.
    """
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        sys.exit("Chromium is missing (Debian, Ubuntu: apt-get install chromium)")
    flags = ["--no-sandbox", "--disable-gpu"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        yield browser.new_page(viewport={"width": width, "height": height})
        browser.close()
