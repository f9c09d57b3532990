"""The two campuses and their delivery fees."""

from decimal import Decimal

import pytest

from campus_app.shared.rules.campus import Campus, delivery_fee


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
    assert type(delivery_fee(campus)) is Decimal
    assert str(delivery_fee(campus)) == fee


def test_there_are_two_campuses():
    assert [campus.value for campus in Campus] == ["north", "south"]


@pytest.mark.parametrize("word", ["", "North", "NORTH", "east", "north "])
def test_parse_campus_returns_none_for_other_values(word):
    with pytest.raises(ValueError, match="not a valid Campus"):
        Campus(word)
