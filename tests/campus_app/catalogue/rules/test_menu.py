"""Menus: parsing of CSV rows, and the sections."""

from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import (
    COLUMNS,
    Dish,
    LocalTexts,
    Menu,
    menu_dish,
    with_merged_categories,
)

ROW = {
    "id": "101",
    "name": "Masala dosa",
    "description": "With two chutneys",
    "price": "120",
    "category": "South Indian",
}


def dish(dish_id, category):
    return Dish(dish_id, f"Dish {dish_id}", "", Decimal("50.00"), category)


def tabs(menu):
    return [(section.name, [dish.id for dish in section.dishes]) for section in menu.sections()]


def test_menu_dish_parses_row():
    assert menu_dish(ROW) == Dish(
        "101", "Masala dosa", "With two chutneys", Decimal("120.00"), "South Indian"
    )


def test_menu_dish_accepts_ids_of_64_letters_digits_and_hyphens():
    # Source: specification 10.53.
    uuid = "3f2b8a52-0c1f-4a7e-9d3b-5f6f0c9a1b2c"
    for id_ in ("1", "x" * 64, "masala_dosa", "-1", uuid, "__proto__"):
        assert menu_dish({**ROW, "id": id_}).id == id_


def test_menu_dish_accepts_the_largest_price():
    assert menu_dish({**ROW, "price": "100000"}).price == 100_000


def test_menu_dish_has_texts_in_other_languages():
    # Source: specification 10.19, 10.65.
    texts = {
        "name_hi": " मसाला डोसा ",
        "category_hi": "साउथ  इंडियन ",
        "description_hi": " दो चटनी। ",
    }
    row = {**ROW, **texts, "name_ta": "", "description_ta": "சட்னி", "names": "x", "shelf_hi": "y"}
    dish = menu_dish(row)
    assert dish.texts_in("hi") == LocalTexts("मसाला डोसा", "साउथ इंडियन", "दो चटनी।")
    assert dish.texts_in("ta") == LocalTexts(description="சட்னி")
    assert dish.texts_in("bn") == LocalTexts()
    assert (dish.name, dish.category, dish.description) == tuple(
        ROW[column] for column in ("name", "category", "description")
    )
    assert menu_dish(ROW).local == {}


def test_section_has_the_first_name_of_its_category_in_a_language():
    # Source: specification 10.65.
    cells = [("Hot", ""), ("Cold", ""), ("Hot", "गरम"), ("hot", "गरमागरम")]
    rows = [
        {**ROW, "id": str(number), "category": category, "category_hi": local}
        for number, (category, local) in enumerate(cells)
    ]
    menu = Menu(1, with_merged_categories(map(menu_dish, rows)), trending=("2",))
    names = [(section.name, section.name_in("hi")) for section in menu.sections()]
    assert names == [("Trending", "Trending"), ("Hot", "गरम"), ("Cold", "Cold")]
    assert [section.name_in("en") for section in menu.sections()] == ["Trending", "Hot", "Cold"]


def test_columns_equal_specification():
    assert COLUMNS == ("id", "name", "description", "price", "category")


INVALID = {
    "id": ["", "   ", "a.1", "x" * 65, "a:1", "a,1", "a 1", "é1", "१"],
    "name": [" "],
    "category": ["", "Trending", " TRENDING ", "trending\u00a0"],
    "price": [
        *("", "free", "0", "0.00", "-0", "-5", "12.345", "NaN", "Infinity", "1e999999999"),
        *("100000.01", "429497"),  # fifty of the last exceed 32 bits
    ],
}
"""Source: specification 2.27, 10.53."""


@pytest.mark.parametrize(("column", "cells"), INVALID.items(), ids=INVALID)
def test_menu_dish_raises_invalid_cell_with_column(column, cells):
    for cell in cells:
        with pytest.raises(ValueError, match=f"^{column}: "):
            menu_dish({**ROW, column: cell})


def test_sections_start_with_trending_then_categories():
    dishes = (dish("1", "Chai"), dish("2", "Toast"), dish("3", "Chai"), dish("4", "Cakes"))
    categories = [("Chai", ["1", "3"]), ("Toast", ["2"]), ("Cakes", ["4"])]
    for trending, shown in {("3",): ["3"], ("4", "2"): ["4", "2"], ("9", "1"): ["1"]}.items():
        assert tabs(Menu(2, dishes, trending)) == [("Trending", shown), *categories]
    for trending in ((), ("9",)):  # a dish that is not on the menu
        assert tabs(Menu(2, dishes, trending)) == categories


def test_categories_that_differ_in_case_or_spaces_are_one_tab():
    # Source: specification 10.52.
    written = ["Hot drinks", "HOT DRINKS", "hot  drinks ", "Hot\u00a0drinks", "Cold", "चाय", "चाय "]
    dishes = with_merged_categories(
        menu_dish({**ROW, "id": str(at), "category": each}) for at, each in enumerate(written)
    )
    menu = Menu(2, dishes)
    assert tabs(menu) == [
        ("Hot drinks", ["0", "1", "2", "3"]),
        ("Cold", ["4"]),
        ("चाय", ["5", "6"]),
    ]
    assert {dish.category for dish in dishes} == {"Hot drinks", "Cold", "चाय"}


@given(
    st.lists(st.sampled_from(["Chai", "Toast", "Cakes"]), max_size=8),
    st.lists(st.integers(0, 9).map(str), unique=True, max_size=5),
)
def test_sections_repeat_trending_dish_in_its_category(categories, trending):
    dishes = tuple(dish(str(index), category) for index, category in enumerate(categories))
    menu = Menu(2, dishes, tuple(trending))
    own = [section for section in menu.sections() if section.name != "Trending"]
    assert tuple(own) == menu.categories()
    assert sorted(dish.id for section in own for dish in section.dishes) == sorted(
        dish.id for dish in dishes
    )
    assert all(dish.category == section.name for section in own for dish in section.dishes)
    repeated = [dish.id for section in menu.sections() for dish in section.dishes]
    assert Counter(repeated) == Counter(
        [*menu.by_id, *(id_ for id_ in trending if id_ in menu.by_id)]
    )
