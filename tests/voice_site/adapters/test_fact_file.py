"""The file of facts: what a faulty row does, and what its fault names. Source: V2.72, V2.73."""

import codecs
import csv

import pytest

from campus_app.shared.settings import Settings
from tests.helpers.settings import DATA
from voice_site.adapters.fact_file import FILE, VALUE_COLUMNS, read_facts
from voice_site.domain.facts import NO_FACTS, FactName

SHOP = Settings.model_fields["data_dir"].default
HEADER = "fact,value,value_hi,about\n"
GST = "gst,Added: 18%.,18% अलग से।,\n"


@pytest.fixture
def file(tmp_path):
    return tmp_path / FILE


def read(file, content):
    file.write_text(content, encoding="utf-8")
    return read_facts(file.parent)


def faults(found):
    return [(fault.row, fault.column, fault.reason) for fault in found.faults]


def test_fact_is_read_in_each_language(file):
    found = read(file, HEADER + GST + "one_more_base,12,,\n")
    assert found.facts.values == {
        FactName.GST: {"en": "Added: 18%.", "hi": "18% अलग से।"},
        FactName.ONE_MORE_BASE: {"en": "₹12"},
    }
    assert (found.valid_rows, found.faults) == (2, ())


def test_file_may_be_missing(tmp_path):
    assert read_facts(tmp_path) is None


@pytest.mark.parametrize(
    ("row", "column", "reason"),
    [
        ("gts,Added.,अलग से।,", "fact", "'gts' is no fact: gst is meant?"),
        ("colour,Blue.,नीला।,", "fact", "'colour' is no fact: the facts are interaction, one_"),
        ("gst,Included.,शामिल।,", "fact", "gst has a row above, which is shown"),
        ("notice,30 days.,,", "value_hi", "is empty, but another language has a value"),
        ("notice,N/A,नहीं है।,", "value", "'N/A' is no value"),
        ("one_more_pro,free,,", "value", "'free' is no amount in rupees"),
        ("notice,30 days, 30 दिन,,,x", "", "cells where the header names 4"),
    ],
)
def test_fault_names_row_column_and_reason_and_hides_one_fact(file, row, column, reason):
    found = read(file, f"{HEADER}\n{GST}{row}\n")
    ((number, of, said),) = faults(found)
    assert (number, of) == (4, column)
    assert reason in said
    assert set(found.facts.values) == {FactName.GST}
    assert found.valid_rows == 1


@pytest.mark.parametrize(
    ("content", "row", "reason"),
    [
        ("", 0, "the file is empty"),
        ("fact,value,about\n", 1, "the header does not name value_hi once"),
        ("nothing\n", 1, "this is not the header fact,value,value_hi"),
    ],
)
def test_unusable_file_hides_all_facts_and_is_one_fault(file, content, row, reason):
    found = read(file, content)
    assert faults(found) == [(row, "", reason)]
    assert found.facts == NO_FACTS


def test_file_that_cannot_be_opened_is_a_fault(file):
    file.mkdir()
    assert faults(read_facts(file.parent)) == [(0, "", "Is a directory")]


def test_file_of_excel_with_semicolons_is_read(file):
    raw = "Fact;Value;Value_hi;About\r\nGST;Added: 18%.;18% अलग से।;\r\n"
    file.write_bytes(codecs.BOM_UTF8 + raw.encode())
    assert read_facts(file.parent).facts.value(FactName.GST, "hi") == "18% अलग से।"


def test_shipped_file_names_each_fact_and_says_what_belongs_there():
    with (SHOP / FILE).open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream, strict=True))
    assert [row["fact"] for row in rows] == list(FactName)
    assert all(row["about"] for row in rows)
    # The specification states none of them, and nothing is invented.
    assert {row[column] for row in rows for column in VALUE_COLUMNS.values()} == {""}
    assert read_facts(SHOP).facts == NO_FACTS


def test_tests_have_facts_with_and_without_a_value():
    found = read_facts(DATA)
    assert found.faults == ()
    assert set(found.facts.values) == {
        FactName.ONE_MORE_BASE,
        FactName.ONE_MORE_PRO,
        FactName.GST,
        FactName.NUMBERS,
    }
