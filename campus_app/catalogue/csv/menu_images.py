"""Pictures of the restaurants' original menus, and the prices on them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from campus_app.catalogue.csv.rows import read_rows
from campus_app.catalogue.rules.menu import Menu
from campus_app.catalogue.rules.restaurant import MenuImage, Restaurant
from campus_app.shared.rules.money import Rupees, rupees
from kit.csv.rows import EmptyFile
from kit.csv.text import UnreadableFile

IMAGES: Final = Path(__file__).parents[3] / "assets" / "menus"
"""One folder per restaurant, named by its id."""
PRICES_FILE: Final = "pictured_prices.csv"
PRICE_COLUMNS: Final = ("restaurant_id", "dish_id", "price")
_ENTRY = re.compile(
    r"(?P<file>[a-z0-9][a-z0-9_-]{0,60}\.(?:avif|jpe?g|png|webp)) (?P<day>\d{4}-\d{2}-\d{2})"
)


@dataclass(frozen=True)
class PriceDifference:
    """A dish whose price differs from the picture of the original menu."""

    restaurant_id: int
    dish_id: str
    name: str
    pictured: Rupees
    price: Rupees


def menu_images_from(cell: str) -> tuple[MenuImage, ...]:
    """Parse a cell such as `front.webp 2026-11-02|back.webp 2026-11-02`.

    Raises:
        ValueError: If an entry is not a file name and a date.
    """
    return tuple(_image(part.strip()) for part in cell.split("|")) if cell else ()


def _image(entry: str) -> MenuImage:
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise ValueError(f"{entry!r} is not a picture and its day, like 'front.webp 2026-11-02'")
    return MenuImage(match["file"], date.fromisoformat(match["day"]))


def missing_images(restaurant: Restaurant, folder: Path = IMAGES) -> list[str]:
    """Return the named pictures that are missing from the restaurant's folder."""
    own = folder / str(restaurant.id)
    return [image.file for image in restaurant.menu_images if not (own / image.file).is_file()]


def pictured_prices(folder: Path) -> dict[tuple[str, str], Rupees]:
    """Return the prices on the pictures, by restaurant id and dish id.

    The file is optional; invalid rows are skipped.
    """
    try:
        rows = read_rows(folder / PRICES_FILE, PRICE_COLUMNS).rows
    except (OSError, EmptyFile, UnreadableFile):
        return {}
    prices: dict[tuple[str, str], Rupees] = {}
    for row in rows:
        restaurant_id, dish_id, price = (row.cells[column].strip() for column in PRICE_COLUMNS)
        try:
            prices[restaurant_id, dish_id] = rupees(price)
        except ValueError:
            continue
    return prices


def price_differences(
    menu: Menu, pictured: Mapping[tuple[str, str], Rupees]
) -> Iterator[PriceDifference]:
    """Yield the dishes whose price differs from the picture's; dishes not on it are skipped."""
    for dish in menu.dishes:
        shown = pictured.get((str(menu.restaurant_id), dish.id))
        if shown is not None and shown != dish.price:
            yield PriceDifference(menu.restaurant_id, dish.id, dish.name, shown, dish.price)
