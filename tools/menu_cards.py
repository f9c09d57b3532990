"""Writes the printed menu cards of all restaurants: `python tools/menu_cards.py [FOLDER]`.

The site draws the same cards from the same CSV on request; this is for the printer.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from campus_app.adapters.csv_catalogue import CsvCatalogue  # noqa: E402
from campus_app.adapters.menu_card import menu_card  # noqa: E402


def main(folder: Path) -> None:
    """Write one SVG a restaurant."""
    folder.mkdir(parents=True, exist_ok=True)
    catalogue = CsvCatalogue(ROOT / "data")
    for restaurant in catalogue.restaurants():
        card = menu_card(restaurant, catalogue.menu(restaurant.id))
        file = folder / f"menu_{restaurant.id}.svg"
        file.write_text(card, encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var" / "menu-cards")
