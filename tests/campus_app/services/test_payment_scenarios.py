"""Everything that a payment may go through, with every provider, through the HTTP interface.

Source: specification P1.1 to P1.20.
"""

import asyncio
import contextlib

import httpx
import pytest

from campus_app.adapters.sql.tables import OrderRow, PaymentRow, RefundRow
from campus_app.domain.audit import Actor
from campus_app.domain.errors import ProviderUnavailable
from campus_app.domain.messages import RefundReason
from campus_app.domain.order import OrderState
from campus_app.domain.order_admin import OrderFilter, OrderQuery
from campus_app.domain.payment import PaymentState
from campus_app.domain.refund import RefundState
from kit.outbox.models import OutboxRow
from tests.fakes.cashfree import MISSING, Fault, RawJson
from tests.helpers.builders import order_body, order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import calls, drain, mails
from tests.helpers.provider_harness import Misreport, misreport_params
from tests.helpers.server import serving
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio

ME = Actor("asha")


class Customer:
    """Orders, goes to the payment page, and comes back."""

    def __init__(self, harness, shop):
        self.harness, self.shop = harness, shop

    async def opens(self, **changes):
        """Order, and open the payment page by our interface."""
        form = await self._orders(**changes)
        assert form.status_code == 200, form.text
        self.page = form.json()["paymentFormUrl"]
        return self

    async def opens_in_vain(self):
        """Order, and be refused the payment page; return the refusal."""
        return await self._orders()

    async def _orders(self, **changes):
        answer = await self.shop.post("/payment/prepare-order", json=order_body(**changes))
        assert answer.status_code == 201, answer.text
        told = answer.json()
        self.number, self.token = told["orderId"], told["responseToken"]
        self.online = told["paymentBreakdown"]["preOrderPayment"]
        stored = await self.stored()
        self.id, self.reference = stored.order.id, stored.payment.reference
        return await self.form()

    async def form(self, **changes):
        return await self.shop.get(
            f"/api/payment-form/{self.online}", params={"order_id": self.number} | changes
        )

    async def stored(self):
        return await self.harness.services.payments.orders.by_token(self.token)

    async def tell(self, headers, body):
        return await self.shop.post(self.harness.webhook_path, content=body, headers=headers)

    async def hears(self):
        """Let the provider's notice arrive."""
        answer = await self.tell(*self.harness.webhook(self.reference))
        assert (answer.status_code, answer.json()) == (200, {"received": True})

    async def returns(self):
        """Come back, whatever the address says."""
        body = {"orderId": self.number, "paymentSuccess": True, "status": "SUCCESS"}
        return await self.shop.post(f"/payment/{self.harness.name}-success", json=body)

    async def status(self):
        return (await self.shop.get(f"/payment/order-status/{self.number}")).json()["status"]

    async def is_told_once(self):
        """Require that customer and vendor are told once, whatever happens afterwards."""
        await drain(self.harness.services)
        told = (await self.shop.get(f"/email-status/{self.number}")).json()
        assert told == {"emailsSent": 2, "emailErrors": [], "missedCallStatus": "success"}
        assert await count(self.harness.services.database, OutboxRow, subject=self.id) == 3
        assert len(mails(self.harness.services)) == 2
        assert len(calls(self.harness.services)) == 1

    async def nobody_is_told(self):
        await drain(self.harness.services)
        assert await count(self.harness.services.database, OutboxRow, subject=self.id) == 0


@pytest.fixture
def customer(harness, shop):
    return Customer(harness, shop)


@pytest.fixture
def at_cashfree(cashfree, api, monkeypatch):
    monkeypatch.setattr("campus_app.wiring.services", lambda: cashfree.services)
    return Customer(cashfree, api)


async def reconciled(harness, seconds):
    """Let the reconciler run for so long."""
    for _ in range(0, seconds, 5):
        harness.clock.advance(seconds=5)
        await harness.services.payments.reconcile_due()


async def test_s1_payment_is_recorded_and_notified_once(harness, customer):
    await customer.opens()
    assert await customer.status() == "PENDING"
    await harness.pay(customer.reference)
    await customer.hears()
    assert await customer.status() == "SUCCESS"
    await customer.is_told_once()


