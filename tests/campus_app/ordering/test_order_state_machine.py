"""A state machine of orders, payments and outbox jobs: invariants hold after any operations.

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
from campus_app.ordering.providers.sandbox.payments import SandboxButton, WebhookDelivery
from campus_app.ordering.rules.notification import notifications_due
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import OrderOutcome, PaymentState, Snapshot
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.audit import HTTP_ACTOR
from campus_app.shared.rules.constants import PAYMENT_LIFETIME_SECONDS
from campus_app.shared.rules.errors import OrderingError
from kit.clock import to_ms
from kit.db.tables import table_of
from tests.helpers.builders import order_request, reservation_request
from tests.helpers.clock import ManualClock
from tests.helpers.flows import drain, receive_webhook, sandbox, signed_webhook, with_orders
from tests.helpers.mail_harness import block, unblock
from tests.helpers.outbox import run_batch
from tests.helpers.settings import DATA, settings_for

HAS_PAID = {OrderState.CONFIRMED, OrderState.REFUND_DUE}
CARTS = ("a" * 22, "b" * 22)
DISHES = ({"104": 2, "112": 1}, {"104": 3})
TABLE_SEATS = 24
"""The seats of each slot of restaurant 2 in `data/restaurants.csv`."""

ORDERS = (
    "select orders.*, payments.state as payment_state, payments.reference, payments.amount_paise"
    " from orders join payments on payments.order_id = orders.id"
)
TOPICS = "('mail.customer', 'mail.vendor', 'call.vendor')"


class Campus(RuleBasedStateMachine):
    """Two visitors with a cart each, and others who reserve tables, under any failures."""

    orders = Bundle("orders")

    @initialize()
    def open(self):
        self.folder = Path(tempfile.mkdtemp())
        shutil.copyfile(TEMPLATE[0], self.folder / "food.db")
        self.clock = ManualClock()
        self.connection = sqlite3.connect(self.folder / "food.db")
        self.connection.row_factory = sqlite3.Row
        self.runner = asyncio.Runner()
        self.is_mail_down = False
        self.seen_paid: set[str] = set()
        self.start()

    def start(self):
        self.services = self.build()

    def build(self, **changes):
        url = f"sqlite:///{self.folder}/food.db"
        return wiring.build(settings_for(url, self.folder, **changes), self.clock)

    def do(self, coroutine):
        """Run an operation; refused ones must not affect the invariants."""
        with contextlib.suppress(OrderingError):
            return self.runner.run(coroutine)
        return None

    def stored(self, order_id):
        return self.runner.run(self.services.payments.orders.by_id(order_id))

    # Visitors

    @rule(target=orders, cart=st.sampled_from(CARTS), dishes=st.sampled_from(DISHES))
    def order_cart(self, cart, dishes):
        request = order_request(quantities=dishes)
        stored = self.do(self.services.carts.prepare(request, cart))
        return stored.order.id if stored else multiple()

    @rule(target=orders, guests=st.integers(1, 8))
    def order_table(self, guests):
        request = reservation_request(party_size=guests)
        stored = self.do(self.services.ordering.prepare(request))
        return stored.order.id if stored else multiple()

    @rule(order=orders, delivery=st.sampled_from(WebhookDelivery))
    def pay(self, order, delivery):
        self.do(self.press_button(order, SandboxButton.PAY, delivery))

    @rule(order=orders, button=st.sampled_from(SandboxButton), is_opened=st.booleans())
    def press_other_button(self, order, button, is_opened):
        self.do(self.press_button(order, button, WebhookDelivery.NONE, is_opened=is_opened))

    @rule(order=orders)
    def return_from_payment_page(self, order):
        self.do(self.services.payments.refresh_by_number(self.stored(order).order.number))

    async def press_button(self, order, button, delivery, *, is_opened=False):
        stored = await self.services.payments.orders.by_id(order)
        if not is_opened:
            await self.services.checkouts.open(stored)
        payment = await sandbox(self.services).payment(stored.payment.reference)
        if payment is not None:
            await sandbox(self.services).press(payment, button, delivery)

    # Provider, processes and time

    @rule(order=orders)
    def deliver_webhook(self, order):
        headers, body = signed_webhook(self.services, self.stored(order).payment.reference)
        self.do(receive_webhook(self.services.payments, headers, body))

    @rule()
    def run_reconciler(self):
        self.do(self.services.payments.reconcile_due())

    @rule()
    def run_outbox_worker(self):
        self.do(run_batch(self.services.worker))

    @rule()
    def crash_worker_with_claimed_jobs(self):
        self.do(self.services.outbox.claim(2))

    @rule()
    def restart_server(self):
        self.services.close()
        self.start()

    @rule(seconds=st.sampled_from([1, 20, 61, 400]))
    def advance_clock(self, seconds):
        self.clock.advance(seconds=seconds)

    @rule()
    def reach_payment_expiry(self):
        self.clock.advance(seconds=PAYMENT_LIFETIME_SECONDS)

    @rule(seconds=st.sampled_from([-3_600, -90, 86_400]))
    def shift_clock(self, seconds):
        self.clock.advance(seconds=seconds)

    @rule(is_open=st.booleans())
    def override_restaurant(self, is_open):
        self.do(self.services.statuses.set_override(1, is_open=is_open, message="", by=HTTP_ACTOR))

    @precondition(lambda self: not self.is_mail_down)
    @rule()
    def start_mail_outage(self):
        self.is_mail_down = True
        block(self.folder / "outbox" / "mail")

    @precondition(lambda self: self.is_mail_down)
    @rule()
    def end_mail_outage(self):
        self.is_mail_down = False
        unblock(self.folder / "outbox" / "mail")

    # Invariants

    def rows(self, statement):
        return [dict(row) for row in self.connection.execute(statement)]

    @invariant()
    def paid_orders_are_confirmed_or_refunded(self):  # I3
        for row in self.rows(ORDERS):
            is_paid = row["payment_state"] == PaymentState.PAID
            assert (row["state"] in HAS_PAID) == is_paid, row

    @invariant()
    def paid_payments_stay_paid(self):  # I5
        paid = {row["id"] for row in self.rows(ORDERS) if row["payment_state"] == PaymentState.PAID}
        assert self.seen_paid <= paid
        self.seen_paid = paid

    @invariant()
    def paid_payments_match_the_provider(self):  # I6, I7
        taken = {
            row["reference"]: row["amount_paise"]
            for row in self.rows("select * from sandbox_payments where state = 'paid'")
        }
        for row in self.rows(ORDERS):
            if row["payment_state"] == PaymentState.PAID:
                assert taken.get(row["reference"]) == row["amount_paise"]

    @invariant()
    def notifications_are_enqueued_exactly_once(self):  # I13, I14
        enqueued = Counter(
            (row["subject"], row["topic"])
            for row in self.rows(f"select * from outbox where topic in {TOPICS}")
        )
        due = {
            (row["id"], each.value)
            for row in self.rows(ORDERS)
            for each in notifications_due(OrderState(row["state"]))
        }
        assert enqueued == dict.fromkeys(due, 1)

    @invariant()
    def each_cart_has_one_live_order(self):  # I2
        alive = Counter(
            row["cart_key"]
            for row in self.rows(ORDERS)
            if row["cart_key"] and row["state"] in {OrderState.PENDING, OrderState.CONFIRMED}
        )
        assert all(count == 1 for count in alive.values())

    @invariant()
    def order_numbers_are_unique(self):  # I17
        numbers = [row["number"] for row in self.rows(ORDERS)]
        assert len(numbers) == len(set(numbers))

    @invariant()
    def bill_amounts_add_up(self):  # I9
        for row in self.rows(ORDERS):
            assert row["online_paise"] + row["remaining_paise"] == row["grand_total_paise"]
            assert row["online_paise"] == row["amount_paise"]

    @invariant()
    def slots_are_not_oversold(self):  # I20
        now = to_ms(self.clock.now())
        taken = sum(
            row["party_size"]
            for row in self.rows("select * from seat_holds")
            if row["state"] == "firm" or (row["state"] == "held" and row["expires_at_ms"] > now)
        )
        assert taken <= TABLE_SEATS

    @invariant()
    def each_order_is_called_at_most_once(self):  # I13
        assert max(self.calls_by_order().values(), default=0) <= 1

    def calls_by_order(self):
        file = self.folder / "outbox" / "calls.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return Counter(json.loads(line)["orderId"] for line in lines)

    # Teardown

    def teardown(self):
        if not hasattr(self, "services"):
            return
        try:
            if sys.exc_info()[0] is None:  # otherwise the run has already failed
                self.check_final_state()
        finally:
            self.close()

    def check_final_state(self):
        if self.is_mail_down:
            self.end_mail_outage()
        self.runner.run(self.drain_everything())
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
        assert set(self.calls_by_order()) <= confirmed

    def close(self):
        self.connection.close()
        self.services.close()
        self.runner.close()
        shutil.rmtree(self.folder)

    async def drain_everything(self):
        """Let every lease end, every retry run and every payment be checked."""
        for _ in range(14):
            self.clock.advance(seconds=61)
            await self.services.payments.reconcile_due()
            await drain(self.services)
        for _ in range(16):  # a clock set back by an hour needs an hour more
            self.clock.advance(seconds=601)
            await self.services.payments.reconcile_due()
            await drain(self.services)


TEMPLATE: list[Path] = []


@pytest.fixture(autouse=True)
def _template(sqlite_template):
    TEMPLATE[:] = [sqlite_template]


class TestOrderStateMachine(Campus.TestCase):
    settings = settings(max_examples=25, stateful_step_count=25)


# Negative controls: each invariant is violated without its guard


class Overbooked(Campus):
    """Gives away more seats than there are."""

    def start(self):
        data = self.folder / "data"
        if not data.exists():
            shutil.copytree(DATA, data)
            file = data / "restaurants.csv"
            file.write_text(file.read_text().replace(f",true,{TABLE_SEATS}", ",true,240"))
        self.services = self.build(data_dir=data)


class OrdersWithoutNotifications(SqlOrders):
    """Confirms an order without enqueuing notifications."""

    def _apply(self, connection, order, settlement, at):
        orders = table_of(OrderRow)
        connection.execute(
            update(orders).where(orders.c.id == order.id).values(state=settlement.order_state)
        )


class WithoutNotifications(Campus):
    def start(self):
        self.services = with_orders(self.build(), OrdersWithoutNotifications)


class OrdersWithoutCartKey(SqlOrders):
    """Does not find a cart's order."""

    async def latest_of_cart(self, cart_key):
        return None

    async def create(self, draft, at, provider):
        return await super().create(replace(draft, idempotency_key=f"{uuid4()}"), at, provider)


