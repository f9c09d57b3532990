"""Orders and payments in SQL: persistence, and atomic changes."""

import asyncio
import threading
from dataclasses import replace
from datetime import date, time, timedelta
from itertools import product

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError

from campus_app.ordering.rules.customer import Customer
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.notification import MissedCallStatus
from campus_app.ordering.rules.order import OrderLine, OrderState, OrderType
from campus_app.ordering.rules.payment import (
    OrderOutcome,
    PaymentState,
    Snapshot,
    can_transition,
    last_check,
)
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.ordering.sql.order_numbers import NumberHold, SqlNumbers
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import OrderNumberRow, OrderRow, PaymentRow
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import rupees
from kit.clock import from_ms
from kit.db.errors import DatabaseUnavailable
from kit.db.tables import table_of
from kit.outbox.models import OutboxRow
from tests.helpers.builders import RESTAURANT, draft
from tests.helpers.clock import WEDNESDAY
from tests.helpers.errors import ordering_error
from tests.helpers.tables import count, execute, hold_numbers, rows

pytestmark = pytest.mark.anyio

CONFIRM = OrderOutcome(OrderState.CONFIRMED)
GIVE_BACK = OrderOutcome(OrderState.REFUND_DUE, RefundReason.PAID_LATE)
LATER = WEDNESDAY + timedelta(minutes=1)
DAY = timedelta(hours=24)
MILLISECOND = timedelta(milliseconds=1)


@pytest.fixture
def wakes():
    return []


@pytest.fixture
def orders(database, wakes):
    return SqlOrders(database, lambda: wakes.append("wake"))


@pytest.fixture
def place(orders):
    """Stores an order under a key."""

    async def place(key="a", *, at=WEDNESDAY, **changes):
        return await orders.create(draft(key, **changes), at, "sandbox")

    return place


@pytest.fixture
async def placed(place):
    """A stored order."""
    return await place()


@pytest.fixture
def pay(orders):
    """Records an order's payment."""

    async def pay(stored, settlement=CONFIRM, *, at=LATER):
        snapshot = Snapshot(PaymentState.PAID, stored.payment.amount, "INR", "provider's id")
        return await orders.record_paid(stored, snapshot, lambda *_: settlement, at)

    return pay


# Creating


async def test_create_returns_order_as_stored(orders, place):
    wanted = draft(
        "a",
        restaurant=replace(RESTAURANT, seats_per_slot=4),
        campus=Campus.SOUTH,
        customer=Customer("Zoë 'the' \"hungry\"", "zoe@x.example", "+919800000001", "घर ४; --"),
        lines=(
            OrderLine("104", "Café, <b>bold</b>", rupees("19.99"), 50),
            OrderLine("105", "Tea", rupees("0.01"), 1),
        ),
        instructions=Instructions("No onions ☺", "गेट २", no_cutlery=True),
        reservation=PreReservation(1, time(17, 30), 4, date(2026, 11, 18)),
    )
    placed = await orders.create(wanted, WEDNESDAY, "sandbox")
    order = placed.order
    assert (order.customer, order.lines, order.bill) == (wanted.customer, wanted.lines, wanted.bill)
    assert (order.campus, order.instructions) == (Campus.SOUTH, wanted.instructions)
    assert (order.restaurant_id, order.restaurant_name) == (1, "Pehla Food Point")
    assert order.reservation == wanted.reservation
    assert order.type is OrderType.PRE_RESERVE
    assert (order.state, order.refund_reason) == (OrderState.PENDING, "")
    assert order.created_at == WEDNESDAY
    assert placed.fingerprint == wanted.fingerprint
    assert await orders.by_id(order.id) == placed
    payment = placed.payment
    assert (payment.order_id, payment.amount) == (order.id, order.bill.online)
    assert (payment.state, payment.provider) == (PaymentState.PENDING, "sandbox")
    assert payment.reference.startswith("AS-")
    assert payment.expires_at == WEDNESDAY + timedelta(minutes=20)


async def test_created_at_has_stored_precision(orders, place):
    placed = await place(at=WEDNESDAY + timedelta(microseconds=123_456))
    assert placed.order.created_at == WEDNESDAY + timedelta(milliseconds=123)
    assert await orders.by_id(placed.order.id) == placed


async def test_order_is_found_by_each_key(orders, place):
    placed = await place("a", cart_key="cart", cart_generation=1)
    await place("b")
    assert await orders.by_id(placed.order.id) == placed
    assert await orders.by_number(placed.order.number) == placed
    assert await orders.by_token(placed.order.response_token) == placed
    assert await orders.by_reference(placed.payment.reference) == placed
    assert await orders.by_key("a") == placed
    assert await orders.latest_of_cart("cart") == placed