async def test_s2_declined_order_can_be_paid_again(harness, customer):
    await customer.opens()
    await harness.fail(customer.reference)
    await customer.hears()
    assert await customer.status() == "FAILED"
    await customer.nobody_is_told()
    harness.clock.advance(minutes=1)
    assert (await customer.form()).status_code == 200
    assert await count(harness.services.database, OrderRow) == 1


async def test_s3_declined_then_paid_is_paid_once(harness, customer):
    await customer.opens()
    await harness.fail(customer.reference)
    await customer.hears()
    await customer.form()
    await harness.pay(customer.reference)
    await customer.hears()
    assert await customer.status() == "SUCCESS"
    await customer.is_told_once()


async def test_s4_cancelled_order_can_be_paid_until_expiry(harness, customer):
    await customer.opens()
    await harness.drop(customer.reference)
    await customer.returns()
    assert await customer.status() == "CANCELLED"
    harness.clock.advance(minutes=20)
    await harness.services.payments.reconcile_due()
    assert await customer.status() == "EXPIRED"
    assert (await customer.form()).status_code == 409
    await customer.nobody_is_told()


async def test_s4_webhook_reports_cancellation(harness, customer):
    await customer.opens()
    await harness.drop(customer.reference)
    await customer.hears()
    assert await customer.status() == "CANCELLED"
    assert (await customer.form()).status_code == 200
    await customer.nobody_is_told()


async def test_s5_pending_payment_becomes_paid(harness, customer):
    await customer.opens()
    await harness.leave_pending(customer.reference)
    await customer.hears()
    for _ in range(30):
        assert await customer.status() == "PENDING"
    await harness.pay(customer.reference)
    await customer.hears()
    assert await customer.status() == "SUCCESS"
    await customer.is_told_once()


async def test_s6_pending_then_declined_sends_no_notification(harness, customer):
    await customer.opens()
    await harness.leave_pending(customer.reference)
    await customer.hears()
    if harness.name == "cashfree":
        harness.fake.change_attempt(customer.reference, "FAILED")
    else:
        await harness.fail(customer.reference)
    await customer.hears()
    assert await customer.status() == "FAILED"
    await customer.nobody_is_told()


async def test_s7_return_page_finds_payment_before_webhook(harness, customer):
    await customer.opens()
    await harness.pay(customer.reference)
    answer = (await customer.returns()).json()
    assert (answer["success"], answer["dataSource"]) == (True, "provider")
    harness.clock.advance(seconds=20)
    await customer.hears()
    await customer.is_told_once()


async def test_s8_ten_concurrent_webhooks_are_one_transition(harness, customer):
    await customer.opens()
    await harness.pay(customer.reference)
    await asyncio.gather(*(customer.hears() for _ in range(10)))
    assert await customer.status() == "SUCCESS"
    await customer.is_told_once()


async def test_s9_payment_is_found_within_a_minute_when_webhook_is_lost(harness, customer):
    await customer.opens()
    await harness.pay(customer.reference)
    await reconciled(harness, 60)
    assert await customer.status() == "SUCCESS"
    await customer.is_told_once()


async def test_s9_control_order_is_lost_without_reconciler(harness, customer):
    await customer.opens()
    await harness.pay(customer.reference)
    harness.clock.advance(hours=1)
    assert await customer.status() == "PENDING"
    await customer.nobody_is_told()


@pytest.mark.parametrize("first", ["fail", "drop", "leave_pending"])
async def test_s10_late_webhooks_do_not_undo_payment(harness, customer, first):
    await customer.opens()
    await getattr(harness, first)(customer.reference)
    older = harness.webhook(customer.reference)
    await harness.pay(customer.reference)
    await customer.hears()
    assert (await customer.tell(*older)).status_code == 200
    harness.clock.advance(hours=1)
    await harness.services.payments.reconcile_due()
    assert await customer.status() == "SUCCESS"
    await customer.is_told_once()


@pytest.mark.parametrize("forge", ["signature", "timestamp", "secret", "body", "nothing"])
async def test_s11_forged_webhook_changes_nothing(harness, customer, forge):
    await customer.opens()
    await harness.pay(customer.reference)
    headers, body = harness.webhook(customer.reference)
    if forge == "signature":
        headers[harness.signature_header] = headers[harness.signature_header][::-1]
    elif forge == "timestamp":
        headers[harness.timestamp_header] = "1746427759733"
    elif forge == "secret":
        headers, body = harness.signed(body, secret="another")
    elif forge == "body":
        body += b" "
    else:
        headers = {}
    answer = await customer.tell(headers, body)
    assert answer.status_code == 401
    assert await customer.status() == "PENDING"
    await customer.nobody_is_told()


