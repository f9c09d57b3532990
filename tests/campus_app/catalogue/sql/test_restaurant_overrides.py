"""Restaurant overrides in SQL."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from campus_app.catalogue.rules.availability import RestaurantOverride
from campus_app.catalogue.sql.restaurant_overrides import SqlRestaurantOverrides
from campus_app.catalogue.sql.tables import RestaurantOverrideRow
from campus_app.shared.rules.audit import HTTP_ACTOR, AuditAction, audit_entry
from campus_app.shared.sql.tables import AuditRow
from kit.clock import from_ms
from tests.helpers.clock import WEDNESDAY
from tests.helpers.tables import rows

pytestmark = pytest.mark.anyio


@pytest.fixture
def overrides(database):
    return SqlRestaurantOverrides(database)


def entry(at=WEDNESDAY):
    return audit_entry(at, HTTP_ACTOR, AuditAction.CLOSE_RESTAURANT, "restaurant 3")


async def test_set_override_replaces_earlier_one(overrides, database):
    later = WEDNESDAY + timedelta(hours=1)
    await overrides.set_override(RestaurantOverride(3, is_open=False, message="No gas"), entry())
    await overrides.set_override(RestaurantOverride(3, is_open=True, message=""), entry(later))
    assert await overrides.all_overrides() == [RestaurantOverride(3, is_open=True, message="")]
    (row,) = await rows(database, RestaurantOverrideRow)
    assert from_ms(row.changed_at_ms) == later


async def test_concurrent_overrides_of_restaurants_are_independent(overrides):
    expected = [
        RestaurantOverride(number, is_open=bool(number % 2), message="") for number in range(1, 9)
    ]
    await asyncio.gather(*(overrides.set_override(override, entry()) for override in expected))
    assert (
        sorted(await overrides.all_overrides(), key=lambda override: override.restaurant_id)
        == expected
    )


async def test_set_override_is_atomic_with_audit_entry(overrides, database):
    await overrides.set_override(RestaurantOverride(3, is_open=False, message=""), entry())
    (row,) = await rows(database, AuditRow)
    assert (row.actor, row.action, row.subject) == ("http", "restaurant.close", "restaurant 3")
    without_actor = replace(entry(), actor=None)
    with pytest.raises(IntegrityError):
        await overrides.set_override(RestaurantOverride(3, is_open=True, message=""), without_actor)
    assert await overrides.all_overrides() == [RestaurantOverride(3, is_open=False, message="")]
    assert len(await rows(database, AuditRow)) == 1
