"""What the desk shows: what needs somebody, the orders, one order and its timeline."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import update

from campus_app.operators.rules.attention import AttentionKind
from campus_app.operators.rules.order_admin import OrderQuery
from campus_app.operators.rules.timeline import EntryKind, timeline
from campus_app.operators.screens.desk_order_view import order_view
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.refund import RefundPart, RefundState
from campus_app.ordering.rules.shortage import WHOLE_ORDER, ShortageReason
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.shared.rules.errors import Conflict, Invalid, NotFound
from campus_app.shared.rules.money import rupees
from kit.db.tables import table_of
from kit.outbox.models import JobState, OutboxRow
from tests.helpers.builders import RESERVED_QUANTITIES, order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.demo import REQUEST_BODY, site_on
from tests.helpers.desk import OWNER
from tests.helpers.flows import drain, pay
from tests.helpers.kitchens import enrol, press_on_board
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request

pytestmark = pytest.mark.anyio

UNSEEN = timedelta(minutes=6)


async def kinds(services):
    return [(each.kind, each.name) for each in await services.desk.attention()]


async def fail_job(services, order, topic, words="no"):
    """Let an order's e-mail be given up now."""
    jobs = table_of(OutboxRow)
    statement = update(jobs).where(jobs.c.subject == order.id, jobs.c.topic == topic)
    values = {"state": JobState.DEAD, "last_error": words, "run_at": services.clock.now()}
    await services.database.execute(statement.values(**values))


# What needs somebody


async def test_new_installation_needs_nobody(services):
    assert await kinds(services) == []


async def test_unseen_order_names_its_kitchen_and_phone(services, paid, clock):
    await enrol(services)
    order = await paid()
    assert await kinds(services) == []
    clock.advance(seconds=UNSEEN.total_seconds())
    (line,) = await services.desk.attention()
    assert (line.kind, line.name, line.place) == (
        AttentionKind.UNSEEN,
        order.number,
        order.restaurant_name,
    )
    assert line.phone == services.catalogue.restaurant(order.restaurant_id).vendor_phone


async def test_due_refund_needs_somebody_until_it_is_given_back(services, paid):
    order = await paid()
    payment_id = (await services.operations.find_order(order.id)).payment.id
    await services.payments.refunds.store.mark_surplus(payment_id, rupees(5), WEDNESDAY)
    (line,) = await services.desk.attention()
    assert (line.kind, line.name) == (AttentionKind.REFUND, order.number)
    await services.operations.refund(order.id, OWNER, force=False)
    assert await kinds(services) == []


async def test_settled_order_needs_nobody_and_keeps_the_note(services, paid, clock):
    await enrol(services)
    order = await paid()
    clock.advance(seconds=UNSEEN.total_seconds())
    assert await services.desk.settle(order.id, AttentionKind.UNSEEN, " phoned\nthem ", OWNER)
    assert not await services.desk.settle(order.id, AttentionKind.UNSEEN, "again", OWNER)
    assert await kinds(services) == []
    (settled,) = (await services.desk.order_file(order.id)).settled
    assert (settled.note, settled.actor, settled.kind) == (
        "phoned them",
        OWNER.name,
        AttentionKind.UNSEEN,
    )
    (entry,) = await services.operations.audit.entries(subject=order.id, limit=9)
    assert entry.details == {"number": order.number, "kind": "unseen"}, "without the note"


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        (AttentionKind.REFUND, "paid in cash"),
        (AttentionKind.UNSEEN, ""),
        (AttentionKind.UNSEEN, "x" * 301),
    ],
)
async def test_settling_needs_a_note_and_never_ends_a_refund(services, paid, kind, note):
    order = await paid()
    with pytest.raises(Invalid):
        await services.desk.settle(order.id, kind, note, OWNER)
    assert (await services.desk.order_file(order.id)).settled == []


