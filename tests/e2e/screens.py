"""Pictures of every screen in every state, for people who judge how it looks (`make screens`)."""

import os
import re
from html import escape
from pathlib import Path

from playwright.sync_api import Page

WIDTHS = (320, 390, 768, 1280, 1920)
SCHEMES = ("light", "dark")
_HEIGHT = 900
_NEAR_MS = 300
_INDEX = "index.html"
_STYLE = (
    "body{font:1rem system-ui;margin:1rem}section{display:flex;gap:1rem;overflow:auto}"
    "img{width:16rem;border:1px solid #999}h2{margin:2rem 0 .5rem}"
)


def keep_screens(page: Page, state: str) -> None:
    """Picture the whole screen as it is now, or its dialog, at each width and in both schemes.

    Does nothing unless `SCREENS` names a folder.
    """
    folder = os.environ.get("SCREENS")
    if not folder:
        return
    spoken = page.evaluate("document.documentElement.lang")
    is_covered = page.evaluate("document.querySelector('dialog[open]') !== null")
    if not is_covered:
        # What waits until its reader comes near is to be in the picture.
        page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
        page.wait_for_timeout(_NEAR_MS)
        page.evaluate("scrollTo(0, 0)")
    name = re.sub(r"\W+", "-", state).strip("-") or "home"
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": _HEIGHT})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            file = Path(folder) / f"{name}.{spoken}.{scheme}.{width:04}.png"
            page.screenshot(path=file, full_page=not is_covered, animations="disabled")


def keep_window(page: Page, name: str) -> None:
    """Picture the window as it is now, without changing it. Does nothing without `SCREENS`."""
    if folder := os.environ.get("SCREENS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def index(folder: Path) -> Path:
    """Lay the pictures of a folder out on one page, a row for each state, and return it."""
    rows: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.png")):
        state = " ".join(file.name.split(".")[:3])
        rows.setdefault(state, []).append(
            f'<a href="{file.name}"><img src="{file.name}" alt=""></a>'
        )
    body = "".join(
        f"<h2>{escape(state)}</h2><section>{''.join(pictures)}</section>"
        for state, pictures in rows.items()
    )
    page = folder / _INDEX
    page.write_text(f'<!doctype html><meta charset="utf-8"><style>{_STYLE}</style>{body}')
    return page


if __name__ == "__main__":
    print(index(Path(os.environ["SCREENS"])))