async def test_s12_replayed_webhook_has_no_effect(harness, customer):
    await customer.opens()
    await harness.pay(customer.reference)
    recorded = harness.webhook(customer.reference)
    await customer.tell(*recorded)
    await customer.is_told_once()
    for hours in (1, 80):
        harness.clock.advance(hours=hours)
        assert (await customer.tell(*recorded)).status_code == 200
    await customer.is_told_once()


async def test_s14_false_webhook_confirms_nothing(harness, customer):
    await customer.opens()
    await customer.hears()
    answer = (await customer.returns()).json()
    assert answer["success"] is False
    assert await customer.status() == "PENDING"
    await customer.nobody_is_told()


@pytest.mark.parametrize(
    ("body", "statuses"),
    [
        (b"", {200}),
        (b"\xff\xfe\x00", {200}),
        (b'{"type": "NEVER_HEARD_OF", "data": {"order": {}}}', {200}),
        (b'{"type": "PAYMENT_CHARGES_WEBHOOK", "data": {"order": {}, "payment": {}}}', {200}),
        (b'{"data": {"x": "' + b"y" * (1 << 20) + b'"}}', {413}),
    ],
    ids=["nothing", "not UTF-8", "of an unknown kind", "about charges", "a megabyte"],
)
async def test_s15_signed_malformed_webhook_causes_no_error(harness, shop, body, statuses):
    headers, body = harness.signed(body)
    answer = await shop.post(harness.webhook_path, content=body, headers=headers)
    assert answer.status_code in statuses


async def test_s15_webhook_for_unknown_order_is_accepted(harness, shop, caplog):
    headers, body = harness.webhook("AS-nobody-knows")
    answer = await shop.post(harness.webhook_path, content=body, headers=headers)
    assert answer.status_code == 200
    assert "payments: webhook for an unknown payment" in caplog.messages


async def test_s16_payment_after_expiry_is_refunded(harness, customer):
    await customer.opens()
    if harness.name == "cashfree":  # an attempt that began in time ends late
        harness.fake.attempt(customer.reference, "PENDING")
    harness.clock.advance(minutes=20)
    stored = await customer.stored()
    await harness.services.payments.orders.transition(stored.payment, PaymentState.EXPIRED, "")
    if harness.name == "cashfree":
        harness.fake.change_attempt(customer.reference, "SUCCESS")
    else:
        harness.clock.advance(minutes=-10)
        await harness.pay(customer.reference)
        harness.clock.advance(minutes=10)
    await customer.hears()
    order = (await customer.stored()).order
    assert (order.state, order.refund_reason) == (OrderState.REFUND_DUE, RefundReason.PAID_LATE)
    (refund,) = await rows(harness.services.database, RefundRow)
    assert (refund.state, refund.amount_paise) == ("due", int(customer.online * 100))
    await drain(harness.services)
    assert set(mails(harness.services)) == {"mail.customer"}


async def test_s18_payment_page_opened_twice_is_one_payment(harness, customer):
    await customer.opens()
    harness.clock.advance(minutes=1)
    pages = await asyncio.gather(*(customer.form() for _ in range(3)))
    assert {page.json()["paymentFormUrl"] for page in pages} == {customer.page}
    await harness.pay(customer.reference)
    await customer.hears()
    await customer.is_told_once()


async def test_s19_refund_requested_twice_is_one_refund(harness, customer):
    await customer.opens()
    await harness.pay(customer.reference)
    await customer.hears()
    operations = harness.services.operations
    first = await operations.refund(customer.number, ME, force=True)
    again = await operations.refund(customer.number, ME, force=True)
    assert [each.state for each in first.refunds] == [RefundState.DONE]
    assert again.refunds == first.refunds
    if harness.name == "cashfree":
        assert len(harness.fake.orders[customer.reference].refunds) == 1
    actions = [line.action for line in await operations.audit_entries(None, 10)]
    assert actions == ["order.refund"] * 2
    assert await customer.status() == "FAILED"


