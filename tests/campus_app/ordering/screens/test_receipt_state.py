"""The receipt under an order's link: who sees it, when, and its content."""

import pytest

from campus_app.ordering.rules.refund import RefundRecord, RefundState
from campus_app.ordering.screens.confirmation_state import ConfirmationState, Phase
from campus_app.ordering.screens.payment_return_state import PaymentReturnState
from campus_app.ordering.screens.receipt_state import ReceiptState, refund_text
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.money import rupees
from tests.helpers.builders import QUANTITIES, order_request, reservation_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.flows import drain, pay, press
from tests.helpers.qr_codes import read_data_address
from tests.helpers.steps import stored_cart, to_payment

pytestmark = pytest.mark.anyio


def link(stored):
    return f"/forms/response/{stored.order.response_token}"


@pytest.fixture
def paid(services):
    """Prepares and pays an order without a tab."""

    async def paid(request=None):
        return await pay(services, await services.ordering.prepare(request or order_request()))

    return paid


async def test_receipt_is_shown_without_redirect_on_another_device(tab, services, paid):
    stored = await paid(order_request(donation=rupees(10)))
    await drain(services)
    await tab.visit(link(stored))
    assert tab.redirects == []
    assert tab.get(ReceiptState.is_shown)
    facts = tab.get(ReceiptState.facts)
    assert {
        name: facts[name] for name in ("number", "stamp", "restaurant", "where", "phone", "due")
    } == {
        "number": stored.order.number,
        "stamp": "ORDER CONFIRMED",
        "restaurant": "Pehla Food Point",
        "where": "Delivery to North Campus",
        "phone": "+91 00000 00001",
        "due": f"₹{int(stored.order.bill.remaining)}",
    }
    amounts = [rupees(facts[name].strip("₹")) for name in ("online", "due", "grand_total")]
    assert amounts[0] + amounts[1] == amounts[2] == stored.order.bill.grand_total
    assert facts["placed"] == f"Wed 18 Nov 2026, {WEDNESDAY.astimezone(CAMPUS_TIME_ZONE):%H:%M}"
    assert [line["times"] for line in tab.get(ReceiptState.lines)] == [
        f"{line.quantity}×" for line in stored.order.lines
    ]
    assert tab.get(ReceiptState.notifications) == [
        {"who": "E-mail to you", "progress": "Sent"},
        {"who": "E-mail to the kitchen", "progress": "Sent"},
        {"who": "Missed call to the kitchen", "progress": "Sent"},
    ]
    assert not tab.get(ReceiptState.are_notifications_pending)


async def test_receipt_has_qr_code_and_link_for_the_amount_due(tab, paid):
    # Source: specification 10.12.
    stored = await paid()
    await tab.visit(link(stored))
    address = tab.get(ReceiptState.upi_link)
    assert address.startswith("upi://pay?pa=pehla.food@example&")
    assert f"&am={stored.order.bill.remaining:.2f}&" in address
    assert read_data_address(tab.get(ReceiptState.upi_picture)) == address
    tab.sent.clear()
    await tab.call(ReceiptState.refresh)
    assert not tab.was_sent(ReceiptState.upi_picture)


async def test_receipt_names_the_table_when_one_is_reserved(tab, paid):
    stored = await paid(reservation_request())
    await tab.visit(link(stored))
    facts = tab.get(ReceiptState.facts)
    assert facts["where"].startswith("Table for ")
    assert facts["due_label"] == "Due at the restaurant"


async def test_receipt_refreshes_while_notifications_are_pending(
    tab, services, failing_orders, paid
):
    stored = await paid()
    await tab.visit(link(stored))
    assert tab.get(ReceiptState.are_notifications_pending)
    assert {notification["progress"] for notification in tab.get(ReceiptState.notifications)} == {
        "On its way"
    }
    failing_orders.error = ConnectionError("away")
    await tab.call(ReceiptState.refresh)
    assert tab.get(ReceiptState.facts)["number"] == stored.order.number
    failing_orders.error = None
    await drain(services)
    await tab.call(ReceiptState.refresh)
    assert not tab.get(ReceiptState.are_notifications_pending)


