"""Dishes that kitchens can't cook: reports, choices, lapses, money and e-mails.

Source: specification 10.67.
"""

import asyncio
import threading
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import SMTP
from itertools import permutations

import psycopg
import pytest

from campus_app.kitchen.rules.kitchen import KitchenDevice
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.rules.reservation import SeatHoldState
from campus_app.ordering.rules.shortage import (
    CANCELLED,
    CHOOSE,
    WHOLE_ORDER,
    ShortageAnswer,
    ShortageReason,
)
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.ordering.sql import shortages as sql_shortages
from campus_app.ordering.sql.shortages import Choice, SqlShortages
from campus_app.ordering.sql.tables import RefundRow, SeatHoldRow, ShortageRow
from campus_app.shared.rules.audit import Actor, AuditAction, audit_entry
from campus_app.shared.rules.constants import ANSWER_MINUTES, HELD_SECONDS, SHORTAGE_UNDO_SECONDS
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import from_paise, rupees
from tests.helpers.builders import order_request, reservation_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import both_databases, postgres_only
from tests.helpers.flows import drain, part, pay
from tests.helpers.kitchens import enrol, press_on_board
from tests.helpers.product import eventually
from tests.helpers.tables import count, only_row, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio

_, REPLACED, DISH_BACK, ORDER_BACK, _COOKED = ShortageAnswer
GONE, GAS = ShortageReason.DISH_GONE, ShortageReason.NO_GAS
EGG, CHICKEN, PANEER = "107", "108", "112"
"""Dishes of restaurant 1; `CHICKEN` costs as much as `BIRYANI`."""
BIRYANI, ROTI = "119", "144"
TABLET = KitchenDevice(id="tablet", restaurant_id=1, enrolled_at=WEDNESDAY, last_used_at=WEDNESDAY)


@pytest.fixture
def place_paid(services):
    """Stores and pays an order of chicken and paneer."""

    async def place_paid(quantities=None, request=None):
        request = request or order_request(quantities=quantities or {CHICKEN: 1, PANEER: 1})
        stored = await pay(services, await services.ordering.prepare(request))
        await drain(services)
        return stored.order

    return place_paid


@pytest.fixture
def told(services, clock, place_paid):
    """Stores, pays and reports an order that lacks a dish; its customer is told."""

    async def told(quantities=None, dish_id=CHICKEN, reason=GONE):
        order = await place_paid(quantities)
        assert await report(services, order, dish_id, reason)
        await tell(services, clock)
        return order

    return told


def kitchen(restaurant_id=1):
    yesterday = WEDNESDAY - timedelta(days=1)
    return KitchenActor(restaurant_id, "tablet", Actor("kitchen 1, tablet"), yesterday)


async def report(services, order, dish_id=CHICKEN, reason=GONE, by=None):
    return await services.shortages.report(order.id, dish_id, reason, by or kitchen())


async def tell(services, clock):
    """Let the time pass in which the kitchen can undo its press."""
    clock.advance(seconds=SHORTAGE_UNDO_SECONDS)
    await drain(services)


async def current(services, order):
    return (await services.lookup.by_id(order.id)).order


async def due(services):
    """Return amount and reason of each refund that is due."""
    found = await rows(services.database, RefundRow, state=RefundState.DUE)
    return [(from_paise(each.amount_paise), each.reason) for each in found]


def shortage_mails(services):
    """Return the e-mails about shortages, in the order in which they were sent."""
    files = (services.settings.outbox_dir / "mail").glob("mail.shortage*.eml")
    ordered = sorted(files, key=lambda file: file.stat().st_mtime_ns)
    return [message_from_bytes(file.read_bytes(), policy=SMTP) for file in ordered]


async def state_of(services, order):
    return (await services.order_progress.states_of([order.id], services.clock.now()))[order.id]


async def test_customer_is_told_by_page_and_mail_when_undo_is_over(services, clock, place_paid):
    order = await place_paid()
    assert await report(services, order)
    assert (await services.shortages.choices(order), await state_of(services, order)) == (
        [],
        "sent",
    )
    await tell(services, clock)
    (choice,) = await services.shortages.choices(order)
    assert choice.line.name == "Chicken Thali"
    assert [each.id for each in choice.instead] == [BIRYANI]
    assert choice.reduction is not None
    assert await state_of(services, order) == CHOOSE
    (mail,) = shortage_mails(services)
    text = part(mail, "plain")
    assert "Chicken Thali" in text
    assert order.response_path in text
    assert "13:10" in mail["subject"]