async def test_finders_return_none_for_unknown_keys(orders, place):
    await place("another", requested_number=483)
    names = ("", "AS_482", "a' OR '1'='1", "x" * 10_000, "ॐ", "\0", "AS_483\0", "\ud800")
    for name in names:
        for find in (orders.by_id, orders.by_number, orders.by_token, orders.by_reference):
            assert await find(name) is None


async def test_by_tokens_returns_the_newest_order_first(orders, place):
    first, second = await place("a"), await place("b", at=LATER)
    tokens = [first.order.response_token, "a-token-that-opens-nothing", "\0", "ॐ"]
    assert await orders.by_tokens(tokens) == [first]
    assert await orders.by_tokens([*tokens, second.order.response_token]) == [second, first]
    assert await orders.by_tokens(["\ud800"]) == await orders.by_tokens([]) == []


async def test_create_returns_existing_order_for_same_key(database, place):
    first = await place("a")
    second = await place("a", note="something else", at=LATER)
    assert second == first
    assert await count(database, OrderRow) == 1
    assert await count(database, PaymentRow) == 1
    assert await count(database, OrderNumberRow) == 1


async def test_response_tokens_are_unguessable_and_numbers_have_three_digits(place):
    # Source: specification 3.10, M9.
    placed = [(await place(f"{number}")).order for number in range(20)]
    tokens = {order.response_token for order in placed}
    assert len(tokens) == 20
    assert min(map(len, tokens)) * 6 >= 128
    assert all(100 <= int(order.number.removeprefix("AS_")) <= 999 for order in placed)


# Numbers. Source: specification M9.


async def test_create_raises_conflict_when_requested_number_is_held(database, place):
    await place("a", requested_number=482)
    with pytest.raises(Conflict, match="already in use") as raised:
        await place("b", requested_number=482)
    assert raised.value.code == "order_id_taken"
    assert await count(database, OrderRow) == 1
    assert await count(database, PaymentRow) == 1


HELD_UNPAID = timedelta(minutes=80)


async def test_number_of_unpaid_order_is_held_an_hour_after_it_lapses(orders, place):
    # Source: specification M16.
    first = await place("a", requested_number=482)
    with pytest.raises(Conflict):
        await place("b", requested_number=482, at=WEDNESDAY + HELD_UNPAID - MILLISECOND)
    second = await place("c", requested_number=482, at=WEDNESDAY + HELD_UNPAID)
    assert await orders.by_number("AS_482") == second
    assert await orders.by_id(first.order.id) == first


async def test_number_of_paid_order_is_held_for_24_hours(place, pay):
    # Source: specification M9.
    first = await place("a", requested_number=482)
    await pay(first, at=WEDNESDAY)
    with pytest.raises(Conflict):
        await place("b", requested_number=482, at=WEDNESDAY + DAY - MILLISECOND)
    await place("c", requested_number=482, at=WEDNESDAY + DAY)


async def test_late_payment_takes_no_number_from_its_new_holder(place, pay):
    first = await place("a", requested_number=482)
    await place("b", requested_number=482, at=WEDNESDAY + HELD_UNPAID)
    await pay(first, GIVE_BACK, at=WEDNESDAY + HELD_UNPAID)
    await place("c", requested_number=482, at=WEDNESDAY + 2 * HELD_UNPAID)


async def test_rolled_back_order_holds_no_number(orders):
    with pytest.raises(IntegrityError):
        await orders.create(
            draft("a", fingerprint=None, requested_number=482), WEDNESDAY, "sandbox"
        )
    stored = await orders.create(draft("a", requested_number=482), WEDNESDAY, "sandbox")
    assert stored.order.number == "AS_482"


async def test_number_has_six_digits_when_shorter_ones_are_held(database, place):
    """A stranger who takes all numbers leaves a paying customer a longer one at once."""
    # Source: specification M16.
    await hold_numbers(database, 100, 99_999)
    assert len((await place()).order.number) == len("AS_104233")


async def test_create_raises_conflict_when_no_number_is_found(database, orders, place):
    class NeverFree(SqlNumbers):
        def _hold(self, connection, value, hold, at):
            return False

    orders._numbers = NeverFree()
    error = await ordering_error(place())
    assert (type(error), error.code) == (Conflict, "busy")
    assert await count(database, OrderRow) == 0