async def test_s19_four_concurrent_operators_make_one_refund(harness, customer):
    await customer.opens()
    await harness.pay(customer.reference)
    await customer.hears()
    await asyncio.gather(
        *(harness.services.operations.refund(customer.number, ME, force=True) for _ in range(4))
    )
    (refund,) = await rows(harness.services.database, RefundRow)
    assert refund.state == "done"


async def test_s20_notifications_are_sent_after_crash(harness, customer, new_services):
    await customer.opens()
    await harness.pay(customer.reference)
    await customer.hears()
    assert mails(harness.services) == {}
    successor = new_services()
    await drain(successor)
    await customer.is_told_once()


# Figures that contradict the order or cannot be read. Source: specification P3.1


async def by_webhook(harness, customer):
    await customer.hears()


async def by_return(harness, customer):
    assert (await customer.returns()).json()["success"] is False


async def by_reconciler(harness, customer):
    await reconciled(harness, 60)


EVERY_PATH = pytest.mark.parametrize("learns", [by_webhook, by_return, by_reconciler])


async def misreported(harness, customer, misreport, learns):
    await customer.opens()
    assert customer.online == 65
    await harness.pay(customer.reference)
    await harness.misreport(customer.reference, misreport)
    await learns(harness, customer)


async def listed(harness, only):
    """Return the orders that `ops orders` lists with a flag."""
    page = await harness.services.operations.list_orders(OrderQuery(10, only=only))
    return [line.number for line in page.lines]


@sqlite_only
@pytest.mark.parametrize(
    ("harness", "misreport"), misreport_params("contradictions"), indirect=["harness"]
)
async def test_reconcile_marks_refund_when_amount_mismatches(harness, customer, misreport):
    await misreported(harness, customer, misreport, by_webhook)
    order = (await customer.stored()).order
    assert (order.state, order.refund_reason) == (OrderState.REFUND_DUE, RefundReason.WRONG_AMOUNT)
    assert await listed(harness, OrderFilter.REFUND) == [customer.number]
    await drain(harness.services)
    assert (set(mails(harness.services)), calls(harness.services)) == ({"mail.customer"}, [])


@EVERY_PATH
async def test_reconcile_marks_refund_by_every_trigger(harness, customer, learns):
    await misreported(harness, customer, harness.contradictions[2], learns)
    assert (await customer.stored()).order.state is OrderState.REFUND_DUE
    assert await customer.status() == "FAILED"


@sqlite_only
@pytest.mark.parametrize(
    ("harness", "misreport"), misreport_params("unreadable"), indirect=["harness"]
)
async def test_reconcile_confirms_nothing_when_amounts_are_unreadable(harness, customer, misreport):
    await misreported(harness, customer, misreport, by_webhook)
    order = (await customer.stored()).order
    assert (order.state, await customer.status()) == (OrderState.PENDING, "PENDING")
    assert await listed(harness, OrderFilter.UNREADABLE) == [customer.number]
    await customer.nobody_is_told()


@EVERY_PATH
async def test_unreadable_amounts_are_logged_once(at_cashfree, cashfree, caplog, learns):
    await misreported(cashfree, at_cashfree, cashfree.unreadable[0], learns)
    await at_cashfree.hears()
    await at_cashfree.returns()
    await reconciled(cashfree, 3 * 60 * 60)
    assert [each.levelname for each in caplog.records if "cannot be read" in each.message] == [
        "ERROR"
    ]
    assert await listed(cashfree, OrderFilter.UNREADABLE) == [at_cashfree.number]
    totals = await cashfree.services.operations.order_admin.totals(cashfree.clock.now())
    assert totals.payments_unreadable == 1
    assert await at_cashfree.status() == "PENDING"
    await at_cashfree.nobody_is_told()


async def test_reconcile_confirms_order_when_amounts_become_readable(at_cashfree, cashfree):
    await misreported(cashfree, at_cashfree, Misreport({"payment_amount": "25abc"}), by_webhook)
    await cashfree.misreport(at_cashfree.reference, Misreport({"payment_amount": 65}))
    await at_cashfree.hears()
    await at_cashfree.is_told_once()
    assert await listed(cashfree, OrderFilter.UNREADABLE) == []