async def test_report_marks_dish_as_sold_out_and_undo_as_available(services, place_paid):
    order = await place_paid()
    await report(services, order)
    assert services.statuses.sold_out(1) == (CHICKEN,)
    assert await services.shortages.undo(order.id, CHICKEN, kitchen())
    assert services.statuses.sold_out(1) == ()
    assert await count(services.database, ShortageRow) == 0


async def test_undone_report_tells_nobody_and_can_be_repeated(services, clock, place_paid):
    order = await place_paid()
    await report(services, order)
    assert await services.shortages.undo(order.id, CHICKEN, kitchen())
    await tell(services, clock)
    clock.advance(minutes=ANSWER_MINUTES)
    await drain(services)
    assert shortage_mails(services) == []
    assert (await current(services, order)).state is OrderState.CONFIRMED
    await report(services, order)
    await tell(services, clock)
    assert len(shortage_mails(services)) == 1


async def test_report_can_be_undone_until_the_customer_has_chosen(services, clock, told):
    order = await told()
    assert not await services.shortages.undo(order.id, CHICKEN, kitchen(2))
    assert await services.shortages.undo(order.id, CHICKEN, kitchen())
    assert await state_of(services, order) == "sent"
    assert not await services.shortages.choose(order.id, CHICKEN, DISH_BACK)
    await report(services, order)
    await tell(services, clock)
    assert await services.shortages.choose(order.id, CHICKEN, DISH_BACK)
    assert not await services.shortages.undo(order.id, CHICKEN, kitchen())


async def test_undo_leaves_a_dish_sold_out_that_was_so_before(services, place_paid):
    order = await place_paid()
    await services.statuses.set_sold_out(1, CHICKEN, is_sold_out=True)
    await report(services, order)
    await services.shortages.undo(order.id, CHICKEN, kitchen())
    assert services.statuses.sold_out(1) == (CHICKEN,)


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_dish_is_sold_out_until_no_order_lacks_it(services, place_paid, order):
    lacking = [await place_paid() for _ in order]
    for each in lacking:
        await report(services, each)
    for place in order:
        assert services.statuses.sold_out(1) == (CHICKEN,)
        assert await services.shortages.undo(lacking[place].id, CHICKEN, kitchen())
    assert services.statuses.sold_out(1) == ()


async def test_another_dish_replaces_the_dish_and_moves_no_money(services, told):
    order = await told()
    assert await services.shortages.choose(order.id, CHICKEN, REPLACED, BIRYANI)
    changed = await current(services, order)
    assert [line.dish_id for line in changed.lines] == [BIRYANI, PANEER]
    assert (changed.bill, await due(services)) == (order.bill, [])
    assert await state_of(services, order) == "sent"
    (ticket,) = await services.kitchen_boards.board(1)
    assert ticket.lines == changed.lines


async def test_dish_back_takes_its_price_off_what_is_collected(services, told):
    order = await told()
    assert await services.shortages.choose(order.id, CHICKEN, DISH_BACK)
    changed = await current(services, order)
    assert [line.dish_id for line in changed.lines] == [PANEER]
    assert changed.bill.remaining == order.bill.remaining - 180
    assert (changed.bill.online, await due(services)) == (order.bill.online, [])
    (ticket,) = await services.kitchen_boards.board(1)
    assert ticket.to_collect == changed.bill.remaining
    sheet = await services.day_sheets.of(None, 1)
    assert (sheet.sums.grand_total, sheet.sums.to_collect) == (
        changed.bill.grand_total,
        changed.bill.remaining,
    )


async def test_amount_above_that_at_the_door_goes_back(services, told):
    # 2 x 180 + 10 + 20 = 390, of which 45 online.
    order = await told({CHICKEN: 2, ROTI: 1})
    assert await services.shortages.choose(order.id, CHICKEN, DISH_BACK)
    changed = await current(services, order)
    assert (changed.bill.online, changed.bill.remaining) == (rupees(30), 0)
    assert await due(services) == [(rupees(15), RefundReason.DISH_NOT_COOKED)]
    sheet = await services.day_sheets.of(None, 1)
    assert (sheet.sums.paid, sheet.sums.refund_due) == (rupees(45), rupees(15))


async def test_whole_refund_after_a_partial_one_is_the_rest(services, clock, told):
    order = await told({CHICKEN: 2, ROTI: 1})
    await services.shortages.choose(order.id, CHICKEN, DISH_BACK)
    await report(services, order, ROTI)
    await tell(services, clock)
    # Nothing would be left of the order without its last dish, and no other costs as much.
    assert await due(services) == [
        (rupees(15), RefundReason.DISH_NOT_COOKED),
        (rupees(30), RefundReason.NOT_COOKED),
    ]