@pytest.mark.parametrize(
    ("held", "digits"),
    [
        pytest.param((100, 909), 3, id="a tenth of the 900 is free"),
        pytest.param((100, 9_100), 5, id="fewer than a tenth of the 9,000 are free"),
    ],
)
async def test_number_gets_another_digit_when_less_than_a_tenth_is_free(
    database, place, held, digits
):
    await hold_numbers(database, *held)
    assert len((await place()).order.number) == len("AS_") + digits


async def test_number_is_short_again_when_yesterdays_are_free(database, place):
    yesterday = round((WEDNESDAY - timedelta(seconds=1)).timestamp() * 1000)
    await hold_numbers(database, 100, 999, until=yesterday)
    assert len((await place()).order.number) == len("AS_482")


@pytest.fixture
def trying_each_others(database):
    """Makes two concurrent orders try held numbers, each those the other has tried."""

    async def trying_each_others(given_by):
        await hold_numbers(database, 482, 483)
        both_have_tried = threading.Barrier(2, timeout=10)
        hold = NumberHold("an order", WEDNESDAY)

        def trying(first, second):
            def work(connection):
                tried = given_by._hold(connection, first, hold, WEDNESDAY)
                both_have_tried.wait()
                return tried, given_by._hold(connection, second, hold, WEDNESDAY)

            return work

        first, second = trying(482, 483), trying(483, 482)
        return await asyncio.gather(database.write(first), database.write(second))

    return trying_each_others


# SQLite has a single writer, so it cannot deadlock.
many_writers = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


@many_writers
async def test_transactions_trying_held_numbers_do_not_block(trying_each_others):
    assert await trying_each_others(SqlNumbers()) == [(False, False)] * 2


@many_writers
async def test_control_transactions_deadlock_when_held_numbers_are_locked(trying_each_others):
    """The negative control of the test above."""

    class Locking(SqlNumbers):
        def _hold(self, connection, value, hold, at):
            numbers = table_of(OrderNumberRow)
            held = {"order_id": hold.order_id, "held_until": from_ms(0)}
            statement = postgresql.insert(numbers).values(value=value, **held)
            upsert = statement.on_conflict_do_update(
                index_elements=["value"], set_=held, where=numbers.c.held_until <= from_ms(0)
            )
            return connection.execute(upsert.returning(numbers.c.value)).first() is not None

    with pytest.raises(DatabaseUnavailable, match="deadlock"):
        await trying_each_others(Locking())


# The orders of one cart


async def test_latest_of_cart_has_highest_generation(orders, place):
    await place("a", cart_key="cart", cart_generation=1, at=LATER)
    second = await place("b", cart_key="cart", cart_generation=2, at=WEDNESDAY)
    await place("c", cart_key="another cart", cart_generation=3, at=LATER)
    assert await orders.latest_of_cart("cart") == second
    assert await orders.latest_of_cart("no such cart") is None


async def test_create_replaces_unpaid_order_of_cart(orders, place):
    first = await place("a")
    await place("b", replaces=first.order.id, at=LATER)
    replaced = await orders.by_id(first.order.id)
    assert replaced.order.state is OrderState.REPLACED
    due = await orders.claim_due_checks(LATER, 10)
    assert [payment.id for payment in due] == [first.payment.id]
    await orders.transition(first.payment, PaymentState.EXPIRED, "")
    assert (await orders.by_id(first.order.id)).order.state is OrderState.REPLACED


async def test_create_replaces_lapsed_order(orders, place):
    first = await place("a")
    await orders.transition(first.payment, PaymentState.EXPIRED, "")
    await place("b", replaces=first.order.id)
    assert (await orders.by_id(first.order.id)).order.state is OrderState.REPLACED


@pytest.mark.parametrize("settlement", [CONFIRM, GIVE_BACK])
async def test_create_raises_conflict_when_order_to_replace_is_paid(
    database, place, pay, settlement
):
    first = await place("a")
    await pay(first, settlement)
    error = await ordering_error(place("b", replaces=first.order.id))
    assert (type(error), error.code) == (Conflict, "already_paid")
    assert await count(database, OrderRow) == 1
    assert await count(database, OrderNumberRow) == 1


async def test_create_returns_existing_order_when_already_replaced(database, place):
    first = await place("a")
    await place("b", replaces=first.order.id)
    with pytest.raises(Exception, match=r"\A\Z"):
        await place("c", replaces=first.order.id)
    assert await count(database, OrderRow) == 2


# Transitions of a payment


