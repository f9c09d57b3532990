"""Restaurants and menus from CSV files: content, and messages for broken files."""

import contextlib
import csv
import logging
import os
import re
import shutil
from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import Allergen, Diet, DishMarks, LocalTexts, Spice
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.money import rupees
from kit.csv.rows import Effect, RowFault
from tests.helpers.settings import DATA

HEADER = "id,name,description,price,category\n"
TEA = "901,Tea,With milk.,20,Hot\n"


@pytest.fixture
def catalogue(data_dir):
    return CsvCatalogue(data_dir)


@pytest.fixture
def menu_of(data_dir, catalogue):
    """Returns restaurant 1's menu after its file is replaced by these bytes."""

    def menu_of(content):
        content = content.encode() if isinstance(content, str) else content
        (data_dir / "menu_1.csv").write_bytes(content)
        return catalogue.menu(1)

    return menu_of


@pytest.fixture
def catalogue_of(data_dir):
    """Returns a new catalogue, which knows no last good menu, with this menu of restaurant 1."""

    def catalogue_of(content):
        (data_dir / "menu_1.csv").write_text(content, encoding="utf-8", newline="")
        return CsvCatalogue(data_dir)

    return catalogue_of


# Restaurants


def test_restaurants_returns_eight_restaurants_ordered_by_id(catalogue):
    # Source: specification 1.3.
    assert [restaurant.id for restaurant in catalogue.restaurants()] == list(range(1, 9))
    assert all(catalogue.restaurant(each.id) is each for each in catalogue.restaurants())
    # Source: specification R7.
    assert [each.id for each in catalogue.restaurants() if each.takes_reservations] == [2]


def test_restaurant_has_all_fields_of_file(catalogue):
    cafe = catalogue.restaurant(2)
    assert (cafe.name, cafe.categories) == ("Kulhad Café", ("Indian", "South Indian"))
    assert (cafe.hours.open, cafe.hours.close) == (time(9), time(0))
    assert (cafe.rating, cafe.delivery_minutes, cafe.image) == ("4.6", "15-25", "02-chai.svg")
    assert cafe.tags == ("chai", "toasties", "tables to reserve")
    assert cafe.campuses == {Campus.NORTH, Campus.SOUTH}
    assert (cafe.takes_reservations, cafe.seats_per_slot) == (True, 24)
    assert cafe.vendor_email.endswith(".example")
    assert cafe.vendor_phone.startswith("+91")
    assert [catalogue.restaurant(id_).upi_id for id_ in (1, 3)] == ["pehla.food@example", ""]
    assert [catalogue.restaurant(id_).upi_merchant_code for id_ in (1, 3)] == ["5812", ""]


@pytest.mark.parametrize(
    ("cells", "marks"),
    [
        ("veg,,", DishMarks(Diet.VEGETARIAN)),
        (
            "veg,nuts | MILK,1",
            DishMarks(Diet.VEGETARIAN, (Allergen.MILK, Allergen.NUTS), Spice.MILD),
        ),
        ("non_veg,egg,3", DishMarks(Diet.NON_VEGETARIAN, (Allergen.EGG,), Spice.VERY_HOT)),
        ("veg,dust,2", DishMarks(Diet.VEGETARIAN, (), Spice.HOT)),
        ("veg,milk,4", DishMarks(Diet.VEGETARIAN, (Allergen.MILK,))),
    ],
)
def test_dish_has_the_marks_of_its_row(data_dir, cells, marks):
    (data_dir / "diet.csv").write_text(
        f"restaurant_id,dish_id,diet,allergens,spice\n1,104,{cells}\n"
    )
    assert CsvCatalogue(data_dir).menu(1).by_id["104"].marks == marks


# Menus


