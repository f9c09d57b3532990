"""The weekly offers: active times, discounts, and that discounts are not combined."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import Dish
from campus_app.ordering.rules.cart import CartLine, subtotal
from campus_app.ordering.rules.offers import (
    OFFERS,
    Offer,
    OneFree,
    PercentOff,
    Weekday,
    discount_for,
    next_offer_change,
    offer_at,
)
from campus_app.shared.rules.constants import MINIMUM_ORDER, MINIMUM_PRE_RESERVED_ORDER
from campus_app.shared.rules.money import percent_of, rupees

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
    found = sorted((offer.id, offer.restaurant_id) for offer in OFFERS)
    assert found == [("saturday", 2), ("wednesday", 5)]


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


def test_discount_is_zero_without_dishes_or_without_reservation_and_offer():
    assert {str(offer.discount([])) for offer in OFFERS} == {"0.00"}
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


def test_next_offer_change_is_none_without_offer():
    assert [id_ for id_ in range(1, 9) if next_offer_change(id_, MONDAY)] == [2, 5]


def test_benefit_is_at_most_every_second_unit_and_between_0_and_100_percent():
    for percent in (-10, 0, 100):
        with pytest.raises(ValueError, match="is no discount"):
            PercentOff(percent)
    with pytest.raises(ValueError, match="every unit"):
        OneFree(every=1)


# Any offer


HOURS = time(18), time(22)
NIGHT = time(22), time(2)


def offer(**changes):
    fields = {"id": "o", "title": "Offer", "restaurant_id": 1, "benefit": PercentOff(10)}
    return Offer(**(fields | {"weekdays": (Weekday.WEDNESDAY,)} | changes))


def spanning(span, **changes):
    begins, ends = span
    return offer(begins=begins, ends=ends, **changes)


@pytest.mark.parametrize(
    ("found", "moment", "is_active"),
    [  # the 26th of August 2026 is a Wednesday
        pytest.param(spanning(HOURS), "2026-08-26T17:59:59.999999", False, id="before it"),
        pytest.param(spanning(HOURS), "2026-08-26T18:00", True, id="begins"),
        pytest.param(spanning(HOURS), "2026-08-26T21:59:59.999999", True, id="last moment"),
        pytest.param(spanning(HOURS), "2026-08-26T22:00", False, id="has ended"),
        pytest.param(spanning(HOURS), "2026-08-27T18:00", False, id="another day"),
        pytest.param(spanning(NIGHT), "2026-08-26T01:00", False, id="the night before"),
        pytest.param(spanning(NIGHT), "2026-08-26T22:00", True, id="night begins"),
        pytest.param(spanning(NIGHT), "2026-08-27T00:00", True, id="past midnight"),
        pytest.param(spanning(NIGHT), "2026-08-27T01:59:59.999999", True, id="late"),
        pytest.param(spanning(NIGHT), "2026-08-27T02:00", False, id="night has ended"),
        pytest.param(spanning((time(6), time(6))), "2026-08-27T05:59", True, id="24 hours"),
        pytest.param(spanning((time(6), time(6))), "2026-08-27T06:00", False, id="24 hours ended"),
        pytest.param(offer(first_day=date(2026, 8, 26)), "2026-08-26T00:00", True, id="first day"),
        pytest.param(offer(first_day=date(2026, 8, 27)), "2026-08-26T12:00", False, id="too early"),
        pytest.param(offer(last_day=date(2026, 8, 26)), "2026-08-26T23:59", True, id="last day"),
        pytest.param(offer(last_day=date(2026, 8, 25)), "2026-08-26T00:00", False, id="too late"),
        pytest.param(
            spanning(NIGHT, last_day=date(2026, 8, 26)), "2026-08-27T01:00", True, id="last night"
        ),
        pytest.param(
            spanning(NIGHT, first_day=date(2026, 8, 27)), "2026-08-27T01:00", False, id="no night"
        ),
    ],
)
def test_offer_is_active_between_its_hours_and_days(found, moment, is_active):
    assert found.is_active_at(datetime.fromisoformat(f"{moment}+05:30")) is is_active


@pytest.mark.parametrize(
    ("found", "moment", "change"),
    [
        pytest.param(spanning(NIGHT), "2026-08-26T23:00", "2026-08-27T02:00", id="past midnight"),
        pytest.param(
            offer(weekdays=(Weekday.WEDNESDAY, Weekday.THURSDAY)),
            *("2026-08-26T12:00", "2026-08-28T00:00"),
            id="two days in a row have no change between them",
        ),
        pytest.param(
            offer(first_day=date(2027, 1, 1)), "2026-08-26T12:00", "2027-01-06T00:00", id="far off"
        ),
        pytest.param(offer(last_day=date(2026, 8, 26)), "2026-08-27T00:00", None, id="over"),
        pytest.param(offer(weekdays=tuple(Weekday)), "2026-08-26T12:00", None, id="always"),
    ],
)
def test_next_change_is_when_an_offer_begins_or_ends(found, moment, change):
    expected = datetime.fromisoformat(f"{change}+05:30") if change else None
    assert found.next_change(datetime.fromisoformat(f"{moment}+05:30")) == expected


TIMES = st.builds(time, st.integers(0, 23), st.sampled_from([0, 30, 59]))
DATES = st.none() | st.dates(date(2025, 1, 1), date(2026, 12, 31))
BENEFITS = st.builds(PercentOff, st.integers(1, 90)) | st.just(OneFree(every=2))
ANY_OFFER = st.builds(
    Offer,
    id=st.sampled_from(["a", "b"]),
    title=st.just("Offer"),
    restaurant_id=st.just(1),
    benefit=BENEFITS,
    weekdays=st.sets(st.sampled_from(Weekday), min_size=1).map(lambda days: tuple(sorted(days))),
    begins=TIMES,
    ends=TIMES,
    first_day=DATES,
    last_day=DATES,
    minimum=st.sampled_from([0, 200, 400, 5_000]).map(rupees),
)
MOMENTS = st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))
CARTS = st.lists(
    st.tuples(st.decimals("0.05", 3_000, places=2).map(str), st.integers(1, 20)), max_size=6
).map(lambda priced: lines(*priced))


@given(ANY_OFFER, MOMENTS)
def test_state_of_any_offer_flips_at_its_next_change_and_not_before(found, moment):
    change = found.next_change(moment)
    is_active = found.is_active_at(moment)
    until = change or moment + timedelta(days=9)
    assert moment < until
    between = [moment + (until - moment) * part / 7 for part in range(7)]
    between.append(until - timedelta(microseconds=1))
    assert all(found.is_active_at(each) == is_active for each in between)
    if change:
        assert found.is_active_at(change) != is_active


@given(CARTS, st.lists(ANY_OFFER, max_size=4), MOMENTS, st.booleans())
def test_discount_is_one_of_those_that_apply_and_within_the_subtotal(
    cart, offers, moment, reserved
):
    found = discount_for(cart, 1, moment, is_pre_reserved=reserved, offers=offers)
    minimum = MINIMUM_PRE_RESERVED_ORDER if reserved else MINIMUM_ORDER
    total = subtotal(cart)
    own = [
        each.discount(cart, order_minimum=minimum) for each in offers if each.is_active_at(moment)
    ]
    reservation = [percent_of(total, 10)] if reserved else []
    assert found.amount == max([rupees(0), *reservation, *own])
    assert 0 <= found.amount <= total


@given(CARTS, ANY_OFFER, st.booleans())
def test_offer_with_minimum_takes_no_cart_below_it_or_below_the_order(cart, found, reserved):
    minimum = MINIMUM_PRE_RESERVED_ORDER if reserved else MINIMUM_ORDER
    amount = found.discount(cart, order_minimum=minimum)
    if amount and found.minimum:
        assert subtotal(cart) - amount >= max(found.minimum, minimum)


@pytest.mark.parametrize(
    ("price", "amount"),
    [
        pytest.param("333.33", "33.33", id="300.00 is left"),
        pytest.param("333.32", "0.00", id="299.99 would be left"),
        pytest.param("300.00", "0.00", id="270.00 would be left"),
    ],
)
def test_minimum_of_an_offer_counts_after_the_discount(price, amount):
    assert str(offer(minimum=rupees(300)).discount(lines((price, 1)))) == amount


def test_larger_of_two_offers_counts_and_names_the_discount():
    offers = [offer(title="Tenth"), offer(id="p", title="Free", benefit=OneFree(every=2))]
    for priced, name in (([("100.00", 2)], "Free"), ([("100.00", 1)], "Tenth")):
        found = discount_for(lines(*priced), 1, WEDNESDAY, is_pre_reserved=False, offers=offers)
        assert found.name == name