class WithoutCartKey(Campus):
    def start(self):
        self.services = with_orders(self.build(), OrdersWithoutCartKey)


class WithoutProviderQuery(Campus):
    """Records a payment on return from the payment page, without asking the provider."""

    @rule(order=Campus.orders)
    def return_from_payment_page(self, order):
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


def order_tables_for_32(campus):
    for _ in range(4):
        campus.order_table(guests=8)


def pay_order(campus):
    order = campus.order_cart(cart=CARTS[0], dishes=DISHES[0])
    campus.pay(order=order, delivery=WebhookDelivery.NEVER)
    campus.return_from_payment_page(order=order)


def change_cart(campus):
    for dishes in DISHES:
        campus.order_cart(cart=CARTS[0], dishes=dishes)


def return_without_paying(campus):
    order = campus.order_cart(cart=CARTS[0], dishes=DISHES[0])
    campus.return_from_payment_page(order=order)


@pytest.mark.parametrize(
    ("kind", "scenario", "violated"),
    [
        (Overbooked, order_tables_for_32, "slots_are_not_oversold"),
        (WithoutNotifications, pay_order, "notifications_are_enqueued_exactly_once"),
        (WithoutCartKey, change_cart, "each_cart_has_one_live_order"),
        (WithoutProviderQuery, return_without_paying, "paid_payments_match_the_provider"),
    ],
)
def test_control_invariant_is_violated_without_its_guard(kind, scenario, violated):
    for campus, holds in ((Campus(), True), (kind(), False)):
        campus.open()
        try:
            scenario(campus)
            with contextlib.nullcontext() if holds else pytest.raises(AssertionError):
                getattr(campus, violated)()
        finally:
            campus.close()