def test_menu_has_exact_prices_and_marks(menu_of, data_dir):
    (data_dir / "diet.csv").write_text("restaurant_id,dish_id,diet\n1,901,veg\n1,902,non_veg\n")
    menu = menu_of(HEADER + TEA + '902,"Eggs, two",,45.5,Hot\n903,Water,,0.01,Cold\n')
    assert [
        (dish.id, dish.name, dish.description, dish.price, dish.category, dish.marks.diet)
        for dish in menu.dishes
    ] == [
        ("901", "Tea", "With milk.", rupees(20), "Hot", Diet.VEGETARIAN),
        ("902", "Eggs, two", "", rupees("45.50"), "Hot", Diet.NON_VEGETARIAN),
        ("903", "Water", "", rupees("0.01"), "Cold", None),
    ]


def test_menu_trending_has_order_of_trending_file(menu_of, data_dir):
    # Source: specification R6.
    (data_dir / "trending.csv").write_text("restaurant_id,dish_id\n2,902\n1,902\n1,901\n1,999\n")
    menu = menu_of(HEADER + TEA + "902,Egg,,45,Hot\n")
    assert [dish.name for dish in menu.sections()[0].dishes] == ["Egg", "Tea"]


def test_menu_is_the_same_for_other_csv_formatting(catalogue_of):
    """What spreadsheets write is in test_text.py."""
    for content in (
        (HEADER + TEA).replace("\n", "\r"),  # an old Mac's
        HEADER + "\n\n" + TEA + "\n",
        HEADER + " 901 , Tea ,With milk.  , 20 , Hot \n",
        "category,price,id,name,description,note\nHot,20,901,Tea,With milk.,-\n",
    ):
        (dish,) = catalogue_of(content).menu(1).dishes
        assert (dish.id, dish.name, dish.description) == ("901", "Tea", "With milk.")
        assert (dish.price, dish.category) == (rupees(20), "Hot")


def test_menu_keeps_dishes_named_like_a_null_value(menu_of):
    names = ["NA", "null", "None", "nan", "N/A", "-"]
    menu = menu_of(HEADER + "".join(f"{n},{name},{name},20,Hot\n" for n, name in enumerate(names)))
    assert [(dish.name, dish.description) for dish in menu.dishes] == [(n, n) for n in names]


def test_category_that_says_that_there_is_none_is_fault(catalogue_of):
    # Source: specification 10.50.
    for category in ("NA", "null", "None", "nan", "N/A", "-", "#N/A"):
        catalogue = catalogue_of(HEADER + TEA + f"902,Milk,,20,{category}\n")
        assert [section.name for section in catalogue.menu(1).categories()] == ["Hot"], category
        assert [(each.row, each.column) for each in catalogue.faults(1)] == [(3, "category")]