async def test_transition_follows_domain_rule(database, orders, place):
    for current, wanted in product(PaymentState, PaymentState):
        placed = await place(f"from {current} to {wanted}")
        await execute(
            database,
            "UPDATE payments SET state = :state WHERE id = :id",
            state=current.value,
            id=placed.payment.id,
        )
        moved = await orders.transition(placed.payment, wanted, "because")
        stored = await orders.by_id(placed.order.id)
        assert moved is can_transition(current, wanted)
        assert stored.payment.state is (wanted if moved else current)
        assert stored.payment.reason == ("because" if moved else "")
        has_lapsed = moved and wanted is PaymentState.EXPIRED
        assert stored.order.state is (OrderState.LAPSED if has_lapsed else OrderState.PENDING)


async def test_mark_opened_follows_domain_rule_and_schedules_check(database, orders, place):
    change = "UPDATE payments SET state = :state, reason = 'because' WHERE id = :id"
    for state in PaymentState:
        id_ = (await place(f"from {state}")).payment.id
        await execute(database, change, state=state.value, id=id_)
        await orders.mark_opened(id_, LATER)
        (payment,) = await rows(database, PaymentRow, id=id_)
        waits = can_transition(state, PaymentState.PENDING)
        assert payment.state == (PaymentState.PENDING if waits else state)
        assert payment.reason == ("" if waits else "because")
        assert (from_ms(payment.next_check_at_ms) == LATER) is (state is not PaymentState.PAID)


# Recording payments


async def test_record_paid_confirms_order_and_enqueues_notifications_once(
    database, orders, pay, wakes, placed
):
    await orders.transition(placed.payment, PaymentState.FAILED, "declined")
    assert await pay(placed) == await orders.by_id(placed.order.id)
    assert await pay(placed, GIVE_BACK) is None
    (payment,) = await rows(database, PaymentRow)
    assert (payment.state, payment.provider_payment_id) == ("paid", "provider's id")
    assert (payment.paid_paise, payment.paid_currency) == (payment.amount_paise, "INR")
    assert from_ms(payment.paid_at_ms) == LATER
    assert from_ms(payment.next_check_at_ms) == last_check(placed.payment, LATER)
    assert (await orders.by_id(placed.order.id)).order.state is OrderState.CONFIRMED
    jobs = await rows(database, OutboxRow)
    assert sorted(job.topic for job in jobs) == ["call.vendor", "mail.customer", "mail.vendor"]
    assert {job.subject for job in jobs} == {placed.order.id}
    assert {from_ms(job.run_at_ms) for job in jobs} == {LATER}
    assert wakes == ["wake"]


async def test_record_paid_notifies_customer_only_when_refund_is_due(database, orders, pay, placed):
    await orders.transition(placed.payment, PaymentState.FAILED, "declined")
    assert await pay(placed, GIVE_BACK) == await orders.by_id(placed.order.id)
    order = (await orders.by_id(placed.order.id)).order
    assert order.state is OrderState.REFUND_DUE
    assert order.refund_reason == RefundReason.PAID_LATE
    assert [job.topic for job in await rows(database, OutboxRow)] == ["mail.customer"]


async def test_record_paid_stores_unknown_amount_as_null(database, orders, placed):
    snapshot = Snapshot(PaymentState.PAID, None, "USD")
    assert await orders.record_paid(placed, snapshot, lambda *_: GIVE_BACK, LATER)
    (payment,) = await rows(database, PaymentRow)
    assert (payment.paid_paise, payment.paid_currency) == (None, "USD")


async def test_record_paid_is_none_for_missing_order(database, orders, wakes, placed):
    purged = replace(placed, payment=replace(placed.payment, id="unknown"))
    snapshot = Snapshot(PaymentState.PAID, rupees(10))
    assert not await orders.record_paid(purged, snapshot, lambda *_: CONFIRM, LATER)
    assert await count(database, OutboxRow) == 0
    assert wakes == []


async def test_record_paid_passes_current_states_to_decide(orders, placed):
    await orders.transition(placed.payment, PaymentState.EXPIRED, "")
    seen = []

    def decide(current, _has_seats):
        seen.append(current)
        return GIVE_BACK

    snapshot = Snapshot(PaymentState.PAID, placed.payment.amount)
    await orders.record_paid(placed, snapshot, decide, LATER)
    (current,) = seen
    assert current.payment.state is PaymentState.EXPIRED
    assert current.order.state is OrderState.LAPSED


