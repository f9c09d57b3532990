"""Every course of a payment, with every provider, over HTTP.

Source: specification P1.1 to P1.20.
"""

import asyncio
import contextlib

import httpx
import pytest

from campus_app.operators.rules.order_admin import OrderFilter, OrderQuery
from campus_app.ordering.rules.errors import ProviderUnavailable
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.sql.tables import OrderRow, PaymentRow, RefundRow
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.messages import RefundReason
from kit.outbox.models import OutboxRow
from tests.fakes.cashfree import Fault, RawJson
from tests.helpers.builders import order_body
from tests.helpers.databases import both_databases
from tests.helpers.flows import calls, drain, mails
from tests.helpers.provider_harness import misreport_params
from tests.helpers.server import serving
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio

ME = Actor("asha")


class Customer:
    """A customer who orders, opens the payment page and returns."""

    def __init__(self, harness, shop):
        self.harness, self.shop = harness, shop

    async def open_page(self, **changes):
        """Place an order and open its payment page through the API."""
        answer = await self.shop.post("/payment/prepare-order", json=order_body(**changes))
        assert answer.status_code == 201, answer.text
        answer_json = answer.json()
        self.number, self.token = answer_json["orderId"], answer_json["responseToken"]
        self.online = answer_json["paymentBreakdown"]["preOrderPayment"]
        stored = await self.stored()
        self.id, self.reference = stored.order.id, stored.payment.reference
        form = await self.form()
        assert form.status_code == 200, form.text
        self.page = form.json()["paymentFormUrl"]
        return self

    async def pay(self):
        """Pay, and deliver the provider's webhook."""
        await self.harness.pay(self.reference)
        await self.deliver_webhook()

    async def form(self, **changes):
        return await self.shop.get(
            f"/api/payment-form/{self.online}", params={"order_id": self.number} | changes
        )

    async def stored(self):
        return await self.harness.services.payments.orders.by_token(self.token)

    async def post_webhook(self, headers, body):
        return await self.shop.post(self.harness.webhook_path, content=body, headers=headers)

    async def deliver_webhook(self):
        """Deliver the provider's webhook."""
        answer = await self.post_webhook(*self.harness.webhook(self.reference))
        assert (answer.status_code, answer.json()) == (200, {"received": True})

    async def return_from_page(self):
        """Return from the payment page with any query."""
        body = {"orderId": self.number, "paymentSuccess": True, "status": "SUCCESS"}
        return await self.shop.post(f"/payment/{self.harness.name}-success", json=body)

    async def status(self):
        return (await self.shop.get(f"/payment/order-status/{self.number}")).json()["status"]

    async def assert_notified_once(self):
        """Assert that customer and vendor are notified exactly once."""
        await drain(self.harness.services)
        answer_json = (await self.shop.get(f"/email-status/{self.number}")).json()
        assert answer_json == {"emailsSent": 2, "emailErrors": [], "missedCallStatus": "success"}
        assert await count(self.harness.services.database, OutboxRow, subject=self.id) == 3
        assert len(mails(self.harness.services)) == 2
        assert len(calls(self.harness.services)) == 1

    async def assert_not_notified(self):
        await drain(self.harness.services)
        assert await count(self.harness.services.database, OutboxRow, subject=self.id) == 0


@pytest.fixture
async def customer(harness, shop):
    """A customer with an order whose payment page is open."""
    return await Customer(harness, shop).open_page()


@pytest.fixture
async def at_cashfree(cashfree, api, monkeypatch):
    """The same, at Cashfree."""
    monkeypatch.setattr("campus_app.shared.current.services", lambda: cashfree.services)
    return await Customer(cashfree, api).open_page()


async def run_reconciler(harness, seconds, step=5):
    """Run the reconciler every `step` seconds for this many seconds."""
    for _ in range(0, seconds, step):
        harness.clock.advance(seconds=step)
        await harness.services.payments.reconcile_due()


@both_databases
async def test_s1_payment_is_recorded_and_notified_once(harness, customer):
    assert await customer.status() == "PENDING"
    await customer.pay()
    assert await customer.status() == "SUCCESS"
    await customer.assert_notified_once()


