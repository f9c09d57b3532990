"""The figures equal the day sheets and what was counted. Source: specification 13.1 to 13.5."""

import asyncio
from datetime import timedelta

import psutil
import pytest

from campus_app.kitchen.rules.day_sheet import day_of
from campus_app.operators.rules.figures import Measure, Span, TableKey, VisitStep
from campus_app.operators.services.visits import Visits
from campus_app.operators.sql.figure_reports import FigureReports
from campus_app.operators.sql.visits import SqlVisits
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.refund import RefundPart
from campus_app.shared.rules.money import ZERO, rupees
from kit.background import running
from kit.db.errors import DatabaseUnavailable, InvalidQuery
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.desk import OWNER
from tests.helpers.flows import pay
from tests.helpers.kitchens import enrol, press_on_board
from tests.helpers.processes import kill
from tests.helpers.tables import execute

pytestmark = pytest.mark.anyio


def span_of(clock, days=7):
    today = day_of(clock.now())
    return Span(today - timedelta(days=days - 1), today)


def lines(figures, key):
    """Return the lines of a table, each with its values by their measures."""
    table = figures.tables[key]
    return {name: dict(zip(table.measures, values, strict=True)) for name, values in table.lines}


async def order_at_one(services, clock, **changes):
    """Pay an order at 13:00 of the next day; return it."""
    clock.advance(days=1)
    return await pay(services, await services.ordering.prepare(order_request(**changes)))


async def test_sums_equal_the_day_sheets_to_the_paisa(services, clock):
    first = day_of(clock.now()) + timedelta(days=1)
    await order_at_one(services, clock)
    part = await order_at_one(services, clock, note="part")
    await services.operations.refund(
        part.order.id, OWNER, force=False, part=RefundPart(rupees("10.25"), 0)
    )
    whole = await order_at_one(services, clock, note="whole")
    await services.operations.refund(whole.order.id, OWNER, force=True)
    span = Span(first, day_of(clock.now()))
    figures = await services.figures.of(span)
    sheets = [
        (await services.day_sheets.of(first + timedelta(days=each), None)).sums
        for each in range(span.days)
    ]
    assert figures.sums.online == sum((each.paid for each in sheets), ZERO) > ZERO
    assert figures.sums.door == sum((each.to_collect for each in sheets), ZERO)
    back = sum((each.refunded + each.refund_due for each in sheets), ZERO)
    assert figures.sums.given_back == back > rupees("10.25")
    for key in (TableKey.DAYS, TableKey.RESTAURANTS, TableKey.CAMPUSES, TableKey.WEEKDAYS):
        found = lines(figures, key).values()
        revenue = sum((each[Measure.REVENUE] for each in found), ZERO)
        assert revenue == figures.sums.revenue, key
    assert (await services.figures.of(span.before)).sums.orders == 0
    after = Span(span.last + timedelta(days=1), span.last + timedelta(days=span.days))
    assert (await services.figures.of(after)).before == figures.sums


async def test_night_belongs_to_the_day_before_and_span_before_is_counted(services, clock):
    stored = await order_at_one(services, clock)
    clock.advance(days=1)
    figures = await services.figures.of(span_of(clock, 1))
    assert (figures.sums.orders, figures.before.orders) == (0, 1)
    assert figures.before.online == stored.payment.amount


async def test_dishes_of_honoured_orders_are_added_up(services, clock):
    honoured = [await order_at_one(services, clock, note=note) for note in ("one", "two")]
    refunded = await order_at_one(services, clock, note="refunded")
    await services.operations.refund(refunded.order.id, OWNER, force=True)
    await services.ordering.prepare(order_request(note="unpaid"))
    found = lines(await services.figures.of(span_of(clock)), TableKey.DISHES)
    ordered = [line for stored in honoured for line in stored.order.lines]
    for name in {line.name for line in ordered} | found.keys():
        of_dish = [line for line in ordered if line.name == name]
        assert found[name] == {
            Measure.UNITS: sum(line.quantity for line in of_dish),
            Measure.AMOUNT: sum((line.total for line in of_dish), ZERO),
        }, name