async def test_unreadable_payment_becomes_pending_after_failed_attempt(at_cashfree, cashfree):
    await at_cashfree.opens()
    await cashfree.fail(at_cashfree.reference)
    await at_cashfree.hears()
    assert await at_cashfree.status() == "FAILED"
    await cashfree.pay(at_cashfree.reference)
    await cashfree.misreport(at_cashfree.reference, Misreport({"payment_amount": "25abc"}))
    await at_cashfree.hears()
    assert await at_cashfree.status() == "PENDING"


@pytest.mark.parametrize(
    "told",
    [
        {"payment_amount": 1},
        {"payment_currency": "USD"},
        {"payment_amount": RawJson("NaN"), "payment_status": ["SUCCESS"], "cf_payment_id": {}},
        {"cf_payment_id": [1]},
        {"payment_amount": RawJson("1e9999999999999999999")},
    ],
    ids=str,
)
@sqlite_only
async def test_webhook_that_contradicts_query_is_ignored(at_cashfree, cashfree, told):
    await at_cashfree.opens()
    lie = cashfree.fake.webhook(at_cashfree.reference, **{"payment_status": "SUCCESS"} | told)
    assert (await at_cashfree.tell(*lie)).status_code == 200
    assert await at_cashfree.status() == "PENDING"
    await cashfree.pay(at_cashfree.reference)
    assert (await at_cashfree.tell(*lie)).status_code == 200
    await at_cashfree.is_told_once()


async def test_repeated_attempt_in_answer_is_not_a_second_payment(at_cashfree, cashfree):
    await at_cashfree.opens()
    paid = cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    cashfree.fake.orders[at_cashfree.reference].attempts.append(dict(paid))
    for _ in range(2):
        await at_cashfree.hears()
    await reconciled(cashfree, 30 * 60)
    await at_cashfree.is_told_once()
    assert await count(cashfree.services.database, RefundRow) == 0


@pytest.mark.parametrize("at_once", [True, False], ids=["both known at once", "one after another"])
async def test_second_payment_with_unreadable_amount_is_listed_once(at_cashfree, cashfree, at_once):
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    if not at_once:
        await at_cashfree.hears()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS", payment_currency="USD")
    for _ in range(3):
        await at_cashfree.hears()
    await reconciled(cashfree, 30 * 60)
    await at_cashfree.is_told_once()
    (refund,) = await rows(cashfree.services.database, RefundRow)
    assert (refund.amount_paise, refund.reason) == (None, RefundReason.PAID_AGAIN)
    assert await listed(cashfree, OrderFilter.REFUND) == [at_cashfree.number]


@pytest.mark.parametrize(
    "name",
    ["a\x00b", "\ud800", "x" * 5_000, ["1"], 1.5, {}, None],
    ids=lambda name: ascii(name)[:12],
)
async def test_payment_id_that_cannot_be_stored_causes_no_error(at_cashfree, cashfree, name):
    await at_cashfree.opens()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS", cf_payment_id=name)
    await at_cashfree.returns()
    (payment,) = await rows(cashfree.services.database, PaymentRow)
    assert (payment.state, payment.provider_payment_id) == ("paid", "")


async def test_second_payments_beyond_maximum_amount_are_listed(at_cashfree, cashfree):
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    for _ in range(3):
        cashfree.fake.attempt(at_cashfree.reference, "SUCCESS", payment_amount=10_000_000)
    await at_cashfree.returns()
    await at_cashfree.is_told_once()
    (refund,) = await rows(cashfree.services.database, RefundRow)
    assert (refund.amount_paise, refund.reason) == (None, RefundReason.PAID_AGAIN)


@sqlite_only
@pytest.mark.parametrize("moment", ["0001-01-01", "9999-12-31T23:59:59-23:59", [], None, 10**30])
async def test_unreadable_payment_time_causes_no_error(at_cashfree, cashfree, moment):
    await at_cashfree.opens()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS", payment_time=moment)
    await at_cashfree.hears()
    assert await at_cashfree.status() == "SUCCESS"


# Refunds that the provider reports wrongly. Source: specification P3.2


WRONG_REFUNDS = [
    {"refund_id": "rf999"},
    {"refund_id": MISSING},
    {"refund_amount": 1},
    {"refund_amount": "65abc"},
    {"refund_amount": MISSING},
    {"refund_amount": RawJson("1e400")},
    {"refund_currency": "USD"},
    {"refund_currency": "inr"},
    {"refund_currency": MISSING},
    {"order_id": "AS-of-another"},
    {"order_id": MISSING},
    {"refund_id": "rf999", "refund_amount": 1},
]