DAMAGED = (
    *("????", "Paneer Tikka (?????)", "Jalape?o Poppers", "Dal \ufffd Roti"),
    *("à¤°à¥‹à¤œà¤¼", "Caf√© Latte", "à®‡à®Ÿà¯�à®²à®¿", "Chefâ€™s Thali"),
    *("#NAME?", "#REF!", "#VALUE!", "#N/A", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#ERROR!"),
    *("######", "Err:508"),
)
"""What shops' own saves have had instead of names."""


def test_damaged_name_leaves_out_only_its_dish(catalogue_of):
    # Source: specification 10.50.
    for name in DAMAGED:
        catalogue = catalogue_of(HEADER + TEA + f"902,{name},,20,Hot\n903,Milk,,30,Hot\n")
        assert [dish.name for dish in catalogue.menu(1).dishes] == ["Tea", "Milk"], name
        (fault,) = catalogue.faults(1)
        assert (fault.row, fault.column) == (3, "name")
        assert "write" in fault.reason


@pytest.mark.parametrize("text", ["name", "category", "description"])
def test_damaged_hindi_texts_are_ignored_and_their_dishes_sold(menu_of, catalogue, caplog, text):
    header = HEADER.replace("category", f"category,{text}_hi")
    rows = "901,Tea,,20,Hot,????\n902,Milk,,30,Hot,à¤¦à¥‚à¤§\n903,Curd,#REF!,30,Hot,दही\n"
    with caplog.at_level(logging.WARNING):
        menu = menu_of(header + rows)
    assert [(dish.name, dict(dish.local)) for dish in menu.dishes] == [
        ("Tea", {}),
        ("Milk", {}),
        ("Curd", {"hi": LocalTexts(**{text: "दही"})}),
    ]
    assert menu.by_id["903"].description == ""
    faults = [(fault.row, fault.column, fault.effect) for fault in catalogue.faults(1)]
    assert faults == [
        (2, f"{text}_hi", Effect.IGNORED),
        (3, f"{text}_hi", Effect.IGNORED),
        (4, "description", Effect.IGNORED),
    ]
    assert caplog.messages[0].startswith(f"menu_1.csv row 2 ignored in part: {text}_hi: ")
    assert [state.rows_left_out for state in catalogue.file_states()][1] == 0


def test_menu_with_damaged_hindi_names_replaces_the_last_good_one(menu_of, catalogue):
    header = HEADER.replace("category", "category,name_hi")
    menu_of(header + "901,Tea,,20,Hot,चाय\n")
    assert menu_of(header + "901,Tea,,25,Hot,???\n").by_id["901"].price == rupees(25)
    assert not any(state.is_broken for state in catalogue.file_states())


def test_last_good_menu_stays_when_all_names_are_damaged(menu_of):
    menu_of(HEADER + TEA + "902,Milk,,30,Hot\n")
    menu = menu_of(HEADER + "901,????,,20,Hot\n902,????,,30,Hot\n")
    assert [dish.name for dish in menu.dishes] == ["Tea", "Milk"]


def test_dish_that_its_row_calls_unavailable_is_not_sold(catalogue_of):
    # Source: specification 10.51.
    no = ("no", "No ", "N", "0", "FALSE", "off", "नहीं", "Sold out")
    for column, cell in (
        *(("available", each) for each in no),
        *(("In Stock", "0"), ("Stock", "0.00"), ("is_available", "false"), ("Status", "Inactive")),
        *(("sold-out", "yes"), ("Out of stock", "TRUE")),
    ):
        header = HEADER.replace("category", f"category,{column}")
        catalogue = catalogue_of(header + f"901,Tea,,20,Hot,\n902,Milk,,30,Hot,{cell}\n")
        assert [dish.name for dish in catalogue.menu(1).dishes] == ["Tea"], (column, cell)
        (fault,) = catalogue.faults(1)
        assert (fault.row, fault.column) == (3, column.casefold())
        assert "'ops sold-out'" in fault.reason


def test_dish_is_sold_when_its_row_does_not_call_it_unavailable(catalogue_of):
    for column, cell in (
        *(("available", each) for each in ("yes", "Y", "1", "TRUE", "", "12", "till 9 pm")),
        *(("sold-out", "no"), ("sold-out", "0"), ("stock", "10"), ("gluten free", "no")),
    ):
        header = HEADER.replace("category", f"category,{column}")
        catalogue = catalogue_of(header + f"901,Tea,,20,Hot,{cell}\n")
        assert catalogue.menu(1).dishes, (column, cell)
        assert catalogue.faults(1) == ()


@pytest.mark.parametrize("unavailable", [3, 4])
def test_last_good_menu_is_not_served_when_dishes_are_unavailable(menu_of, unavailable):
    header = HEADER.replace("category", "category,available")
    rows = [f"{n},Dish {n},,20,Hot," for n in range(4)]
    menu_of(header + "".join(f"{row}yes\n" for row in rows))
    off = header + "".join(
        f"{row}{'no' if n < unavailable else ''}\n" for n, row in enumerate(rows)
    )
    if unavailable < len(rows):
        assert [dish.id for dish in menu_of(off).dishes] == ["3"]
    else:
        assert menu_error(lambda: menu_of(off)) == ("No menu items found", 500)


# Messages. Source: specification 5.15, 8.5 to 8.9.


def menu_error(get_menu):
    with pytest.raises(MenuUnavailable) as raised:
        get_menu()
    return raised.value.message, raised.value.status


@pytest.mark.parametrize("number", [0, 9, -1, 10**30])
def test_menu_raises_404_for_unknown_restaurant(catalogue, data_dir, number):
    (data_dir / "menu_9.csv").write_text(HEADER + TEA)
    assert catalogue.restaurant(number) is None
    assert menu_error(lambda: catalogue.menu(number)) == ("Restaurant not found", 404)


def test_menu_raises_404_when_file_is_missing(catalogue, data_dir):
    (data_dir / "menu_1.csv").unlink()
    assert menu_error(lambda: catalogue.menu(1)) == ("Failed to load menu (Status: 404)", 404)


def test_menu_raises_500_when_file_is_unreadable(catalogue, data_dir):
    (data_dir / "menu_1.csv").unlink()
    (data_dir / "menu_1.csv").mkdir()
    assert menu_error(lambda: catalogue.menu(1)) == ("Failed to load menu (Status: 500)", 500)


BROKEN_FROM_THE_BEGINNING = {
    "Menu data is empty": ["", "\ufeff"],
    "No menu items found": [HEADER, HEADER + ",,,,\n", HEADER + "901,Tea,,free,Hot\n"],
    "Failed to parse menu data": [
        "\0" * 100,
        "id,name,price,category\n901,Tea,20,Hot\n",
        HEADER + "902,Tea, with sugar,,20,Hot\n903,Tea\n",
        HEADER + '901,"Tea,,20,Hot\n',
    ],
}


@pytest.mark.parametrize("message", BROKEN_FROM_THE_BEGINNING)
def test_menu_raises_specified_message_when_file_is_broken(catalogue_of, message):
    for content in BROKEN_FROM_THE_BEGINNING[message]:
        catalogue = catalogue_of(content)
        assert menu_error(lambda catalogue=catalogue: catalogue.menu(1)) == (message, 500), content


@pytest.mark.parametrize("name", ["trending.csv", "diet.csv"])
def test_broken_diet_or_trending_file_removes_only_its_marks(catalogue, data_dir, name, caplog):
    dishes = [len(catalogue.menu(each.id).dishes) for each in catalogue.restaurants()]
    for content in (
        b"",
        b"dish\n901\n",
        b'restaurant_id,dish_id,diet\n"1,901,veg\n',
        b"restaurant_id,dish_id,diet\n1,\x81,veg\n",
    ):
        (data_dir / name).write_bytes(content)
        caplog.clear()
        broken = CsvCatalogue(data_dir)
        menus = [broken.menu(each.id) for each in broken.restaurants()]
        assert [len(menu.dishes) for menu in menus] == dishes
        assert any(menu.trending for menu in menus) == (name != "trending.csv")
        assert any(dish.marks.diet for dish in menus[0].dishes) == (name != "diet.csv")
        (message,) = caplog.messages
        starts = (f"{name} can't be used, its marks are missing: ", f"{name} row 2 ")
        assert message.startswith(starts), content


@pytest.mark.parametrize("name", ["trending.csv", "diet.csv"])
def test_menu_is_served_when_diet_or_trending_file_is_missing(catalogue, data_dir, name):
    (data_dir / name).unlink()
    assert catalogue.menu(1).dishes


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory):
    """One data folder for all examples of Hypothesis."""
    return shutil.copytree(DATA, tmp_path_factory.mktemp("catalogue") / "data")