async def test_s3_declined_then_paid_is_paid_once(harness, customer):
    await harness.fail(customer.reference)
    await customer.deliver_webhook()
    assert await customer.status() == "FAILED"
    await customer.assert_not_notified()
    harness.clock.advance(minutes=1)
    assert (await customer.form()).status_code == 200
    assert await count(harness.services.database, OrderRow) == 1
    await customer.pay()
    assert await customer.status() == "SUCCESS"
    await customer.assert_notified_once()


@pytest.mark.parametrize("learns", ["return_from_page", "deliver_webhook"])
async def test_s4_cancelled_order_can_be_paid_until_expiry(harness, customer, learns):
    await harness.drop(customer.reference)
    await getattr(customer, learns)()
    assert await customer.status() == "CANCELLED"
    assert (await customer.form()).status_code == 200
    harness.clock.advance(minutes=20)
    await harness.services.payments.reconcile_due()
    assert await customer.status() == "EXPIRED"
    assert (await customer.form()).status_code == 409
    await customer.assert_not_notified()


async def test_s5_pending_payment_becomes_paid(harness, customer):
    await harness.leave_pending(customer.reference)
    await customer.deliver_webhook()
    for _ in range(30):
        assert await customer.status() == "PENDING"
    await customer.pay()
    assert await customer.status() == "SUCCESS"
    await customer.assert_notified_once()


async def test_s6_pending_then_declined_sends_no_notification(harness, customer):
    await harness.leave_pending(customer.reference)
    await customer.deliver_webhook()
    if harness.name == "cashfree":
        harness.fake.change_attempt(customer.reference, "FAILED")
    else:
        await harness.fail(customer.reference)
    await customer.deliver_webhook()
    assert await customer.status() == "FAILED"
    await customer.assert_not_notified()


async def test_s7_return_page_finds_payment_before_webhook(harness, customer):
    await harness.pay(customer.reference)
    answer = (await customer.return_from_page()).json()
    assert (answer["success"], answer["dataSource"]) == (True, "provider")
    harness.clock.advance(seconds=20)
    await customer.deliver_webhook()
    await customer.assert_notified_once()


@both_databases
async def test_s8_ten_concurrent_webhooks_are_one_transition(harness, customer):
    await harness.pay(customer.reference)
    await asyncio.gather(*(customer.deliver_webhook() for _ in range(10)))
    assert await customer.status() == "SUCCESS"
    await customer.assert_notified_once()


async def test_s9_payment_is_found_within_a_minute_when_webhook_is_lost(harness, customer):
    await harness.pay(customer.reference)
    await run_reconciler(harness, 60)
    assert await customer.status() == "SUCCESS"
    await customer.assert_notified_once()


async def test_s9_control_order_is_lost_without_reconciler(harness, customer):
    await harness.pay(customer.reference)
    harness.clock.advance(hours=1)
    assert await customer.status() == "PENDING"
    await customer.assert_not_notified()


@pytest.mark.parametrize("first", ["fail", "drop", "leave_pending"])
async def test_s10_late_webhooks_do_not_undo_payment(harness, customer, first):
    await getattr(harness, first)(customer.reference)
    older = harness.webhook(customer.reference)
    await customer.pay()
    assert (await customer.post_webhook(*older)).status_code == 200
    harness.clock.advance(hours=1)
    await harness.services.payments.reconcile_due()
    assert await customer.status() == "SUCCESS"
    await customer.assert_notified_once()


@pytest.mark.parametrize("forge", ["signature", "timestamp", "secret", "body", "nothing"])
async def test_s11_forged_webhook_changes_nothing(harness, customer, forge):
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
    answer = await customer.post_webhook(headers, body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "bad_signature")
    assert await customer.status() == "PENDING"
    await customer.assert_not_notified()


async def test_s12_replayed_webhook_has_no_effect(harness, customer):
    await harness.pay(customer.reference)
    recorded = harness.webhook(customer.reference)
    await customer.post_webhook(*recorded)
    await customer.assert_notified_once()
    for hours in (1, 80):
        harness.clock.advance(hours=hours)
        assert (await customer.post_webhook(*recorded)).status_code == 200
    await customer.assert_notified_once()