async def test_record_paid_rolls_back_when_decide_raises(database, orders, wakes, placed):

    def decide(_current, _has_seats):
        raise LookupError("no idea")

    snapshot = Snapshot(PaymentState.PAID, placed.payment.amount)
    with pytest.raises(LookupError):
        await orders.record_paid(placed, snapshot, decide, LATER)
    assert await orders.by_id(placed.order.id) == placed
    assert await count(database, OutboxRow) == 0
    assert wakes == []


# Scheduled checks


async def test_claim_due_checks_returns_due_payments_oldest_first(orders, place):
    payments = [(await place(f"{number}")).payment for number in range(4)]
    for payment, seconds in zip(payments, (30, 10, 20, 31), strict=True):
        await orders.schedule_check(payment.id, WEDNESDAY + timedelta(seconds=seconds))
    due = await orders.claim_due_checks(WEDNESDAY + timedelta(seconds=30), 10)
    assert [payment.id for payment in due] == [payments[i].id for i in (1, 2, 0)]
    assert len(await orders.claim_due_checks(WEDNESDAY + DAY, 2)) == 2


async def test_claim_due_checks_leases_payment_for_a_minute(orders, placed):
    due = placed.payment.expires_at
    assert await orders.claim_due_checks(due - MILLISECOND, 9) == []
    assert await orders.claim_due_checks(due, 9) == [placed.payment]
    assert await orders.claim_due_checks(due + timedelta(seconds=59), 9) == []
    assert await orders.claim_due_checks(due + timedelta(seconds=60), 9) == [placed.payment]
    await orders.schedule_check(placed.payment.id, None)
    assert await orders.claim_due_checks(due + DAY, 9) == []


async def test_paid_payment_keeps_its_last_check(orders, pay, placed):
    await pay(placed)
    await orders.schedule_check(placed.payment.id, WEDNESDAY)
    at = last_check(placed.payment, LATER)
    assert await orders.claim_due_checks(at - timedelta(seconds=1), 9) == []
    assert [each.id for each in await orders.claim_due_checks(at, 9)] == [placed.payment.id]
    await orders.schedule_check(placed.payment.id, None, even_if_paid=True)
    assert await orders.claim_due_checks(WEDNESDAY + DAY, 9) == []


async def test_schedule_unpaid_check_schedules_unpaid_payment(orders, placed):
    for unknown in ("", "AS-unknown", "AS-\0", "ÄS-1"):
        assert await orders.schedule_unpaid_check(unknown, WEDNESDAY) is None
    assert await orders.claim_due_checks(WEDNESDAY, 9) == []
    assert await orders.schedule_unpaid_check(placed.payment.reference, WEDNESDAY) == placed.payment
    assert await orders.claim_due_checks(WEDNESDAY, 9) == [placed.payment]


async def test_schedule_unpaid_check_ignores_paid_payment(orders, pay, placed):
    await pay(placed)
    assert await orders.schedule_unpaid_check(placed.payment.reference, WEDNESDAY) is None
    assert await orders.claim_due_checks(placed.payment.expires_at, 9) == []


# Notification status


@pytest.mark.parametrize(
    ("customer", "vendor", "call", "sent", "errors", "missed_call"),
    [
        pytest.param("leased", "ready", "leased", 0, 0, "pending", id="they are on their way"),
        pytest.param("done", "done", "done", 2, 0, "success", id="2.46: Customer & vendor"),
        pytest.param("ready", "done", "done", 0, 0, "success", id="the vendor's alone is none"),
        pytest.param("done", "dead", "dead", 1, 1, "failed", id="the vendor's can't be sent"),
    ],
)
async def test_notification_status_follows_outbox_jobs(
    database, orders, place, pay, customer, vendor, call, sent, errors, missed_call
):
    placed = await place("a")
    other = await place("b")
    unpaid = await orders.notification_status(placed.order.id)
    assert (unpaid.emails_sent, unpaid.email_errors) == (0, ())
    assert unpaid.missed_call is MissedCallStatus.PENDING
    await pay(placed)
    await pay(other)
    for topic, state in (
        ("mail.customer", customer),
        ("mail.vendor", vendor),
        ("call.vendor", call),
    ):
        await execute(
            database,
            "UPDATE outbox SET state = :state WHERE topic = :topic AND subject = :subject",
            state=state,
            topic=topic,
            subject=placed.order.id,
        )
    status = await orders.notification_status(placed.order.id)
    assert (status.emails_sent, len(status.email_errors)) == (sent, errors)
    assert status.missed_call == missed_call
