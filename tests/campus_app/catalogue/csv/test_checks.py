"""Checks of data/: each fault has a file, a row, a column and a reason."""

import os
from datetime import datetime

import pytest

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.checks import FileFault, check_files
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from kit.csv.text import SAVE_AS
from tests.helpers.settings import DATA


def faults(folder):
    return [fault for file in check_files(folder) for fault in file.faults]


def test_shipped_files_have_no_faults():
    files = list(check_files(DATA))
    assert [file.name for file in files] == [
        "restaurants.csv",
        *(f"menu_{number}.csv" for number in range(1, 9)),
        "trending.csv",
        "diet.csv",
    ]
    assert [file.faults for file in files] == [()] * 11
    assert all(file.valid_rows >= 8 for file in files)


def test_files_may_name_the_column_of_the_dish_as_earlier_releases_did(data_dir):
    sound = CsvCatalogue(data_dir).menu(1)
    for name in ("trending.csv", "diet.csv"):
        file = data_dir / name
        file.write_text(file.read_text("utf-8").replace("dish_id", "item_id", 1), "utf-8")
    assert faults(data_dir) == []
    assert CsvCatalogue(data_dir).menu(1) == sound


@pytest.mark.parametrize(
    ("name", "row", "fault"),
    [
        ("menu_1.csv", "199,Tea,,free,Hot", ("price", "'free'")),
        ("trending.csv", "9,104", ("restaurant_id", "'9' is no")),
        ("trending.csv", "1,999", ("dish_id", "'999' is not")),
        ("diet.csv", "1,104,vegan", ("diet", "'vegan' is neither")),
        ("diet.csv", "1,104,veg,milk|dust,", ("allergens", "'dust' is none of gluten, crustac")),
        ("diet.csv", "1,104,veg,,hot", ("spice", "'hot' is not 1")),
        ("diet.csv", "1,999,veg", ("dish_id", "'999' is not")),
        (
            "restaurants.csv",
            "1,A,B,4,1-2,a.svg,t,v@a.example,+910000000009,10:00,20:00,north,false,0,,9800000001@ybl",
            ("upi_id", "'9800000001@ybl' is a person's"),
        ),
    ],
)
def test_fault_has_file_row_column_and_reason(data_dir, name, row, fault):
    lines = len((data_dir / name).read_text(encoding="utf-8").splitlines())
    with (data_dir / name).open("a", encoding="utf-8") as file:
        file.write(f"\n{row}\n")
    (found,) = faults(data_dir)
    assert (found.file, found.row, found.column) == (name, lines + 2, fault[0])
    assert found.reason.startswith(fault[1])


WHOLE = b"id,name,description,price,category\n"
UNUSABLE = [
    (None, 0, "No such file or directory"),
    (b"", 0, "the file is empty"),
    (b"id,name\n", 1, "the header does not name description, price, category once"),
    (b"\nid,name,name,description,price,category\n", 2, "the header does not name name once"),
    (b"dish|cost\n", 1, "this is not the header id,name,description,price,category"),
    (b"a\0b", 0, f"the file is no text, or UTF-16 without its mark: {SAVE_AS}"),
    (
        WHOLE + b"1,A,,2,B\n2,Caf\x8e,,2,B\n",
        3,
        f"a letter is neither UTF-8 nor Windows-1252: {SAVE_AS}",
    ),
    (WHOLE, 0, "no row of the file can be used"),
]


def test_unusable_file_has_one_fault(data_dir):
    file = data_dir / "menu_8.csv"
    for content, row, reason in UNUSABLE:
        file.unlink()
        if content is not None:
            file.write_bytes(content)
        assert faults(data_dir) == [FileFault("menu_8.csv", row, "", reason)]
        file.touch()


def test_fault_names_copy_in_use_when_file_is_broken(data_dir, tmp_path):
    copies = LastGoodCopies(tmp_path / "copies")
    CsvCatalogue(data_dir, last_good=copies).menu(8)
    written = datetime(2026, 11, 18, 13, 0, tzinfo=CAMPUS_TIME_ZONE).timestamp()
    os.utime(tmp_path / "copies" / "menu_8.csv", (written, written))
    (data_dir / "menu_8.csv").write_bytes(b"")
    (fault,) = [fault for file in check_files(data_dir, copies) for fault in file.faults]
    assert fault.reason == (
        "the file is empty; the last good copy, of 18 Nov 2026 13:00, stays in use"
    )