async def test_s14_false_webhook_confirms_nothing(customer):
    await customer.deliver_webhook()
    answer = (await customer.return_from_page()).json()
    assert answer["success"] is False
    assert await customer.status() == "PENDING"
    await customer.assert_not_notified()


@pytest.mark.parametrize(
    ("body", "statuses"),
    [
        (b"\xff\xfe\x00", {200}),
        (b'{"type": "NEVER_HEARD_OF", "data": {"order": {}}}', {200}),
        (b'{"data": {"x": "' + b"y" * (1 << 20) + b'"}}', {413}),
    ],
    ids=["not UTF-8", "of an unknown kind", "a megabyte"],
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


@both_databases
async def test_s16_payment_after_expiry_is_refunded(harness, customer):
    if harness.name == "cashfree":  # an attempt that started in time ends late
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
    await customer.deliver_webhook()
    order = (await customer.stored()).order
    assert (order.state, order.refund_reason) == (OrderState.REFUND_DUE, RefundReason.PAID_LATE)
    (refund,) = await rows(harness.services.database, RefundRow)
    assert (refund.state, refund.amount_paise) == ("due", int(customer.online * 100))
    await drain(harness.services)
    assert set(mails(harness.services)) == {"mail.customer"}


async def test_s18_payment_page_opened_twice_is_one_payment(harness, customer):
    harness.clock.advance(minutes=1)
    pages = await asyncio.gather(*(customer.form() for _ in range(3)))
    assert {page.json()["paymentFormUrl"] for page in pages} == {customer.page}
    await customer.pay()
    await customer.assert_notified_once()


@both_databases
async def test_s19_refund_requested_twice_is_one_refund(harness, customer):
    await customer.pay()
    operations = harness.services.operations
    first = await operations.refund(customer.number, ME, force=True)
    again = await operations.refund(customer.number, ME, force=True)
    assert [each.state for each in first.refunds] == [RefundState.DONE]
    assert again.refunds == first.refunds
    if harness.name == "cashfree":
        assert len(harness.fake.orders[customer.reference].refunds) == 1
    actions = [line.action for line in await operations.audit.entries(limit=10)]
    assert actions == ["order.refund"] * 2
    assert await customer.status() == "FAILED"


# Mismatching and unreadable amounts. Source: specification P3.1


async def misreported(harness, customer, misreport):
    """Pay the order, which the provider then reports wrongly."""
    await harness.pay(customer.reference)
    await harness.misreport(customer.reference, misreport)
    await customer.deliver_webhook()


async def listed(harness, only):
    """Return the orders that `ops orders` lists with a filter."""
    page = await harness.services.operations.order_admin.list_orders(OrderQuery(10, only=only))
    return [line.number for line in page.lines]


# Which reports mismatch: tests of each provider's `fetch`, and of `match_amounts`.
@pytest.mark.parametrize(
    ("harness", "misreport"), misreport_params("contradictions", of_each=1), indirect=["harness"]
)
async def test_reconcile_marks_refund_when_amount_mismatches(harness, customer, misreport):
    await misreported(harness, customer, misreport)
    order = (await customer.stored()).order
    assert (order.state, order.refund_reason) == (OrderState.REFUND_DUE, RefundReason.WRONG_AMOUNT)
    assert await listed(harness, OrderFilter.REFUND) == [customer.number]
    await drain(harness.services)
    assert (set(mails(harness.services)), calls(harness.services)) == ({"mail.customer"}, [])


@pytest.mark.parametrize(
    ("harness", "misreport"), misreport_params("unreadable", of_each=1), indirect=["harness"]
)
async def test_reconcile_confirms_nothing_when_amounts_are_unreadable(harness, customer, misreport):
    await misreported(harness, customer, misreport)
    order = (await customer.stored()).order
    assert (order.state, await customer.status()) == (OrderState.PENDING, "PENDING")
    assert await listed(harness, OrderFilter.UNREADABLE) == [customer.number]
    await customer.assert_not_notified()


async def test_unreadable_amounts_are_logged_once(at_cashfree, cashfree, caplog):
    await misreported(cashfree, at_cashfree, cashfree.unreadable[0])
    await at_cashfree.deliver_webhook()
    await at_cashfree.return_from_page()
    await run_reconciler(cashfree, 3 * 60 * 60, step=60)
    assert [each.levelname for each in caplog.records if "unreadable amounts" in each.message] == [
        "ERROR"
    ]
    assert await listed(cashfree, OrderFilter.UNREADABLE) == [at_cashfree.number]
    totals = await cashfree.services.operations.order_admin.totals(cashfree.clock.now())
    assert totals.payments_unreadable == 1
    assert await at_cashfree.status() == "PENDING"
    await at_cashfree.assert_not_notified()


@pytest.mark.parametrize(
    "lie",
    [
        {"payment_amount": 1, "payment_currency": "USD"},
        {"payment_amount": RawJson("NaN"), "payment_status": ["SUCCESS"], "cf_payment_id": {}},
    ],
    ids=str,
)
async def test_webhook_that_contradicts_query_is_ignored(at_cashfree, cashfree, lie):
    webhook = cashfree.fake.webhook(at_cashfree.reference, **{"payment_status": "SUCCESS"} | lie)
    assert (await at_cashfree.post_webhook(*webhook)).status_code == 200
    assert await at_cashfree.status() == "PENDING"
    await cashfree.pay(at_cashfree.reference)
    assert (await at_cashfree.post_webhook(*webhook)).status_code == 200
    await at_cashfree.assert_notified_once()


@pytest.mark.parametrize("at_once", [True, False], ids=["both known at once", "one after another"])
async def test_second_payment_with_unreadable_amount_is_listed_once(at_cashfree, cashfree, at_once):
    await cashfree.pay(at_cashfree.reference)
    if not at_once:
        await at_cashfree.deliver_webhook()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS", payment_currency="USD")
    for _ in range(3):
        await at_cashfree.deliver_webhook()
    await run_reconciler(cashfree, 30 * 60)
    await at_cashfree.assert_notified_once()
    (refund,) = await rows(cashfree.services.database, RefundRow)
    assert (refund.amount_paise, refund.reason) == (None, RefundReason.PAID_AGAIN)
    assert await listed(cashfree, OrderFilter.REFUND) == [at_cashfree.number]


@both_databases
@pytest.mark.parametrize("name", ["a\x00b", "\ud800"], ids=ascii)
async def test_payment_id_that_cannot_be_stored_causes_no_error(at_cashfree, cashfree, name):
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS", cf_payment_id=name)
    await at_cashfree.return_from_page()
    (payment,) = await rows(cashfree.services.database, PaymentRow)
    assert (payment.state, payment.provider_payment_id) == ("paid", "")


@both_databases
async def test_second_payments_beyond_maximum_amount_are_listed(at_cashfree, cashfree):
    await cashfree.pay(at_cashfree.reference)
    for _ in range(3):
        cashfree.fake.attempt(at_cashfree.reference, "SUCCESS", payment_amount=10_000_000)
    await at_cashfree.return_from_page()
    await at_cashfree.assert_notified_once()
    (refund,) = await rows(cashfree.services.database, RefundRow)
    assert (refund.amount_paise, refund.reason) == (None, RefundReason.PAID_AGAIN)


# Mismatching refund reports. Source: specification P3.2


async def with_a_refund(customer, cashfree, **wrong):
    """Pay and refund an order with a wrong answer of the provider; return the record."""
    await customer.pay()
    cashfree.fake.wrong_refund = wrong
    report = await cashfree.services.operations.refund(customer.number, ME, force=True)
    (record,) = report.refunds
    return record


# Which reports mismatch: tests of Cashfree's mapping, and of `compared_refund_state`.
@pytest.mark.parametrize("status", ["SUCCESS", "PENDING", "CANCELLED"])
async def test_refund_is_not_recorded_when_answer_mismatches(at_cashfree, cashfree, caplog, status):
    cashfree.fake.refund_status = status
    record = await with_a_refund(at_cashfree, cashfree, refund_amount=1)
    assert (record.state, record.completed_at) == (RefundState.CONTRADICTED, None)
    assert await listed(cashfree, OrderFilter.REFUND) == [at_cashfree.number]
    totals = await cashfree.services.operations.order_admin.totals(cashfree.clock.now())
    assert totals.refunds == {RefundState.CONTRADICTED: 1}
    assert [each.levelname for each in caplog.records if record.id in each.message] == ["ERROR"]


async def by_operator(customer, cashfree, _record):
    await cashfree.services.operations.refund(customer.number, ME, force=True)


async def by_refund_webhook(customer, cashfree, record):
    webhook = cashfree.fake.refund_webhook(customer.reference, record.id)
    assert (await customer.post_webhook(*webhook)).status_code == 200


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


@pytest.mark.parametrize("lie", [{}, {"refund_id": "rf999", "refund_amount": 1}], ids=str)
async def test_refund_webhook_that_contradicts_query_is_ignored(at_cashfree, cashfree, lie):
    cashfree.fake.refund_status = "PENDING"
    record = await with_a_refund(at_cashfree, cashfree)
    said = {"refund_status": "SUCCESS"} | lie
    webhook = cashfree.fake.refund_webhook(at_cashfree.reference, record.id, **said)
    assert (await at_cashfree.post_webhook(*webhook)).status_code == 200
    (settled,) = await cashfree.services.payments.refunds.store.of_payment(record.payment_id)
    assert settled.state is RefundState.PENDING


@pytest.mark.parametrize("content", [b"[]", b"7", b"{}"], ids=repr)
async def test_refund_is_not_recorded_when_answer_has_no_refund(at_cashfree, cashfree, content):
    await at_cashfree.pay()
    cashfree.fake.fail_next("refund", Fault(200, content=content))
    with contextlib.suppress(ProviderUnavailable):
        await cashfree.services.operations.refund(at_cashfree.number, ME, force=True)
    (refund,) = await rows(cashfree.services.database, RefundRow)
    assert refund.state in {"asked", "contradicted"}
    assert await listed(cashfree, OrderFilter.REFUND) == [at_cashfree.number]


# Refunded payments are no success. Source: specification P3.3


async def test_no_api_call_reports_success_when_refunded(harness, customer, shop):
    await harness.services.statuses.set_override(1, is_open=False, message="")
    await harness.pay(customer.reference)
    answer = (await customer.return_from_page()).json()
    assert (answer["success"], answer["missedCallStatus"]) == (False, "pending")
    answer_json = (await shop.get(f"/payment/order-status/{customer.number}")).json()
    assert (answer_json["status"], answer_json["processed"]) == ("FAILED", False)
    await drain(harness.services)
    assert (await customer.return_from_page()).json() == {
        "success": False,
        "emailsSent": 1,
        "emailErrors": [],
        "missedCallStatus": "pending",
        "dataSource": "provider",
    }
    rejected = await customer.form()
    assert (rejected.status_code, rejected.json()["error"]["code"]) == (409, "order_lapsed")
    assert "paid" not in rejected.json()["error"]["message"]


# Scenarios that only Cashfree supports


@both_databases
@pytest.mark.parametrize("at_once", [True, False], ids=["both known at once", "one after another"])
async def test_s17_second_payment_is_marked_for_refund(at_cashfree, cashfree, at_once):
    await cashfree.pay(at_cashfree.reference)
    if not at_once:
        await at_cashfree.deliver_webhook()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    for _ in range(3):
        await at_cashfree.deliver_webhook()
    await at_cashfree.assert_notified_once()
    (refund,) = await rows(cashfree.services.database, RefundRow)
    paise = int(at_cashfree.online * 100)
    assert (refund.amount_paise, refund.reason) == (paise, RefundReason.PAID_AGAIN)
    assert (await at_cashfree.stored()).order.state is OrderState.CONFIRMED
    report = await cashfree.services.operations.refund(at_cashfree.number, ME, force=False)
    assert [each.state for each in report.refunds] == [RefundState.DONE]


async def test_second_payment_is_found_when_provider_was_down_at_webhook(at_cashfree, cashfree):
    await at_cashfree.pay()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    cashfree.fake.fail_next("order", Fault(503))
    await at_cashfree.deliver_webhook()
    assert await rows(cashfree.services.database, RefundRow) == []
    await run_reconciler(cashfree, 60)
    assert await count(cashfree.services.database, RefundRow) == 1
    assert await cashfree.services.payments.reconcile_due() == 0


@pytest.mark.parametrize("heard", [0, 1], ids=["nothing was heard", "the first one was heard of"])
async def test_second_payment_is_found_when_its_webhook_is_lost(at_cashfree, cashfree, heard):
    await at_cashfree.pay()
    cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    for _ in range(heard):
        await at_cashfree.deliver_webhook()
        cashfree.fake.attempt(at_cashfree.reference, "SUCCESS")
    await run_reconciler(cashfree, 24 * 60)
    assert await count(cashfree.services.database, RefundRow) == heard
    await run_reconciler(cashfree, 2 * 60)
    refunds = await rows(cashfree.services.database, RefundRow)
    assert {refund.reason for refund in refunds} == {RefundReason.PAID_AGAIN}
    paise = int(at_cashfree.online * 100)
    assert [refund.amount_paise for refund in refunds] == [paise] * (heard + 1)
    await at_cashfree.assert_notified_once()
    asked = len(cashfree.fake.calls("order"))
    await run_reconciler(cashfree, 60 * 60)
    assert len(cashfree.fake.calls("order")) == asked, "once is enough"


async def test_pending_refund_is_followed_by_webhook_and_polling(at_cashfree, cashfree):
    await at_cashfree.pay()
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
    answer = await at_cashfree.post_webhook(
        *cashfree.fake.refund_webhook(at_cashfree.reference, record.id)
    )
    assert answer.status_code == 200
    (settled,) = await refunds.store.of_payment(record.payment_id)
    assert (settled.state, settled.completed_at) == (RefundState.DONE, cashfree.clock.now())


async def test_amount_of_failed_refund_is_due_again(at_cashfree, cashfree):
    await at_cashfree.pay()
    cashfree.fake.refund_status = "CANCELLED"
    report = await cashfree.services.operations.refund(at_cashfree.number, ME, force=True)
    assert [each.state for each in report.refunds] == [RefundState.FAILED, RefundState.DUE]
    cashfree.fake.refund_status = "SUCCESS"
    cashfree.fake.orders[at_cashfree.reference].refunds.clear()
    report = await cashfree.services.operations.refund(at_cashfree.number, ME, force=False)
    assert [each.state for each in report.refunds] == [RefundState.FAILED, RefundState.DONE]
    assert len({each.id for each in report.refunds}) == 2


async def test_return_url_and_expiry_are_set_by_us(at_cashfree, cashfree):
    asked = {"return_url": "https://evil.example", "redirection_time": "1"}
    await at_cashfree.open_page(**asked)
    await at_cashfree.form(**asked)
    body = cashfree.fake.orders[at_cashfree.reference].body
    assert body["order_meta"]["return_url"] == f"{ORIGIN}/forms/response/{at_cashfree.token}"
    assert not {"redirection_time", "return_url"} & set(body)


async def test_webhook_is_acknowledged_before_provider_is_queried(
    at_cashfree, cashfree, application
):
    """Cashfree waits some seconds for the response, then sends the webhook again."""
    await cashfree.pay(at_cashfree.reference)
    headers, body = cashfree.webhook(at_cashfree.reference)
    cashfree.fake.fail_next("order", Fault(503, seconds=1.0), Fault(503, seconds=1.0))
    async with serving(application) as address:
        async with httpx.AsyncClient(base_url=address, trust_env=False) as sender:
            answer = await sender.post(cashfree.webhook_path, content=body, headers=headers)
        assert (answer.status_code, await at_cashfree.status()) == (200, "PENDING")
    await run_reconciler(cashfree, 60)
    await at_cashfree.assert_notified_once()
