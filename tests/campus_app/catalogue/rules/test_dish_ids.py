"""Ids of imported dishes. Source: specification 12.4."""

from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.dish_ids import NamedRow, dish_ids, name_key, slug, with_dish_ids
from campus_app.catalogue.rules.menu import Dish, is_dish_id
from campus_app.shared.rules.money import rupees

NAMES = st.text("abéÉकि ़म&'-(1", max_size=8)


def dish(id_, name, category="Mains"):
    return Dish(id_, name, "", rupees(10), category)


def test_name_key_is_equal_when_spellings_of_a_name_differ():
    for one, other in (
        *(("Paneer Tikka", "PANEER  TIKKA"), ("Paneer Tikka", "Paneer-Tikka.")),
        *(("Mac & Cheese", "mac and cheese"), ("Café Latte", "Cafe latte"), ("Ｔｅａ", "tea")),
        *(("पनीर टिक्का", "पनीर  टिक्का।"), ("ज़ीरा राइस", "जीरा राइस"), ("Straße", "STRASSE")),
    ):
        assert name_key(one) == name_key(other)
    for one, other in (("Veg Thali", "Veg Thali 2"), ("दाल", "दल"), ("Dal", "Dal Fry"), ("!", "?")):
        assert name_key(one) != name_key(other)


def test_slug_is_made_of_the_names_words():
    slugs = {
        "Paneer Tikka (6 pcs)": "paneer-tikka-6-pcs",
        "Maharaja’s Thali": "maharajas-thali",
        "Mac & Cheese": "mac-and-cheese",
        "Crème brûlée": "creme-brulee",
        "7-Up": "7-up",
    }
    assert {name: slug(name) for name in slugs} == slugs


def test_slug_is_a_stable_checksum_when_name_has_no_latin_letter():
    assert slug("पनीर टिक्का") == slug("पनीर  टिक्का")
    assert slug("पनीर टिक्का") != slug("दाल")
    assert is_dish_id(slug("पनीर टिक्का"))


def test_dish_ids_are_kept_when_names_match():
    current = [dish("101", "Veg Thali"), dish("102", "Dal Fry"), dish("103", "पनीर")]
    rows = [NamedRow("DAL-FRY"), NamedRow("New Dish"), NamedRow("पनीर"), NamedRow("veg thali")]
    assert dish_ids(rows, current) == ["102", "new-dish", "103", "101"]


def test_dish_ids_prefer_the_same_category_when_a_name_is_there_twice():
    current = [dish("1", "Momos", "Veg"), dish("2", "Momos", "Chicken")]
    rows = [NamedRow("Momos", "chicken"), NamedRow("Momos", "Veg")]
    assert dish_ids(rows, current) == ["2", "1"]


def test_dish_ids_number_the_second_dish_when_a_new_name_is_there_twice():
    rows = [NamedRow("Momos", "Veg"), NamedRow("Momos", "Chicken"), NamedRow("momos")]
    assert dish_ids(rows, []) == ["momos", "momos-2", "momos-3"]


def test_dish_ids_are_those_of_the_sheet_when_names_do_not_match():
    current = [dish("101", "Veg Thali"), dish("102", "Dal Fry")]
    rows = [
        NamedRow("Deluxe Veg Thali", id="101"),  # renamed
        NamedRow("Dal Fry", id="7"),
        NamedRow("Naan", id="PB-9"),
        NamedRow("Roti", id="no id"),
    ]
    assert dish_ids(rows, current) == ["101", "102", "PB-9", "roti"]


def test_dish_ids_do_not_give_a_new_dish_the_id_of_another_current_one():
    # A cart may contain the dish `tea`, which is gone: it must not become another one.
    assert dish_ids([NamedRow("Tea")], [dish("tea", "Coffee")]) == ["tea-2"]


def test_rows_get_ids_of_their_names_when_they_have_none():
    rows = [
        {"id": each, "name": name} for each, name in (("+1", "Tea"), ("tea", "A"), ("+2", "Tea"))
    ]
    assert [row["id"] for row in with_dish_ids(rows, ["tea-2"])] == ["tea-3", "tea", "tea-4"]


@given(
    st.lists(st.builds(NamedRow, NAMES, NAMES, st.sampled_from(["", "1", "a", "x y"])), max_size=8),
    st.lists(st.tuples(st.sampled_from(["1", "2", "a", "b"]), NAMES), max_size=4),
)
def test_dish_ids_are_valid_unique_and_stable(rows, dishes):
    current = [dish(id_, name) for id_, name in dict(dishes).items()]
    ids = dish_ids(rows, current)
    assert len(set(ids)) == len(ids) == len(rows)
    assert all(map(is_dish_id, ids))
    assert ids == dish_ids(rows, current)
    published = [dish(id_, row.name, row.category) for id_, row in zip(ids, rows, strict=True)]
    by_name = {name_key(each.name) for each in published}
    if len(by_name) == len(rows):  # sent again, each dish keeps its id
        unnamed = [NamedRow(row.name, row.category) for row in rows]
        assert dish_ids(unnamed, published) == ids
