"""Orders, payments and effects under whatever happens, in any order: the books always add up.

Source: docs/invariants.md, the invariants that the comments name.
"""

import asyncio
import contextlib
import json
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)
from sqlalchemy import update

from campus_app import wiring
from campus_app.adapters.sandbox.payments import SandboxButton, WebhookDelivery
from campus_app.adapters.sql.orders import SqlOrders
from campus_app.adapters.sql.tables import OrderRow
from campus_app.domain.audit import HTTP_ACTOR
from campus_app.domain.constants import PAYMENT_LIFETIME_SECONDS
from campus_app.domain.errors import OrderingError
from campus_app.domain.notification import notifications_due
from campus_app.domain.order import OrderState
from campus_app.domain.payment import OrderOutcome, PaymentState, Snapshot
from kit.clock import to_ms
from kit.db.tables import table_of
from tests.helpers.builders import order_request, reservation_request
from tests.helpers.clock import ManualClock
from tests.helpers.flows import drain, notice, receive_webhook, sandbox, with_orders
from tests.helpers.mail_harness import block, unblock
from tests.helpers.outbox import run_batch
from tests.helpers.settings import DATA, settings_for

HAS_PAID = {OrderState.CONFIRMED, OrderState.REFUND_DUE}
CARTS = ("a" * 22, "b" * 22)
DISHES = ({"104": 2, "112": 1}, {"104": 3})
TABLE_SEATS = 24
"""What restaurant 2 has in each slot, as `data/restaurants.csv` says."""

ORDERS = (
    "select orders.*, payments.state as payment_state, payments.reference, payments.amount_paise"
    " from orders join payments on payments.order_id = orders.id"
)
TOPICS = "('mail.customer', 'mail.vendor', 'call.vendor')"