@sqlite_only
async def test_kitchens_and_unpaid_orders_are_counted(services, clock):
    device = (await enrol(services)).device
    stored = await order_at_one(services, clock)
    clock.advance(minutes=2)
    await press_on_board(services, device, stored.order.id, CookingState.SEEN)
    clock.advance(minutes=10)
    await press_on_board(
        services, device, stored.order.id, CookingState.READY, saw=CookingState.SEEN
    )
    await services.ordering.prepare(order_request(note="left"))
    clock.advance(hours=1)
    await services.payments.reconcile_due()
    figures = await services.figures.of(span_of(clock))
    minutes = lines(figures, TableKey.KITCHENS)[stored.order.restaurant_name]
    assert (minutes[Measure.SEEN_MINUTES], minutes[Measure.READY_MINUTES]) == (2.0, 12.0)
    assert sum(each[Measure.COUNT] for each in lines(figures, TableKey.UNPAID).values()) == 1


async def test_visits_of_several_processes_are_added_by_hour_and_step(services, clock):
    processes = [Visits(SqlVisits(services.database), clock) for _ in range(2)]
    for number, visits in enumerate(processes):
        for step in (VisitStep.VISIT, VisitStep.MENU, VisitStep.MENU):
            visits.note(f"session {number}", step)
        visits.note("session of both", VisitStep.VISIT)
        await visits.store()
    await processes[0].store()
    found = lines(await services.figures.of(span_of(clock)), TableKey.VISITS)
    assert [each[Measure.COUNT] for each in found.values()] == [4, 2, 0, 0, 0]
    assert found[VisitStep.MENU][Measure.SHARE] == 50.0


async def test_visit_of_the_first_half_hour_counts_to_the_day_that_begins(services, clock):
    clock.advance(hours=16, minutes=10)  # 05:10 of the next day, 23:40 of UTC
    services.visits.note("early", VisitStep.VISIT)
    await services.visits.store()
    today = span_of(clock, days=1)
    for span, count in ((today, 1), (today.before, 0)):
        found = lines(await services.figures.of(span), TableKey.VISITS)
        assert found[VisitStep.VISIT][Measure.COUNT] == count


async def test_confirmation_counts_as_paid_only_in_the_session_that_ordered(services, clock):
    services.visits.note("later", VisitStep.PAID)
    for step in VisitStep:
        services.visits.note("buyer", step)
    await services.visits.store()
    found = lines(await services.figures.of(span_of(clock)), TableKey.VISITS)
    assert {each[Measure.COUNT] for each in found.values()} == {1}


async def number_of_programs(count, others):
    """Return the processes that compute figures, or will, once there are so many."""
    while len(found := set(psutil.Process().children()) - others) != count:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return found


@sqlite_only
async def test_program_is_kept_ready_while_somebody_may_want_figures(services, clock):
    await order_at_one(services, clock)
    wanted, others = [True], set(psutil.Process().children())
    figures = services.figures
    async with running(figures.keep_ready(lambda: wanted[0])):
        (first,) = await number_of_programs(1, others)
        assert (await figures.of(span_of(clock))).sums.orders == 1
        (second,) = await number_of_programs(1, others)
        assert first != second
        kill(second)
        assert (await figures.of(span_of(clock))).sums.orders == 1
        (third,) = await number_of_programs(1, others)
        kill(third)
        await number_of_programs(1, others | {third})  # within five seconds
        wanted[0] = False
        await figures.of(span_of(clock))
        await number_of_programs(0, others)
        wanted[0] = True
        await figures.of(span_of(clock))
        await number_of_programs(1, others)
    await number_of_programs(0, others)


@sqlite_only
async def test_figures_of_an_unreachable_database_are_unavailable(services, clock):
    figures = FigureReports("sqlite:////dev/null/none.db")
    with pytest.raises(DatabaseUnavailable):
        await figures.of(span_of(clock))


@sqlite_only
async def test_counts_are_kept_until_the_database_takes_them(services, clock):
    await execute(services.database, "ALTER TABLE visits RENAME TO gone")
    services.visits.note("session", VisitStep.VISIT)
    with pytest.raises(InvalidQuery):
        await services.visits.store()
    await execute(services.database, "ALTER TABLE gone RENAME TO visits")
    await services.visits.store()
    found = lines(await services.figures.of(span_of(clock)), TableKey.VISITS)
    assert found[VisitStep.VISIT][Measure.COUNT] == 1
