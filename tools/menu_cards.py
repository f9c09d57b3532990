"""Draws the printed menu cards of the invented restaurants: `python -m tools.menu_cards [ID ...]`.

A real restaurant sends photographs of its menu. The restaurants of this repository are invented, so
their cards are drawn once, from the menus of that day, and committed. Don't draw them again after
each change of a menu: visitors compare the two. Needs Playwright and Chromium.

Writes `assets/menus/{id}/front.webp` and `back.webp`, and the prices that the pictures show into
`data/pictured_prices.csv`. Name the pictures, with the day, in the column `menu_images` of
`data/restaurants.csv`.
"""

import base64
import csv
import sys
from pathlib import Path

from playwright.sync_api import Page

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.menu_images import PRICE_COLUMNS, PRICES_FILE
from tools.chromium import chromium_page
from tools.menu_card import menu_card

ROOT = Path(__file__).parents[1]

NAMES = ("front.webp", "back.webp")
_PIXELS_PER_CSS_PIXEL = 1.75
_TO_WEBP = """async ([svg, scale]) => {
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${svg}`;
  await image.decode();
  await new Promise((done) => setTimeout(done, 300)); // fonts within a picture load after decode()
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * scale;
  canvas.height = image.naturalHeight * scale;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/webp", 0.8);
}"""


def webp(page: Page, svg: str) -> bytes:
    """Return an SVG document as a WebP picture."""
    encoded = base64.b64encode(svg.encode()).decode()
    address = page.evaluate(_TO_WEBP, [encoded, _PIXELS_PER_CSS_PIXEL])
    return base64.b64decode(address.split(",", 1)[1])


def prices_before(file: Path) -> list[list[str]]:
    """Return the rows of the prices' file without its header; none if there is no file yet."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as rows:
        return list(csv.reader(rows))[1:]


def main(wanted: set[int]) -> None:
    """Draw the cards of the restaurants with these ids; of all restaurants without any id."""
    catalogue = CsvCatalogue(ROOT / "data")
    prices_file = ROOT / "data" / PRICES_FILE
    drawn = {each.id for each in catalogue.restaurants() if not wanted or each.id in wanted}
    prices = [row for row in prices_before(prices_file) if int(row[0]) not in drawn]
    with chromium_page() as page:
        for id_ in sorted(drawn):
            restaurant, menu = catalogue.restaurant(id_), catalogue.menu(id_)
            if restaurant is None:
                continue
            folder = ROOT / "assets" / "menus" / str(id_)
            folder.mkdir(parents=True, exist_ok=True)
            for name, svg in zip(NAMES, menu_card(restaurant, menu), strict=True):
                (folder / name).write_bytes(webp(page, svg))
                print(f"{folder / name}: {(folder / name).stat().st_size} bytes")
            prices += [[str(id_), dish.id, str(dish.price)] for dish in menu.dishes]
    prices.sort(key=lambda row: int(row[0]))
    with prices_file.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(PRICE_COLUMNS)
        writer.writerows(prices)


if __name__ == "__main__":
    main({int(argument) for argument in sys.argv[1:]})