@given(
    content=st.one_of(
        st.binary(max_size=300),
        st.binary(max_size=100).map(HEADER.encode().__add__),
        st.text("id,name\n\"\r'901 ;\t\\#\ufeff\0", max_size=100).map(
            lambda text: (HEADER + text).encode()
        ),
    )
)
def test_menu_returns_dishes_or_raises_menu_unavailable_for_any_content(shared_folder, content):
    (shared_folder / "menu_1.csv").write_bytes(content)
    with contextlib.suppress(MenuUnavailable):
        assert CsvCatalogue(shared_folder).menu(1).dishes


# Faulty rows

QUOTATION_MARK = "a quotation mark is missing or one too many"


def wrong_id(cell):
    return f"id: {cell!r} is not made of letters, digits, - and _, at most 64"


def wrong_cell_count(found):
    return f"{found} cells where the header names 5: put cells with commas in quotation marks"


FAULTY_ROWS = {
    "902,Bad,,free,Hot": "price: 'free' is not an amount",
    "902,Bad,,0,Hot": "price: 0.00 is not above zero",
    "902,Bad,,-5,Hot": "price: -5.00 is not above zero",
    "902,Bad,,1.234,Hot": "price: '1.234' is finer than a paisa",
    "9 2,Bad,,20,Hot": wrong_id("9 2"),
    "902,,,20,Hot": "name: is empty",
    "902,Bad": wrong_cell_count(2),
    "902,Tea, with sugar,,20,Hot": wrong_cell_count(6),
    '902,"Bad,,20,Hot': QUOTATION_MARK,
    '902,"Bad" dish,,20,Hot': QUOTATION_MARK,
    "902,Bad,,20,Trending": "category: 'Trending' is a tab of its own: list the dish in "
    "trending.csv, and write the category where people look for it",
    "901,Bad,,20,Hot": "id: 901 is already taken above",
}


