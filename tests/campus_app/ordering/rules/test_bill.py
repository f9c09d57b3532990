"""The bill: tables written by hand from the specification, and properties for all carts."""

from dataclasses import fields, replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.ordering.rules.bill import (
    Bill,
    BillTerms,
    bill_for,
    charged_units,
    is_donation,
    vendor_charge,
)
from campus_app.ordering.rules.cart import subtotal
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import MINIMUM_ORDER
from tests.campus_app.ordering.rules.test_offers import (
    ANY_OFFER,
    BOGO,
    MONDAY,
    PRE_RESERVED,
    SATURDAY,
    SATURDAY_EVENING,
    WEDNESDAY,
    lines,
)

ON_SATURDAY = {"restaurant": 2, "at": SATURDAY_EVENING}
ON_WEDNESDAY = {"restaurant": 5, "at": WEDNESDAY}
RESERVED = {"reserved": True}
MONEY = [each.name for each in fields(Bill) if each.name not in {"discount_name", "percent"}]


def bill(*priced, restaurant=1, campus="north", at=MONDAY, donation="0.00", reserved=False):
    terms = BillTerms(restaurant, Campus(campus), at, Decimal(donation), reserved)
    return bill_for(lines(*priced), terms)


def amounts(of, *names):
    return [str(getattr(of, name)) for name in names]


@pytest.mark.parametrize(
    ("campus", "delivery_fee", "grand_total", "remaining"),
    [
        pytest.param("north", "15.00", "290.00", "285.00", id="9.1: 15 on the north campus"),
        pytest.param("south", "25.00", "300.00", "295.00", id="9.1: 25 on the south"),
    ],
)
def test_grand_total_adds_delivery_and_convenience_fee(
    campus, delivery_fee, grand_total, remaining
):
    found = bill(("90.00", 3), campus=campus)
    assert found == Bill(
        subtotal=Decimal("270.00"),
        discount=Decimal("0.00"),
        discount_name="",
        delivery_fee=Decimal(delivery_fee),
        convenience_fee=Decimal("5.00"),
        donation=Decimal("0.00"),
        grand_total=Decimal(grand_total),
        vendor_charge=Decimal("0.00"),
        online=Decimal("5.00"),
        remaining=Decimal(remaining),
        minimum=MINIMUM_ORDER,
    )


@pytest.mark.parametrize(
    ("priced", "terms", "charge"),
    [
        ([("199.99", 1)], {}, 0),  # 9.11: none below 200
        ([("200.00", 1)], {}, 20),  # then 20 for each unit
        ([("120.00", 3)], {}, 60),
        ([("99.99", 3)], {}, 0),  # of a dish of 100 or more
        ([("100.00", 2)], {}, 40),
        ([("100.00", 1), ("99.99", 2)], {}, 20),
        ([("50.00", 9)], {}, 0),  # 9.12: cheap dishes only
        ([("499.99", 1)], {}, 20),
        ([("100.00", 4), ("99.99", 1)], {}, 80),
        ([("250.00", 2)], {}, 50),  # 9.10: 50 for dishes of 500 or more
        ([("50.00", 10)], {}, 50),
        ([("100.00", 50)], {}, 50),
        ([("250.00", 2)], ON_SATURDAY, 50),  # M5: before discount
        ([("200.00", 1)], ON_SATURDAY, 20),
    ],
)
def test_online_amount_is_vendor_charge_plus_fee(priced, terms, charge):
    found = bill(*priced, **terms)
    assert amounts(found, "vendor_charge", "online") == [f"{charge}.00", f"{charge + 5}.00"]
    ordered = lines(*priced)
    assert str(vendor_charge(ordered, subtotal(ordered))) == f"{charge}.00"


def test_vendor_charge_counts_units_not_dishes():
    assert charged_units(lines(("120.00", 3), ("99.99", 7), ("100.00", 2))) == 5
    assert charged_units([]) == 0


@pytest.mark.parametrize(
    ("donation", "fee", "online", "at_restaurant_5"),
    [
        ("0.00", "5.00", "65.00", "25.00"),
        ("5.00", "0.00", "65.00", "25.00"),
        ("10.00", "0.00", "70.00", "30.00"),
        ("20.00", "0.00", "80.00", "40.00"),
        ("50.00", "0.00", "110.00", "70.00"),
    ],
)
def test_donation_replaces_convenience_fee(donation, fee, online, at_restaurant_5):
    # Source: specification M3, 9.9.
    found = bill(("120.00", 3), donation=donation)
    assert amounts(found, "donation", "convenience_fee", "online") == [donation, fee, online]
    assert found.remaining == bill(("120.00", 3)).remaining
    for price in ("150.00", "300.00"):
        flat = bill((price, 2), restaurant=5, donation=donation)
        assert amounts(flat, "convenience_fee", "online") == [fee, at_restaurant_5]
        assert flat.remaining == bill((price, 2), restaurant=5).remaining


