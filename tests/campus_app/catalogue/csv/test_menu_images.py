"""Pictures of original menus: parsing of names, and price differences."""

from dataclasses import replace
from datetime import date

import pytest

from campus_app.catalogue.csv.menu_images import (
    menu_images_from,
    missing_images,
    pictured_prices,
    price_differences,
)
from campus_app.catalogue.rules.menu import Menu
from campus_app.catalogue.rules.restaurant import MenuImage
from campus_app.shared.rules.money import rupees
from tests.helpers.builders import RESTAURANT, THALI


def test_menu_images_from_parses_names_and_dates():
    assert menu_images_from("front.webp 2026-11-02|page-2.jpg 2026-11-03") == (
        MenuImage("front.webp", date(2026, 11, 2)),
        MenuImage("page-2.jpg", date(2026, 11, 3)),
    )
    assert menu_images_from("") == ()


def test_menu_images_from_raises_value_error_for_invalid_entry():
    names = ("../secret.png", "a/b.png", "menu.svg", ".png", 'x".png')
    dates = ("front.webp", "2026-11-02", "front.webp 2026-13-02", "front.webp 02.11.2026")
    for cell in (*(f"{name} 2026-11-02" for name in names), *dates, "front.webp 2026-11-02|"):
        with pytest.raises(ValueError, match=r"is not a picture|day|month"):
            menu_images_from(cell)


def test_missing_images_lists_missing_files(tmp_path):
    restaurant = replace(
        RESTAURANT, menu_images=menu_images_from("a.png 2026-11-02|b.png 2026-11-02")
    )
    folder = tmp_path / str(restaurant.id)
    folder.mkdir()
    (folder / "a.png").touch()
    assert missing_images(restaurant, tmp_path) == ["b.png"]


def test_price_differences_lists_dish_with_other_price(tmp_path):
    (tmp_path / "pictured_prices.csv").write_text(
        "restaurant_id,dish_id,price\n1,1,180.00\n1,2,90\n2,1,10\n1,9,5\n1,3,none\n"
    )
    dishes = [(str(n), rupees(price)) for n, price in enumerate(("180", "95", "70"), start=1)]
    menu = Menu(1, tuple(replace(THALI, id=id_, price=price) for id_, price in dishes))
    (difference,) = price_differences(menu, pictured_prices(tmp_path))
    assert (difference.dish_id, difference.pictured, difference.price) == (
        "2",
        rupees("90"),
        rupees("95"),
    )


def test_pictured_prices_file_is_optional(tmp_path):
    assert pictured_prices(tmp_path) == {}
    for content in (b"", b"nothing\n", b"\xff\xfe\x00"):
        (tmp_path / "pictured_prices.csv").write_bytes(content)
        assert pictured_prices(tmp_path) == {}
