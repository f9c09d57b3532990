"""Order administration in SQL: lists, retries and purges."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.operators.rules.order_admin import OrderFilter, OrderQuery, PurgedBatch
from campus_app.operators.sql.order_admin import SqlOrderAdmin
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import OrderOutcome, PaymentState, Snapshot
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import OrderRow, PaymentRow
from campus_app.shared.rules.audit import Actor, AuditAction, audit_entry
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import rupees
from campus_app.shared.sql.tables import AuditRow
from kit.outbox.models import JobState, OutboxRow
from tests.helpers.builders import at, draft
from tests.helpers.clock import WEDNESDAY
from tests.helpers.tables import execute, rows

pytestmark = pytest.mark.anyio

CONFIRMED = OrderOutcome(OrderState.CONFIRMED)
LATE = OrderOutcome(OrderState.REFUND_DUE, RefundReason.PAID_LATE)
CLOSED = OrderOutcome(OrderState.REFUND_DUE, RefundReason.RESTAURANT_CLOSED)
PAID = PaymentState.PAID


@pytest.fixture
def orders(database):
    return SqlOrders(database, lambda: None)


@pytest.fixture
def order_admin(database, clock):
    return SqlOrderAdmin(database, clock)


@pytest.fixture
def place(orders):
    """Stores an order; with an outcome its payment is recorded too."""

    async def place(key, settlement=None, moment=WEDNESDAY, **changes):
        stored = await orders.create(draft(key, **changes), moment, "sandbox")
        if settlement:
            snapshot = Snapshot(PAID, stored.payment.amount, provider_payment_id="PAY-1")
            assert await orders.record_paid(stored, snapshot, lambda *_seen: settlement, moment)
        return stored.order

    return place


def entry(*details):
    return audit_entry(
        WEDNESDAY, Actor("asha"), AuditAction.PURGE_ORDERS, "orders", of=str(details)
    )


async def settle(database, order, **states):
    """Set the states of an order's notifications: `mail_vendor="dead"`."""
    for name, state in states.items():
        await execute(
            database,
            "UPDATE outbox SET state = :state, attempts = 8, last_error = 'vendor@x.example: no' "
            "WHERE dedupe_key = :key",
            state=state,
            key=f"{name.replace('_', '.')}:{order.id}",
        )


async def sent(database, *placed, **states):
    all_done = dict.fromkeys(("mail_customer", "mail_vendor", "call_vendor"), "done")
    for order in placed:
        await settle(database, order, **(all_done | states))


# The list


async def test_list_orders_has_amounts_and_states_without_personal_data(order_admin, place):
    order = await place("a", CLOSED)
    page = await order_admin.list_orders(OrderQuery(limit=10))
    (line,) = page.lines
    assert page.total == 1
    assert (line.id, line.number, line.created_at) == (order.id, order.number, WEDNESDAY)
    assert (line.restaurant_id, line.restaurant_name) == (1, "Pehla Food Point")
    assert (line.state, line.payment_state) == (OrderState.REFUND_DUE, PAID)
    assert (line.grand_total, line.online, line.remaining) == (
        order.bill.grand_total,
        order.bill.online,
        order.bill.remaining,
    )
    assert (line.paid, line.refund_reason) == (order.bill.online, RefundReason.RESTAURANT_CLOSED)
    assert "Aarav" not in repr(page)


async def test_list_orders_returns_newest_first_with_total(order_admin, place):
    for minute in range(5):
        await place(f"order {minute}", moment=at(13, minute))
    page = await order_admin.list_orders(OrderQuery(limit=2))
    assert [line.created_at for line in page.lines] == [at(13, 4), at(13, 3)]
    assert page.total == 5
    assert (await order_admin.list_orders(OrderQuery(limit=2), most=3)).total == 4, "more than 3"


@pytest.fixture
async def one_of_each(place, orders, database):
    """Orders in every state that an order filter matches, by name."""
    placed = {
        "waiting": await place("waiting"),
        "confirmed": await place("confirmed", CONFIRMED),
        "closed": await place("closed", CLOSED),
        "late": await place("late", LATE),
        "unheard": await place("unheard", CONFIRMED),
        "replaced": await place("first", cart_key="c", cart_generation=1),
    }
    for name in ("lapsed", "declined"):
        placed[name] = await place(name)
        stored = await orders.by_id(placed[name].id)
        wanted = PaymentState.EXPIRED if name == "lapsed" else PaymentState.FAILED
        assert await orders.transition(stored.payment, wanted, "")
    placed["second"] = await place(
        "second", cart_key="c", cart_generation=2, replaces=placed["replaced"].id
    )
    placed["unreadable"] = await place("unreadable")
    assert await orders.mark_unreadable((await orders.by_id(placed["unreadable"].id)).payment.id)
    await settle(database, placed["unheard"], mail_vendor="dead", call_vendor="dead")
    return placed


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (OrderFilter.UNPAID, {"waiting", "lapsed", "declined", "second", "unreadable"}),
        (OrderFilter.REFUND, {"closed", "late"}),
        (OrderFilter.FAILED_NOTIFICATIONS, {"unheard"}),
        (OrderFilter.PAID_LATE, {"late"}),
        (OrderFilter.UNREADABLE, {"unreadable"}),
    ],
)
async def test_list_orders_filters_by_order_filter(order_admin, one_of_each, only, expected):
    names = {order.id: name for name, order in one_of_each.items()}
    page = await order_admin.list_orders(OrderQuery(limit=20, only=only))
    assert {names[line.id] for line in page.lines} == expected
    assert page.total == len(expected)


