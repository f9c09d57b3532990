"""Draws the icons of both products from their favicons: `python tools/app_icons.py`."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

ASSETS = Path(__file__).parents[1] / "assets"
SIZES = (180, 192, 512)
ICONS = {"favicon.svg": "app-{size}.png", "tara.svg": "tara/icon-{size}.png"}
"""The pictures of each favicon, below `assets/images/`; sizes in pixels."""


def main() -> None:
    """Write every size; a favicon fills its square, so it suits any mask."""
    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for favicon, picture in ICONS.items():
            drawing = (ASSETS / favicon).read_text(encoding="utf-8")
            for size in SIZES:
                page = browser.new_page(viewport={"width": size, "height": size})
                page.set_content(
                    f"<style>*{{margin:0}}svg{{display:block;width:100vw}}</style>{drawing}"
                )
                target = ASSETS / "images" / picture.format(size=size)
                page.screenshot(path=target)
                print(f"{target.name}: {target.stat().st_size} bytes")
        browser.close()


if __name__ == "__main__":
    main()
