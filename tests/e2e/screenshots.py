"""Screenshots of every screen in every state (`make screens`)."""

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


def save_screenshots(page: Page, state: str) -> None:
    """Save the current screen or dialog at each width, in both colour schemes.

    Does nothing unless `SCREENS` names a folder.
    """
    folder = os.environ.get("SCREENS")
    if not folder:
        return
    lang = page.evaluate("document.documentElement.lang")
    is_covered = page.evaluate("document.querySelector('dialog[open]') !== null")
    if not is_covered:
        # Elements that load when they are near the viewport should be in the picture.
        page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
        page.wait_for_timeout(_NEAR_MS)
        page.evaluate("scrollTo(0, 0)")
    name = re.sub(r"\W+", "-", state).strip("-") or "home"
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": _HEIGHT})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            file = Path(folder) / f"{name}.{lang}.{scheme}.{width:04}.png"
            page.screenshot(path=file, full_page=not is_covered, animations="disabled")


def save_window_screenshot(page: Page, name: str) -> None:
    """Save the current window. Does nothing unless `SCREENS` names a folder."""
    if folder := os.environ.get("SCREENS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def index(folder: Path) -> Path:
    """Write an index page with one row per state; return it."""
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
