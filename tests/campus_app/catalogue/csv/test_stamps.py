"""Files that are written while the product reads them. Source: specification 10.34."""

import os
import shutil

import pytest

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.catalogue.csv.stamps import SettledStamps, ends_with_line
from campus_app.catalogue.rules.menu import Diet
from tests.helpers.settings import DATA

HEADER = "id,name,description,price,category\n"
HALF = HEADER + "901,Tea,,20,Hot\n"
WHOLE = HALF + "902,Milk,,30,Hot\n903,Soup,,40,Hot\n"
STILL_SECONDS = 1.0


class Clock:
    """The time that a process measures, and the time of files."""

    def __init__(self):
        self.seconds = 1_000.0

    def monotonic(self):
        return self.seconds

    def wall_ns(self):
        return int(self.seconds * 1e9)


class Shop:
    """A data folder whose menu is saved, and processes that read it."""

    def __init__(self, folder, copies):
        self.folder, self.copies, self.clock = folder, copies, Clock()
        for file in folder.iterdir():
            os.utime(file, (0, 0))
        self.catalogue = self.started()

    def started(self, still_seconds=STILL_SECONDS):
        stamps = SettledStamps(still_seconds, self.clock.monotonic, self.clock.wall_ns)
        return CsvCatalogue(self.folder, last_good=LastGoodCopies(self.copies), stamps=stamps)

    def save(self, content, name="menu_1.csv"):
        file = self.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(file, (self.clock.seconds, self.clock.seconds))

    def sold_after(self, seconds):
        self.clock.seconds += seconds
        return [dish.id for dish in self.catalogue.menu(1).dishes]

    def open_menu(self):
        self.save(WHOLE)
        os.utime(self.folder / "menu_1.csv", (0, 0))
        self.catalogue = self.started()
        assert self.sold_after(0) == ["901", "902", "903"]


@pytest.fixture
def shop(tmp_path):
    return Shop(shutil.copytree(DATA, tmp_path / "data"), tmp_path / "copies")


def test_menu_counts_when_it_has_been_still_for_a_second(shop):
    shop.open_menu()
    shop.save(WHOLE + "904,Rice,,50,Hot\n")
    assert len(shop.sold_after(0)) == 3
    assert len(shop.sold_after(0.9)) == 3
    assert len(shop.sold_after(0.1)) == 4


def test_menu_saved_in_two_writes_never_loses_a_dish(shop):
    shop.open_menu()
    shop.save(HALF)
    assert len(shop.sold_after(0)) == 3
    assert len(shop.sold_after(0.9)) == 3
    shop.save(WHOLE + "904,Rice,,50,Hot\n")
    assert len(shop.sold_after(0.9)) == 3
    assert len(shop.sold_after(0.2)) == 3
    assert len(shop.sold_after(1.0)) == 4
    assert b"904" in (shop.copies / "menu_1.csv").read_bytes()


def test_control_menu_saved_in_two_writes_loses_dishes_without_waiting(shop):
    shop.open_menu()
    shop.catalogue = shop.started(still_seconds=0)
    shop.save(HALF)
    assert shop.sold_after(0) == ["901"]
    assert b"902" not in (shop.copies / "menu_1.csv").read_bytes()


@pytest.mark.parametrize("seconds", [1.5, 9.0])
def test_menu_without_last_line_ending_counts_after_ten_seconds(shop, seconds):
    shop.open_menu()
    shop.save(WHOLE + "904,Rice,,50,Hot")
    shop.sold_after(0)
    assert len(shop.sold_after(seconds)) == 3
    assert len(shop.sold_after(10 - seconds)) == 4


@pytest.mark.parametrize("end", ["904,Rice,,5", '904,"Rice', "904"])
def test_menu_that_ends_within_a_row_does_not_count(shop, caplog, end):
    shop.open_menu()
    shop.save(HALF + end)
    shop.sold_after(0)
    assert len(shop.sold_after(30)) == 3
    assert caplog.messages[-1] == (
        "menu_1.csv can't be used: it ends within a row, 3; the last good menu stays on sale"
    )
    assert b"902" in (shop.copies / "menu_1.csv").read_bytes()


def test_process_that_starts_during_a_save_serves_the_copy(shop):
    shop.open_menu()
    shop.save(HALF)
    shop.catalogue = shop.started()
    assert len(shop.sold_after(0)) == 3
    assert b"902" in (shop.copies / "menu_1.csv").read_bytes()
    shop.save(WHOLE + "904,Rice,,50,Hot\n")
    shop.sold_after(0)
    assert len(shop.sold_after(1)) == 4


def test_process_that_starts_during_the_first_save_keeps_no_copy(shop):
    shop.save(HALF)
    assert shop.sold_after(0) == ["901"]
    assert not (shop.copies / "menu_1.csv").exists()
    assert shop.sold_after(1) == ["901"]
    assert (shop.copies / "menu_1.csv").exists()


def test_marks_count_when_their_file_has_been_still(shop):
    shop.open_menu()
    shop.save("restaurant_id,dish_id,diet\n1,901,veg\n", "diet.csv")
    shop.sold_after(0.5)
    assert shop.catalogue.menu(1).by_id["901"].marks.diet is None
    shop.sold_after(1)
    assert shop.catalogue.menu(1).by_id["901"].marks.diet is Diet.VEGETARIAN


def test_restaurants_are_read_when_their_file_has_been_still(shop):
    file = shop.folder / "restaurants.csv"
    whole = file.read_bytes()
    half = whole.splitlines(keepends=True)[:5]
    shop.save(b"".join(half), "restaurants.csv")

    def wall_ns_while_saving():
        shop.clock.seconds += 0.4
        if file.stat().st_size != len(whole):
            shop.save(whole, "restaurants.csv")
        return shop.clock.wall_ns()

    stamps = SettledStamps(STILL_SECONDS, shop.clock.monotonic, wall_ns_while_saving)
    assert len(CsvCatalogue(shop.folder, stamps=stamps).restaurants()) == 8


def test_ends_with_line_reads_any_encoding(tmp_path):
    file = tmp_path / "menu.csv"
    assert ends_with_line(str(file)) is True
    with_end = ("a\n".encode("utf-16"), "a\r\n".encode("utf-16-be"))
    for contents, has_end in (
        ((b"", b"a\n", b"a\r", *with_end), True),
        ((b"a", "a".encode("utf-16")), False),
    ):
        for content in contents:
            file.write_bytes(content)
            assert ends_with_line(str(file)) is has_end, content