async def with_a_refund(customer, cashfree, **wrong):
    """Let an order be paid and given back, with an answer that is wrong; return the record."""
    await customer.opens()
    await cashfree.pay(customer.reference)
    await customer.hears()
    cashfree.fake.wrong_refund = wrong
    report = await cashfree.services.operations.refund(customer.number, ME, force=True)
    (record,) = report.refunds
    return record


@sqlite_only
@pytest.mark.parametrize("status", ["SUCCESS", "PENDING", "CANCELLED"])
@pytest.mark.parametrize("wrong", WRONG_REFUNDS, ids=str)
async def test_refund_is_not_recorded_when_answer_mismatches(
    at_cashfree, cashfree, caplog, wrong, status
):
    cashfree.fake.refund_status = status
    record = await with_a_refund(at_cashfree, cashfree, **wrong)
    assert (record.state, record.completed_at) == (RefundState.CONTRADICTED, None)
    assert await listed(cashfree, OrderFilter.REFUND) == [at_cashfree.number]
    totals = await cashfree.services.operations.order_admin.totals(cashfree.clock.now())
    assert totals.refunds == {RefundState.CONTRADICTED: 1}
    assert [each.levelname for each in caplog.records if record.id in each.message] == ["ERROR"]


async def by_operator(customer, cashfree, _record):
    await cashfree.services.operations.refund(customer.number, ME, force=True)


async def by_refund_webhook(customer, cashfree, record):
    notice = cashfree.fake.refund_webhook(customer.reference, record.id)
    assert (await customer.tell(*notice)).status_code == 200


async def by_refund_check(_customer, cashfree, _record):
    cashfree.clock.advance(minutes=10)
    assert await cashfree.services.payments.refunds.reconcile_due() == 1


@pytest.mark.parametrize("learns", [by_operator, by_refund_webhook, by_refund_check])
@pytest.mark.parametrize("is_mended", [True, False], ids=["mended", "still wrong"])
async def test_contradicted_refund_is_final_only_when_query_matches(
    at_cashfree, cashfree, caplog, learns, is_mended
):
    record = await with_a_refund(at_cashfree, cashfree, refund_amount=1)
    cashfree.fake.wrong_refund = {} if is_mended else {"refund_amount": 2}
    await learns(at_cashfree, cashfree, record)
    (settled,) = await cashfree.services.payments.refunds.store.of_payment(record.payment_id)
    assert settled.state is (RefundState.DONE if is_mended else RefundState.CONTRADICTED)
    assert len([each for each in caplog.records if record.id in each.message]) == 1


@pytest.mark.parametrize(
    "told",
    [
        {"refund_status": "SUCCESS"},
        {"refund_status": "SUCCESS", "refund_id": "rf999"},
        {"refund_status": "SUCCESS", "refund_amount": 1, "refund_currency": "USD"},
    ],
    ids=str,
)
@sqlite_only
async def test_refund_webhook_that_contradicts_query_is_ignored(at_cashfree, cashfree, told):
    cashfree.fake.refund_status = "PENDING"
    record = await with_a_refund(at_cashfree, cashfree)
    notice = cashfree.fake.refund_webhook(at_cashfree.reference, record.id, **told)
    assert (await at_cashfree.tell(*notice)).status_code == 200
    (settled,) = await cashfree.services.payments.refunds.store.of_payment(record.payment_id)
    assert settled.state is RefundState.PENDING


@sqlite_only
@pytest.mark.parametrize("content", [b"[]", b"null", b"7", b'"SUCCESS"', b"{}"], ids=repr)
async def test_refund_is_not_recorded_when_answer_has_no_refund(at_cashfree, cashfree, content):
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    await at_cashfree.hears()
    cashfree.fake.fail_next("refund", Fault(200, content=content))
    with contextlib.suppress(ProviderUnavailable):
        await cashfree.services.operations.refund(at_cashfree.number, ME, force=True)
    (refund,) = await rows(cashfree.services.database, RefundRow)
    assert refund.state in {"asked", "contradicted"}
    assert await listed(cashfree, OrderFilter.REFUND) == [at_cashfree.number]


# Money that goes back is no success. Source: specification P3.3