class Campus(RuleBasedStateMachine):
    """Two visitors with a cart each and others for a table; everything else may go wrong."""

    orders = Bundle("orders")

    @initialize()
    def open(self):
        self.folder = Path(tempfile.mkdtemp())
        shutil.copyfile(TEMPLATE[0], self.folder / "food.db")
        self.clock = ManualClock()
        self.books = sqlite3.connect(self.folder / "food.db")
        self.books.row_factory = sqlite3.Row
        self.runner = asyncio.Runner()
        self.mail_is_away = False
        self.seen_paid: set[str] = set()
        self.start()

    def start(self):
        self.services = self.built()

    def built(self, **changes):
        url = f"sqlite:///{self.folder}/food.db"
        return wiring.build(settings_for(url, self.folder, **changes), self.clock)

    def do(self, coroutine):
        """Do what a visitor or the provider does; what is refused changes nothing that counts."""
        with contextlib.suppress(OrderingError):
            return self.runner.run(coroutine)
        return None

    def stored(self, order_id):
        return self.runner.run(self.services.payments.orders.by_id(order_id))

    # What people do

    @rule(target=orders, cart=st.sampled_from(CARTS), dishes=st.sampled_from(DISHES))
    def press_pay(self, cart, dishes):
        request = order_request(quantities=dishes)
        stored = self.do(self.services.ordering.prepare_cart(request, cart))
        return stored.order.id if stored else multiple()

    @rule(target=orders, guests=st.integers(1, 8))
    def order_a_table(self, guests):
        request = reservation_request(party_size=guests)
        stored = self.do(self.services.ordering.prepare(request))
        return stored.order.id if stored else multiple()

    @rule(order=orders, rehearsal=st.sampled_from(WebhookDelivery))
    def pay(self, order, rehearsal):
        self.do(self.at_the_payment_page(order, SandboxButton.PAY, rehearsal))

    @rule(order=orders, button=st.sampled_from(SandboxButton), is_opened=st.booleans())
    def press_another_button(self, order, button, is_opened):
        self.do(self.at_the_payment_page(order, button, WebhookDelivery.NONE, is_opened=is_opened))

    @rule(order=orders)
    def come_back_from_the_payment_page(self, order):
        self.do(self.services.payments.refresh_by_number(self.stored(order).order.number))

    async def at_the_payment_page(self, order, button, rehearsal, *, is_opened=False):
        stored = await self.services.payments.orders.by_id(order)
        if not is_opened:
            await self.services.payments.open_checkout(stored)
        payment = await sandbox(self.services).payment(stored.payment.reference)
        if payment is not None:
            await sandbox(self.services).press(payment, button, rehearsal)

    # What the provider and the machines do

    @rule(order=orders)
    def a_notice_comes_whatever_it_says(self, order):
        headers, body = notice(self.services, self.stored(order).payment.reference)
        self.do(receive_webhook(self.services.payments, headers, body))

    @rule()
    def the_reconciler_looks(self):
        self.do(self.services.payments.reconcile_due())

    @rule()
    def the_worker_works(self):
        self.do(run_batch(self.services.worker))

    @rule()
    def a_worker_dies_with_jobs_in_its_hands(self):
        self.do(self.services.outbox.claim(2))

    @rule()
    def the_server_is_killed_and_starts_again(self):
        self.services.close()
        self.start()

    @rule(seconds=st.sampled_from([1, 20, 61, 400]))
    def time_passes(self, seconds):
        self.clock.advance(seconds=seconds)

    @rule()
    def the_time_to_pay_ends(self):
        self.clock.advance(seconds=PAYMENT_LIFETIME_SECONDS)

    @rule(seconds=st.sampled_from([-3_600, -90, 86_400]))
    def the_clock_jumps(self, seconds):
        self.clock.advance(seconds=seconds)

    @rule(is_open=st.booleans())
    def the_kitchen_is_switched(self, is_open):
        self.do(self.services.board.set_override(1, is_open=is_open, message="", by=HTTP_ACTOR))

    @precondition(lambda self: not self.mail_is_away)
    @rule()
    def mail_goes_away(self):
        self.mail_is_away = True
        block(self.folder / "outbox" / "mail")

    @precondition(lambda self: self.mail_is_away)
    @rule()
    def mail_comes_back(self):
        self.mail_is_away = False
        unblock(self.folder / "outbox" / "mail")

    # What is so at any moment

    def rows(self, statement):
        return [dict(row) for row in self.books.execute(statement)]

    @invariant()
    def what_is_paid_is_confirmed_or_goes_back(self):  # I3
        for row in self.rows(ORDERS):
            is_paid = row["payment_state"] == PaymentState.PAID
            assert (row["state"] in HAS_PAID) == is_paid, row

    @invariant()
    def what_was_paid_stays_paid(self):  # I5
        paid = {row["id"] for row in self.rows(ORDERS) if row["payment_state"] == PaymentState.PAID}
        assert self.seen_paid <= paid
        self.seen_paid = paid

    @invariant()
    def nothing_is_paid_that_was_not_taken(self):  # I6, I7
        taken = {
            row["reference"]: row["amount_paise"]
            for row in self.rows("select * from sandbox_payments where state = 'paid'")
        }
        for row in self.rows(ORDERS):
            if row["payment_state"] == PaymentState.PAID:
                assert taken.get(row["reference"]) == row["amount_paise"]

    @invariant()
    def everyone_is_told_exactly_what_is_due_to_them(self):  # I13, I14
        told = Counter(
            (row["subject"], row["topic"])
            for row in self.rows(f"select * from outbox where topic in {TOPICS}")
        )
        due = {
            (row["id"], each.value)
            for row in self.rows(ORDERS)
            for each in notifications_due(OrderState(row["state"]))
        }
        assert told == dict.fromkeys(due, 1)

    @invariant()
    def a_cart_is_ordered_once(self):  # I2
        alive = Counter(
            row["cart_key"]
            for row in self.rows(ORDERS)
            if row["cart_key"] and row["state"] in {OrderState.PENDING, OrderState.CONFIRMED}
        )
        assert all(count == 1 for count in alive.values())

    @invariant()
    def no_number_has_two_orders(self):  # I17
        numbers = [row["number"] for row in self.rows(ORDERS)]
        assert len(numbers) == len(set(numbers))

    @invariant()
    def the_bill_adds_up(self):  # I9
        for row in self.rows(ORDERS):
            assert row["online_paise"] + row["remaining_paise"] == row["grand_total_paise"]
            assert row["online_paise"] == row["amount_paise"]

    @invariant()
    def no_seat_is_given_to_two(self):  # I20
        now = to_ms(self.clock.now())
        taken = sum(
            row["party_size"]
            for row in self.rows("select * from seat_holds")
            if row["state"] == "firm" or (row["state"] == "held" and row["expires_at_ms"] > now)
        )
        assert taken <= TABLE_SEATS

    @invariant()
    def no_phone_has_rung_twice_about_an_order(self):  # I13
        assert max(self.rung().values(), default=0) <= 1

    def rung(self):
        file = self.folder / "outbox" / "calls.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return Counter(json.loads(line)["orderId"] for line in lines)

    # How it ends

    def teardown(self):
        if not hasattr(self, "services"):
            return
        try:
            if sys.exc_info()[0] is None:  # else it has ended already, and not well
                self.everything_is_over()
        finally:
            self.close()

    def everything_is_over(self):
        if self.mail_is_away:
            self.mail_comes_back()
        self.runner.run(self.quiet_hours())
        taken = self.rows("select reference from sandbox_payments where state = 'paid'")
        paid = [row for row in self.rows(ORDERS) if row["payment_state"] == PaymentState.PAID]
        assert {row["reference"] for row in paid} == {row["reference"] for row in taken}
        assert self.rows("select * from outbox where state in ('ready', 'leased')") == []
        mails = {file.name for file in (self.folder / "outbox").glob("mail/*.eml")}
        for row in paid:
            due = [each.value for each in notifications_due(OrderState(row["state"]))]
            written = [each for each in due if f"{each}-{row['id']}.eml" in mails]
            assert written == [each for each in due if each.startswith("mail.")]
        confirmed = {row["number"] for row in paid if row["state"] == OrderState.CONFIRMED}
        assert set(self.rung()) <= confirmed

    def close(self):
        self.books.close()
        self.services.close()
        self.runner.close()
        shutil.rmtree(self.folder)

    async def quiet_hours(self):
        """Let every lease end, every retry be made, every payment be asked after."""
        for _ in range(14):
            self.clock.advance(seconds=61)
            await self.services.payments.reconcile_due()
            await drain(self.services)
        for _ in range(16):  # a clock that was set back by an hour takes an hour longer
            self.clock.advance(seconds=601)
            await self.services.payments.reconcile_due()
            await drain(self.services)


