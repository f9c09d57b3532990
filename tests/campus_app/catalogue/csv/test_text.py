"""CSV files byte for byte as Excel, LibreOffice Calc and Google Sheets write them."""

import codecs
import csv
import io
from datetime import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.csv.catalogue import CsvCatalogue
from campus_app.catalogue.csv.cells import (
    parse_amount,
    parse_minutes_range,
    parse_rating,
    parse_time,
)
from campus_app.catalogue.csv.rows import rows_from
from campus_app.catalogue.rules.menu import COLUMNS, Diet
from campus_app.shared.rules.money import rupees
from kit.csv.text import UnreadableFile, text_from

PLAIN = (
    "id,name,description,price,category\r\n"
    '901,"Café, large",With milk – hot,20.5,Hot\r\n'
    "902,Tea,,1250,Hot\r\n"
)
SEMICOLONS = (
    "ID;Name;Description;Price;Category\r\n"
    "901;Café, large;With milk – hot;20,5;Hot\r\n"
    "902;Tea;;1250;Hot\r\n"
)
TABS = SEMICOLONS.replace(";", "\t")
DIALECTS = {
    "Excel: CSV UTF-8": codecs.BOM_UTF8 + PLAIN.encode(),
    "Excel: CSV, English": PLAIN.encode("windows-1252"),
    "Excel: CSV, German or French": SEMICOLONS.encode("windows-1252"),
    "Excel: CSV UTF-8, German": codecs.BOM_UTF8 + SEMICOLONS.encode(),
    "Excel: Unicode text": codecs.BOM_UTF16_LE + TABS.encode("utf-16-le"),
    "Excel: with the separator's line": b"sep=;\r\n" + SEMICOLONS.encode("windows-1252"),
    "Excel: with empty columns": SEMICOLONS.replace("\r\n", ";;\r\n").encode("windows-1252"),
    "LibreOffice: UTF-8": PLAIN.replace("\r\n", "\n").encode(),
    "LibreOffice: every text in quotation marks": (
        '"id","name","description","price","category"\n'
        '901,"Café, large","With milk – hot",20.5,"Hot"\n'
        '902,"Tea","",1250,"Hot"\n'
    ).encode(),
    "LibreOffice: decimal commas in quotation marks": (
        'id,name,description,price,category\n901,"Café, large",With milk – hot,"20,50",Hot\n'
        "902,Tea,,1250,Hot\n"
    ).encode(),
    "LibreOffice: UTF-16": codecs.BOM_UTF16_BE + PLAIN.encode("utf-16-be"),
    "Sheets: CSV": PLAIN.removesuffix("\r\n").encode(),
    "Sheets: TSV": TABS.replace("20,5", "20.50").removesuffix("\r\n").encode(),
    "Sheets: as currency": (
        'id,name,description,price,category\r\n901,"Café, large",With milk – hot,₹20.50,Hot\r\n'
        '902,Tea,,"₹1,250.00",Hot\r\n'
    ).encode(),
}


def test_menu_is_the_same_in_every_dialect(data_dir):
    for dialect, content in DIALECTS.items():
        (data_dir / "menu_1.csv").write_bytes(content)
        catalogue = CsvCatalogue(data_dir)
        cafe, tea = catalogue.menu(1).dishes
        assert (cafe.id, cafe.name) == ("901", "Café, large"), dialect
        assert (cafe.description, cafe.category) == ("With milk – hot", "Hot")
        assert (cafe.price, tea.price) == (Decimal("20.50"), Decimal("1250.00"))
        assert {type(dish.price) for dish in (cafe, tea)} == {Decimal}
        assert list(catalogue.faults(1)) == []


def encoded(text, *, delimiter, encoding):
    rows = csv.reader(io.StringIO(text))
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter).writerows(rows)
    return written.getvalue().encode(encoding)


