"""`make dev` starts, and an edit of a page appears in the browser."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import WEDNESDAY
from tests.helpers.pages import web_folder
from tests.helpers.ports import free_port
from tests.helpers.product import ROOT, eventually

BEFORE, AFTER = "Where shall we bring it?", "Where to?"
CARD_BEFORE, CARD_AFTER = "Add one {dish}", "Take one {dish}"
_PARTS = ("kit", "campus_app", "voice_site", "assets", "data", "reflex.lock")
_FILES = ("Makefile", "rxconfig.py", "requirements.txt", "pyproject.toml")
_COMPLAINTS = ("warn", "error", "traceback", "deprecat")
_SLOW = "after it refused to gracefully stop"
"""Of a worker that needs longer than the five seconds of Granian, on a busy machine."""
_IGNORED = shutil.ignore_patterns("__pycache__", "external")
_START_SECONDS, _SHOWN_MS = 150.0, 60_000


class Development:
    """`make dev` in a copy of the tree."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.log = folder / "development.log"
        for name in _PARTS:
            shutil.copytree(ROOT / name, folder / name, ignore=_IGNORED)
        for name in _FILES:
            shutil.copyfile(ROOT / name, folder / name)
        (folder / ".venv").symlink_to(ROOT / ".venv", target_is_directory=True)
        (folder / "var" / "stamps").mkdir(parents=True)
        (folder / "var" / "stamps" / "python").touch()
        web_folder(folder / ".cache" / "development" / ".web")

    def start(self):
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                ["make", "dev"],
                cwd=self.folder,
                env={**os.environ, "PORT": str(self.port), "CAMPUS_NOW": WEDNESDAY.isoformat()},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        eventually(self.is_up, f"make dev, see {self.log}", within=_START_SECONDS)

    def is_up(self):
        assert self._process.poll() is None, self.output()
        try:
            return httpx.get(f"{self.url}/health", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def stop(self):
        """Stop it as Ctrl-C does."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGINT)
        self._process.wait(30)

    def output(self):
        return self.log.read_text(errors="replace")


@pytest.fixture(scope="module")
def development(tmp_path_factory):
    development = Development(tmp_path_factory.mktemp("development"))
    try:
        development.start()
        yield development
    finally:
        development.stop()


def replace_text(file, before, after):
    """Replace a file by one with other words: while one is written anew, it may be read empty."""
    part = file.with_suffix(".part")
    part.write_text(file.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    part.replace(file)


def test_page_edit_is_shown_without_reload_under_make_dev(development, browser):
    page = browser.new_page()
    page.set_default_navigation_timeout(_SHOWN_MS)
    page.goto(development.url)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("Say goodbye", timeout=_SHOWN_MS)
    assert "Cormorant" in heading.evaluate("it => getComputedStyle(it).fontFamily")
    page.goto(f"{development.url}/campus")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(BEFORE, timeout=_SHOWN_MS)
    page.evaluate("() => { window.isTheSamePage = true; }")
    expect(page.get_by_text("kitchens open").first).not_to_contain_text("…")

    file = development.folder / "campus_app" / "catalogue" / "screens" / "campus_page.py"
    replace_text(file, BEFORE, AFTER)
    began = time.monotonic()
    expect(heading).to_have_text(AFTER, timeout=_SHOWN_MS)
    print(f"shown after {time.monotonic() - began:.1f} s")
    assert page.evaluate("() => window.isTheSamePage")

    page.goto(f"{development.url}/menu/1")
    page.get_by_role("button", name="North Campus").click(timeout=_SHOWN_MS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Pehla Food Point", timeout=_SHOWN_MS)
    page.evaluate("() => { window.isTheSamePage = true; }")
    expect(page.get_by_role("button", name="Add one").first).to_be_visible(timeout=_SHOWN_MS)

    # Within an `rx.memo`, whose module Vite replaces with all that import what a compile writes.
    file = development.folder / "campus_app" / "ordering" / "screens" / "dish_card.py"
    replace_text(file, CARD_BEFORE, CARD_AFTER)
    expect(page.get_by_role("button", name="Take one").first).to_be_visible(timeout=_SHOWN_MS)
    assert page.evaluate("() => window.isTheSamePage")
    page.close()
    output = development.output()
    assert output.count("Compiling: ") == 3, "it starts anew for an edit alone"
    lines = [line for line in output.splitlines() if _SLOW not in line]
    assert [line for line in lines if any(w in line.lower() for w in _COMPLAINTS)] == []
    # The build of `make run` is in another folder and stays.
    assert not (development.folder / ".web").exists()