async def test_no_api_call_reports_success_when_refunded(harness, customer, shop):
    await customer.opens()
    await harness.services.board.set_override(1, is_open=False, message="")
    await harness.pay(customer.reference)
    answer = (await customer.returns()).json()
    assert (answer["success"], answer["missedCallStatus"]) == (False, "pending")
    told = (await shop.get(f"/payment/order-status/{customer.number}")).json()
    assert (told["status"], told["processed"]) == ("FAILED", False)
    await drain(harness.services)
    assert (await customer.returns()).json() == {
        "success": False,
        "emailsSent": 1,
        "emailErrors": [],
        "missedCallStatus": "pending",
        "dataSource": "provider",
    }
    refused = await customer.form()
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "order_lapsed")
    assert "paid" not in refused.json()["error"]["message"]


# Cashfree alone can do these


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"order_amount": "+1"}, id="P1.13: a paisa more"),
        pytest.param({"order_amount": "-1"}, id="P1.13: a paisa less"),
        pytest.param({"order_amount": "*100"}, id="P1.13: a hundred times as much"),
        pytest.param({"order_currency": "USD"}, id="P1.13: another currency"),
    ],
)
async def test_s13_payment_of_wrong_amount_is_refunded(at_cashfree, cashfree, caplog, wrong):
    await at_cashfree.opens()
    order = cashfree.fake.orders[at_cashfree.reference]
    paise = int(order.body["order_amount"] * 100)
    change = {"+1": (paise + 1) / 100, "-1": (paise - 1) / 100, "*100": paise}
    for name, value in wrong.items():
        order.body[name] = change.get(value, value)
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    await at_cashfree.hears()
    stored = (await at_cashfree.stored()).order
    assert stored.refund_reason == RefundReason.WRONG_AMOUNT
    (payment,) = await rows(cashfree.services.database, PaymentRow)
    assert payment.state == "paid"
    await drain(cashfree.services)
    assert set(mails(cashfree.services)) == {"mail.customer"}
    assert [record.levelname for record in caplog.records if "goes back" in record.message] == [
        "WARNING"
    ]


async def test_surcharge_is_not_a_wrong_amount(at_cashfree, cashfree):
    await at_cashfree.opens()
    amount = cashfree.fake.orders[at_cashfree.reference].body["order_amount"]
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS", payment_amount=amount + 2)
    await at_cashfree.hears()
    await at_cashfree.is_told_once()


@pytest.mark.parametrize("at_once", [True, False], ids=["both known at once", "one after another"])
async def test_s17_second_payment_is_marked_for_refund(at_cashfree, cashfree, at_once):
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    if not at_once:
        await at_cashfree.hears()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    for _ in range(3):
        await at_cashfree.hears()
    await at_cashfree.is_told_once()
    (refund,) = await rows(cashfree.services.database, RefundRow)
    paise = int(at_cashfree.online * 100)
    assert (refund.amount_paise, refund.reason) == (paise, RefundReason.PAID_AGAIN)
    assert (await at_cashfree.stored()).order.state is OrderState.CONFIRMED
    report = await cashfree.services.operations.refund(at_cashfree.number, ME, force=False)
    assert [each.state for each in report.refunds] == [RefundState.DONE]


async def test_second_payment_is_found_when_provider_was_down_at_webhook(at_cashfree, cashfree):
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    await at_cashfree.hears()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    cashfree.fake.fail_next("order", Fault(503))
    await at_cashfree.hears()
    assert await rows(cashfree.services.database, RefundRow) == []
    await reconciled(cashfree, 60)
    assert await count(cashfree.services.database, RefundRow) == 1
    assert await cashfree.services.payments.reconcile_due() == 0


@pytest.mark.parametrize("heard", [0, 1], ids=["nothing was heard", "the first one was heard of"])
async def test_second_payment_is_found_when_its_webhook_is_lost(at_cashfree, cashfree, heard):
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    await at_cashfree.hears()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    for _ in range(heard):
        await at_cashfree.hears()
        cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    await reconciled(cashfree, 24 * 60)
    assert await count(cashfree.services.database, RefundRow) == heard
    await reconciled(cashfree, 2 * 60)
    refunds = await rows(cashfree.services.database, RefundRow)
    assert {refund.reason for refund in refunds} == {RefundReason.PAID_AGAIN}
    paise = int(at_cashfree.online * 100)
    assert [refund.amount_paise for refund in refunds] == [paise] * (heard + 1)
    await at_cashfree.is_told_once()
    asked = len(cashfree.fake.calls("order"))
    await reconciled(cashfree, 60 * 60)
    assert len(cashfree.fake.calls("order")) == asked, "once is enough"


