"""The return from the payment page. Source: specification 4.16 to 4.22, 8.12 to 8.17, S3."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.payment_return_state import PaymentReturnState
from campus_app.ordering.screens.receipt_state import ReceiptState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.shared.rules.messages import ConfirmationMessage, PaymentMessage
from campus_app.shared.rules.money import json_number
from campus_app.shell.banner_state import BannerState
from kit.quota import Priority
from tests.helpers.builders import order_request
from tests.helpers.flows import CANCEL, DECLINE, drain, pay, press
from tests.helpers.sessions import Redirect
from tests.helpers.steps import banner, stored_cart, to_payment

pytestmark = pytest.mark.anyio

RETURNS = ["/forms/response", "/cashfree-response", "/payment-success"]


def home(stored):
    """Return the path to which the payment page redirects."""
    return f"/forms/response/{stored.order.response_token}"


def parameters(move):
    """Return the query parameters of the confirmation's URL."""
    url = urlsplit(move.address)
    assert url.path == "/order-confirmation"
    return {name: values[0] for name, values in parse_qs(url.query).items()}


@pytest.fixture
async def stored(tab, services):
    """An order that the tab is about to pay."""
    return await to_payment(tab, services)


async def pay_and_return(tab, services, **others):
    """Pay, and return from the payment page; return the stored order."""
    stored = await to_payment(tab, services, **others)
    await press(services, stored)
    await tab.visit(home(stored))
    return stored


async def ask(tab, times=1):
    for _ in range(times):
        await tab.call(PaymentReturnState.poll)


# Paid


async def test_paid_order_is_stored_with_the_specified_fields(tab, services):
    stored = await pay_and_return(tab, services)
    total = json_number(stored.order.bill.grand_total)
    remaining = json_number(stored.order.bill.remaining)
    assert tab.get(PaymentReturnState.stored_number) == stored.order.number
    assert json.loads(tab.get(PaymentReturnState.stored_content)) == {
        "orderId": stored.order.number,
        "responseToken": stored.order.response_token,
        "totalOrderValue": total,
        "amount": remaining,
        "paymentBreakdown": {"total": total, "remainingPayment": remaining},
        "userDetails": {"fullName": "Aarav Sharma"},
        "orderDetails": {"deliveryTime": "25-35"},
        "restaurantName": "Pehla Food Point",
        "vendorPhone": "+910000000001",
        "vendorEmail": "vendor1@pehla.example",
    }


async def test_paise_amounts_are_stored_as_numbers(tab, services):
    dishes = {"201": 1, "202": 2}
    stored = await pay_and_return(tab, services, quantities=dishes, restaurant_id=2)
    kept = json.loads(tab.get(PaymentReturnState.stored_content))
    assert kept["totalOrderValue"] == float(stored.order.bill.grand_total)
    assert kept["amount"] == float(stored.order.bill.remaining)
    assert kept["amount"] % 1 == 0.25


async def test_confirm_redirects_to_confirmation_with_specified_parameters(tab, services):
    stored = await pay_and_return(tab, services)
    assert tab.get(CartState.cart) == ""
    for number in ("AS_100", "", 5, None, [stored.order.number], {stored.order.number: 1}):
        await tab.call(PaymentReturnState.confirm, number)
        assert tab.redirects == []
    await tab.call(PaymentReturnState.confirm, stored.order.number)
    assert tab.redirects[0].replaces
    assert parameters(tab.redirects[0]) == {
        "order_id": stored.order.number,
        "payment_id": stored.payment.reference,
        "status": "SUCCESS",
        "paymentSuccess": "true",
        "fromPayment": "true",
        "emailsSent": "0",
        "missedCallStatus": "pending",
        "token": stored.order.response_token,
    }
    assert tab.session["currentOrderId"] == ""
    assert tab.session["lastOrderId"] == stored.order.number
    assert tab.local["ownOrders"] == stored.order.response_token


