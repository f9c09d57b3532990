"""The cart: shared dishes, quantities from 0 to 50, lines, lifetime, and dishes it loses."""

from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import Dish, Menu
from campus_app.ordering.rules.cart import (
    Cart,
    CartLine,
    FollowedMenu,
    are_lost_dishes_kept,
    cart_lines,
    follow_menu,
    is_cart_current,
    is_full_of,
    is_quantity,
    parse_shared_dishes,
    subtotal,
    with_quantity,
)
from campus_app.shared.rules.constants import MAXIMUM_SHARED_DISHES

INDIA = ZoneInfo("Asia/Kolkata")
NOON = datetime(2026, 8, 24, 12, tzinfo=INDIA)
LATER = NOON + timedelta(minutes=3)


def dish(dish_id, price="50.00"):
    return Dish(dish_id, f"Dish {dish_id}", "", Decimal(price), "Chai")


def cart(**quantities):
    return Cart(2, "key-1", NOON, quantities)


@pytest.mark.parametrize(
    ("text", "dishes"),
    [
        ("104:2", {"104": 2}),
        ("104:2,112:1,b7:50", {"104": 2, "112": 1, "b7": 50}),
        ("masala-dosa_2:1," + "x" * 64 + ":2", {"masala-dosa_2": 1, "x" * 64: 2}),
        (",".join(f"{id_}:1" for id_ in range(50)), {str(id_): 1 for id_ in range(50)}),
    ],
)
def test_shared_dishes_are_read_from_a_link(text, dishes):
    assert parse_shared_dishes(text) == dishes


MALFORMED = [
    *("", "104", "104:", ":2", "104:0", "104:51", "104:99", "104:-1", "104:1.5", "104:2,"),
    *("104:2,104:1", "104 :2", "104:२", "१०४:2", "104:2\n", "<b>:1", "x" * 65 + ":1"),
    ",".join(f"{id_}:1" for id_ in range(101)),
    *(None, 5, ["104:2"], {"104": 2}),
]


def test_malformed_shared_dishes_are_ignored():
    assert [text for text in MALFORMED if parse_shared_dishes(text)] == []


@given(st.text() | st.from_regex(r"[0-9a-z]{1,3}:\d{1,3}(,[0-9a-z]{1,3}:\d{1,3})*"))
def test_shared_dishes_are_bounded_for_any_text(text):
    dishes = parse_shared_dishes(text)
    assert len(dishes) <= MAXIMUM_SHARED_DISHES
    assert all(is_quantity(units) and units for units in dishes.values())


def test_is_quantity_accepts_integers_from_0_to_50():
    # Source: specification M14.
    assert [value for value in range(-1, 53) if is_quantity(value)] == [*range(51)]
    others = (10**30, True, False, 1.0, float("nan"), "1", Decimal(1), None, [1])
    assert not any(map(is_quantity, others))


def test_with_quantity_adds_dish():
    changed = with_quantity(cart(), "a1", 2, LATER)
    assert changed == Cart(2, "key-1", LATER, {"a1": 2})
    assert (changed.quantity("a1"), changed.quantity("b2")) == (2, 0)


@pytest.mark.parametrize(
    ("restaurant", "dish", "quantity", "is_full"),
    [(1, "104", 50, True), (1, "104", 49, False), (2, "104", 50, False), (1, "112", 50, False)],
)
def test_is_full_of_a_dish_at_fifty_units(restaurant, dish, quantity, is_full):
    cart = Cart(1, "key", NOON, {"104": quantity})
    assert is_full_of(cart, restaurant, dish) is is_full
    assert is_full_of(None, restaurant, dish) is False


@given(st.lists(st.tuples(st.sampled_from(["a1", "b2", "c3"]), st.integers(-60, 120))))
def test_quantities_stay_within_1_to_50_after_any_clicks(clicks):
    clicked, expected = cart(), {}
    for dish_id, quantity in clicks:
        before, kept = clicked, dict(clicked.quantities)
        clicked = with_quantity(before, dish_id, quantity, LATER)
        assert before.quantities == kept, "the cart is not mutated"
        if quantity > 0:
            expected[dish_id] = min(quantity, 50)
        else:
            expected.pop(dish_id, None)
    assert list(clicked.quantities.items()) == list(expected.items()), "in order of choice"
    assert clicked.key == "key-1"


def test_cart_lines_are_sold_dishes_in_order_of_choice():
    menu = Menu(2, (dish("a1"), dish("b2"), dish("c3")))
    assert cart_lines({"gone": 2, "b2": 1, "c3": 0, "a1": 3}, menu) == (
        CartLine(dish("b2"), 1),
        CartLine(dish("a1"), 3),
    )


