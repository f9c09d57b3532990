"""Draws the icons of both products from their favicons: `python -m tools.app_icons`."""

from pathlib import Path

from tools.chromium import chromium_page

ASSETS = Path(__file__).parents[1] / "assets"
SIZES = (180, 192, 512)
ICONS = {"favicon.svg": "app-{size}.png", "tara.svg": "tara/icon-{size}.png"}
"""The icons of each favicon, below `assets/images/`, by their size in pixels."""


def main() -> None:
    """Write every size; TARA's letter fills a favicon, but exceeds the safe zone of a mask."""
    with chromium_page() as page:
        for favicon, picture in ICONS.items():
            drawing = (ASSETS / favicon).read_text(encoding="utf-8")
            for size in SIZES:
                page.set_viewport_size({"width": size, "height": size})
                page.set_content(
                    f"<style>*{{margin:0}}svg{{display:block;width:100vw}}</style>{drawing}"
                )
                target = ASSETS / "images" / picture.format(size=size)
                page.screenshot(path=target)
                print(f"{target.name}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