async def test_list_orders_names_failed_notifications_of_each_order(order_admin, one_of_each):
    page = await order_admin.list_orders(OrderQuery(limit=20))
    assert page.total == len(one_of_each)
    assert {
        line.id: line.failed_notifications for line in page.lines if line.failed_notifications
    } == {one_of_each["unheard"].id: ("mail.vendor", "call.vendor")}


# One order


async def test_payment_returns_all_fields(order_admin, place, orders):
    unpaid = await order_admin.payment((await place("unpaid")).id)
    assert (unpaid.state, unpaid.paid, unpaid.paid_at) == (PaymentState.PENDING, None, None)
    order = await place("a", CONFIRMED)
    stored = await orders.by_id(order.id)
    payment = await order_admin.payment(order.id)
    assert (payment.provider, payment.reference) == ("sandbox", stored.payment.reference)
    assert (payment.state, payment.amount, payment.paid) == (
        PAID,
        order.bill.online,
        order.bill.online,
    )
    assert (payment.provider_payment_id, payment.paid_currency) == ("PAY-1", "INR")
    assert (payment.created_at, payment.paid_at) == (WEDNESDAY, WEDNESDAY)
    assert payment.expires_at == WEDNESDAY + timedelta(minutes=20)


async def test_notifications_returns_progress(order_admin, place, database):
    order = await place("a", CONFIRMED)
    await settle(database, order, mail_vendor="dead", mail_customer="done")
    notifications = {
        notification.topic: notification
        for notification in await order_admin.notifications(order.id)
    }
    assert list(notifications) == ["mail.vendor", "mail.customer", "call.vendor"]
    assert notifications["call.vendor"].next_try_at == WEDNESDAY
    assert (notifications["call.vendor"].state, notifications["call.vendor"].last_error) == (
        "ready",
        "",
    )
    dead = notifications["mail.vendor"]
    assert (dead.state, dead.attempts, dead.next_try_at) == ("dead", 8, None)
    assert dead.last_error == "vendor@x.example: no"


# Retrying notifications


async def test_retry_notifications_requeues_failed_ones_only(order_admin, place, database, clock):
    order, other = await place("a", CONFIRMED), await place("b", CONFIRMED)
    await sent(database, order, mail_vendor="dead", call_vendor="dead")
    await sent(database, other, mail_vendor="dead")
    clock.advance(hours=1)
    assert await order_admin.retry_notifications(order.id, lambda topics: entry(*topics)) == [
        "call.vendor",
        "mail.vendor",
    ]
    jobs = {job.dedupe_key: job for job in await rows(database, OutboxRow)}
    states = {key: job.state for key, job in jobs.items()}
    assert [states[f"{topic}:{order.id}"] for topic in ("mail.vendor", "call.vendor")] == (
        [JobState.READY.value] * 2
    )
    assert states[f"mail.customer:{order.id}"] == JobState.DONE.value
    assert states[f"mail.vendor:{other.id}"] == JobState.DEAD.value
    assert jobs[f"mail.vendor:{order.id}"].attempts == 0
    assert jobs[f"mail.vendor:{order.id}"].run_at_ms == clock.now().timestamp() * 1000
    (line,) = await rows(database, AuditRow)
    assert line.details == {"of": "('call.vendor', 'mail.vendor')"}


async def test_retry_notifications_runs_waiting_ones_now(order_admin, place, database):
    order = await place("a", CONFIRMED)
    await settle(database, order, mail_vendor="ready")
    await execute(database, "UPDATE outbox SET run_at_ms = run_at_ms + 600000")
    assert await order_admin.retry_notifications(order.id, entry) == ["mail.vendor"]


async def test_retry_notifications_skips_call_that_may_have_rung(order_admin, place, database):
    # Source: specification S9.
    order = await place("a", CONFIRMED)
    await sent(database, order, call_vendor="dead")
    await execute(
        database,
        "UPDATE outbox SET last_error = 'outcome unknown, not repeated' WHERE state = 'dead'",
    )
    assert await order_admin.retry_notifications(order.id, lambda topics: entry(*topics)) == []
    assert {job.state for job in await rows(database, OutboxRow)} == {"done", "dead"}
    (line,) = await rows(database, AuditRow)
    assert line.details == {"of": "()"}


async def test_retry_notifications_is_atomic_with_audit_entry(order_admin, place, database):
    order = await place("a", CONFIRMED)
    await sent(database, order, mail_vendor="dead")
    with pytest.raises(RuntimeError):
        await order_admin.retry_notifications(order.id, _fail)
    assert "dead" in {job.state for job in await rows(database, OutboxRow)}
    assert await rows(database, AuditRow) == []