@pytest.mark.parametrize("restaurant", [2, 5])
@pytest.mark.parametrize("campus", ["north", "south"])
def test_pre_reservation_pays_20_online_and_no_delivery_fee(campus, restaurant):
    # Source: specification 9.8, M4.
    for donation in ("0.00", "5.00", "10.00", "20.00", "50.00"):
        terms = {"restaurant": restaurant, "campus": campus, "donation": donation}
        found = bill(("150.00", 2), **terms, reserved=True)
        fee = "0.00" if Decimal(donation) else "5.00"
        assert amounts(found, "delivery_fee", "convenience_fee", "online") == ["0.00", fee, "20.00"]


@pytest.mark.parametrize(
    ("price", "units", "terms", "total", "shortfall"),
    [
        ("199.99", 1, {}, "199.99", "0.01"),  # 5.9: 200
        ("200.00", 1, {}, "200.00", "0.00"),
        ("200.01", 1, {}, "200.01", "0.00"),
        ("200.00", 0, {}, "0.00", "200.00"),
        ("399.99", 1, RESERVED, "359.99", "44.45"),  # 400 with a table, after discount
        ("400.00", 1, RESERVED, "360.00", "44.44"),
        ("444.43", 1, RESERVED, "399.99", "0.01"),
        ("444.44", 1, RESERVED, "400.00", "0.00"),  # 44.444 is rounded down
        ("444.45", 1, RESERVED, "400.00", "0.00"),  # 44.445 is rounded up
        ("444.46", 1, RESERVED, "400.01", "0.00"),
        ("107.78", 1, ON_SATURDAY, "97.00", "114.44"),  # 5.10: also of what is added
        ("222.21", 1, ON_SATURDAY, "199.99", "0.01"),  # M8
        ("222.22", 1, ON_SATURDAY, "200.00", "0.00"),
        ("199.00", 2, ON_WEDNESDAY, "199.00", "1.00"),
    ],
)
def test_shortfall_is_computed_after_discount(price, units, terms, total, shortfall):
    found = bill((price, units), **terms)
    assert amounts(found, "total", "shortfall") == [total, shortfall]


# All moments and combinations: `test_offers.py`.
@pytest.mark.parametrize(
    ("price", "units", "terms", "name", "discount"),
    [
        ("250.00", 1, {"restaurant": 2}, "", "0.00"),
        ("250.00", 1, ON_SATURDAY, SATURDAY, "25.00"),
        ("200.00", 3, ON_WEDNESDAY | {"donation": "10.00", "campus": "south"}, BOGO, "200.00"),
        ("200.00", 2, ON_WEDNESDAY | RESERVED, BOGO, "200.00"),
        ("500.00", 1, ON_SATURDAY | RESERVED, PRE_RESERVED, "50.00"),
    ],
)
def test_bill_applies_offer_while_active(price, units, terms, name, discount):
    found = bill((price, units), **terms)
    assert amounts(found, "discount_name", "discount") == [name, discount]


@pytest.mark.parametrize(
    ("terms", "grand_total", "online", "remaining"),
    [
        pytest.param({}, "20.00", "5.00", "15.00", id="an ordinary restaurant"),
        pytest.param({"restaurant": 5}, "20.00", "20.00", "0.00", id="restaurant 5, not 25"),
        pytest.param({"reserved": True}, "5.00", "5.00", "0.00", id="pre-reserved, not 20"),
    ],
)
def test_online_amount_never_exceeds_grand_total(terms, grand_total, online, remaining):
    assert amounts(bill(**terms), "grand_total", "online", "remaining") == [
        grand_total,
        online,
        remaining,
    ]


def test_donation_is_normalized_to_two_decimals():
    for amount in ("0", "5", "10.0", "2E+1", "50.000"):
        assert is_donation(Decimal(amount)) is True
        found = bill(("90.00", 3), donation=amount)
        assert amounts(found, "donation", "grand_total") == [
            f"{Decimal(amount):.2f}",
            f"{found.grand_total:.2f}",
        ]


def test_bill_raises_value_error_for_other_donations():
    for amount in ("-5.00", "0.01", "1.00", "4.99", "5.01", "15.00", "100.00", "400.00", "NaN"):
        assert is_donation(Decimal(amount)) is False
        with pytest.raises(ValueError, match="not a donation that can be chosen"):
            bill(("250.00", 2), donation=amount)