@pytest.mark.parametrize(
    ("delimiter", "encoding"),
    [(",", "windows-1252"), (";", "utf-8-sig"), ("\t", "utf-16"), (";", "windows-1252")],
)
def test_data_folder_is_the_same_in_every_dialect(data_dir, delimiter, encoding):
    """All pairs of a delimiter and an encoding: the property at the end of this file."""
    before = CsvCatalogue(data_dir)
    menus = [before.menu(restaurant.id) for restaurant in before.restaurants()]
    (data_dir / "tara_facts.csv").unlink()  # has Hindi, which Windows-1252 has not
    for file in data_dir.glob("*.csv"):
        text = file.read_text(encoding="utf-8")
        file.write_bytes(encoded(text, delimiter=delimiter, encoding=encoding))
    after = CsvCatalogue(data_dir)
    assert after.restaurants() == before.restaurants()
    assert [after.menu(restaurant.id) for restaurant in after.restaurants()] == menus
    assert not any(state.is_broken or state.rows_left_out for state in after.file_states())


def test_restaurants_are_parsed_in_every_dialect(data_dir):
    file = data_dir / "restaurants.csv"
    before = CsvCatalogue(data_dir).restaurants()
    text = file.read_text(encoding="utf-8")
    changed = (
        text.replace(",false,", ",FALSE,")
        .replace(",true,", ",TRUE,")
        .replace(",09:00,", ",9:00,")
        .replace(",10:30,20:30,", ",10:30:00 AM,8:30 PM,")
        .replace("north|south", "North|South")
        .replace(",+91", ",91")
    )
    header, rest = changed.split("\n", 1)
    file.write_text(f"{header.title()}\n{rest}", encoding="utf-8")
    assert CsvCatalogue(data_dir).restaurants() == before


MARKS = {
    Diet.VEGETARIAN: ["veg", "Veg", " VEG "],
    Diet.NON_VEGETARIAN: ["non_veg", "Non-Veg", "non veg", "NONVEG"],
}


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_diet_mark_is_parsed_in_any_case_and_dialect(data_dir, delimiter):
    for diet, marks in MARKS.items():
        for mark in marks:
            rows = f"Restaurant_ID,Dish_ID,Diet\r\n1,104,{mark}\r\n".replace(",", delimiter)
            (data_dir / "diet.csv").write_bytes(rows.encode("utf-16"))
            assert CsvCatalogue(data_dir).menu(1).by_id["104"].marks.diet is diet, mark


AMOUNTS = {
    ",": {
        "120": ["120", "₹120", "₹ 120.00", "Rs. 120", "rs 120/-", "120 INR"],
        "120.5": ["120.5"],
        "1250": ["1,250", "₹\u00a01,250"],
        "125000.50": ["1,25,000.50"],
    },
    ";": {"1250.50": ["1.250,50", "1,250.50"], "120.5": ["120,5", "120.50"]},
    "\t": {"120.50": ["120,50"]},
}


@pytest.mark.parametrize("delimiter", AMOUNTS)
def test_parse_amount_is_exact(delimiter):
    for amount, cells in AMOUNTS[delimiter].items():
        for cell in cells:
            assert rupees(parse_amount(cell, delimiter=delimiter)) == rupees(amount), cell


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_parse_amount_raises_value_error_when_ambiguous(delimiter):
    for cell in ("1,250", "1.250"):
        with pytest.raises(ValueError, match=r"is 1250 or 1\.250: write it without a separator"):
            parse_amount(cell, delimiter=delimiter)


def test_parse_amount_raises_value_error_when_not_an_amount():
    others = ("१२०", "1_000", "NaN", "₹", "12.5.1")
    for cell in ("", "free", "1e2", "1,2,3", "12,34,5", "?120", *others):
        with pytest.raises(ValueError, match="is not an amount"):
            parse_amount(cell)
    for cell in ("80 140", "80\n140", "₹ 1 250"):
        with pytest.raises(ValueError, match="may be two amounts"):
            parse_amount(cell)


