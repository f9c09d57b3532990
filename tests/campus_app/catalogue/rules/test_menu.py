"""Menus: parsing of CSV rows, and the sections."""

from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import (
    COLUMNS,
    NO_MARKS,
    Diet,
    Dish,
    DishMarks,
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


def test_menu_dish_price_has_two_decimals():
    price = menu_dish({**ROW, "price": "27.5"}).price
    assert type(price) is Decimal
    assert str(price) == "27.50"


@pytest.mark.parametrize("cell", ["0.01", "0.50", "1"])
def test_menu_dish_accepts_smallest_price(cell):
    assert menu_dish({**ROW, "price": cell}).price == Decimal(cell)


def test_menu_dish_keeps_diet():
    assert menu_dish(ROW, DishMarks(Diet.VEGETARIAN)).marks.diet is Diet.VEGETARIAN
    assert menu_dish(ROW).marks == NO_MARKS


@pytest.mark.parametrize(
    "id_", ["1", "x" * 64, "masala_dosa", "-1", "3f2b8a52-0c1f-4a7e-9d3b-5f6f0c9a1b2c", "__proto__"]
)
def test_menu_dish_accepts_ids_of_64_letters_digits_and_hyphens(id_):
    # Source: specification 10.53.
    assert menu_dish({**ROW, "id": id_}).id == id_


def test_menu_dish_accepts_the_largest_price():
    assert menu_dish({**ROW, "price": "100000"}).price == 100_000


def test_menu_dish_strips_cells():
    spaced = {column: f"  {cell}\t" for column, cell in ROW.items()}
    assert menu_dish(spaced) == menu_dish(ROW)


def test_menu_dish_has_names_in_other_languages():
    # Source: specification 10.19.
    row = {**ROW, "name_hi": " मसाला डोसा ", "name_ta": "", "names": "x"}
    assert menu_dish(row).local_names == {"hi": "मसाला डोसा"}
    assert menu_dish(ROW).local_names == {}


def test_menu_dish_accepts_empty_description():
    assert menu_dish({**ROW, "description": ""}).description == ""


def test_columns_equal_specification():
    assert COLUMNS == ("id", "name", "description", "price", "category")


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        pytest.param("id", "", id="no id"),
        pytest.param("id", "   ", id="a blank id"),
        pytest.param("id", "a.1", id="an id with punctuation"),
        pytest.param("id", "x" * 65, id="an id of 65 characters"),
        pytest.param("id", "a:1", id="an id with the separator of carts"),
        pytest.param("id", "a,1", id="an id with the separator of dishes"),
        pytest.param("price", "100000.01", id="10.53: a price above the maximum"),
        pytest.param("price", "429497", id="a price of which fifty exceed 32 bits"),
        pytest.param("id", "a 1", id="an id with a space"),
        pytest.param("id", "é1", id="an id beyond ASCII"),
        pytest.param("id", "१", id="an id in Devanagari"),
        pytest.param("name", " ", id="no name"),
        pytest.param("category", "", id="no category"),
        pytest.param("category", "Trending", id="2.27: Trending is a tab, not a category"),
        pytest.param("category", " TRENDING ", id="2.27: in capitals"),
        pytest.param("category", "trending\u00a0", id="2.27: with a no-break space"),
        pytest.param("price", "", id="no price"),
        pytest.param("price", "free", id="a price in letters"),
        pytest.param("price", "0", id="a price of nothing"),
        pytest.param("price", "0.00", id="a price of nothing with places"),
        pytest.param("price", "-0", id="a price of minus nothing"),
        pytest.param("price", "-5", id="a price below zero"),
        pytest.param("price", "12.345", id="a price finer than a paisa"),
        pytest.param("price", "NaN", id="a price that is no number"),
        pytest.param("price", "Infinity", id="an infinite price"),
        pytest.param("price", "1e999999999", id="a price whose exponent overflows"),
    ],
)
def test_menu_dish_raises_invalid_cell_with_column(column, cell):
    with pytest.raises(ValueError, match=f"^{column}: "):
        menu_dish({**ROW, column: cell})


def test_sections_start_with_trending_then_categories():
    menu = Menu(
        2,
        (dish("1", "Chai"), dish("2", "Toast"), dish("3", "Chai"), dish("4", "Cakes")),
        trending=("3",),
    )
    assert tabs(menu) == [
        ("Trending", ["3"]),
        ("Chai", ["1", "3"]),
        ("Toast", ["2"]),
        ("Cakes", ["4"]),
    ]


def test_sections_keep_order_of_trending_list():
    menu = Menu(2, tuple(dish(id_, "Chai") for id_ in "1234"), trending=("4", "2"))
    assert tabs(menu) == [("Trending", ["4", "2"]), ("Chai", ["1", "2", "3", "4"])]


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


def test_categories_list_each_dish_once():
    menu = Menu(2, (dish("1", "Chai"), dish("2", "Toast"), dish("3", "Chai")))
    assert tabs(menu) == [("Chai", ["1", "3"]), ("Toast", ["2"])]


def test_sections_omit_trending_dish_not_on_menu():
    menu = Menu(2, (dish("1", "Chai"), dish("2", "Chai")), trending=("9", "1"))
    assert tabs(menu) == [("Trending", ["1"]), ("Chai", ["1", "2"])]


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


@pytest.mark.parametrize("trending", [(), ("9",)])
def test_sections_have_no_trending_when_it_is_empty(trending):
    assert tabs(Menu(2, (dish("1", "Chai"),), trending)) == [("Chai", ["1"])]


def test_sections_are_empty_when_menu_has_no_dishes():
    assert Menu(2, ()).sections() == ()


def test_menu_by_id_finds_dish():
    chai = dish("1", "Chai")
    menu = Menu(2, (chai, dish("2", "Toast")))
    assert menu.by_id["1"] is chai
    assert menu.by_id.get("3") is None


def test_menus_with_same_dishes_are_equal():
    assert Menu(2, (dish("1", "Chai"),)) == Menu(2, (dish("1", "Chai"),))
    assert Menu(2, (dish("1", "Chai"),)) != Menu(3, (dish("1", "Chai"),))
