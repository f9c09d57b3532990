"""The account of a day equals payments and refunds. Source: specification 10.22."""

from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.sql.tables import PaymentRow, RefundRow
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.money import ZERO, from_paise, to_paise
from tests.helpers.builders import at, order_request, reservation_request
from tests.helpers.flows import pay, press
from tests.helpers.providers import ScriptedProvider, reported
from tests.helpers.tables import execute, rows

pytestmark = pytest.mark.anyio


async def given_back(services):
    """Return an order that was paid after the restaurant was closed."""
    stored = await services.ordering.prepare(order_request(note="b"))
    await services.checkouts.open(stored)
    await services.statuses.set_override(1, is_open=False, message="")
    assert await press(services, stored)
    return await services.payments.reconcile(stored.payment)


async def stored_sums(services):
    """Return the sums of payments and refunds as they are stored, in paise."""
    paid = await rows(services.database, PaymentRow, state=PaymentState.PAID)
    refunds = await rows(services.database, RefundRow)
    return (
        sum(row.paid_paise for row in paid),
        sum(row.amount_paise for row in refunds if row.state == RefundState.DONE),
        sum(
            row.amount_paise
            for row in refunds
            if row.state not in {RefundState.DONE, RefundState.FAILED}
        ),
    )


async def test_sums_of_a_day_equal_payments_and_refunds_to_the_paisa(services):
    confirmed = await pay(services, await services.ordering.prepare(order_request()))
    table = await pay(services, await services.ordering.prepare(reservation_request()))
    back = await given_back(services)
    unpaid = await services.ordering.prepare(reservation_request(slot="16:30"))
    sheet = await services.day_sheets.of(None, None)
    numbers = [line.number for line in sheet.lines]
    assert sorted(numbers) == sorted(each.order.number for each in (confirmed, table, back))
    assert unpaid.order.number not in numbers
    sums = sheet.sums
    paid, refunded, due = await stored_sums(services)
    assert (to_paise(sums.paid), to_paise(sums.refunded), to_paise(sums.refund_due)) == (
        paid,
        refunded,
        due,
    )
    assert due == to_paise(back.order.bill.online)
    bills = [confirmed.order.bill, table.order.bill]
    assert sums.to_collect == sum((bill.remaining for bill in bills), ZERO)
    assert sums.grand_total == sum((bill.grand_total for bill in bills), ZERO)


async def test_refund_moves_from_due_to_refunded(services):
    class Refunding(ScriptedProvider):
        async def refund(self, refund):
            return reported(refund, RefundState.DONE)

    stored = await given_back(services)
    refunds = replace(services.payments.refunds, provider=Refunding())
    await refunds.refund_order(stored, Actor("asha"), force=False)
    (line,) = (await services.day_sheets.of(None, None)).lines
    assert line.state is OrderState.REFUND_DUE
    assert (line.refunded, line.refund_due, line.to_collect) == (line.paid, ZERO, ZERO)


async def test_failed_refund_is_counted_once(services):
    stored = await given_back(services)
    (due,) = await rows(services.database, RefundRow)
    await execute(
        services.database,
        "INSERT INTO refunds (id, payment_id, number, amount_paise, reason, state, marked_at_ms)"
        " SELECT 'failed', payment_id, 2, amount_paise, reason, 'failed', marked_at_ms FROM refunds",
    )
    (line,) = (await services.day_sheets.of(None, None)).lines
    assert line.refund_due == from_paise(due.amount_paise) == stored.order.bill.online


async def test_day_ends_at_five_in_the_morning(services, clock):
    clock.set(at(23, 55))
    late = await services.ordering.prepare(order_request(restaurant_id=5, quantities={"501": 4}))
    clock.set(at(0, 5, day=19))
    await pay(services, late)
    day = at(13).date()
    assert [each.number for each in (await services.day_sheets.of(day, None)).lines] == [
        late.order.number
    ]
    next_day = await services.day_sheets.of(day + timedelta(days=1), None)
    assert (next_day.lines, next_day.sums.paid) == ([], ZERO)
    assert (await services.day_sheets.of(None, None)).day == day


async def test_day_sheet_is_of_one_restaurant_when_asked(services):
    await pay(services, await services.ordering.prepare(order_request()))
    table = await pay(services, await services.ordering.prepare(reservation_request()))
    sheet = await services.day_sheets.of(None, 2)
    assert [line.number for line in sheet.lines] == [table.order.number]
    assert (await services.day_sheets.of(None, 3)).lines == []
    with pytest.raises(NotFound):
        await services.day_sheets.of(None, 9)
