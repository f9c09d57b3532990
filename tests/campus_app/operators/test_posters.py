"""Posters: the QR code of each page opens the kitchen's menu, and names of any length fit."""

from dataclasses import replace

import pypdfium2
import pytest
import zxingcpp

from campus_app.operators.posters import posters
from tests.helpers.builders import RESTAURANT
from tests.helpers.databases import sqlite_only

ORIGIN = "https://food-points.example"
_A4 = (595, 842)
_SCALE = 2


def pages(pdf):
    return list(pypdfium2.PdfDocument(pdf))


def code_of(page):
    (code,) = zxingcpp.read_barcodes(page.render(scale=_SCALE).to_pil())
    return code.text


def pixels_of_poster(image):
    (page,) = pages(posters([replace(RESTAURANT, image=image)], ORIGIN))
    return page.render(scale=_SCALE).to_pil().tobytes()


def words_of(page):
    return " ".join(page.get_textpage().get_text_range().split())


def test_pdf_has_a_page_with_a_readable_code_for_each_kitchen():
    kitchens = [RESTAURANT, replace(RESTAURANT, id=2, name="Kulhad Café", image="02-chai.svg")]
    first, second = pages(posters(kitchens, ORIGIN))
    assert [code_of(first), code_of(second)] == [f"{ORIGIN}/menu/1", f"{ORIGIN}/menu/2"]
    assert "Pehla Food Point" in words_of(first)
    assert "10:30–20:30" in words_of(first)
    assert "Kulhad Café" in words_of(second)
    assert "food-points.example/menu/2" in words_of(second)
    assert tuple(map(round, first.get_size())) == _A4


@pytest.mark.parametrize(
    "name",
    [
        "Q",
        "Shri Annapurna Shuddh Shakahari Bhojanalaya and Sweets",
        "Donaudampfschifffahrtsgesellschaftskapitänsküche",
        'Dum & #Handi "*_$"',
        "#panic()",
        "ढाबा",
    ],
)
def test_name_is_shown_as_text_on_one_page(name):
    (page,) = pages(posters([replace(RESTAURANT, name=name)], ORIGIN))
    assert code_of(page) == f"{ORIGIN}/menu/1"
    if name.isascii():
        assert name.replace(" ", "") in words_of(page).replace(" ", "")


def test_poster_has_the_default_picture_when_its_own_is_missing():
    default = pixels_of_poster(image="default.svg")
    assert pixels_of_poster(image="99-missing.svg") == default
    assert pixels_of_poster(image="02-chai.svg") != default


@sqlite_only
def test_command_writes_the_file(run, tmp_path):
    file = tmp_path / "doors.pdf"
    done = run("posters", "--pdf", str(file))
    assert (done.code, done.err) == (0, "")
    assert "Pehla Food Point" in done.out
    assert len(pages(file.read_bytes())) == 8


@sqlite_only
def test_command_names_a_file_that_cannot_be_written(run, tmp_path):
    done = run("posters", "--pdf", str(tmp_path / "missing" / "doors.pdf"))
    assert done.code == 1
    assert "doors.pdf" in done.err
