"""Sold-out dishes in SQL. Source: specification 10.20."""

from datetime import timedelta

import pytest

from campus_app.catalogue.rules.availability import SoldOutDish
from campus_app.catalogue.sql.sold_out import SqlSoldOut
from campus_app.shared.rules.audit import HTTP_ACTOR, AuditAction, audit_entry
from tests.helpers.clock import WEDNESDAY

pytestmark = pytest.mark.anyio

TOMORROW = WEDNESDAY + timedelta(days=1)


@pytest.fixture
def sold_out(database):
    return SqlSoldOut(database)


def entry(at=WEDNESDAY):
    return audit_entry(at, HTTP_ACTOR, AuditAction.MARK_SOLD_OUT, "restaurant 3", dish="12")


async def test_repeated_mark_replaces_the_end(sold_out):
    await sold_out.mark_sold_out(SoldOutDish(3, "12", TOMORROW), entry())
    later = SoldOutDish(3, "12", TOMORROW + timedelta(days=1))
    await sold_out.mark_sold_out(later, entry())
    assert await sold_out.all_sold_out() == [later]


async def test_available_dish_is_deleted_and_others_stay(sold_out):
    other = SoldOutDish(4, "12", TOMORROW)
    for dish in (SoldOutDish(3, "12", TOMORROW), other):
        await sold_out.mark_sold_out(dish, entry())
    await sold_out.mark_available(3, "12", entry())
    assert await sold_out.all_sold_out() == [other]


async def test_dishes_whose_time_is_over_are_deleted_with_the_next_change(sold_out):
    await sold_out.mark_sold_out(SoldOutDish(3, "12", TOMORROW), entry())
    today = SoldOutDish(3, "13", TOMORROW + timedelta(days=1))
    await sold_out.mark_sold_out(today, entry(TOMORROW))
    assert await sold_out.all_sold_out() == [today]
