"""Data folders with any number of restaurants."""

import csv
from pathlib import Path

from tests.helpers.settings import DATA

_ORIGINALS = 8


def shop_with(restaurants: int, folder: Path) -> Path:
    """Create a data folder with this many restaurants: those of the test data, then copies of them.

    A copy has its original's menu, with dish ids of its own.
    """
    folder.mkdir()
    header, *rows = _read(DATA / "restaurants.csv")
    copies = [_copy(rows, number) for number in range(1, restaurants + 1)]
    _write(folder / "restaurants.csv", [header, *copies])
    for number in range(1, restaurants + 1):
        menu_header, *dishes = _read(DATA / f"menu_{_original(number)}.csv")
        rows_of_copy = [[_dish(number, dish), *others] for dish, *others in dishes]
        _write(folder / f"menu_{number}.csv", [menu_header, *rows_of_copy])
    for name in ("trending.csv", "diet.csv"):
        side_header, *marks = _read(DATA / name)
        own = [
            [str(number), _dish(number, dish), *others]
            for number in range(1, restaurants + 1)
            for owner, dish, *others in marks
            if int(owner) == _original(number)
        ]
        _write(folder / name, [side_header, *own])
    return folder


def _original(number: int) -> int:
    return (number - 1) % _ORIGINALS + 1


def _dish(number: int, dish: str) -> str:
    return dish if number <= _ORIGINALS else f"{number}{dish[1:]}"


def _copy(rows: list[list[str]], number: int) -> list[str]:
    row = list(rows[_original(number) - 1])
    if number > _ORIGINALS:
        row[0], row[1] = str(number), f"{row[1]} {number}"
        row[6] = f"{row[6]}|new here"  # a tag without a translation
        row[12], row[13] = "false", "0"
    return row


def _read(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def _write(file: Path, rows: list[list[str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