prices = (
    st.integers(1, 150_000)
    .map(lambda paise: Decimal(paise) / 100)
    .map(lambda price: price.quantize(Decimal("0.01")))
)
near_the_rules = st.sampled_from(
    ["0.01", "99.99", "100.00", "199.99", "200.00", "444.44", "444.45"]
)
priced_lines = st.lists(
    st.tuples(st.one_of(prices, near_the_rules.map(Decimal)), st.integers(1, 50)), max_size=6
)
moments = st.one_of(
    st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.sampled_from([MONDAY, WEDNESDAY, SATURDAY_EVENING]),
)
all_terms = st.builds(
    BillTerms,
    restaurant_id=st.one_of(st.sampled_from([2, 5]), st.integers(1, 8)),
    campus=st.sampled_from(Campus),
    at=moments,
    donation=st.sampled_from(["0.00", "5.00", "10.00", "20.00", "50.00"]).map(Decimal),
    is_pre_reserved=st.booleans(),
)


@given(priced_lines, all_terms)
def test_amounts_of_any_bill_add_up_and_are_in_paise_and_never_negative(priced, terms):
    found = bill_for(lines(*priced), terms)
    assert found.online + found.remaining == found.grand_total
    rows = [found.subtotal, -found.discount, found.delivery_fee]
    assert found.grand_total == sum([*rows, found.convenience_fee, found.donation])
    assert (found.convenience_fee == 0) == (found.donation > 0)
    assert found.discount <= found.subtotal
    for name in [*MONEY, "total", "shortfall"]:
        amount = getattr(found, name)
        assert type(amount) is Decimal
        assert amount.as_tuple().exponent == -2
        assert amount >= 0


@given(priced_lines, all_terms)
def test_minimum_is_reached_exactly_when_the_shortfall_is_added(priced, terms):
    # Source: specification 5.10.
    missing = bill_for(lines(*priced), terms).shortfall
    reached = bill_for(lines(*priced, (missing, 1)), terms)
    assert reached.total >= reached.minimum
    assert reached.shortfall == 0
    if missing:
        almost = bill_for(lines(*priced, (missing - Decimal("0.01"), 1)), terms)
        assert almost.total < almost.minimum


@given(priced_lines, st.lists(ANY_OFFER, max_size=3), all_terms)
def test_shortfall_reaches_the_minimum_with_any_offers(priced, offers, terms):
    # Source: specification 5.10, 14.2.
    terms = replace(terms, restaurant_id=1, offers=offers)
    found = bill_for(lines(*priced), terms)
    assert 0 <= found.discount <= found.subtotal
    assert 0 <= found.online <= found.grand_total
    reached = bill_for(lines(*priced, (found.shortfall, 1)), terms)
    assert reached.total >= reached.minimum
    assert reached.shortfall == 0


def test_control_minimum_is_missed_when_the_difference_is_added():
    before = bill(("107.78", 1), restaurant=2, at=SATURDAY_EVENING)
    difference = before.minimum - before.total
    after = bill(("107.78", 1), (str(difference), 1), restaurant=2, at=SATURDAY_EVENING)
    assert after.minimum - after.total == Decimal("10.30")


def test_control_remaining_is_negative_when_total_omits_donation():
    # Source: docs/invariants.md I9.
    found = bill(("30.00", 1), donation="50.00")
    without_it = found.grand_total - found.donation
    assert without_it - found.online < 0 <= found.remaining


@given(priced_lines, all_terms)
def test_discounts_are_not_combined(priced, terms):
    found = bill_for(lines(*priced), terms)
    paise = [(int(price * 100), quantity) for price, quantity in priced]
    tenth = (sum(price * quantity for price, quantity in paise) + 5) // 10
    local = terms.at.astimezone(MONDAY.tzinfo)
    reserved = tenth if terms.is_pre_reserved else 0
    offered = 0
    if terms.restaurant_id == 5 and f"{local:%a}" == "Wed":
        offered = sum(price * (quantity // 2) for price, quantity in paise)
    if terms.restaurant_id == 2 and f"{local:%a}" == "Sat" and local.hour >= 18:
        offered = tenth
    assert found.discount * 100 == max(reserved, offered)
    assert bool(found.discount_name) == bool(terms.is_pre_reserved or offered)


@given(priced_lines, all_terms)
def test_online_amount_follows_rule_when_minimum_is_reached(priced, terms):
    found = bill_for(lines(*priced), terms)
    if found.shortfall:
        return
    if terms.is_pre_reserved:
        assert found.online == 20
    elif terms.restaurant_id == 5:
        assert found.online == {0: 25, 5: 25, 10: 30, 20: 40, 50: 70}[int(terms.donation)]
    else:
        assert found.online == found.vendor_charge + found.donation + found.convenience_fee
    assert found.remaining > 0