async def test_paying_tab_sees_confirmation_first_and_receipt_later(tab, services):
    stored = await to_payment(tab, services)
    await press(services, stored)
    await tab.visit(link(stored))
    assert not tab.get(ReceiptState.is_shown)
    await tab.call(PaymentReturnState.confirm, stored.order.number)
    await tab.follow_redirect()
    await tab.call(ConfirmationState.reveal, "")
    assert tab.get(ConfirmationState.phase) == Phase.CONFIRMED
    assert tab.get(ReceiptState.facts)["path"] == link(stored)
    await tab.visit(link(stored))
    assert tab.get(ReceiptState.is_shown)
    assert tab.redirects == []


async def test_receipt_is_cleared_when_another_order_opens(tab, services, paid):
    stored, unpaid = await paid(), await services.ordering.prepare(order_request(note="b"))
    await tab.visit("/terms")
    await tab.call(ReceiptState.refresh)  # there is no receipt yet
    assert not tab.get(ReceiptState.is_shown)
    await tab.visit(link(stored))
    await tab.visit(link(unpaid))
    assert not tab.get(ReceiptState.is_shown)
    assert tab.get(ReceiptState.facts) == {}


async def test_confirmation_without_token_shows_no_receipt(tab, paid):
    stored = await paid()
    await tab.visit(f"/order-confirmation?order_id={stored.order.number}&status=SUCCESS")
    await tab.call(ConfirmationState.reveal, "")
    assert tab.get(ConfirmationState.phase) == Phase.CONFIRMED
    assert not tab.get(ReceiptState.is_shown)


async def test_receipt_clears_cart_that_was_paid_in_another_tab(open_tab, services):
    payer = open_tab()
    stored = await to_payment(payer, services)
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    other = open_tab(local=payer.local)
    other.local["cart"] = stored_cart(QUANTITIES)
    await other.visit(link(stored))
    assert other.get(ReceiptState.is_shown)
    assert other.local["cart"] == ""


async def test_receipt_shows_refund_and_no_amount_due(tab, services):
    stored = await services.ordering.prepare(order_request())
    await services.checkouts.open(stored)
    await press(services, stored)
    await services.statuses.set_override(1, is_open=False, message="")
    await services.payments.reconcile(stored.payment)
    await tab.visit(link(stored))
    facts = tab.get(ReceiptState.facts)
    assert facts["stamp"] == "MONEY COMES BACK"
    assert (facts["due"], tab.get(ReceiptState.upi_link)) == ("", "")
    assert facts["paid_label"] == "Payment arrived"
    assert facts["reason"] == "The restaurant stopped taking orders before the payment arrived."
    assert facts["money_back"] == (
        f"₹{int(stored.payment.amount)} goes back to the account it was paid from."
    )
    assert [notification["who"] for notification in tab.get(ReceiptState.notifications)] == [
        "E-mail to you"
    ]


def refund(state, amount):
    return RefundRecord("rf1", "p", 1, amount=amount, reason="", state=state, marked_at=WEDNESDAY)


COMES = "₹{} goes back to the account it was paid from."
DUE, _, PENDING, _, DONE, FAILED = RefundState


@pytest.mark.parametrize(
    ("refunds", "words"),
    [
        ([], ""),
        ([(DONE, "65.00")], "₹65 was given back."),
        ([(PENDING, "65.00")], COMES.format(65)),
        ([(DONE, "65.00"), (DUE, "20.00")], f"₹65 was given back. {COMES.format(20)}"),
        ([(FAILED, "65.00"), (DUE, "65.00")], COMES.format(65)),  # due again: it counts once
        ([(DUE, None)], ""),
    ],
)
def test_money_back_describes_refunds(refunds, words):
    records = [
        refund(state, None if amount is None else rupees(amount)) for state, amount in refunds
    ]
    assert refund_text(records) == words
