"""The campuses, and what is known of each."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from campus_app.shared.rules.campus import Campus

ASSETS = Path(__file__).parents[4] / "assets"


@pytest.mark.parametrize(
    ("stored", "place_name", "fee"),
    [
        pytest.param("north", "North Campus", "15.00", id="9.1: 15 rupees on the north campus"),
        pytest.param("south", "South Campus", "25.00", id="9.1: 25 on the south"),
    ],
)
def test_campus_has_stored_value_display_name_and_fee(stored, place_name, fee):
    campus = Campus(stored)
    assert campus.value == stored
    assert campus.place_name == place_name
    assert type(campus.delivery_fee) is Decimal
    assert str(campus.delivery_fee) == fee


def test_there_are_two_campuses():
    assert [campus.value for campus in Campus] == ["north", "south"]


@pytest.mark.parametrize("word", ["", "North", "NORTH", "east", "north "])
def test_parse_campus_returns_none_for_other_values(word):
    with pytest.raises(ValueError, match="not a valid Campus"):
        Campus(word)


def test_campus_without_one_of_its_values_is_an_error():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'picture'"):
        Campus.__new_member__(Campus, "east", "East Campus", 20, "/about3")


@pytest.mark.parametrize("campus", Campus)
def test_campus_has_a_picture_and_a_list_that_is_kept_offline(campus):
    assert (ASSETS / "images" / campus.picture).is_file()
    assert re.fullmatch(r"/about\d?", campus.address)


@pytest.mark.parametrize("value", ["place_name", "address"])
def test_campuses_have_different_names_and_lists(value):
    assert len({getattr(campus, value) for campus in Campus}) == len(Campus)