async def test_notes_are_deleted_with_the_personal_data(services, paid, clock):
    order = await paid()
    await drain(services)
    await services.desk.settle(order.id, AttentionKind.UNSEEN, "Meera was phoned", OWNER)
    clock.advance(days=3)
    async for _ in services.operations.purge(clock.now(), OWNER):
        pass
    (settled,) = (await services.desk.order_file(order.id)).settled
    assert settled.note == ""


async def test_lead_that_waits_for_20_hours_needs_somebody(services, clock):
    site = site_on(services)
    services.desk.leads = site.leads
    request = read_request(REQUEST_BODY, VARIANTS)
    await site.demo_requests.submit(request)
    clock.advance(hours=20, seconds=-1)
    assert await kinds(services) == []
    clock.advance(seconds=1)
    assert await kinds(services) == [(AttentionKind.LEAD, request.company)]


# Orders


async def test_orders_are_filtered_by_kitchen_and_campus(services, paid):
    first = await paid()
    second = await paid(restaurant_id=2, quantities=RESERVED_QUANTITIES)
    listed = await services.desk.orders(OrderQuery(50))
    assert {each.order.number for each in listed.lines} == {first.number, second.number}
    (only,) = (await services.desk.orders(OrderQuery(50, restaurant_id=2))).lines
    assert only.order.number == second.number
    assert (await services.desk.orders(OrderQuery(50, restaurant_id=3))).lines == []
    assert (await services.desk.orders(OrderQuery(1))).total == 2


async def test_orders_are_found_by_number_contact_and_part_of_a_name(services, paid):
    order = await paid()
    stored = (await services.desk.order_file(order.id)).order.customer
    for text in (order.number.lower(), stored.phone, stored.email.upper(), stored.full_name[1:4]):
        (found,) = (await services.desk.find(text, OWNER)).lines
        assert found.order.id == order.id
    for text in ("AS_000", "nobody", "%", "_", ""):
        assert list((await services.desk.find(text, OWNER)).lines) == []


async def test_search_is_audited_without_what_was_typed(services, paid):
    await paid()
    await services.desk.find("meera@students.example", OWNER)
    (entry,) = await services.operations.audit.entries(subject="orders", limit=9)
    assert (entry.actor, entry.details) == (OWNER.name, {"found": "0"})


# One order


async def test_timeline_has_all_that_happened_in_order(services, paid, clock):
    device = (await enrol(services)).device
    order = await paid()
    await drain(services)
    clock.advance(seconds=30)
    await press_on_board(services, device, order.id, CookingState.SEEN)
    clock.advance(seconds=30)
    await services.desk.show_contact(order.id, OWNER)
    entries = timeline(await services.desk.order_file(order.id))
    assert [each.kind for each in entries][:1] == [EntryKind.PLACED]
    assert [each.at for each in entries] == sorted(each.at for each in entries)
    kinds_of = [each.kind for each in entries]
    for kind in (EntryKind.PAID, EntryKind.SENT, EntryKind.PRESSED, EntryKind.DONE):
        assert kind in kinds_of
    assert (entries[-1].about, entries[-1].by) == ("order.show", OWNER.name)


async def test_cancelled_order_says_why_once_and_in_words(services, paid, clock):
    order = await paid()
    by = KitchenActor(order.restaurant_id, "tablet", OWNER, clock.now() - timedelta(days=1))
    await services.shortages.report(order.id, WHOLE_ORDER, ShortageReason.NO_GAS, by)
    file = await services.desk.order_file(order.id)
    told = [each for each in order_view(file, clock.now())["entries"] if "cook" in each["what"]]
    assert [(each["what"], each["detail"], each["by"]) for each in told] == [
        ("The kitchen can’t cook the whole order", "No gas", "kitchen device tablet")
    ]


async def test_timeline_shows_what_was_given_up_without_addresses(services, paid):
    order = await paid()
    await fail_job(services, order, "mail.customer", "550 <meera@students.example> unknown")
    entries = timeline(await services.desk.order_file(order.id))
    (given_up,) = [each for each in entries if each.kind is EntryKind.GIVEN_UP]
    assert (given_up.about, given_up.detail) == ("mail.customer", "550 <…> unknown")
    assert (AttentionKind.NOTIFICATION, order.number) in await kinds(services)