async def test_order_without_any_choice_goes_back_at_once(services, told):
    order = await told({PANEER: 2}, PANEER)
    assert (await current(services, order)).state is OrderState.REFUND_DUE
    (mail,) = shortage_mails(services)
    assert "your money goes back" in mail["subject"]


async def test_time_to_choose_begins_when_the_customer_is_told(services, clock, place_paid):
    """The server may have been down for longer than the time to choose."""
    order = await place_paid()
    await report(services, order)
    clock.advance(hours=1)
    await drain(services)
    (choice,) = await services.shortages.choices(order)
    assert choice.shortage.answer_by == clock.now() + timedelta(minutes=ANSWER_MINUTES)
    clock.advance(minutes=ANSWER_MINUTES)
    await drain(services)
    assert (await current(services, order)).state is OrderState.REFUND_DUE


HAND_OVER = ({CHICKEN: 1, PANEER: 1}, DISH_BACK), ({CHICKEN: 2}, ShortageAnswer.COOKED)


@pytest.mark.parametrize(("dishes", "answer"), HAND_OVER, ids=["the rest", "the only dish"])
async def test_order_that_is_handed_over_meanwhile_never_goes_back(
    services, clock, told, dishes, answer
):
    order = await told(dishes)
    await press_on_board(services, TABLET, order.id, CookingState.HANDED_OVER)
    assert await services.shortages.choices(order) == []
    clock.advance(seconds=HELD_SECONDS)
    assert await state_of(services, order) == "handed_over"
    clock.advance(minutes=ANSWER_MINUTES)
    await drain(services)
    assert (await current(services, order)).state is OrderState.CONFIRMED
    assert (await only_row(services.database, ShortageRow)).answer == answer
    assert await due(services) == []


async def test_paid_cart_is_not_ordered_again_after_a_dish_was_replaced(services, clock):
    request, key = order_request(quantities={CHICKEN: 1, PANEER: 1}), "k" * 32
    stored = await pay(services, await services.carts.prepare(request, key))
    await report(services, stored.order)
    await tell(services, clock)
    assert await services.shortages.choose(stored.order.id, CHICKEN, REPLACED, BIRYANI)
    await services.statuses.set_sold_out(1, CHICKEN, is_sold_out=False)
    assert (await services.carts.prepare(request, key)).order.id == stored.order.id


async def test_dish_instead_may_be_short_too_but_not_the_first_one_again(services, clock, told):
    order = await told()
    await services.shortages.choose(order.id, CHICKEN, REPLACED, BIRYANI)
    await services.statuses.set_sold_out(1, CHICKEN, is_sold_out=False)
    await report(services, order, BIRYANI)
    await tell(services, clock)
    (choice,) = await services.shortages.choices(await current(services, order))
    assert choice.instead == ()


async def test_order_that_was_reported_is_not_unseen(services, clock):
    await enrol(services)
    clock.advance(seconds=1)
    request = order_request(quantities={CHICKEN: 1, PANEER: 1})
    order = (await pay(services, await services.ordering.prepare(request))).order
    await report(services, order)
    clock.advance(minutes=6)
    assert await services.unseen_orders.store.unreported(clock.now()) == []


async def test_order_goes_back_when_nobody_chooses_in_time(services, clock, told):
    order = await told()
    clock.advance(minutes=ANSWER_MINUTES)
    await drain(services)
    changed = await current(services, order)
    assert (changed.state, changed.refund_reason) == (
        OrderState.REFUND_DUE,
        RefundReason.NOT_COOKED,
    )
    assert await due(services) == [(order.bill.online, RefundReason.NOT_COOKED)]
    assert await state_of(services, order) == CANCELLED
    _, back = shortage_mails(services)
    assert "money goes back" in back["subject"]
    (ticket,) = await services.kitchen_boards.board(1)
    assert (ticket.is_cancelled, ticket.to_collect) == (True, 0)


async def test_whole_order_goes_back_without_a_choice(services, clock, place_paid):
    order = await place_paid()
    await report(services, order, WHOLE_ORDER, GAS)
    assert services.statuses.sold_out(1) == ()
    await tell(services, clock)
    assert (await current(services, order)).state is OrderState.REFUND_DUE
    (mail,) = shortage_mails(services)
    assert "your money goes back" in mail["subject"]