def test_missing_picture_is_fault_of_restaurant(data_dir, tmp_path):
    images = tmp_path / "images"
    images.mkdir()
    for number, row in enumerate((data_dir / "restaurants.csv").read_text().splitlines()[1:]):
        if number:
            (images / row.split(",")[5]).touch()
    (fault,) = next(iter(check_files(data_dir, images=images))).faults
    assert (fault.row, fault.column) == (2, "image")
    assert fault.reason == "there is no 01-thali.svg in assets/images"


def test_each_damaged_cell_is_a_fault_with_what_to_do(data_dir):
    # Source: specification 10.50.
    with (data_dir / "menu_8.csv").open("a", encoding="utf-8") as file:
        file.write("891,????,,20,Hot\n892,à¤°à¥‹,,20,Hot\n893,#NAME?,,20,Hot\n894,Tea,,20,#N/A\n")
    found = [(fault.column, fault.reason) for fault in faults(data_dir)]
    assert [column for column, _ in found] == ["name", "name", "name", "category"]
    lost, misread, error, no_category = (reason for _, reason in found)
    assert (
        lost
        == f"letters of '????' were lost when the file was saved: write it again, and {SAVE_AS}"
    )
    assert "as UTF-8" in misread
    assert "apostrophe" in error
    assert no_category.startswith("'#N/A' is an error of the spreadsheet")


OFF_SALE = "to take a dish off sale until the next opening, use 'ops sold-out'"


NOT_READ = {
    "is not read: name_hi is meant?": ["Name (Hindi)", "Hindi name", "हिंदी", "name-hi"],
    "is not read: category_hi is meant?": ["Category (Hindi)", "Hindi category", "श्रेणी"],
    "is not read: description_hi is meant?": ["Description in Hindi", "description hi"],
    "is not read: the columns are id, name, description, price, category, name_hi": ["GST"],
    f"is not read, except that a dish with 'no' is left out: {OFF_SALE}": ["available"],
    f"is not read, except that a dish with 'yes' is left out: {OFF_SALE}": ["Sold Out"],
    "belongs into the column 'allergens' of diet.csv": ["Allergens"],
    "belongs into diet.csv": ["Veg/Non-veg"],
    "belongs into trending.csv": ["Bestseller"],
    "a dish has one price: write a row for each size, with an id of its own": ["Half"],
}


def test_unknown_column_is_fault_with_the_column_that_is_meant(data_dir):
    # Source: specification 10.51.
    file = data_dir / "menu_8.csv"
    header, *rows = file.read_text("utf-8").splitlines()
    for reason, columns in NOT_READ.items():
        for column in columns:
            lines = [f"{header},{column}", *(f"{row}," for row in rows), ""]
            file.write_text("\n".join(lines), "utf-8")
            (fault,) = faults(data_dir)
            assert (fault.row, fault.column) == (1, column)
            assert fault.reason.startswith(reason)