def test_faulty_row_is_left_out_and_logged(catalogue_of, caplog):
    for row, reason in FAULTY_ROWS.items():
        caplog.clear()
        catalogue = catalogue_of(HEADER + TEA + row + "\n" + "903,Milk,,30,Hot\n")
        assert [dish.name for dish in catalogue.menu(1).dishes] == ["Tea", "Milk"], row
        (fault,) = catalogue.faults(1)
        assert (fault.row, str(fault)) == (3, reason)
        assert caplog.messages == [f"menu_1.csv row 3 left out: {reason}"]


def test_faulty_row_is_named_by_its_line_number(catalogue_of):
    for between, row in {
        "": 3,
        "\n \n\t\n": 6,
        ",,,,\n": 4,
        '905,"Rice","with\nlemon",40,Hot\n': 5,
        '905,"Rice,,40,Hot\n': 4,
        '905,5" pizza,,40,Hot\n': 4,
    }.items():
        lines = HEADER + TEA + between + "902,Bad,,free,Hot\n" + '903,"Milk",,30,Hot\n'
        catalogue = catalogue_of(lines)
        assert catalogue.menu(1).by_id["903"].name == "Milk", between
        assert catalogue.faults(1)[-1] == RowFault(row, "price", "'free' is not an amount")


def test_faulty_row_is_logged_once(menu_of, data_dir, caplog):
    with caplog.at_level(logging.WARNING):
        menu_of(HEADER + TEA + "902,Bad,,free,Hot\n")
        menu_of(HEADER + TEA + "902,Bad,,free,Hot\n903,Milk,,30,Hot\n")
        (data_dir / "trending.csv").write_text("restaurant_id,dish_id\n1,901\n")
        menu_of(HEADER + TEA + "902,Bad,,free,Hot\n903,Milk,,30,Hot\n904,Bad,,free,Hot\n")
    assert [message.partition(" left")[0] for message in caplog.messages] == [
        "menu_1.csv row 3",
        "menu_1.csv row 5",
    ]


def test_unusable_menu_is_logged_once(catalogue, data_dir, caplog):
    (data_dir / "menu_1.csv").write_text("")
    with caplog.at_level(logging.WARNING):
        errors = {menu_error(lambda: catalogue.menu(1)) for _ in range(3)}
    assert errors == {("Menu data is empty", 500)}
    assert caplog.messages == ["menu_1.csv can't be used: the file is empty; nothing is on sale"]