async def test_table_is_given_up_when_its_order_goes_back(services, clock, place_paid):
    order = await place_paid(request=reservation_request())
    by = kitchen(2)
    assert (await only_row(services.database, SeatHoldRow)).state == SeatHoldState.FIRM
    await report(services, order, WHOLE_ORDER, ShortageReason.CLOSING, by)
    await tell(services, clock)
    assert (await current(services, order)).state is OrderState.REFUND_DUE
    assert (await only_row(services.database, SeatHoldRow)).state == SeatHoldState.RELEASED


@pytest.mark.parametrize("answer", [DISH_BACK, ORDER_BACK, REPLACED])
async def test_choice_counts_once_and_only_while_it_is_open(services, clock, place_paid, answer):
    order = await place_paid()
    choose = services.shortages.choose
    assert not await choose(order.id, CHICKEN, answer, BIRYANI)
    await report(services, order)
    assert not await choose(order.id, CHICKEN, answer, BIRYANI)
    await tell(services, clock)
    assert await choose(order.id, CHICKEN, answer, BIRYANI)
    assert not await choose(order.id, CHICKEN, answer, BIRYANI)
    assert not await choose(order.id, CHICKEN, ORDER_BACK)
    assert (await only_row(services.database, ShortageRow)).answer == answer


@pytest.mark.parametrize("instead", ["", PANEER, EGG, CHICKEN, "999"])
async def test_dish_instead_must_be_among_the_choices(services, told, instead):
    order = await told()
    assert not await services.shortages.choose(order.id, CHICKEN, REPLACED, instead)
    assert (await current(services, order)).lines == order.lines


async def test_dish_that_is_sold_out_meanwhile_can_not_be_chosen(services, told):
    order = await told()
    await services.statuses.set_sold_out(1, BIRYANI, is_sold_out=True)
    assert not await services.shortages.choose(order.id, CHICKEN, REPLACED, BIRYANI)


async def test_report_needs_an_order_of_the_kitchen_that_it_may_cook(services, place_paid, clock):
    order = await place_paid()
    unpaid = (await services.ordering.prepare(order_request())).order
    assert not await report(services, order, by=kitchen(2))
    assert not await report(services, order, "999")
    assert not await report(services, unpaid, PANEER)
    assert not await report(services, replace(order, id="0" * 32))
    old = replace(kitchen(), since=clock.now() + timedelta(seconds=1))
    assert not await report(services, order, by=old)
    assert await count(services.database, ShortageRow) == 0
    assert services.statuses.sold_out(1) == ()


async def test_order_that_was_handed_over_can_not_be_short(services, place_paid):
    order = await place_paid()
    await press_on_board(services, TABLET, order.id, CookingState.HANDED_OVER)
    assert not await report(services, order)


async def test_repeated_report_is_one_shortage_with_one_mail(services, clock, place_paid):
    order = await place_paid()
    for reason in (GONE, GAS, GONE):
        assert await report(services, order, reason=reason)
    await tell(services, clock)
    assert (await only_row(services.database, ShortageRow)).reason == GONE
    assert len(shortage_mails(services)) == 1


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "not told yet"])
async def test_order_that_an_operator_gives_back_has_no_choice_any_more(
    services, clock, place_paid, is_told
):
    order = await place_paid()
    await report(services, order)
    if is_told:
        await tell(services, clock)
    await services.operations.refund(order.number, Actor("asha"), force=True)
    assert not await services.shortages.choose(order.id, CHICKEN, DISH_BACK)
    assert await services.shortages.choices(await current(services, order)) == []
    assert await state_of(services, order) == CANCELLED
    clock.advance(minutes=ANSWER_MINUTES)
    await drain(services)
    assert len(shortage_mails(services)) == int(is_told)
    refunds = await rows(services.database, RefundRow)
    assert [each.reason for each in refunds] == [RefundReason.BY_OPERATOR]


async def test_audit_names_device_customer_and_clock(services, clock, place_paid):
    order = await place_paid()
    await report(services, order)
    await report(services, order, PANEER)
    await tell(services, clock)
    await services.shortages.choose(order.id, PANEER, DISH_BACK)
    clock.advance(minutes=ANSWER_MINUTES)
    await drain(services)
    entries = await services.operations.audit.entries(subject=order.id, limit=10)
    assert [(each.actor, each.action) for each in reversed(entries)] == [
        ("kitchen 1, tablet", AuditAction.REPORT_SHORTAGE),
        ("kitchen 1, tablet", AuditAction.REPORT_SHORTAGE),
        ("customer", AuditAction.ANSWER_SHORTAGE),
        ("time is up", AuditAction.ANSWER_SHORTAGE),
    ]


