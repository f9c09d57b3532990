"""Reading restaurants' files in a process with limits. Source: specification 12.3."""

import asyncio
import io
import struct
import subprocess
import sys
import time
import zipfile

import pytest
import xlsxwriter

from campus_app.catalogue.csv import sheet_reader
from campus_app.catalogue.csv.sheet_files import SheetFiles, UnreadableSheet

pytestmark = pytest.mark.anyio

ROWS = (("Item", "Rate"), ("Café Latte", "12.5"), ("a;b", "3"))
TEXT = 'Item,Rate\nCafé Latte,12.5\n"a;b",3\n'


def workbook(fill):
    """Return the bytes of a workbook whose sheets `fill` writes."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        fill(book)
    return stream.getvalue()


def repacked(raw, change):
    """Return an archive whose parts are changed: `change` returns the bytes of a named part."""
    stream = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(raw))
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in source.infolist():
            archive.writestr(part.filename, change(part.filename, source.read(part)))
    return stream.getvalue()


def menu_sheet(book):
    book.add_worksheet("Notes").write(0, 0, "Our menu")
    sheet = book.add_worksheet("Menu")
    for number, row in enumerate((("Item", "Rate"), ("Dosa", 80.0), ("Idli", 12.5), ("7", True))):
        sheet.write_row(number, 0, row)


async def rows(raw):
    return (await SheetFiles().sheets(raw))[0].rows


async def problem(raw, seconds=20.0):
    with pytest.raises(UnreadableSheet) as refused:
        await SheetFiles(seconds).sheets(raw)
    return refused.value.problem


def read(raw):
    """Return the rows of text as the reader finds them, without a process of its own."""
    ((_name, found),) = sheet_reader.sheets_of(raw)
    return tuple(map(tuple, found))


def test_rows_are_read_whatever_the_dialect():
    for raw in (
        *(TEXT.encode(encoding) for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252")),
        *(TEXT.replace(",", delimiter).encode() for delimiter in "\t|"),
        TEXT.replace("\n", "\r\n").encode(),
        b"sep=;\r\n" + TEXT.replace(",", ";").encode(),
        b"\n\n" + TEXT.encode(),
    ):
        assert read(raw) == ROWS, raw
    assert read(b"Item;Rate\nTea;12,50\nNaan;30,00\n")[1] == ("Tea", "12,50")
    assert read(b'Item,Rate\n"Dal,\nspicy",80\n')[1] == ("Dal,\nspicy", "80")


async def test_rows_have_equal_length_when_lines_do_not():
    assert await rows(b"HOTEL\nItem,Rate,Group\nSTARTERS\nTikka,80,,,\n") == (
        ("HOTEL", "", ""),
        ("Item", "Rate", "Group"),
        ("STARTERS", "", ""),
        ("Tikka", "80", ""),
    )


async def test_sheets_of_a_workbook_are_read_the_largest_first():
    menu, notes = await SheetFiles().sheets(workbook(menu_sheet))
    assert menu.name == "Menu"
    assert menu.rows == (("Item", "Rate"), ("Dosa", "80"), ("Idli", "12.5"), ("7", "yes"))
    assert (notes.name, notes.rows) == ("Notes", (("Our menu",),))


async def test_sheet_is_left_out_when_it_is_too_large_but_another_is_not():
    def fill(book):
        menu_sheet(book)
        orders = book.add_worksheet("Orders")
        for number in range(sheet_reader.MAXIMUM_ROWS + 1):
            orders.write(number, 0, number)

    names = [each.name for each in await SheetFiles().sheets(workbook(fill))]
    assert names == ["Menu", "Notes"]


async def test_workbook_is_refused_when_its_cells_repeat_long_texts():
    def fill(book):
        sheet = book.add_worksheet()
        for row in range(60):
            sheet.write_row(row, 0, ["é" * 1000] * 60)

    raw = workbook(fill)
    assert len(raw) < 50_000
    assert await problem(raw) == sheet_reader.TOO_LARGE


async def test_files_that_wait_for_others_are_refused_in_time():
    files = SheetFiles(0.5)  # two are read at once, each in 0.3 s
    started = time.monotonic()
    found = await asyncio.gather(
        *(files.sheets(TEXT.encode()) for _ in range(12)), return_exceptions=True
    )
    refused = [each.problem for each in found if isinstance(each, UnreadableSheet)]
    assert set(refused) == {sheet_reader.TOO_SLOW}
    assert time.monotonic() - started < 5


async def test_hidden_sheet_is_not_read():
    def fill(book):
        book.add_worksheet("Shown").write_row(0, 0, ("Item", "Rate"))
        hidden = book.add_worksheet("Hidden")
        hidden.write_row(0, 0, ("Secret", "1", "2"))
        hidden.hide()

    assert await rows(workbook(fill)) == (("Item", "Rate"),)


async def test_formula_is_its_stored_value():
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ("Item", "Rate"))
        sheet.write_formula(1, 0, '=HYPERLINK("http://x.example","Dosa")', None, "Dosa")
        sheet.write_formula(1, 1, "=[other.xlsx]Sheet1!A1", None, 80)

    assert await rows(workbook(fill)) == (("Item", "Rate"), ("Dosa", "80"))


async def test_external_entity_is_not_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    entity = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>'

    def change(name, content):
        if not name.endswith("sharedStrings.xml"):
            return content
        text = content.decode()
        return text.replace("?>", f"?>{entity}", 1).replace("Dosa", "&e;").encode()

    try:
        found = await rows(repacked(workbook(menu_sheet), change))
    except UnreadableSheet:
        return
    assert "the secret" not in str(found)


NO_SHEETS = {
    sheet_reader.EMPTY: [b"", b"\n , \n"],
    sheet_reader.OLD_WORKBOOK: [b"\xd0\xcf\x11\xe0\xa1\xb1"],
    sheet_reader.UNREADABLE: [
        *(b"PK\x03\x04junk", b"\x89PNG\r\n\x1a\n\0\0", b'Item,Rate\n"open,1\n'),
        *(b"<html><table><tr><td>Naan</td></tr></table>", b"%PDF-1.4\n1 0 obj\n"),
        b'[{"name": "Naan", "price": 30}]',
    ],
    sheet_reader.TOO_LARGE: [
        *(b"a,b\n" * 5000, b"a," * 100 + b"\n", b"a," * 1_000_000, b"a" * 100_000_000)
    ],
}


@pytest.mark.parametrize("expected", NO_SHEETS)
async def test_file_is_refused_when_it_is_no_sheet(expected):
    for raw in NO_SHEETS[expected]:
        assert await problem(raw) == expected, raw[:20]


def bomb():
    """Return a workbook of less than a megabyte whose sheet has 400 MB."""

    def change(name, content):
        if not name.endswith("sheet2.xml"):
            return content
        return content.replace(b"</sheetData>", b" " * 400_000_000 + b"</sheetData>")

    return repacked(workbook(menu_sheet), change)


def with_false_sizes(raw):
    """Return an archive that declares a thousand bytes for each larger part."""
    changed = bytearray(raw)
    for signature, place in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        start = changed.find(signature)
        while start >= 0:
            if struct.unpack_from("<I", changed, start + place)[0] > 1_000_000:
                struct.pack_into("<I", changed, start + place, 1000)
            start = changed.find(signature, start + 1)
    return bytes(changed)


async def test_zip_bomb_is_refused_before_it_is_unpacked():
    raw = bomb()
    assert len(raw) < 1_000_000
    assert await problem(raw) == sheet_reader.TOO_LARGE
    assert await problem(with_false_sizes(raw)) in {sheet_reader.TOO_LARGE, sheet_reader.UNREADABLE}


async def test_reading_is_ended_when_it_takes_too_long():
    started = time.monotonic()
    assert await problem(TEXT.encode(), seconds=0.01) == sheet_reader.TOO_SLOW
    assert time.monotonic() - started < 5


def test_server_does_not_load_what_only_sheets_and_figures_need():
    loaded = "' '.join({'pandas', 'xlsxwriter'} & set(sys.modules))"
    program = f"import campus_app.campus_app, sys; sys.exit({loaded} or 0)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert result.returncode == 0, result.stderr
