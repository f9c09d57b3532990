"""The operator's switches in SQL."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from campus_app.adapters.sql.restaurant_overrides import SqlSwitches
from campus_app.adapters.sql.tables import AuditRow, SwitchRow
from campus_app.domain.audit import OVER_HTTP, Action, audited
from campus_app.ports.catalogue import Switch
from kit.clock import from_ms
from tests.helpers.clock import WEDNESDAY
from tests.helpers.tables import rows

pytestmark = pytest.mark.anyio


@pytest.fixture
def switches(database):
    return SqlSwitches(database)


def entry(at=WEDNESDAY):
    return audited(at, OVER_HTTP, Action.CLOSE_RESTAURANT, "restaurant 3")


async def test_a_switch_that_was_never_turned_is_not_there(switches):
    assert await switches.switches() == []


async def test_a_switch_stays_as_it_was_turned(switches, database):
    closed = Switch(3, is_open=False, message="गैस खत्म, 'closed' ☹")
    await switches.turn(closed, entry())
    assert await SqlSwitches(database).switches() == [closed]


async def test_the_last_turn_counts(switches, database):
    later = WEDNESDAY + timedelta(hours=1)
    await switches.turn(Switch(3, is_open=False, message="No gas"), entry())
    await switches.turn(Switch(3, is_open=True, message=""), entry(later))
    assert await switches.switches() == [Switch(3, is_open=True, message="")]
    (row,) = await rows(database, SwitchRow)
    assert from_ms(row.changed_at_ms) == later


async def test_each_restaurant_has_its_own_switch_however_many_are_turned_at_once(switches):
    turned = [Switch(number, is_open=bool(number % 2), message="") for number in range(1, 9)]
    await asyncio.gather(*(switches.turn(switch, entry()) for switch in turned))
    assert sorted(await switches.switches(), key=lambda switch: switch.restaurant_id) == turned


async def test_a_switch_and_its_line_of_the_audit_are_kept_together_or_not_at_all(
    switches, database
):
    await switches.turn(Switch(3, is_open=False, message=""), entry())
    (line,) = await rows(database, AuditRow)
    assert (line.actor, line.action, line.subject) == ("http", "restaurant.close", "restaurant 3")
    nobody = replace(entry(), actor=None)
    with pytest.raises(IntegrityError):
        await switches.turn(Switch(3, is_open=True, message=""), nobody)
    assert await switches.switches() == [Switch(3, is_open=False, message="")]
    assert len(await rows(database, AuditRow)) == 1