FAULTY_RESTAURANTS = [
    ("id", "x", "'x' is not a whole number"),
    ("id", "٣", "'٣' is not a whole number"),
    ("name", " ", "is empty"),
    ("tags", "chai||tea", "is empty"),
    ("name", "=?utf-8?q?=0aBcc:_x?=", "has a control character or =?, which no mail"),
    ("name", "Pehla\x0bDhaba", "has a control character or =?, which no mail"),
    ("vendor_email", "vendor", "'vendor' is not an e-mail address like"),
    ("vendor_email", "=?utf-8?q?=0aBcc:_x?=@a.example", "'=?utf-8?q?=0aBcc:_x?=@a.example' is not"),
    ("vendor_email", "a@b.example, c@d.example", "'a@b.example, c@d.example' is not an"),
    ("open", "25:00", "'25:00' is not a time like 10:30"),
    ("close", "", "'' is not a time like 10:30"),
    ("campuses", "north|west", "'west' is not a valid Campus"),
    ("takes_reservations", "yes", "'yes' is neither true nor false"),
    ("seats_per_slot", "-1", "'-1' is not a whole number"),
]
"""A column, its cell, and why it is refused."""


def test_catalogue_raises_value_error_for_faulty_restaurant(data_dir):
    file = data_dir / "restaurants.csv"
    with file.open(newline="") as lines:
        header, first, *others = csv.reader(lines)
    for column, cell, reason in FAULTY_RESTAURANTS:
        faulty = [
            cell if name == column else each for name, each in zip(header, first, strict=True)
        ]
        with file.open("w", newline="") as lines:
            csv.writer(lines).writerows([header, faulty, *others])
        said = re.escape(f"restaurants.csv row 2: {column}: {reason}")
        with pytest.raises(ValueError, match=said):
            CsvCatalogue(data_dir)


def test_catalogue_raises_value_error_for_duplicate_id_or_extra_cell(data_dir):
    file = data_dir / "restaurants.csv"
    sound = file.read_text()
    first = sound.splitlines()[1]
    for line, said in (
        (first, r"restaurants.csv row 10: id 1 is taken above"),
        ("9,Nine", r"restaurants.csv row 10: 2 cells where .* names 17"),
    ):
        file.write_text(f"{sound}{line}\n")
        with pytest.raises(ValueError, match=said):
            CsvCatalogue(data_dir)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("1,902,vegan-ish\n", "'vegan-ish' is neither veg nor non_veg"),
        ("1,902,veg\n1,902,non_veg\n", "902 has the other mark above"),
    ],
)
def test_dish_loses_only_its_mark_when_diet_row_is_faulty(menu_of, data_dir, caplog, rows, reason):
    (data_dir / "diet.csv").write_text("restaurant_id,dish_id,diet\n1,901,veg\n" + rows)
    menu = menu_of(HEADER + TEA + "902,Bad,,20,Hot\n")
    marks = [(dish.id, dish.marks.diet) for dish in menu.dishes]
    assert marks == [("901", Diet.VEGETARIAN), ("902", None)]
    (message,) = caplog.messages
    assert message.startswith("diet.csv row ")
    assert message.endswith(f"diet: {reason}")


def test_faults_is_empty_for_valid_menu(catalogue):
    assert [list(catalogue.faults(restaurant.id)) for restaurant in catalogue.restaurants()] == (
        [[]] * 8
    )


# Whether a dish is sold


def test_sells_is_true_when_dish_is_on_menu(catalogue):
    assert catalogue.sells(1, "104")
    assert not catalogue.sells(1, "201")
    assert catalogue.sells(2, "201")
    assert not catalogue.sells(9, "104")
    assert not catalogue.sells(1, "")


def test_sells_is_false_when_menu_file_is_broken_or_missing(catalogue, data_dir):
    (data_dir / "menu_1.csv").write_bytes(b"")
    assert not catalogue.sells(1, "104")
    (data_dir / "menu_1.csv").unlink()
    assert not catalogue.sells(1, "104")


