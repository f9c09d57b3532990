"""A dish of a paid order that can't be cooked: its cost, and what may be chosen instead.

Source: specification 10.67.
"""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import Diet, Dish, DishMarks
from campus_app.ordering.rules.bill import BillTerms, bill_for
from campus_app.ordering.rules.cart import CartLine
from campus_app.ordering.rules.order import OrderLine
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.ordering.rules.shortage import (
    WHOLE_ORDER,
    ShortageAnswer,
    ShortageReason,
    answer_time,
    dishes_instead,
    has_choice,
    new_shortage,
    with_dish_instead,
    without_dish,
)
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import ANSWER_MINUTES, SHORTAGE_UNDO_SECONDS
from campus_app.shared.rules.money import ZERO, rupees
from tests.helpers.builders import at, order
from tests.helpers.clock import WEDNESDAY

GONE, GAS = ShortageReason.DISH_GONE, ShortageReason.NO_GAS
VEGETARIAN, OTHER = DishMarks(Diet.VEGETARIAN), DishMarks(Diet.NON_VEGETARIAN)


def dish(id_, price, marks=VEGETARIAN):
    return Dish(id_, f"dish {id_}", "", rupees(price), "Curries", marks)


def order_of(*dishes, restaurant_id=1, moment=WEDNESDAY, donation=ZERO, is_table=False):
    """Return an order of dishes, each with a price and a quantity."""
    lines = [
        CartLine(dish(str(number), price), quantity)
        for number, (price, quantity) in enumerate(dishes)
    ]
    terms = BillTerms(restaurant_id, Campus.NORTH, moment, donation, is_table)
    table = PreReservation(restaurant_id, at(17).time(), 2, moment.date()) if is_table else None
    return order(
        restaurant_id=restaurant_id,
        lines=tuple(
            OrderLine(each.dish.id, each.dish.name, each.dish.price, each.quantity)
            for each in lines
        ),
        bill=bill_for(lines, terms),
        reservation=table,
        created_at=moment,
    )


def shortage(of, dish_id="0", reason=GONE):
    return new_shortage(of, dish_id, reason, "tablet", WEDNESDAY)


@pytest.mark.parametrize(
    ("placed", "online", "remaining", "refund"),
    [
        # (120 + 2 x 90) + 15 + 5: 20 + 5 online; 120 less at the door.
        (order_of((120, 1), (90, 2)), 25, 175, 0),
        # One more than is due at the door goes back: 500 + 10 + 15 + 5, of which 55 online.
        (order_of((500, 1), (10, 1)), 30, 0, 25),
        # A table: 10% off 400 + 100, 20 online.
        (order_of((400, 1), (100, 1), is_table=True), 20, 75, 0),
        # Two for one at restaurant 5 on Wednesdays: both units cost as much as one.
        (order_of((150, 2), (60, 1), restaurant_id=5), 25, 55, 0),
        # 10% off at restaurant 2 on Saturday evenings.
        (order_of((200, 1), (100, 1), restaurant_id=2, moment=at(19, day=21)), 45, 65, 0),
    ],
)
def test_cost_of_dish_is_taken_off_at_door_and_the_rest_goes_back(
    placed, online, remaining, refund
):
    reduced = without_dish(placed, "0")
    bill = reduced.bill
    assert (bill.online, bill.remaining, reduced.refund) == (online, remaining, refund)
    assert [line.dish_id for line in reduced.order.lines] == ["1"]


ORDERS = st.builds(
    order_of,
    st.tuples(st.integers(1, 900), st.integers(1, 5)),
    st.tuples(st.integers(1, 900), st.integers(1, 5)),
    st.tuples(st.integers(1, 900), st.integers(1, 5)),
    restaurant_id=st.sampled_from([1, 2, 5]),
    moment=st.sampled_from([WEDNESDAY, at(19, day=21), at(13, day=20)]),
    donation=st.sampled_from([ZERO, rupees(20)]),
    is_table=st.booleans(),
)


@given(ORDERS, st.permutations(["0", "1", "2"]))
def test_customer_never_pays_more_and_amounts_always_add_up(placed, gone):
    current, returned = placed, ZERO
    for dish_id in gone[:2]:
        before = current.bill
        reduced = without_dish(current, dish_id)
        bill, current, returned = reduced.bill, reduced.order, returned + reduced.refund
        line = next(each for each in placed.lines if each.dish_id == dish_id)
        assert ZERO <= before.grand_total - bill.grand_total <= line.total
        assert bill.online + bill.remaining == bill.grand_total
        assert bill.subtotal - bill.discount + bill.delivery_fee + bill.convenience_fee == (
            bill.grand_total - bill.donation
        )
        assert min(bill.online, bill.remaining, bill.discount, reduced.refund) >= ZERO
        assert placed.bill.online - returned == bill.online


