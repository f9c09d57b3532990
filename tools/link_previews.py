"""Draws the restaurants' pictures for link previews: `python -m tools.link_previews`.

Messengers show no SVG, so each illustration becomes a JPEG beside the name of the product.
"""

from base64 import b64encode
from pathlib import Path

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.ordering.screens.menu_metadata import PREVIEW_SIZE, PREVIEWS
from kit.fonts import font_file
from tools.chromium import chromium_page

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
_QUALITY = 74
_PAGE = """<style>
@font-face {{ font-family: Display; src: url(data:font/woff2;base64,{font}); }}
* {{ margin: 0; box-sizing: border-box; }}
body {{ display: grid; grid-template-columns: 840px 1fr; height: 100vh; }}
body {{ background: #fbf7f0; color: #1b1714; }}
body > svg {{ width: 840px; height: 630px; }}
div {{ display: grid; align-content: space-between; padding: 48px 40px; }}
div {{ border-left: 6px solid #1b1714; }}
b {{ font: 800 78px/.86 Display; letter-spacing: -.02em; }}
i {{ width: 96px; height: 14px; background: #c7341a; }}
</style>{drawing}<div><i></i><b>FOOD<br>_points</b></div>"""


def main() -> None:
    """Draw the picture of each restaurant of the shop's data."""
    folder = ASSETS / PREVIEWS.strip("/")
    folder.mkdir(exist_ok=True)
    font = b64encode(font_file("bricolage-grotesque-latin").read_bytes()).decode()
    with chromium_page(*PREVIEW_SIZE) as page:
        for restaurant in CsvCatalogue(ROOT / "data").restaurants():
            drawing = (ASSETS / "images" / restaurant.image).read_text(encoding="utf-8")
            page.set_content(_PAGE.format(font=font, drawing=drawing))
            page.evaluate("document.fonts.ready.then(() => 1)")
            target = folder / f"{Path(restaurant.image).stem}.jpg"
            page.screenshot(path=target, type="jpeg", quality=_QUALITY)
            print(f"{target.name}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
