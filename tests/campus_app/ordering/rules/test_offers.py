"""The weekly offers: active times, discounts, and that discounts are not combined."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import Dish
from campus_app.ordering.rules.cart import CartLine
from campus_app.ordering.rules.offers import (
    OFFERS,
    OneFree,
    PercentOff,
    Weekday,
    discount_for,
    next_offer_change,
    offer_at,
)

MONDAY = datetime.fromisoformat("2026-08-24T12:00:00+05:30")
WEDNESDAY = datetime.fromisoformat("2026-08-26T12:00:00+05:30")
SATURDAY_EVENING = datetime.fromisoformat("2026-08-29T19:00:00+05:30")

BOGO = "Wednesday: buy one, get one free"
SATURDAY = "Saturday evening: 10% off"
PRE_RESERVED = "Pre-reservation: 10% off"


def lines(*priced):
    return [
        CartLine(Dish(f"d{index}", "Dish", "", Decimal(price), "Pizza"), quantity)
        for index, (price, quantity) in enumerate(priced)
    ]


@pytest.mark.parametrize(
    ("moment", "restaurant_id", "offer"),
    [  # 2.49, 9.33, 9.34: all Wednesday at restaurant 5, from Saturday 18:00 at restaurant 2
        ("2026-08-25T18:29:59.999999+00:00", 5, None),
        ("2026-08-25T18:30:00+00:00", 5, "wednesday"),
        ("2026-08-26T06:30:00+00:00", 5, "wednesday"),
        ("2026-08-26T18:29:59.999999+00:00", 5, "wednesday"),
        ("2026-08-26T18:30:00+00:00", 5, None),
        ("2026-08-26T06:30:00+00:00", 2, None),
        ("2026-08-29T12:29:59.999999+00:00", 2, None),
        ("2026-08-29T12:30:00+00:00", 2, "saturday"),
        ("2026-08-29T18:29:59.999999+00:00", 2, "saturday"),
        ("2026-08-29T18:30:00+00:00", 2, None),
        ("2026-08-28T18:30:00+00:00", 2, None),
        ("2026-08-28T12:30:00+00:00", 2, None),
        ("2026-08-29T12:30:00+00:00", 5, None),
        ("2026-08-29T08:30:00-04:00", 2, "saturday"),
    ],
)
def test_offer_is_active_in_campus_time(moment, restaurant_id, offer):
    found = offer_at(restaurant_id, datetime.fromisoformat(moment))
    assert (found.id if found else None) == offer


def test_offer_at_returns_offer_of_its_restaurant_only():
    assert {offer.id: offer.restaurant_id for offer in OFFERS} == {"wednesday": 5, "saturday": 2}


@pytest.mark.parametrize(
    ("priced", "amount"),
    [
        pytest.param([("200.00", 1)], "0.00", id="M7: one unit, none free"),
        pytest.param([("200.00", 2)], "200.00", id="M7: of two units one is free"),
        pytest.param([("200.00", 3)], "200.00", id="M7: of three units one is free"),
        pytest.param([("200.00", 4)], "400.00", id="M7: of four units two are free"),
        pytest.param([("199.99", 5)], "399.98", id="M7: of five units two are free"),
        pytest.param([("10.00", 50)], "250.00", id="of fifty units twenty-five are free"),
        pytest.param([("200.00", 1), ("300.00", 1)], "0.00", id="M7: two units of the same item"),
        pytest.param([("149.50", 3), ("300.00", 2)], "449.50", id="each line for itself"),
        pytest.param([], "0.00", id="nothing in the cart"),
    ],
)
def test_wednesday_offer_makes_every_second_unit_free(priced, amount):
    found = discount_for(lines(*priced), 5, WEDNESDAY, is_pre_reserved=False)
    assert str(found.amount) == amount
    assert found.name == (BOGO if Decimal(amount) else "")


@pytest.mark.parametrize(
    ("priced", "amount"),
    [
        pytest.param([("250.00", 2)], "50.00", id="9.34: 10% off at restaurant 2"),
        pytest.param([("222.21", 1)], "22.22", id="22.221 is rounded down"),
        pytest.param([("444.45", 1)], "44.45", id="M2: 44.445 is rounded up"),
        pytest.param([("0.25", 1), ("0.20", 1)], "0.05", id="M2: rounded once, of the subtotal"),
    ],
)
def test_saturday_offer_takes_10_percent_off(priced, amount):
    found = discount_for(lines(*priced), 2, SATURDAY_EVENING, is_pre_reserved=False)
    assert (str(found.amount), found.name) == (amount, SATURDAY)


@pytest.mark.parametrize(
    ("priced", "restaurant_id", "moment", "amount", "name"),
    [
        ([("250.00", 2)], 2, MONDAY, "50.00", PRE_RESERVED),
        ([("250.00", 2)], 5, MONDAY, "50.00", PRE_RESERVED),
        ([("250.00", 2)], 2, SATURDAY_EVENING, "50.00", PRE_RESERVED),  # 10%, not 20%
        ([("200.00", 2)], 5, WEDNESDAY, "200.00", BOGO),
        ([("200.00", 1), ("250.00", 1)], 5, WEDNESDAY, "45.00", PRE_RESERVED),  # nothing is free
        ([("10.00", 2), ("440.00", 1)], 5, WEDNESDAY, "46.00", PRE_RESERVED),
    ],
)
def test_discount_for_returns_the_larger_discount(priced, restaurant_id, moment, amount, name):
    found = discount_for(lines(*priced), restaurant_id, moment, is_pre_reserved=True)
    assert (str(found.amount), found.name) == (amount, name)


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.id)
def test_offer_discount_of_empty_cart_is_zero(offer):
    assert str(offer.discount([])) == "0.00"


def test_discount_for_is_zero_without_reservation_and_offer():
    found = discount_for(lines(("250.00", 2)), 2, MONDAY, is_pre_reserved=False)
    assert (str(found.amount), found.name) == ("0.00", "")


@given(
    st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1)),
    st.integers(1, 8),
    st.integers(-14 * 60, 14 * 60),
)
def test_offer_is_active_independent_of_time_zone(naive, restaurant_id, offset):
    india = timezone(timedelta(hours=5, minutes=30))
    moment = naive.replace(tzinfo=india)
    found = offer_at(restaurant_id, moment.astimezone(timezone(timedelta(minutes=offset))))
    is_wednesday = naive.strftime("%A") == "Wednesday"
    is_saturday_evening = f"{naive:%A %H}" >= "Saturday 18" and naive.strftime("%A") == "Saturday"
    assert (found is not None) == (
        (restaurant_id == 5 and is_wednesday) or (restaurant_id == 2 and is_saturday_evening)
    )


# Start and end of offers


@pytest.mark.parametrize(
    ("restaurant_id", "moment", "change"),
    [
        pytest.param(5, "2026-08-24T12:00", "2026-08-26T00:00", id="begins on Wednesday"),
        pytest.param(5, "2026-08-26T00:00", "2026-08-27T00:00", id="ends at midnight"),
        pytest.param(5, "2026-08-26T23:59:59.999999", "2026-08-27T00:00", id="just before the end"),
        pytest.param(5, "2026-08-27T00:00", "2026-09-02T00:00", id="next week's"),
        pytest.param(2, "2026-08-29T17:59:59", "2026-08-29T18:00", id="begins at 6PM"),
        pytest.param(2, "2026-08-29T18:00", "2026-08-30T00:00", id="ends at 12AM"),
        pytest.param(2, "2026-08-29T00:00", "2026-08-29T18:00", id="Saturday morning"),
        pytest.param(2, "2026-08-30T00:00", "2026-09-05T18:00", id="next Saturday"),
    ],
)
def test_next_offer_change_is_in_campus_time(restaurant_id, moment, change):
    found = next_offer_change(restaurant_id, datetime.fromisoformat(f"{moment}+05:30"))
    assert found == datetime.fromisoformat(f"{change}+05:30")


@pytest.mark.parametrize("restaurant_id", [1, 3, 4, 6, 7, 8])
def test_next_offer_change_is_none_without_offer(restaurant_id):
    assert next_offer_change(restaurant_id, MONDAY) is None


@given(
    st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(OFFERS),
)
def test_offer_state_flips_exactly_at_next_change(moment, offer):
    change = offer.next_change(moment)
    assert moment < change
    assert offer.is_active_at(change - timedelta(microseconds=1)) == offer.is_active_at(moment)
    assert offer.is_active_at(change) != offer.is_active_at(moment)


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.id)
def test_offer_has_fields_of_specification(offer):
    # Source: specification 3.15.
    assert all((offer.title, offer.subtitle, offer.description, offer.timing, offer.terms))
    assert "{restaurant}" in offer.description
    assert any("₹200" in term for term in offer.terms)


def test_offer_ids_are_distinct():
    assert len({offer.id for offer in OFFERS}) == len(OFFERS)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"benefit": PercentOff(15)}, id="texts name 10%"),
        pytest.param({"benefit": OneFree(2)}, id="texts name a percentage"),
        pytest.param({"title": "Saturday evening: 15% off"}, id="title names 15%"),
        pytest.param({"terms": ("Not above 20 %.",)}, id="a term names 20%"),
        pytest.param({"weekday": Weekday.FRIDAY}, id="texts name Saturday"),
        pytest.param({"description": "At {restaurant}, every Sunday."}, id="names two days"),
        pytest.param({"from_hour": 0}, id="timing names the evening"),
        pytest.param({"timing": "Saturday, 7PM to 12AM"}, id="timing names another hour"),
        pytest.param({"from_hour": 24}, id="no hour"),
    ],
)
def test_offer_is_refused_when_its_texts_differ_from_its_data(changes):
    with pytest.raises(ValueError, match=r"offer saturday: |hour must be in 0\.\.23"):
        replace(OFFERS[1], **changes)


@pytest.mark.parametrize("percent", [-10, 0, 100])
def test_percentage_of_an_offer_is_above_0_and_below_100(percent):
    with pytest.raises(ValueError, match="is no discount"):
        PercentOff(percent)


def test_offer_makes_at_most_every_second_unit_free():
    with pytest.raises(ValueError, match="every unit"):
        OneFree(every=1)


@pytest.mark.parametrize(
    ("hour", "timing"), [(1, "1AM"), (11, "11AM"), (12, "12PM"), (13, "1PM"), (23, "11PM")]
)
def test_timing_of_an_offer_has_twelve_hours(hour, timing):
    offer = replace(OFFERS[1], from_hour=hour, timing=f"Saturday, {timing} to 12AM")
    assert offer.from_hour == hour
