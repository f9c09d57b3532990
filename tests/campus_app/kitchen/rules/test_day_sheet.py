"""The account of a day. Source: specification 10.22."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from campus_app.kitchen.rules.day_sheet import (
    DayLine,
    DaySheet,
    day_bounds,
    day_of,
    spreadsheet_text,
)
from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.money import ZERO, rupees
from tests.helpers.builders import at
from tests.helpers.clock import WEDNESDAY

TODAY = WEDNESDAY.date()
LINE = DayLine(
    number="AS_482",
    restaurant_id=1,
    restaurant_name="Pehla Food Point",
    paid_at=WEDNESDAY,
    state=OrderState.CONFIRMED,
    units=((2, "Rajma Chawal"),),
    grand_total=rupees("240.50"),
    paid=rupees(45),
    remaining=rupees("195.50"),
    refunded=ZERO,
    refund_due=ZERO,
)


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (at(5), TODAY),
        (at(23, 59, 59), TODAY),
        (at(4, 59, 59, day=19), TODAY),
        (at(5, day=19), TODAY + timedelta(days=1)),
        (at(0), TODAY - timedelta(days=1)),
    ],
)
def test_day_begins_at_five_on_the_campus(moment, day):
    assert day_of(moment) == day
    begins, ends = day_bounds(day)
    assert begins <= moment < ends


def test_dishes_in_urdu_are_isolated_for_people_and_not_in_files():
    # Source: specification 10.55.
    line = replace(LINE, units=((2, "بریانی"), (1, "Chai")))
    assert line.dishes == "2 x بریانی, 1 x Chai"
    assert line.shown_dishes == "2 x \u2068بریانی\u2069, 1 x Chai"
    assert LINE.shown_dishes == LINE.dishes


def test_bounds_of_days_follow_each_other():
    assert day_bounds(date(2026, 2, 28))[1] == day_bounds(date(2026, 3, 1))[0]


def test_order_that_is_given_back_is_not_collected():
    given_back = replace(LINE, state=OrderState.REFUND_DUE, refund_due=rupees(45))
    assert (LINE.to_collect, given_back.to_collect) == (rupees("195.50"), ZERO)
    sums = DaySheet(TODAY, [LINE, given_back]).sums
    assert (sums.grand_total, sums.paid) == (rupees("240.50"), rupees(90))
    assert (sums.to_collect, sums.refund_due) == (rupees("195.50"), rupees(45))


def test_amount_that_cannot_be_read_is_not_summed():
    assert DaySheet(TODAY, [replace(LINE, paid=None)]).sums.paid == ZERO


@pytest.mark.parametrize("text", ["=1+1", "+91 98", "-5", "@SUM(A1)", "\t=1", "\r=1"])
def test_text_that_begins_like_a_formula_gets_an_apostrophe(text):
    assert spreadsheet_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "2 x Tea", "a=1", "'quoted'", "चाय"])
def test_other_text_is_unchanged(text):
    assert spreadsheet_text(text) == text
