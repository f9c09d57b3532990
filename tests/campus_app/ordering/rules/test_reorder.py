"""Ordering again: which dishes of an order today's menu still sells, and at what price."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import Dish, Menu
from campus_app.ordering.rules.order import OrderLine
from campus_app.ordering.rules.price_changes import PriceChange
from campus_app.ordering.rules.reorder import Reorder, reorder
from campus_app.shared.rules.money import rupees

MENU = {"1": ("Idli", "40"), "2": ("Masala Dosa", "90"), "3": ("Filter Coffee", "30")}


def menu(dishes=MENU):
    return Menu(
        4,
        tuple(
            Dish(id_, name, "", rupees(price), "All day") for id_, (name, price) in dishes.items()
        ),
    )


def line(dish_id, name, price, quantity=1):
    return OrderLine(dish_id, name, rupees(price), quantity)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([line("1", "Idli", "40", 2)], Reorder({"1": 2}, (), ()), id="unchanged"),
        pytest.param([line("9", "Vada", "35")], Reorder({}, ("Vada",), ()), id="gone"),
        pytest.param(
            [line("2", "Masala Dosa", "80")],
            Reorder({"2": 1}, (), (PriceChange("Masala Dosa", rupees("80"), rupees("90")),)),
            id="dearer",
        ),
        pytest.param([line("2", "Masala Dosa", "99")], Reorder({"2": 1}, (), ()), id="cheaper"),
        pytest.param(
            [line("7", "Idli", "40")], Reorder({"1": 1}, (), ()), id="dish has another id"
        ),
        pytest.param(
            [line("1", "Upma", "40")], Reorder({}, ("Upma",), ()), id="id has another dish"
        ),
        pytest.param(
            [line("2", "Idli", "40"), line("1", "Masala Dosa", "90")],
            Reorder({"1": 1, "2": 1}, (), ()),
            id="two dishes have swapped ids",
        ),
        pytest.param(
            [line("1", "Idli", "40", 30), line("7", "Idli", "40", 30)],
            Reorder({"1": 50}, (), ()),
            id="at most 50 units",
        ),
        pytest.param([], Reorder({}, (), ()), id="empty"),
    ],
)
def test_reorder_returns_what_todays_menu_sells(lines, expected):
    assert reorder(lines, menu()) == expected


def test_reorder_returns_first_dish_when_two_have_the_name():
    twins = menu({"1": ("Thali", "120"), "2": ("Thali", "180")})
    assert reorder([line("9", "Thali", "120")], twins) == Reorder({"1": 1}, (), ())
    assert reorder([line("2", "Thali", "180")], twins) == Reorder({"2": 1}, (), ())


dishes = st.tuples(st.sampled_from("123456"), st.sampled_from(["Idli", "Masala Dosa", "Vada"]))


@given(st.lists(st.tuples(dishes, st.integers(1, 50), st.integers(1, 200))))
def test_each_line_is_either_sold_or_gone(drawn):
    lines = [line(*dish, str(price), units) for dish, units, price in drawn]
    again = reorder(lines, menu())
    sold = {MENU[id_][0] for id_ in again.quantities}
    assert sold | set(again.gone) == {each.name for each in lines}
    assert not sold & set(again.gone)
    assert all(0 < quantity <= 50 for quantity in again.quantities.values())
    assert all(rise.now > rise.before for rise in again.dearer)
    assert {rise.name for rise in again.dearer} <= sold


def test_reorder_leaves_out_and_names_dishes_that_are_sold_out():
    lines = [line("1", "Idli", "40", 2), line("7", "Masala Dosa", "80")]
    assert reorder(lines, menu(), {"2"}) == Reorder(
        {"1": 2}, gone=(), dearer=(), sold_out=("Masala Dosa",)
    )