async def test_pending_refund_is_followed_by_webhook_and_polling(at_cashfree, cashfree):
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    await at_cashfree.hears()
    cashfree.fake.refund_status = "PENDING"
    operations, refunds = cashfree.services.operations, cashfree.services.payments.refunds
    report = await operations.refund(at_cashfree.number, ME, force=True)
    (record,) = report.refunds
    assert record.state is RefundState.PENDING
    assert await refunds.reconcile_due() == 0
    cashfree.clock.advance(minutes=10)
    assert await refunds.reconcile_due() == 1
    made = cashfree.fake.orders[at_cashfree.reference].refunds
    made[record.id]["refund_status"] = "SUCCESS"
    answer = await at_cashfree.tell(*cashfree.fake.refund_webhook(at_cashfree.reference, record.id))
    assert answer.status_code == 200
    (settled,) = await refunds.store.of_payment(record.payment_id)
    assert (settled.state, settled.completed_at) == (RefundState.DONE, cashfree.clock.now())


async def test_amount_of_failed_refund_is_due_again(at_cashfree, cashfree):
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    await at_cashfree.hears()
    cashfree.fake.refund_status = "CANCELLED"
    report = await cashfree.services.operations.refund(at_cashfree.number, ME, force=True)
    assert [each.state for each in report.refunds] == [RefundState.FAILED, RefundState.DUE]
    cashfree.fake.refund_status = "SUCCESS"
    cashfree.fake.orders[at_cashfree.reference].refunds.clear()
    report = await cashfree.services.operations.refund(at_cashfree.number, ME, force=False)
    assert [each.state for each in report.refunds] == [RefundState.FAILED, RefundState.DONE]
    assert len({each.id for each in report.refunds}) == 2


@pytest.mark.parametrize("status", [401, 429, 503])
async def test_s18_provider_error_is_reported_when_opening(at_cashfree, cashfree, status):
    cashfree.fake.fail_next("create", *[Fault(status)] * 3)
    answer = await at_cashfree.opens_in_vain()
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "provider_unavailable"
    assert int(answer.headers["retry-after"]) > 0
    assert await at_cashfree.status() == "PENDING"


async def test_return_url_and_expiry_are_set_by_us(at_cashfree, cashfree):
    asked = {"return_url": "https://evil.example", "redirection_time": "1"}
    await at_cashfree.opens(**asked)
    await at_cashfree.form(**asked)
    body = cashfree.fake.orders[at_cashfree.reference].body
    assert body["order_meta"]["return_url"] == f"{ORIGIN}/forms/response/{at_cashfree.token}"
    assert not {"redirection_time", "return_url"} & set(body)


@sqlite_only
async def test_webhook_is_acknowledged_before_provider_is_queried(
    at_cashfree, cashfree, application
):
    """Cashfree waits for its answer some seconds, and sends again what it then gave up."""
    await at_cashfree.opens()
    await cashfree.pay(at_cashfree.reference)
    headers, body = cashfree.webhook(at_cashfree.reference)
    cashfree.fake.fail_next("order", Fault(503, seconds=1.0), Fault(503, seconds=1.0))
    async with serving(application) as address:
        async with httpx.AsyncClient(base_url=address, trust_env=False) as sender:
            answer = await sender.post(cashfree.webhook, content=body, headers=headers)
        assert (answer.status_code, await at_cashfree.status()) == (200, "PENDING")
    await reconciled(cashfree, 60)
    await at_cashfree.is_told_once()


@sqlite_only
async def test_payment_of_another_provider_is_not_queried(at_cashfree, cashfree, caplog):
    stored = await cashfree.services.ordering.prepare(order_request())
    await cashfree.services.database.write(
        lambda connection: connection.exec_driver_sql("UPDATE payments SET provider = 'sandbox'")
    )
    stored = await cashfree.services.payments.orders.by_id(stored.order.id)
    assert await cashfree.services.payments.reconcile(stored.payment) == stored
    assert cashfree.fake.seen == []
    assert "opened at another provider" in caplog.text