def test_cart_line_total_is_price_times_quantity():
    total = CartLine(dish("a1", "99.99"), 3).total
    assert type(total) is Decimal
    assert str(total) == "299.97"


def test_subtotal_is_exact():
    lines = [CartLine(dish("a1", "0.10"), 3), CartLine(dish("b2", "99.99"), 2)]
    assert (str(subtotal(lines)), str(subtotal([]))) == ("200.28", "0.00")
    assert type(subtotal([])) is Decimal


@pytest.mark.parametrize(
    ("changed_at", "now", "expected"),
    [
        pytest.param("24T12:00:00+05:30", "24T12:00:00+05:30", True, id="at once"),
        pytest.param("24T00:00:00+05:30", "24T23:59:59+05:30", True, id="M13: within the day"),
        pytest.param("24T23:30:00+05:30", "25T00:30:00+05:30", True, id="over midnight"),
        pytest.param("24T18:01:00+05:30", "25T00:00:00+05:30", True, id="an evening's at midnight"),
        pytest.param("24T23:30:00+05:30", "25T05:29:00+05:30", True, id="a night's at 05:29"),
        pytest.param("24T23:30:00+05:30", "25T05:30:00+05:30", False, id="a night's at 05:30"),
        pytest.param("24T23:30:00+05:30", "25T06:00:00+05:30", False, id="a night's at 06:00"),
        pytest.param("24T12:00:00+05:30", "25T00:00:00+05:30", False, id="noon's at midnight"),
        pytest.param("24T12:00:00+05:30", "25T12:00:00+05:30", False, id="yesterday's"),
        pytest.param("24T12:00:00+05:30", "31T12:00:00+05:30", False, id="last week's"),
        pytest.param("24T10:00:00+00:00", "24T18:45:00+00:00", False, id="R1: two days in India"),
        pytest.param("24T19:00:00+00:00", "25T10:00:00+00:00", True, id="R1: two days in UTC"),
        pytest.param("24T12:05:00+05:30", "24T12:00:00+05:30", True, id="a clock 5 min ahead"),
        pytest.param("24T12:05:01+05:30", "24T12:00:00+05:30", False, id="a clock further ahead"),
        pytest.param("25T00:03:00+05:30", "24T23:59:00+05:30", True, id="4 min ahead, next day"),
        pytest.param("26T12:00:00+05:30", "24T12:00:00+05:30", False, id="from the future"),
    ],
)
def test_cart_is_current_on_the_day_of_its_change_and_for_six_hours_after_it(
    changed_at, now, expected
):
    changed, moment = (datetime.fromisoformat(f"2026-08-{text}") for text in (changed_at, now))
    assert is_cart_current(changed, moment) is expected


# Dishes that the menu loses. Source: specification 10.35.


def followed(quantities, lost=None, *, gone="", back=""):
    """Return the result of a menu's change; ids have one letter."""
    return FollowedMenu(quantities, lost or {}, tuple(gone), tuple(back))


@pytest.mark.parametrize(
    ("quantities", "lost", "sold", "expected"),
    [
        pytest.param({"a": 2}, {}, {"a", "b"}, followed({"a": 2}), id="nothing changes"),
        pytest.param(
            {"a": 2, "b": 1}, {}, {"a"}, followed({"a": 2}, {"b": 1}, gone="b"), id="gone"
        ),
        pytest.param(
            {"a": 2}, {"b": 1}, {"a", "b"}, followed({"a": 2, "b": 1}, back="b"), id="back"
        ),
        pytest.param({"a": 2}, {"b": 1}, {"a"}, followed({"a": 2}, {"b": 1}), id="stays lost"),
        pytest.param({"b": 5}, {"b": 1}, {"a", "b"}, followed({"b": 5}), id="chosen again"),
        pytest.param({"b": 5}, {"b": 1}, {"a"}, followed({}, {"b": 5}, gone="b"), id="gone again"),
    ],
)
def test_follow_menu_moves_dishes_between_cart_and_lost(quantities, lost, sold, expected):
    assert follow_menu(quantities, lost, sold) == expected


@pytest.mark.parametrize(
    ("minutes", "is_kept"),
    [
        pytest.param(-6, False, id="a clock 6 min ahead"),
        pytest.param(-5, True, id="a clock 5 min ahead"),
        *((0, True), (29, True), (30, False)),
    ],
)
def test_lost_dishes_are_kept_for_half_an_hour(minutes, is_kept):
    assert are_lost_dishes_kept(NOON, NOON + timedelta(minutes=minutes)) is is_kept
