"""Draws the icons of the installed app from the favicon: `python tools/app_icons.py`."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

ASSETS = Path(__file__).parents[1] / "assets"
SIZES = {"app-192": 192, "app-512": 512, "app-180": 180}


def main() -> None:
    """Write every size; the favicon fills its square, so it suits any mask."""
    drawing = (ASSETS / "favicon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, size in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>*{{margin:0}}svg{{display:block;width:100vw}}</style>{drawing}"
            )
            target = ASSETS / "images" / f"{name}.png"
            page.screenshot(path=target)
            print(f"{target.name}: {target.stat().st_size} bytes")
        browser.close()


if __name__ == "__main__":
    main()