@pytest.mark.parametrize("order_id", ["", "x", "0" * 32])
async def test_unknown_order_has_no_file(services, order_id):
    with pytest.raises(NotFound):
        await services.desk.order_file(order_id)


# A part of the money


async def give(services, order, amount, after):
    part = RefundPart(rupees(amount), after)
    return await services.operations.refund(order.id, OWNER, force=False, part=part)


async def test_part_is_given_back_once_and_the_order_stays(services, paid):
    order = await paid()
    report = await give(services, order, 20, after=0)
    assert [(each.amount, each.state) for each in report.refunds] == [
        (rupees(20), RefundState.DONE)
    ]
    assert (await services.desk.order_file(order.id)).order.state == order.state
    with pytest.raises(Conflict) as raised:
        await give(services, order, 20, after=0)
    assert raised.value.code == "refunds_changed"
    left = order.bill.online - 20
    with pytest.raises(Conflict) as raised:
        await give(services, order, left + 1, after=1)
    assert raised.value.code == "part_too_large"
    with pytest.raises(Conflict):
        await give(services, order, left, after=1)  # all that is left cancels the order
    await give(services, order, left - 1, after=1)
    await services.operations.refund(order.id, OWNER, force=True)
    file = await services.desk.order_file(order.id)
    assert sum(each.amount for each in file.refunds) == order.bill.online
    assert file.order.state is OrderState.REFUND_DUE


async def test_part_is_refused_while_an_earlier_refund_is_not_finished(services, paid):
    order = await paid()
    payment_id = (await services.operations.find_order(order.id)).payment.id
    await services.payments.refunds.store.mark_surplus(payment_id, rupees(5), WEDNESDAY)
    with pytest.raises(Conflict) as raised:
        await give(services, order, 10, after=1)
    assert raised.value.code == "refunds_changed"


async def test_failed_message_needs_somebody_again_after_it_was_settled(services, paid, clock):
    order = await paid()
    await fail_job(services, order, "mail.customer")
    needed = (AttentionKind.NOTIFICATION, order.number)
    assert needed in await kinds(services)
    clock.advance(seconds=1)
    await services.desk.settle(order.id, AttentionKind.NOTIFICATION, "phoned", OWNER)
    assert needed not in await kinds(services)
    clock.advance(hours=1)
    await fail_job(services, order, "mail.vendor")
    assert needed in await kinds(services)
    clock.advance(seconds=1)
    assert await services.desk.settle(order.id, AttentionKind.NOTIFICATION, "too", OWNER)
    assert needed not in await kinds(services)


async def test_settled_orders_hide_no_other_ones(services, paid, clock):
    orders = [await paid() for _ in range(22)]
    for each in orders:
        await fail_job(services, each, "mail.customer")
    clock.advance(seconds=1)

    async def in_need():
        lines = await services.desk.attention()
        return [each.subject for each in lines if each.kind is AttentionKind.NOTIFICATION]

    listed = await in_need()
    assert len(listed) == 20
    assert (AttentionKind.MORE, "failed-notifications") in await kinds(services)
    for order_id in listed:
        await services.desk.settle(order_id, AttentionKind.NOTIFICATION, "done", OWNER)
    assert len(await in_need()) == 2
    assert AttentionKind.MORE not in dict(await kinds(services))


async def test_ten_presses_on_two_devices_give_a_part_back_once(processes):
    services = processes[0]
    order = (await pay(services, await services.ordering.prepare(order_request()))).order
    results = await asyncio.gather(
        *(give(processes[number % 2], order, 10, after=0) for number in range(10)),
        return_exceptions=True,
    )
    refused = [each for each in results if isinstance(each, Conflict)]
    assert len(refused) == 9
    (refund,) = (await services.desk.order_file(order.id)).refunds
    assert (refund.amount, refund.state) == (rupees(10), RefundState.DONE)