# Changed files


def test_unchanged_menu_is_not_read_again(catalogue):
    assert catalogue.menu(1) is catalogue.menu(1)


def test_changed_menu_is_served_at_next_call(menu_of):
    assert menu_of(HEADER + TEA).by_id["901"].price == rupees(20)
    assert menu_of(HEADER + TEA.replace("20", "25")).by_id["901"].price == rupees(25)
    assert len(menu_of(HEADER + TEA + "902,Milk,,30,Hot\n").dishes) == 2


def test_revision_of_a_menu_is_the_same_in_each_process(catalogue, data_dir, menu_of):
    first, other = catalogue.revision(1), catalogue.revision(2)
    assert first != ""
    assert CsvCatalogue(data_dir).revision(1) == first
    menu_of(HEADER + TEA)
    changed = catalogue.revision(1)
    assert changed not in ("", first)
    restarted = CsvCatalogue(data_dir)  # a page may know the revision of the process before
    assert (restarted.revision(1), restarted.revision(2)) == (changed, other)


def test_revision_changes_with_the_marks_of_the_restaurant_alone(catalogue, data_dir):
    menus = (1, 2)
    before = [catalogue.revision(each) for each in menus]
    with (data_dir / "trending.csv").open("a") as file:
        file.write("1,103\n")
    after = [catalogue.revision(each) for each in menus]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, True]


def test_revision_stays_while_the_last_good_menu_is_served(catalogue, menu_of):
    assert catalogue.revision(99) == ""
    menu_of(HEADER + TEA)
    sold = catalogue.revision(1)
    menu_of("")
    assert catalogue.revision(1) == sold
    menu_of(HEADER + TEA.replace("20", "25"))
    assert catalogue.revision(1) != sold


def test_files_are_checked_once_per_interval(data_dir):
    catalogue = CsvCatalogue(data_dir, check_interval_seconds=3600)
    first = catalogue.menu(1)
    (data_dir / "menu_1.csv").unlink()
    assert catalogue.menu(1) is first
    with pytest.raises(MenuUnavailable):
        CsvCatalogue(data_dir).menu(1)


def test_replaced_menu_of_same_size_is_served(catalogue, data_dir, menu_of):
    menu_of(HEADER + TEA)
    stat = (data_dir / "menu_1.csv").stat()
    replacement = data_dir / "new.csv"
    replacement.write_text(HEADER + TEA.replace("20", "25"))
    os.utime(replacement, ns=(stat.st_mtime_ns + 1, stat.st_mtime_ns + 1))
    replacement.replace(data_dir / "menu_1.csv")
    assert catalogue.menu(1).by_id["901"].price == rupees(25)


def test_changed_diet_and_trending_files_are_served_at_next_call(menu_of, catalogue, data_dir):
    assert menu_of(HEADER + TEA).by_id["901"].marks.diet is None
    (data_dir / "diet.csv").write_text("restaurant_id,dish_id,diet\n1,901,veg\n")
    (data_dir / "trending.csv").write_text("restaurant_id,dish_id\n1,901\n")
    menu = catalogue.menu(1)
    assert menu.by_id["901"].marks.diet is Diet.VEGETARIAN
    assert [section.name for section in menu.sections()] == ["Trending", "Hot"]


# Last good copies


BROKEN = {
    "empty": b"",
    "header alone": HEADER.encode(),
    "cut off": (HEADER + TEA).encode()[:20],
    "an HTML page": b"<!doctype html>\n<p>404\n",
    "compressed": b"PK\x03\x04\x14\x00\x06\x00",
    "most rows wrong": (HEADER + TEA + "902,A,,x,Hot\n903,B,,x,Hot\n").encode(),
    "unquoted decimal commas": (HEADER + "901,Tea,,20,50,Hot\n902,A,,20,50,Hot\n").encode(),
}