async def test_confirm_is_retried_when_database_is_unavailable(tab, services, failing_orders):
    stored = await pay_and_return(tab, services)
    failing_orders.error = RuntimeError("away")
    await tab.call(PaymentReturnState.confirm, stored.order.number)
    assert tab.redirects == []
    assert tab.get(PaymentReturnState.poll_ms) == 2_000
    failing_orders.error = None
    await tab.call(PaymentReturnState.poll)
    assert tab.get(PaymentReturnState.stored_number) == stored.order.number
    await tab.call(PaymentReturnState.confirm, stored.order.number)
    assert parameters(tab.redirects[0])["token"] == stored.order.response_token


async def test_confirm_passes_notification_status_to_confirmation(tab, services, stored):
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    await drain(services)
    await tab.visit(home(stored))
    await tab.call(PaymentReturnState.confirm, stored.order.number)
    told = parameters(tab.redirects[0])
    assert (told["emailsSent"], told["missedCallStatus"]) == ("2", "success")


async def test_cart_started_after_payment_is_kept(tab, services, stored):
    await press(services, stored)
    begun = stored_cart({"501": 1}, 5, "the-key-of-another-cart")
    tab.local["cart"] = begun
    await tab.visit(home(stored))
    assert tab.get(CartState.cart) == begun


async def test_ask_stops_querying_provider_when_payment_is_paid(
    tab, replace_parts, provider, stored
):
    replace_parts(provider=provider)
    provider.set_state(stored, PaymentState.PAID)
    await tab.visit(home(stored))
    await ask(tab, times=10)
    assert len(provider.fetched) == 1


# How the order is found


@pytest.mark.parametrize("address", RETURNS)
async def test_order_is_found_by_the_number_stored_in_the_tab(address, tab, services, stored):
    await press(services, stored)
    await tab.visit(address)
    assert tab.session["lastOrderId"] == stored.order.number


@pytest.mark.parametrize("address", RETURNS)
async def test_order_is_found_by_the_number_in_the_url(address, tab, services, open_tab, stored):
    await press(services, stored)
    other = open_tab()
    await other.visit(f"{address}?order_id={stored.order.number}")
    assert other.redirects[0].replaces
    assert parameters(other.redirects[0]) == {"order_id": stored.order.number, "status": "SUCCESS"}
    assert other.get(PaymentReturnState.stored_content) == "", "the number alone shows no details"
    assert not other.local.get("ownOrders")


async def test_return_page_reports_no_success_when_payment_is_refunded(
    tab, services, open_tab, stored
):
    # Source: specification P3.3.
    await services.statuses.set_override(1, is_open=False, message="")
    await press(services, stored)
    await tab.visit(f"/forms/response/{stored.order.response_token}")
    await tab.call(PaymentReturnState.confirm, stored.order.number)
    told = parameters(tab.redirects[-1])
    assert (told["status"], told["paymentSuccess"]) == ("FAILED", "false")
    other = open_tab()
    await other.visit(f"/cashfree-response?order_id={stored.order.number}")
    assert parameters(other.redirects[0]) == {"order_id": stored.order.number, "status": "FAILED"}


async def test_own_orders_do_not_include_an_order_known_by_number_alone(tab, services):
    stored = await pay_and_return(tab, services)
    other = await pay(services, await services.ordering.prepare(order_request()))
    await tab.visit(f"/payment-success?order_id={other.order.number}")
    assert tab.session["lastOrderId"] == other.order.number
    assert tab.local["ownOrders"] == stored.order.response_token


async def test_order_is_remembered_where_its_payment_returns(tab, services, open_tab, stored):
    # A payment app may return to another browser than the one that began the payment.
    await press(services, stored)
    other = open_tab()
    other.session["currentOrderId"] = stored.order.number
    await other.visit(home(stored))
    assert other.local["ownOrders"] == stored.order.response_token


async def test_opened_receipt_of_another_is_not_remembered(tab, services, open_tab):
    stored = await pay_and_return(tab, services)
    other = open_tab()
    await other.visit(home(stored))
    assert other.get(ReceiptState.is_shown)
    assert not other.local.get("ownOrders")


