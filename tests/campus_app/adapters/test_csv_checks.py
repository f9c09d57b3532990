"""Looking through data/: what is wrong, where, and in the words of whoever mends it."""

import pytest

from campus_app.adapters.csv_checks import FileFault, check_files
from tests.support.settings import DATA

QUOTES = "a quotation mark is missing or one too many"


def faults(folder):
    return [fault for file in check_files(folder) for fault in file.faults]


def test_what_is_shipped_is_sound():
    files = list(check_files(DATA))
    assert [file.name for file in files] == [
        "restaurants.csv",
        *(f"menu_{number}.csv" for number in range(1, 9)),
        "trending.csv",
        "diet.csv",
    ]
    assert [file.faults for file in files] == [()] * 11
    assert all(file.sound_rows >= 8 for file in files)


@pytest.mark.parametrize(
    ("name", "row", "fault"),
    [
        pytest.param(
            "menu_1.csv", "199,Tea, with milk,,20,Hot", ("", "6 cells"), id="menu: a comma"
        ),
        pytest.param("menu_1.csv", '199,"Tea,,20,Hot', ("", QUOTES), id="menu: a quotation mark"),
        pytest.param("menu_1.csv", "199,Tea,,free,Hot", ("price", "'free'"), id="menu: a price"),
        pytest.param("menu_1.csv", "104,Tea,,20,Hot", ("id", "104 is already"), id="menu: twice"),
        pytest.param("trending.csv", "9,104", ("restaurant_id", "'9' is no"), id="trending: who"),
        pytest.param("trending.csv", "1,999", ("item_id", "'999' is not"), id="trending: what"),
        pytest.param("diet.csv", "1,104,vegan", ("diet", "'vegan' is neither"), id="diet: a mark"),
        pytest.param("diet.csv", "1,999,veg", ("item_id", "'999' is not"), id="diet: what"),
        pytest.param(
            "restaurants.csv",
            "1,A,B,4,1-2,a.svg,t,v@a.example,+91,1:5,2:00,north,false,0",
            ("open", "'1:5' is not a time"),
            id="restaurants: a time",
        ),
        pytest.param(
            "restaurants.csv",
            "1,A,B,4,1-2,a.svg,t,v@a.example,+91,10:00,20:00,north,false,0",
            ("id", "1 is already taken"),
            id="restaurants: twice",
        ),
    ],
)
def test_a_fault_is_named_by_file_row_column_and_reason(data_dir, name, row, fault):
    lines = len((data_dir / name).read_text(encoding="utf-8").splitlines())
    with (data_dir / name).open("a", encoding="utf-8") as file:
        file.write(f"\n{row}\n")
    (found,) = faults(data_dir)
    assert (found.file, found.row, found.column) == (name, lines + 2, fault[0])
    assert found.reason.startswith(fault[1])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(None, "No such file or directory", id="missing"),
        pytest.param(b"", "the file is empty", id="nothing"),
        pytest.param(b"id,name\n", "the header does not name description, price, category once"),
        pytest.param(
            b"id,name,name,description,price,category\n", "the header does not name name once"
        ),
        pytest.param(b"\xff\xfe", "the file is no text in UTF-8", id="no text"),
        pytest.param(
            b"id,name,description,price,category\n",
            "no row of the file can be used",
            id="a header alone",
        ),
    ],
)
def test_a_file_that_can_not_be_used_is_named_as_a_whole(data_dir, content, reason):
    file = data_dir / "menu_8.csv"
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    found = faults(data_dir)
    assert FileFault("menu_8.csv", 0, "", reason) in found
    # Its dishes are trending, and marked: that is wrong from now on, and nothing else is.
    others = {fault.file for fault in found} - {"menu_8.csv"}
    assert others == {"trending.csv", "diet.csv"}


def test_menus_are_looked_through_even_where_the_list_of_restaurants_is_broken(data_dir):
    (data_dir / "restaurants.csv").write_text("")
    with (data_dir / "menu_3.csv").open("a") as file:
        file.write("399,Tea,,free,Hot\n")
    assert [fault.file for fault in faults(data_dir)] == ["restaurants.csv", "menu_3.csv"]