@given(
    paise=st.integers(1, 10_000_000),
    form=st.sampled_from(["{0}.{1:02}", "₹{0}.{1:02}", "₹ {0:,}.{1:02}", "Rs. {0:,}.{1:02}/-"]),
    delimiter=st.sampled_from([",", ";", "\t"]),
)
def test_parse_amount_never_returns_another_amount(paise, form, delimiter):
    cell = form.format(*divmod(paise, 100))
    for written in (cell, cell.translate(str.maketrans(",.", ".,"))):
        if written.startswith("Rs,"):
            continue
        assert rupees(parse_amount(written, delimiter=delimiter)) == Decimal(paise) / 100


def test_parse_time_accepts_spreadsheet_formats():
    for cell in ("9:00", "09:00", "09:00:00", "9:00 AM"):
        assert parse_time(cell) == time(9), cell
    others = ("12:30 am", "12:30 PM", "10:30:00 p.m.", "0:00")
    assert [parse_time(cell) for cell in others] == [
        time(0, 30),
        time(12, 30),
        time(22, 30),
        time(0),
    ]


def test_parse_time_raises_value_error_when_not_a_time():
    for cell in ("", "9", "24:00", "13:00 PM", "0:30 AM", "9:60", "9.30", "0.375"):
        with pytest.raises(ValueError, match="is not a time like 10:30"):
            parse_time(cell)


def test_parse_minutes_range_raises_value_error_for_date():
    assert parse_minutes_range("25 – 35") == "25-35"
    with pytest.raises(ValueError, match="'12-Oct' is not minutes like 25-35: format the column"):
        parse_minutes_range("12-Oct")


def test_parse_rating_has_one_decimal():
    assert [parse_rating(cell) for cell in ("4.4", "4,4", "4")] == ["4.4", "4.4", "4.0"]


@pytest.mark.parametrize("phone", ["9.1E+11", "9,1E+11"])
def test_parse_phone_raises_value_error_when_rounded(data_dir, phone):
    file = data_dir / "restaurants.csv"
    text = file.read_text(encoding="utf-8").replace("+910000000001", f'"{phone}"')
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"restaurants.csv row 2: vendor_phone: .* rounded number"):
        CsvCatalogue(data_dir)


@pytest.mark.parametrize(
    ("raw", "row"),
    [
        pytest.param(b"id\n1\nCaf\x8e\n", 3, id="an old Mac's é"),
        pytest.param("id\nCafé\n".encode() + b"Caf\xe9\n", 3, id="two encodings in one file"),
        pytest.param(
            codecs.BOM_UTF8 + b"id\nCaf\xe9\n", 2, id="content contradicts byte order mark"
        ),
        pytest.param("id,name".encode("utf-16-le"), 0, id="UTF-16 without its mark"),
        pytest.param(codecs.BOM_UTF16_LE + b"i", 1, id="half a letter"),
    ],
)
def test_text_from_raises_unreadable_file_with_row_when_ambiguous(raw, row):
    with pytest.raises(UnreadableFile, match="CSV UTF-8") as raised:
        text_from(raw)
    assert raised.value.row == row


CELLS = st.text(
    st.characters(codec="windows-1252", exclude_categories=["Cc", "Zl", "Zp"]), max_size=12
)


@given(
    names=st.lists(CELLS, min_size=1, max_size=5),
    delimiter=st.sampled_from([",", ";", "\t"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_rows_written_by_csv_writer_are_parsed(names, delimiter, encoding, newline, quoting):
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter, lineterminator=newline, quoting=quoting)
    writer.writerow(COLUMNS)
    rows = [[str(n), name, f"a {name}", "20", "Hot"] for n, name in enumerate(names)]
    writer.writerows(rows)
    read = rows_from(written.getvalue().encode(encoding), COLUMNS)
    assert [list(row.cells.values()) for row in read.rows] == rows
    assert read.faults == ()
    assert read.delimiter == delimiter