# Races


class AllSeeOpen(SqlShortages):
    """All callers see that nothing is chosen yet before any of them stores a choice."""

    barrier: asyncio.Barrier

    async def answer(self, order_id, dish_id, choose, entry):
        (shortage,) = await self.of_orders([order_id])
        assert shortage.answer is ShortageAnswer.OPEN
        await meet(self.barrier)
        return await super().answer(order_id, dish_id, choose, entry)


class WithoutCheckUnderLock(AllSeeOpen):
    """Without the guard: the earlier state is used."""

    async def answer(self, order_id, dish_id, choose, entry):
        (shortage,) = await self.of_orders([order_id])
        order = await self._database.read(
            lambda connection: sql_shortages._locked_order(connection, order_id)
        )
        await meet(self.barrier)
        choice = choose(order, shortage)
        await self._database.write(
            lambda connection: sql_shortages._apply(connection, order, shortage, choice, entry.at)
        )
        return True


async def choose_in_all_processes(processes, clock, kind):
    """Choose on each device at once; return how many choices counted, and what goes back."""
    services = processes[0]
    request = order_request(quantities={CHICKEN: 5, PANEER: 1})
    order = (await pay(services, await services.ordering.prepare(request))).order
    await report(services, order)
    await tell(services, clock)
    barrier = asyncio.Barrier(len(processes))
    choosing = []
    for process in processes:
        store = kind(process.database, process.outbox.notify)
        store.barrier = barrier
        shortages = replace(process.shortages, store=store)
        choosing.append(shortages.choose(order.id, CHICKEN, DISH_BACK))
    counted = await asyncio.gather(*choosing)
    changed = await current(services, order)
    return sum(counted), order.bill.grand_total - changed.bill.grand_total


@both_databases
async def test_concurrent_choices_are_one(processes, clock):
    assert await choose_in_all_processes(processes, clock, AllSeeOpen) == (1, rupees(900))


@both_databases
async def test_control_each_choice_counts_without_check_under_lock(processes, clock):
    """The negative control of the test above."""
    counted, _ = await choose_in_all_processes(processes, clock, WithoutCheckUnderLock)
    assert counted == len(processes)


def when_another_waits(url):
    """Wait until another transaction waits for a lock that this one has."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        waiting = "select 1 from pg_locks where not granted"
        eventually(lambda: connection.execute(waiting).fetchone(), "a transaction waits")


@postgres_only
async def test_choices_for_two_dishes_at_once_both_leave_the_order(
    services, clock, place_paid, database_url
):
    """The transaction that waits for the lock must not use the order as it was before."""
    order = await place_paid({CHICKEN: 1, PANEER: 1, ROTI: 1})
    await report(services, order)
    await report(services, order, ROTI)
    await tell(services, clock)

    holds_lock = threading.Event()

    def choose(_order, _shortage):
        holds_lock.set()
        when_another_waits(database_url)
        return Choice(DISH_BACK)

    shortages = services.shortages
    entry = shortages._entry(Actor("a test"), AuditAction.ANSWER_SHORTAGE, order.id, ROTI)
    first = asyncio.create_task(shortages.store.answer(order.id, ROTI, choose, entry))
    await asyncio.to_thread(holds_lock.wait)
    assert await shortages.choose(order.id, CHICKEN, DISH_BACK)
    assert await first
    changed = await current(services, order)
    assert [line.dish_id for line in changed.lines] == [PANEER]
    assert changed.bill.grand_total == order.bill.grand_total - 190


@postgres_only
async def test_choice_during_an_operators_refund_gives_nothing_twice(
    services, clock, told, database_url
):
    order = await told({CHICKEN: 2, ROTI: 1})
    stored = await services.lookup.by_id(order.id)

    holds_lock = threading.Event()

    def entry_of(_refunds):
        holds_lock.set()
        when_another_waits(database_url)
        return audit_entry(clock.now(), Actor("asha"), AuditAction.REFUND_ORDER, order.id)

    refunds = services.payments.refunds.store
    first = asyncio.create_task(refunds.begin(stored.payment.id, entry_of, clock.now(), whole=True))
    await asyncio.to_thread(holds_lock.wait)
    assert not await services.shortages.choose(order.id, CHICKEN, DISH_BACK)
    await first
    given = [from_paise(each.amount_paise) for each in await rows(services.database, RefundRow)]
    assert given == [order.bill.online]