async def test_token_takes_precedence_over_number_stored_in_tab(tab, services):
    first = await to_payment(tab, services)
    tab.session["currentOrderId"] = "AS_100"
    await press(services, first)
    await tab.visit(home(first))
    assert tab.get(PaymentReturnState.stored_number) == first.order.number


NO_ID = ("Order ID not found. Redirecting...", ConfirmationMessage.PROCESSING_ERROR)
NOT_FOUND = ("Order not found. Redirecting...", ConfirmationMessage.ORDER_NOT_FOUND)


@pytest.mark.parametrize(
    ("address", "messages"),
    [
        *((address, NO_ID) for address in RETURNS),
        ("/cashfree-response?order_id=AS_999", NOT_FOUND),
        ("/cashfree-response?order_id=nonsense", NOT_FOUND),
        ("/forms/response/no-such-token-but-long-enough", NOT_FOUND),
        ("/forms/response/no-such-token-but-long-enough/more", NOT_FOUND),
    ],
)
async def test_unknown_order_redirects_home_after_three_seconds(address, messages, tab):
    await tab.visit(address)
    assert (tab.get(PaymentReturnState.message), banner(tab)) == messages
    assert tab.get(PaymentReturnState.leave_ms) == 3_000
    assert tab.get(PaymentReturnState.poll_ms) == 0
    assert tab.get(PaymentReturnState.leave_to) == "/"
    assert tab.redirects == []


async def test_forged_order_number_is_ignored(open_tab):
    for kept in (5, None, True, ["AS_100"], {"AS_100": 1}, "AS_1\n"):
        tab = open_tab(session={"currentOrderId": kept})
        await tab.visit("/cashfree-response")
        assert tab.get(PaymentReturnState.leave_ms) == 3_000


# Any other status: keep waiting


async def test_pending_payment_is_polled_every_second(tab, stored):
    await tab.visit(home(stored))
    assert tab.get(PaymentReturnState.message) == PaymentMessage.CHECKING
    assert tab.get(PaymentReturnState.poll_ms) == 1_000
    assert (tab.get(PaymentReturnState.leave_ms), tab.get(PaymentReturnState.leave_to)) == (0, "")
    await tab.call(PaymentReturnState.confirm, stored.order.number)  # of an unpaid order
    assert tab.redirects == []
    assert tab.get(PaymentReturnState.stored_content) == ""


async def test_payment_is_confirmed_when_it_arrives_while_polling(tab, services, stored):
    await tab.visit(home(stored))
    await ask(tab, times=4)
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    await ask(tab)
    assert tab.get(PaymentReturnState.stored_number) == stored.order.number
    assert tab.get(PaymentReturnState.poll_ms) == 0


async def test_provider_is_queried_on_every_fifth_poll(tab, replace_parts, provider, stored):
    replace_parts(provider=provider)
    provider.set_state(stored, PaymentState.PENDING)
    await tab.visit(home(stored))
    await ask(tab, times=9)
    assert len(provider.fetched) == 2


async def test_provider_is_queried_with_higher_priority_when_token_is_valid(
    tab, replace_parts, provider, stored
):
    replace_parts(provider=provider)
    provider.set_state(stored, PaymentState.PENDING)
    await tab.visit(home(stored))
    await tab.visit(f"/payment-success?order_id={stored.order.number}")
    assert [each.priority for each in provider.requesters] == [Priority.KNOWN, Priority.ANONYMOUS]


async def test_polling_redirects_to_unverified_confirmation_after_thirty_attempts(tab, stored):
    await tab.visit(home(stored))
    await ask(tab, times=28)
    assert tab.get(PaymentReturnState.leave_to) == ""
    await ask(tab)
    assert tab.get(PaymentReturnState.leave_ms) == 3_000
    assert parameters(Redirect(tab.get(PaymentReturnState.leave_to))) == {
        "order_id": stored.order.number,
        "needsVerification": "true",
        "token": stored.order.response_token,
    }
    expected = "Payment verification taking longer than expected. Redirecting..."
    assert tab.get(PaymentReturnState.message) == expected


