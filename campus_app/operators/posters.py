"""Posters for the kitchens' doors: a PDF with a QR code that opens the menu."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
import typst
from fontTools.ttLib import TTFont

from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.shared.rules import routes
from campus_app.shared.translations import LANGUAGES, t
from kit.fonts import font_file
from kit.qr_code import qr_code
from kit.translations import use_locale

_TEMPLATE: Final = Path(__file__).parent / "templates" / "posters" / "posters.typ"
_PICTURES: Final = Path(__file__).parents[2] / "assets" / "images"
_FONTS: Final = (
    "bricolage-grotesque-latin",
    "bricolage-grotesque-accents",
    "figtree-latin",
    "figtree-accents",
    "ibm-plex-mono-500-latin",
    "ibm-plex-mono-500-rupee",
    "anek-devanagari-display",
    "anek-devanagari-text",
)
_FAMILY_NAMES: Final = (1, 16)
"""The records of a font's `name` table that give its family."""
_PIXELS_A_MODULE: Final = 16
"""The size of a QR code's squares."""


def write_posters(file: Path, restaurants: Sequence[Restaurant], origin: str) -> None:
    """Write the posters of the restaurants of a site to a PDF file.

    Raises:
        click.FileError: If the file cannot be written.
    """
    try:
        file.write_bytes(posters(restaurants, origin))
    except OSError as error:
        raise click.FileError(str(file), error.strerror or "it cannot be written") from error


def posters(restaurants: Sequence[Restaurant], origin: str) -> bytes:
    """Return a PDF with a page for each restaurant, in every language of the product."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        data = [_poster(restaurant, origin, folder) for restaurant in restaurants]
        (folder / "data.json").write_text(json.dumps(data), encoding="utf-8")
        shutil.copyfile(_TEMPLATE, folder / _TEMPLATE.name)
        fonts = folder / "fonts"
        fonts.mkdir()
        for font in _FONTS:
            _add_font(font, fonts)
        return typst.compile(
            folder / _TEMPLATE.name, root=folder, font_paths=[fonts], ignore_system_fonts=True
        )


def menu_address(restaurant: Restaurant, origin: str) -> str:
    """Return the address in the QR code of a restaurant's poster."""
    return f"{origin}{routes.menu(restaurant.id)}"


def _poster(restaurant: Restaurant, origin: str, folder: Path) -> dict[str, Any]:
    """Return the texts of a poster, and write its pictures to the folder."""
    address = menu_address(restaurant, origin)
    code, picture = f"code-{restaurant.id}.png", f"picture-{restaurant.id}.svg"
    (folder / code).write_bytes(qr_code(address, scale=_PIXELS_A_MODULE))
    image = _PICTURES / restaurant.image
    shutil.copyfile(image if image.is_file() else _PICTURES / "default.svg", folder / picture)
    return {
        "number": f"{restaurant.id:02}",
        "label": " · ".join(restaurant.categories).upper(),
        "name": restaurant.name,
        "hours": str(restaurant.hours).replace("-", "–"),
        "address": address.partition("://")[2],
        "code": code,
        "picture": picture,
        "languages": [_words(language) for language in LANGUAGES],
    }


def _words(language: str) -> tuple[str, str]:
    with use_locale(language):
        return (
            t("Scan. Choose. Eat."),
            t("Today’s menu with prices. Pay a part online, the rest when the food is there."),
        )


def _add_font(name: str, folder: Path) -> None:
    """Write a font as TrueType, which Typst reads, with its file name as its family name.

    Files of one family have different characters here. Under one name Typst would take them for
    styles of one font, and use one of them.
    """
    font = TTFont(font_file(name))
    font.flavor = None  # without the compression of WOFF2
    for record in _FAMILY_NAMES:
        # Platform 3 is Windows, encoding 1 Unicode, language 0x409 English (United States).
        font["name"].setName(name, record, 3, 1, 0x409)
    font.save(folder / f"{name}.ttf")