def test_last_good_menu_is_served_when_file_becomes_broken(menu_of, catalogue, caplog):
    good = menu_of(HEADER + TEA)
    for content in BROKEN.values():
        caplog.clear()
        assert menu_of(content) == good
        assert catalogue.menu(1) == good
        assert catalogue.sells(1, "901")
        (message,) = caplog.messages
        assert message.startswith("menu_1.csv can't be used: ")
        assert message.endswith("; the last good menu stays on sale")
        assert [each.name for each in catalogue.file_states() if each.is_broken] == ["menu_1.csv"]
        assert menu_of(HEADER + TEA.replace("20", "25")).by_id["901"].price == rupees(25)
        assert not any(each.is_broken for each in catalogue.file_states())
        assert menu_of(HEADER + TEA) == good


def test_last_good_menu_gets_new_marks_while_file_is_broken(menu_of, catalogue, data_dir):
    menu_of(HEADER + TEA)
    menu_of("")
    (data_dir / "diet.csv").write_text("restaurant_id,dish_id,diet\n1,901,non_veg\n")
    assert catalogue.menu(1).by_id["901"].marks.diet is Diet.NON_VEGETARIAN


def test_last_good_menu_survives_restart_when_file_is_broken(data_dir, tmp_path):
    def started():
        return CsvCatalogue(data_dir, last_good=LastGoodCopies(tmp_path / "copies"))

    good, file = started().menu(1), data_dir / "menu_1.csv"
    for name, content in BROKEN.items():
        file.write_bytes(content)
        assert started().menu(1) == good, name
    file.unlink()
    assert started().menu(1) == good


def test_last_good_restaurants_are_used_at_restart_when_list_is_broken(data_dir, tmp_path, caplog):
    copies = LastGoodCopies(tmp_path / "copies")
    good = CsvCatalogue(data_dir, last_good=copies).restaurants()
    for content in (b"", b"id,name\n1,A\n", b"\xff\xfe"):
        (data_dir / "restaurants.csv").write_bytes(content)
        caplog.clear()
        again = CsvCatalogue(data_dir, last_good=copies)
        assert again.restaurants() == good
        assert next(iter(again.file_states())).is_broken
        assert caplog.messages[-1].endswith("; the last good list of restaurants is used")


def test_menu_is_served_when_its_copy_cannot_be_written(data_dir, tmp_path, caplog):
    (tmp_path / "copies").write_text("a file where the folder should be")
    assert CsvCatalogue(data_dir, last_good=LastGoodCopies(tmp_path / "copies")).menu(1).dishes
    assert "menu_1.csv: its last good copy can't be written" in caplog.text


def test_same_fault_in_many_rows_is_logged_once(menu_of, caplog):
    good = "".join(f"{n},Dish {n},,20,Hot\n" for n in range(100, 200))
    bad = "".join(f"{n},Dish {n},,free,Hot\n" for n in range(200, 265))
    with caplog.at_level(logging.WARNING):
        assert len(menu_of(HEADER + good + bad).dishes) == 100
    assert caplog.messages == [
        "menu_1.csv row 102 left out: price: 'free' is not an amount"
        " (and 64 more rows, up to row 166)"
    ]


@given(saves=st.lists(st.sampled_from([*BROKEN, "good", "higher price"]), max_size=6))
def test_last_good_menu_is_served_after_any_sequence_of_contents(shared_folder, saves):
    contents = {
        **BROKEN,
        "good": (HEADER + TEA).encode(),
        "higher price": (HEADER + TEA.replace("20", "25")).encode(),
    }
    catalogue = CsvCatalogue(shared_folder)
    expected = rupees(20)
    for save in ["good", *saves]:
        (shared_folder / "menu_1.csv").write_bytes(contents[save])
        expected = {"good": rupees(20), "higher price": rupees(25)}.get(save, expected)
        assert catalogue.menu(1).by_id["901"].price == expected
