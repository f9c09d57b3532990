"""Offers as JSON: every limit of specification 14.4."""

import contextlib
import json
from datetime import date, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.ordering.rules.offer_list import offer_json, read_offer, read_offers
from campus_app.ordering.rules.offer_version import offer_difference
from campus_app.ordering.rules.offers import OFFERS, OneFree, PercentOff, Weekday
from campus_app.shared.rules.constants import MAXIMUM_OFFERS
from campus_app.shared.rules.errors import Invalid
from campus_app.shared.rules.money import rupees
from tests.campus_app.ordering.rules.test_offers import ANY_OFFER
from tests.hostile.invalid_values import VALUES

SATURDAY = offer_json(OFFERS[1])
RESTAURANTS = {2, 5}


def faults_of(value, restaurants=RESTAURANTS):
    with pytest.raises(Invalid) as raised:
        read_offers(value, restaurants)
    assert raised.value.code == "offers_invalid"
    return raised.value.fields


def days(offer):
    """Return every day from the first to the last one."""
    length = (offer.last_day - offer.first_day).days + 1
    return [offer.first_day + timedelta(days=number) for number in range(length)]


def test_shipped_offers_are_written_and_read_as_json():
    assert offer_json(OFFERS[1]) == {
        "id": "saturday",
        "title": "Saturday evening: 10% off",
        "restaurantId": 2,
        "benefit": "percent",
        "percent": 10,
        "weekdays": ["saturday"],
        "from": "18:00",
        "until": "00:00",
        "firstDay": "",
        "lastDay": "",
        "minimum": 0,
    }
    assert read_offers([offer_json(each) for each in OFFERS], RESTAURANTS) == OFFERS


@given(ANY_OFFER)
def test_any_offer_is_read_as_it_was_written(offer):
    value = json.loads(json.dumps(offer_json(offer)))
    is_empty = offer.first_day and offer.last_day and not any(map(offer.begins_on, days(offer)))
    if is_empty:
        assert set(faults_of([value], {1})) == {"0.lastDay"}
    else:
        assert read_offer(value) == offer


def test_texts_of_a_form_are_read_like_numbers():
    form = SATURDAY | {"restaurantId": "5", "percent": "90", "minimum": "300", "title": " A \n b "}
    offer = read_offer(form | {"weekdays": ["sunday", "monday"], "firstDay": "2026-11-30"})
    assert (offer.restaurant_id, offer.benefit, offer.minimum) == (5, PercentOff(90), rupees(300))
    assert (offer.title, offer.weekdays) == ("A b", (Weekday.MONDAY, Weekday.SUNDAY))
    assert (offer.begins, offer.first_day) == (time(18), date(2026, 11, 30))


def test_percentage_of_second_one_free_is_ignored():
    free = SATURDAY | {"benefit": "secondFree", "percent": "x"}
    assert read_offer(free).benefit == OneFree(every=2)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("id", ["", "A", "a b", "x" * 33, None, 7]),
        ("title", ["", " ", "x" * 61, None, 7, "\u200b"]),
        ("restaurantId", [1, "x", None, True, 2.0, "२"]),
        ("benefit", ["", "free", None, []]),
        ("percent", [0, 91, "", "1.5", "-1", True, "१०", 10.0]),
        ("weekdays", [[], ["Monday"], ["monday", "monday"], ["monday", 3], "monday", None]),
        ("from", ["", "24:00", "9:00", "18:60", "18:00:00", None, 18]),
        ("until", ["", "24:00", None]),
        ("firstDay", ["18.11.2026", "2026-02-30", "1999-01-01", 7]),
        ("lastDay", ["2026-13-01", "20260101"]),
        ("minimum", [-1, 199, 10_001, "200.50", True, []]),
        ("other", [1]),
    ],
)
def test_invalid_member_is_a_fault_of_its_own(name, values):
    for value in values:
        assert list(faults_of([SATURDAY | {name: value}])) == [f"0.{name}"], value


@pytest.mark.parametrize(
    ("first", "last"),
    [
        pytest.param("2026-11-22", "2026-11-27", id="no Saturday between them"),
        pytest.param("2026-11-28", "2026-11-21", id="ends before it begins"),
    ],
)
def test_offer_that_never_begins_is_a_fault(first, last):
    assert list(faults_of([SATURDAY | {"firstDay": first, "lastDay": last}])) == ["0.lastDay"]


def test_offer_of_a_single_day_is_valid():
    day = {"firstDay": "2026-11-21", "lastDay": "2026-11-21"}
    assert read_offer(SATURDAY | day).begins_on(date(2026, 11, 21))


def test_every_faulty_offer_is_named():
    faults = faults_of([SATURDAY, SATURDAY | {"id": "b", "percent": 0}, {"id": "c"}])
    assert "1.percent" in faults
    assert {"2.title", "2.benefit", "2.from"} <= set(faults)


def test_list_has_at_most_twenty_offers_of_distinct_ids():
    many = [SATURDAY | {"id": f"o-{number}"} for number in range(MAXIMUM_OFFERS + 1)]
    assert len(read_offers(many[:-1])) == MAXIMUM_OFFERS
    assert faults_of(many) == {"": "There are at most 20 offers."}
    assert faults_of([SATURDAY, SATURDAY]) == {"": "Two offers have the same id."}


def test_anything_else_is_a_fault():
    for value in (None, 7, "x", {}, [None], [[]], ["x"], [{1: 2}]):
        assert faults_of(value)


@pytest.mark.parametrize("name", SATURDAY)
def test_hostile_member_is_read_or_a_fault(name):
    for value in VALUES:
        with contextlib.suppress(Invalid):
            assert read_offer(SATURDAY | {name: value}, RESTAURANTS).id, repr(value)[:30]


def test_difference_names_new_gone_and_changed_offers():
    wednesday, saturday = OFFERS
    dearer = read_offer(SATURDAY | {"percent": 5})
    third = read_offer(SATURDAY | {"id": "third"})
    found = offer_difference(OFFERS, [third, dearer])
    assert (found.new, found.gone, found.changed) == (
        *([third], [wednesday], [(saturday, dearer)]),
    )
    reordered = offer_difference(OFFERS, OFFERS[::-1])
    assert (reordered.new, reordered.gone, reordered.changed) == ([], [], [])


@given(st.lists(ANY_OFFER, max_size=3), st.lists(ANY_OFFER, max_size=3))
def test_difference_accounts_for_every_offer(before, after):
    before = list({each.id: each for each in before}.values())
    after = list({each.id: each for each in after}.values())
    found = offer_difference(before, after)
    changed = {now.id for _, now in found.changed}
    kept = [each for each in before if each in after]
    assert {each.id for each in after} == {
        *(each.id for each in [*kept, *found.new]),
        *changed,
    }
