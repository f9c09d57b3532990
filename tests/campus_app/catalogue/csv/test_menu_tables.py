"""Menus as tables of texts. Source: specification 12.1, 12.8."""

from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.menu_tables import (
    TABLE_COLUMNS,
    check_csv,
    check_table,
    csv_of_rows,
    rows_of_csv,
    rows_of_menu,
    with_cell,
)
from campus_app.shared.rules.constants import MAXIMUM_DISHES
from tests.helpers.settings import DATA

ROW = {"id": "1", "name": "Tea", "price": "20", "category": "Drinks"}
CATALOGUE = CsvCatalogue(DATA)


def faults(*rows):
    return [(each.row, each.column) for each in check_table(1, rows).faults]


def test_table_of_a_menu_is_the_same_menu():
    for restaurant in CATALOGUE.restaurants():
        menu = CATALOGUE.menu(restaurant.id)
        text = csv_of_rows(rows_of_menu(menu))
        checked = check_csv(restaurant.id, text)
        assert (checked.menu, checked.faults) == (menu, ())
        assert csv_of_rows(rows_of_csv(text)) == text
        assert check_table(restaurant.id, rows_of_menu(menu)).menu == menu


def test_table_of_the_shops_menus_has_their_hindi_texts():
    menu = CsvCatalogue(DATA.parents[1] / "data").menu(1)
    assert any(dish.texts_in("hi").name for dish in menu.dishes)
    assert check_table(1, rows_of_menu(menu)).menu == menu


def test_check_table_names_the_cell_when_check_menus_would():
    marks = {"diet": "Non-Veg", "allergens": "milk|nuts", "spice": "3", "trending": "1"}
    assert faults(ROW) == faults(ROW | marks) == []
    for column, cells in {
        "price": ["80/140", "0", ""],
        "name": [" ", "#NAME?"],
        "category": ["Trending"],
        "id": ["a b"],
        "diet": ["vegan"],
        "allergens": ["dust"],
        "spice": ["4"],
        "trending": ["yes"],
        "description": ["Caf\ufffd"],
    }.items():
        for cell in cells:
            assert faults(ROW | {column: cell}) == [(1, column)], cell
    assert faults(ROW, ROW | {"name": "Coffee"}) == [(2, "id")]


def test_check_table_refuses_when_there_are_no_or_too_many_dishes():
    assert faults() == [(0, "")]
    rows = [ROW | {"id": str(number)} for number in range(MAXIMUM_DISHES + 1)]
    assert faults(*rows) == [(0, "")]
    assert faults(*rows[1:]) == []
    assert faults(*(row | {"description": "x" * 1100} for row in rows[1:])) == [(0, "")]


def test_trending_dishes_are_in_the_order_of_their_places():
    rows = [
        ROW | {"id": id_, "trending": place} for id_, place in [("a", "2"), ("b", ""), ("c", "1")]
    ]
    menu = check_table(1, rows).menu
    assert menu.trending == ("c", "a")
    assert [row["trending"] for row in rows_of_menu(menu)] == ["2", "", "1"]


@given(
    st.lists(
        st.fixed_dictionaries(
            {column: st.text("ab1,\"\n '=é|-", max_size=4) for column in TABLE_COLUMNS}
        ),
        max_size=4,
    )
)
def test_check_of_a_tables_text_is_the_check_of_the_table(rows):
    checked = check_table(1, rows)
    if not rows or checked.menu is None:
        return
    canonical = rows_of_menu(checked.menu)
    again = check_table(1, canonical)
    assert (again.menu, again.faults) == (checked.menu, ())
    assert check_csv(1, csv_of_rows(canonical)).menu == checked.menu


def with_categories(*cells):
    """Return rows with an id, a category and its Hindi name."""
    names = ("id", "category", "category_hi")
    return [dict(zip(names, each, strict=True)) for each in cells]


def test_dish_takes_the_hindi_name_of_its_new_category():
    rows = with_categories(("1", "Breads", "रोटी"), ("2", "Rice", ""), ("3", "RICE", "चावल"))
    assert with_cell(rows, "1", "category", "rice")[0]["category_hi"] == "चावल"
    assert with_cell(rows, "1", "category", "New")[0]["category_hi"] == ""
    assert with_cell(rows, "1", "category", "BREADS")[0]["category_hi"] == "रोटी"


def test_hindi_name_of_a_category_is_written_for_all_its_dishes():
    rows = with_categories(("1", "Rice", ""), ("2", "Breads", "रोटी"), ("3", "rice", "x"))
    changed = with_cell(rows, "1", "category_hi", "चावल")
    assert [each["category_hi"] for each in changed] == ["चावल", "रोटी", "चावल"]
    assert with_cell(rows, "9", "category", "Rice") == rows