@pytest.mark.parametrize(
    ("name", "column", "reason"),
    [
        ("diet.csv", "allergen", "is not read: allergens is meant?"),
        ("diet.csv", "spicy level", "is not read: spice is meant?"),
        ("trending.csv", "rank", "is not read: the columns are restaurant_id, dish_id"),
        ("restaurants.csv", "UPI", "is not read: upi_id is meant?"),
        ("restaurants.csv", "phone", "is not read: the columns are id, name, categories"),
    ],
)
def test_unknown_column_of_another_file_is_fault(data_dir, name, column, reason):
    file = data_dir / name
    meant = reason.split()[3]
    header, *rows = file.read_text("utf-8").splitlines()
    columns = [column if each == meant else each for each in header.split(",")]
    if column not in columns:
        columns, rows = [*columns, column], [f"{row}," for row in rows]
    file.write_text("\n".join([",".join(columns), *rows, ""]), "utf-8")
    found = [fault for fault in faults(data_dir) if fault.column == column]
    assert [(fault.file, fault.row) for fault in found] == [(name, 1)]
    assert found[0].reason.startswith(reason)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("893,Bun,,20,hot,गर्म", "'गर्म' is not shown: 'hot' is 'गरम' in a row above"),
        ("893,Bun,,20,Hot,N/A", "'N/A' is not a category: write the name of the tab"),
        ("893,Bun,,20,Hot,TRENDING", "'TRENDING' is not a category: write the name of the tab"),
        ("893,Bun,,20,Hot,", ""),
        ("893,Bun,,20,Cold,गर्म", ""),
    ],
)
def test_second_hindi_name_of_a_category_is_fault(data_dir, row, reason):
    # Source: specification 10.65.
    rows = ["id,name,description,price,category,category_hi", "891,Tea,,20,Hot,", row, ""]
    rows.insert(2, "892,Milk,,20,Hot,गरम")
    (data_dir / "menu_8.csv").write_text("\n".join(rows), "utf-8")
    found = [fault for fault in faults(data_dir) if fault.file == "menu_8.csv"]
    assert [(fault.row, fault.column) for fault in found] == (
        [(4, "category_hi")] if reason else []
    )
    assert all(fault.reason.startswith(reason) for fault in found)
    menu = CsvCatalogue(data_dir).menu(8)
    assert (len(menu.dishes), menu.categories()[0].name_in("hi")) == (3, "गरम")


def test_column_that_is_named_twice_or_not_at_all_is_fault(data_dir):
    file = data_dir / "menu_8.csv"
    header, *rows = file.read_text("utf-8").splitlines()
    both = f"{header},name_hi,name_hi,"
    file.write_text("\n".join([both, *(f"{row},चाय,कॉफ़ी," for row in rows), ""]), "utf-8")
    (fault,) = faults(data_dir)
    assert (fault.column, fault.reason) == ("name_hi", "is named twice: the last one is read")
    file.write_text("\n".join([f"{header},", *(f"{row},spare" for row in rows), ""]), "utf-8")
    (fault,) = faults(data_dir)
    assert (fault.row, fault.column) == (1, "")


def test_damaged_name_of_a_restaurant_is_fault(data_dir):
    file = data_dir / "restaurants.csv"
    file.write_text(file.read_text("utf-8").replace("Kulhad Café", "Kulhad CafÃ©"), "utf-8")
    (fault,) = faults(data_dir)
    assert (fault.row, fault.column) == (3, "name")


def test_menus_are_checked_when_restaurants_file_is_broken(data_dir):
    (data_dir / "restaurants.csv").write_text("")
    with (data_dir / "menu_3.csv").open("a") as file:
        file.write("399,Tea,,free,Hot\n")
    assert [fault.file for fault in faults(data_dir)] == ["restaurants.csv", "menu_3.csv"]


NEW_RESTAURANT = "9,Nine,,five,1-2,nine.svg,t,nobody,+91,1:5,20:00,east,false,0,"


def test_all_faults_of_a_new_restaurant_are_found_at_once(data_dir):
    for name, row in (("restaurants.csv", NEW_RESTAURANT), ("trending.csv", "9,901")):
        with (data_dir / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{row}\n")
    checked = check_files(data_dir, images=DATA.parents[1] / "assets" / "images")
    found = [(each.file, each.column) for file in checked for each in file.faults]
    columns = ("image", "categories", "rating", "vendor_email", "open", "campuses")
    assert found == [*(("restaurants.csv", column) for column in columns), ("menu_9.csv", "")]


def test_start_names_all_faults_of_a_new_restaurant_at_once(data_dir):
    with (data_dir / "restaurants.csv").open("a", encoding="utf-8") as file:
        file.write(f"\n{NEW_RESTAURANT}\n1,Too,short\n")
    with pytest.raises(ValueError, match=r"restaurants\.csv row") as raised:
        CsvCatalogue(data_dir)
    for words in ("categories: ", "rating: ", "vendor_email: ", "open: ", "campuses: ", "3 cells"):
        assert words in str(raised.value)