@pytest.mark.parametrize(
    ("button", "sentence"),
    [
        (DECLINE, PaymentMessage.DECLINED),
        (CANCEL, PaymentMessage.CANCELLED),
        (None, PaymentMessage.LAPSED),
    ],
    ids=["FAILED", "CANCELLED", "EXPIRED"],
)
async def test_failed_payment_redirects_to_contact_details_with_reason(
    button, sentence, tab, services, clock, stored
):
    """Source: specification S3."""
    if button:
        await press(services, stored, button)
    else:
        clock.advance(minutes=21)
    await tab.visit(home(stored))
    assert tab.redirects == [Redirect("/personal-info", replaces=True)]
    await tab.follow_redirect()
    assert tab.get(CustomerState.payment_error) == sentence
    assert tab.local["cart"]


async def test_next_attempt_clears_the_reason_of_failure(tab, services, stored):
    await press(services, stored, DECLINE)
    await tab.visit(home(stored))
    await to_payment(tab, services)
    assert tab.get(CustomerState.payment_error) == ""
    assert tab.get(WaitingRoomState.pay_url)


# Request errors


async def test_polling_redirects_to_confirmation_with_error_after_thirty_errors(
    tab, failing_orders, stored
):
    await tab.visit(f"/cashfree-response?order_id={stored.order.number}")
    failing_orders.error = RuntimeError("away")
    await ask(tab, times=30)
    assert tab.get(PaymentReturnState.leave_to) == ""
    await ask(tab)
    assert tab.get(PaymentReturnState.leave_ms) == 3_000
    assert parameters(Redirect(tab.get(PaymentReturnState.leave_to))) == {
        "order_id": stored.order.number,
        "hasError": "true",
    }
    assert tab.get(PaymentReturnState.message) == PaymentMessage.VERIFICATION_FAILED


async def test_first_poll_is_retried_when_database_is_unavailable(
    tab, services, failing_orders, stored
):
    failing_orders.error = RuntimeError("away")
    await tab.visit(home(stored))
    assert tab.get(PaymentReturnState.message) == "Retrying payment verification... (1/30)"
    assert tab.get(PaymentReturnState.poll_ms) == 2_000
    failing_orders.error = None
    await press(services, stored)
    await ask(tab, times=5)
    assert tab.get(PaymentReturnState.stored_number) == stored.order.number


async def test_unexpected_error_after_payment_redirects_home(tab, services, failing_orders, stored):
    await tab.visit(home(stored))
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    failing_orders.error, failing_orders.failing_call = RuntimeError("away"), "latest_of_cart"
    await ask(tab)
    assert tab.get(PaymentReturnState.message) == (
        "Error processing payment response. Redirecting..."
    )
    assert tab.get(PaymentReturnState.leave_ms) == 3_000
    assert tab.get(PaymentReturnState.leave_to) == "/"
    assert tab.redirects == []
    assert banner(tab) == (
        f"Payment processing error. Please contact support. Your order is #{stored.order.number}."
    )
    assert tab.get(BannerState.order_path) == stored.order.response_path


async def test_each_response_changes_the_answer_counter(tab, failing_orders, stored):
    await tab.visit(home(stored))
    seen = {tab.get(PaymentReturnState.answers)}
    await ask(tab)
    seen.add(tab.get(PaymentReturnState.answers))
    failing_orders.error = RuntimeError("away")
    await ask(tab)
    seen.add(tab.get(PaymentReturnState.answers))
    assert len(seen) == 3


async def test_polling_recovers_when_database_error_ends(tab, services, failing_orders, stored):
    await tab.visit(home(stored))
    failing_orders.error = RuntimeError("away")
    await ask(tab)
    failing_orders.error = None
    await press(services, stored)
    await ask(tab, times=5)
    assert tab.get(PaymentReturnState.stored_number) == stored.order.number