TEMPLATE: list[Path] = []


@pytest.fixture(autouse=True)
def _template(sqlite_template):
    TEMPLATE[:] = [sqlite_template]


class TestOrderStateMachine(Campus.TestCase):
    settings = settings(max_examples=25, stateful_step_count=25)


# Negative controls: without what they guard, the invariants do not hold


class Overbooked(Campus):
    """The kitchen gives away more seats than it has."""

    def start(self):
        data = self.folder / "data"
        if not data.exists():
            shutil.copytree(DATA, data)
            file = data / "restaurants.csv"
            file.write_text(file.read_text().replace(f",true,{TABLE_SEATS}", ",true,240"))
        self.services = self.built(data_dir=data)


class ForgetfulOrders(SqlOrders):
    """Confirms an order without telling anybody."""

    def _apply(self, connection, order, settlement, at):
        orders = table_of(OrderRow)
        connection.execute(
            update(orders).where(orders.c.id == order.id).values(state=settlement.order_state)
        )


class Forgetful(Campus):
    def start(self):
        self.services = with_orders(self.built(), ForgetfulOrders)


class CarelessOrders(SqlOrders):
    """Does not know which order a cart has."""

    async def latest_of_cart(self, cart_key):
        return None

    async def create(self, draft, at, provider):
        return await super().create(replace(draft, idempotency_key=f"{uuid4()}"), at, provider)


class Careless(Campus):
    def start(self):
        self.services = with_orders(self.built(), CarelessOrders)


class Believing(Campus):
    """Whoever comes back from the payment page has paid, as a browser says."""

    @rule(order=Campus.orders)
    def come_back_from_the_payment_page(self, order):
        stored = self.stored(order)
        if stored.payment.state is PaymentState.PENDING:
            self.runner.run(
                self.services.payments.orders.record_paid(
                    stored,
                    Snapshot(PaymentState.PAID, paid=stored.payment.amount),
                    lambda _current, _has_seats: OrderOutcome(OrderState.CONFIRMED),
                    self.clock.now(),
                )
            )


def tables_for_32(campus):
    for _ in range(4):
        campus.order_a_table(guests=8)


def an_order_that_is_paid(campus):
    order = campus.press_pay(cart=CARTS[0], dishes=DISHES[0])
    campus.pay(order=order, rehearsal=WebhookDelivery.NEVER)
    campus.come_back_from_the_payment_page(order=order)


def a_cart_that_changes(campus):
    for dishes in DISHES:
        campus.press_pay(cart=CARTS[0], dishes=dishes)


def who_comes_back_without_paying(campus):
    order = campus.press_pay(cart=CARTS[0], dishes=DISHES[0])
    campus.come_back_from_the_payment_page(order=order)


@pytest.mark.parametrize(
    ("kind", "happens", "violated"),
    [
        (Overbooked, tables_for_32, "no_seat_is_given_to_two"),
        (Forgetful, an_order_that_is_paid, "everyone_is_told_exactly_what_is_due_to_them"),
        (Careless, a_cart_that_changes, "a_cart_is_ordered_once"),
        (Believing, who_comes_back_without_paying, "nothing_is_paid_that_was_not_taken"),
    ],
)
def test_control_invariant_is_violated_without_its_guard(kind, happens, violated):
    for campus, holds in ((Campus(), True), (kind(), False)):
        campus.open()
        try:
            happens(campus)
            with contextlib.nullcontext() if holds else pytest.raises(AssertionError):
                getattr(campus, violated)()
        finally:
            campus.close()