@given(ORDERS)
def test_dish_costs_nothing_more_when_an_offer_has_ended_since(placed):
    # As if the offer of the order's time had been removed.
    later = replace(placed, created_at=at(13, day=20), reservation=None)
    reduced = without_dish(later, "0")
    assert ZERO <= placed.bill.grand_total - reduced.bill.grand_total <= placed.lines[0].total
    assert reduced.bill.discount >= ZERO


def test_customer_can_choose_once_told_and_for_ten_minutes():
    asked = shortage(order_of((120, 1), (90, 2)))
    told_at = WEDNESDAY + timedelta(seconds=SHORTAGE_UNDO_SECONDS)
    assert (asked.told_at, asked.answer_by) == (told_at, told_at)
    assert not asked.is_open_at(told_at), "nobody was told yet"
    told = replace(asked, answer_by=answer_time(told_at))
    assert told.answer_by == told_at + timedelta(minutes=ANSWER_MINUTES)
    assert not told.is_open_at(told_at - timedelta(milliseconds=1))
    assert told.is_open_at(told_at)
    assert not told.is_open_at(told.answer_by)
    assert not replace(told, answer=ShortageAnswer.DISH_BACK).is_open_at(told_at)


@pytest.mark.parametrize(
    ("placed", "dish_id", "instead", "expected"),
    [
        (order_of((120, 1), (90, 2)), "0", (), True),
        (order_of((120, 2)), "0", (dish("paneer", 120),), True),
        (order_of((120, 2)), "0", (), False),
        (order_of((120, 1), (90, 2)), WHOLE_ORDER, (), False),
    ],
    ids=["rest can be kept", "another dish", "only dish", "whole order"],
)
def test_there_is_a_choice_if_another_dish_or_the_rest_can_be_had(
    placed, dish_id, instead, expected
):
    assert has_choice(placed, shortage(placed, dish_id), instead) is expected


def test_dish_that_is_not_in_the_order_can_not_be_short():
    assert shortage(order_of((120, 2)), "9") is None


def test_dishes_instead_cost_as_much_and_can_be_ordered():
    placed = order_of((120, 1), (90, 1))
    menu = [
        *(dish("0", 120), dish("1", 120), dish("dearer", 121), dish("sold-out", 120)),
        *(dish("egg", 120, OTHER), dish("unmarked", 120, DishMarks()), dish("paneer", 120)),
    ]
    found = dishes_instead(placed, shortage(placed), menu, {"sold-out"})
    assert [each.id for each in found] == ["paneer"]
    assert dishes_instead(placed, shortage(placed, reason=GAS), menu, ()) == ()


def test_dish_instead_of_an_egg_dish_may_be_any():
    placed = order_of((120, 1), (90, 1))
    menu = [dish("0", 120, OTHER), dish("egg", 120, OTHER), dish("paneer", 120)]
    found = dishes_instead(placed, shortage(placed), menu, ())
    assert [each.id for each in found] == ["egg", "paneer"]


def test_only_vegetarian_dishes_replace_one_that_the_menu_has_lost():
    placed = order_of((120, 1), (90, 1))
    menu = [dish("egg", 120, OTHER), dish("paneer", 120)]
    assert [each.id for each in dishes_instead(placed, shortage(placed), menu, ())] == ["paneer"]


def test_dish_that_was_ordered_first_never_replaces_its_replacement():
    placed = with_dish_instead(order_of((120, 1), (90, 1)), "0", dish("paneer", 120))
    menu = [dish("0", 120), dish("1", 90), dish("paneer", 120), dish("dal", 120)]
    found = dishes_instead(placed, shortage(placed, "paneer"), menu, ())
    assert [each.id for each in found] == ["dal"]


def test_order_with_dish_instead_has_its_name_and_the_same_bill():
    placed = order_of((120, 3), (90, 1))
    changed = with_dish_instead(placed, "0", dish("paneer", 120))
    assert changed.lines[0] == OrderLine("paneer", "dish paneer", rupees(120), 3)
    assert (changed.lines[1], changed.bill) == (placed.lines[1], placed.bill)