def _fail(*_details):
    raise RuntimeError


# Purging

BEFORE = WEDNESDAY + timedelta(minutes=1)
BLANKED = {
    "full_name": "",
    "email": "",
    "phone": "",
    "address": "",
    "note": "",
    "door_note": "",
    "cart_key": "",
    "fingerprint": "",
}


async def test_purge_deletes_personal_data_and_keeps_amounts(order_admin, place, database):
    order = await place(
        "a",
        CLOSED,
        instructions=Instructions("Mild for Aarav", "Ring at the gate", no_cutlery=True),
        cart_key="c",
        cart_generation=3,
    )
    await sent(database, order)
    (before,), (payment,) = await rows(database, OrderRow), await rows(database, PaymentRow)
    assert (await order_admin.purge(BEFORE, 10, entry)).orders == 1
    (after,) = await rows(database, OrderRow)
    assert after.response_token != before.response_token
    assert len(after.response_token) == len(before.response_token)
    gone = {"response_token": after.response_token, "idempotency_key": f"purged:{order.id}"}
    assert after._asdict() == {**before._asdict(), **BLANKED, **gone}
    assert await rows(database, PaymentRow) == [payment]
    assert {job.last_error for job in await rows(database, OutboxRow)} == {None}


async def test_purge_leaves_no_personal_data_in_any_table(order_admin, place, database):
    order = await place(
        "a key that says aarav@students.example",
        CONFIRMED,
        instructions=Instructions("For Aarav", "Ask for Aarav"),
    )
    await sent(database, order)
    await order_admin.purge(BEFORE, 10, entry)
    left = repr([await rows(database, table) for table in (OrderRow, PaymentRow, OutboxRow)])
    for personal in ("Aarav", "aarav", "9800000001", "Hostel", order.response_token, "@x.example"):
        assert personal not in left


async def test_purge_includes_orders_in_every_state(order_admin, place, database):
    await sent(database, *[await place(str(each), each) for each in (None, CONFIRMED, LATE)])
    assert await order_admin.count_personal(BEFORE) == 3
    assert (await order_admin.purge(BEFORE, 10, entry)).orders == 3
    assert await order_admin.count_personal(BEFORE) == 0


@pytest.mark.parametrize("state", ["ready", "leased"])
async def test_purge_skips_orders_with_waiting_notifications(order_admin, place, database, state):
    order = await place("a", CONFIRMED)
    await sent(database, order, mail_vendor=state)
    assert await order_admin.count_personal(BEFORE) == 0
    assert await order_admin.purge(BEFORE, 10, entry) == PurgedBatch(0)
    await settle(database, order, mail_vendor="dead")
    assert (await order_admin.purge(BEFORE, 10, entry)).orders == 1


async def test_purge_works_in_batches_oldest_first_with_audit_entries(order_admin, place, database):
    for second in (3, 1, 2):
        await place(f"order {second}", moment=at(13, 0, second))
    assert [await order_admin.purge(BEFORE, 2, entry) for _ in range(3)] == [
        PurgedBatch(2, at(13, 0, 2)),
        PurgedBatch(1, at(13, 0, 3)),
        PurgedBatch(0),
    ]
    lines = await rows(database, AuditRow)
    assert [line.details for line in lines] == [{"of": "(2,)"}, {"of": "(1,)"}]


async def test_purge_batch_is_atomic_with_audit_entry(order_admin, place, database):
    await place("a")
    with pytest.raises(RuntimeError):
        await order_admin.purge(BEFORE, 10, _fail)
    (row,) = await rows(database, OrderRow)
    assert row.full_name == "Aarav Sharma"


async def test_concurrent_purges_count_every_order_once(order_admin, place):
    for number in range(30):
        await place(f"order {number}")
    purged = await asyncio.gather(*(order_admin.purge(BEFORE, 5, entry) for _ in range(12)))
    while (rest := await order_admin.purge(BEFORE, 5, entry)).orders:
        purged.append(rest)
    assert sum(batch.orders for batch in purged) == 30


async def test_purge_continues_at_reached_including_same_time(order_admin, place):
    for key in "abc":
        await place(key)
    first = await order_admin.purge(BEFORE, 2, entry)
    assert first == PurgedBatch(2, WEDNESDAY)
    assert (await order_admin.purge(BEFORE, 2, entry, reached=first.reached)).orders == 1
    await place("an older one", moment=at(12))
    assert (await order_admin.purge(BEFORE, 2, entry, reached=WEDNESDAY)).orders == 0
    assert await order_admin.count_personal(BEFORE) == 1


async def test_orders_can_be_placed_after_purge(order_admin, place, orders):
    await place("a")
    await order_admin.purge(BEFORE, 10, entry)
    again = await place("a")
    assert (await orders.by_key("a")).order == again
    assert replace(again, number="").bill.subtotal == rupees(360)
