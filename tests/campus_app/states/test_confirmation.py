"""The confirmation. Source: specification 2.37 to 2.48, 4.23 to 4.28, M10, M11, S4, S5."""

import json

import pytest

from campus_app.domain.errors import ProviderUnavailable
from campus_app.domain.messages import ConfirmationMessage, PaymentMessage, RefundReason
from campus_app.domain.payment import PaymentState
from campus_app.states.cart import CartState
from campus_app.states.confirmation import ConfirmationState, Phase
from campus_app.states.customer import CustomerState
from kit.quota import Priority
from tests.campus_app.states.session import Move
from tests.campus_app.states.steps import notice, to_payment
from tests.helpers.flows import CANCEL, DECLINE, drain, press

pytestmark = pytest.mark.anyio

State = ConfirmationState
PRIVATE = (State.amount_due, State.restaurant, State.phone, State.refund_amount)


def address(stored, *, token=True, **claims):
    """Return the confirmation's address of an order, with or without its token."""
    claims |= {"token": stored.order.response_token} if token else {}
    said = "".join(f"&{name}={value}" for name, value in claims.items())
    return f"/order-confirmation?order_id={stored.order.number}{said}"


def kept(token):
    """Return what a browser keeps of an order, as far as it is read."""
    return json.dumps({"orderId": "AS_100", "responseToken": token})


async def paid(tab, services):
    """Return an order that was paid; the tab has not seen it since."""
    stored = await to_payment(tab, services)
    assert await press(services, stored)
    return await services.payments.reconcile(stored.payment)


# Paid


async def test_an_overlay_comes_first_and_says_that_it_is_paid(tab, services):
    await tab.visit(address(await paid(tab, services)))
    assert tab.sees(State.phase) == Phase.PROCESSING
    assert tab.sees(State.is_paid) is True


async def test_a_paid_order_is_confirmed_to_whoever_holds_its_token(tab, services):
    stored = await paid(tab, services)
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    assert tab.sees(State.phase) == Phase.CONFIRMED
    assert tab.sees(State.order_id) == stored.order.number
    assert tab.sees(State.name) == "AARAV SHARMA"
    assert tab.sees(State.amount_due) == "₹335"
    assert tab.sees(State.restaurant) == "Pehla Food Point"
    assert tab.sees(State.minutes) == "25-35"
    assert tab.sees(State.phone).replace(" ", "") == "+910000000001"
    assert tab.sees(State.hint) == ""


async def test_the_provider_is_asked_whatever_the_address_says(tab, services):
    """Source: specification M10."""
    stored = await to_payment(tab, services)
    await press(services, stored)
    await tab.visit(address(stored, status="FAILED"))
    assert tab.sees(State.is_paid) is True


async def test_a_customer_with_the_orders_token_queries_before_strangers(
    tab, services, swap, provider
):
    stored = await to_payment(tab, services)
    swap(provider=provider)
    provider.says(stored, PaymentState.PENDING)
    await tab.visit(address(stored))
    await tab.call(State.poll)
    await tab.visit(f"/order-confirmation?order_id={stored.order.number}")
    assert [each.priority for each in provider.callers] == [
        Priority.KNOWN,
        Priority.KNOWN,
        Priority.ANONYMOUS,
    ]


async def test_a_confirmed_order_leaves_no_cart(tab, services):
    stored = await paid(tab, services)
    assert tab.local["cart"]
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    assert tab.sees(CartState.cart) == ""


# Not paid


@pytest.mark.parametrize(
    ("claims", "hint"),
    [
        pytest.param({}, ConfirmationMessage.NEEDS_VERIFICATION, id="nothing"),
        pytest.param(
            {"status": "SUCCESS", "paymentSuccess": "true", "payment_id": "x", "emailsSent": "2"},
            ConfirmationMessage.NEEDS_VERIFICATION,
            id="M10: a browser's status=SUCCESS proves nothing",
        ),
        pytest.param(
            {"needsVerification": "true"},
            ConfirmationMessage.NEEDS_VERIFICATION,
            id="needsVerification",
        ),
        pytest.param({"hasError": "true"}, ConfirmationMessage.HAS_ERROR, id="hasError"),
    ],
)
@pytest.mark.parametrize("token", [True, False], ids=["with its token", "without"])
async def test_an_order_that_is_not_paid_is_not_confirmed(claims, hint, token, tab, services):
    stored = await to_payment(tab, services)
    await tab.visit(address(stored, token=token, **claims))
    assert tab.sees(State.is_paid) is False
    await tab.call(State.reveal, "")
    assert tab.sees(State.phase) == Phase.UNVERIFIED
    assert tab.sees(State.hint) == hint
    assert tab.sees(State.emails_sent) == 0


async def test_a_provider_that_does_not_answer_leaves_it_unverified(tab, services, swap, provider):
    stored = await to_payment(tab, services)
    swap(provider=provider)
    provider.trouble = ProviderUnavailable("away")
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    assert tab.sees(State.phase) == Phase.UNVERIFIED


async def test_money_that_arrives_later_confirms_the_order(tab, services):
    stored = await to_payment(tab, services)
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    await press(services, stored)
    await tab.call(State.poll)
    assert tab.sees(State.phase) == Phase.CONFIRMED
    assert tab.sees(State.is_paid) is True
    assert tab.sees(State.hint) == ""


@pytest.mark.parametrize(
    ("button", "reason"),
    [
        pytest.param(DECLINE, PaymentMessage.DECLINED, id="FAILED"),
        pytest.param(CANCEL, PaymentMessage.CANCELLED, id="CANCELLED"),
    ],
)
async def test_a_failed_payment_leads_to_the_contact_details(button, reason, tab, services):
    """Source: specification S3."""
    stored = await to_payment(tab, services)
    await press(services, stored, button)
    await tab.visit(address(stored, status="SUCCESS"))
    assert tab.moves == [Move("/personal-info", replaces=True)]
    await tab.go_on()
    assert tab.sees(CustomerState.payment_error) == reason


async def test_a_payment_that_fails_while_it_is_waited_for_leads_there_too(tab, services):
    stored = await to_payment(tab, services)
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    await press(services, stored, DECLINE)
    await tab.call(State.poll)
    assert tab.moves == [Move("/personal-info", replaces=True)]


# Money that comes back


async def test_money_for_an_order_that_cannot_be_honoured_comes_back(tab, services):
    """Source: specification M11."""
    stored = await to_payment(tab, services)
    await services.board.turn(1, is_open=False, message="")
    await press(services, stored)
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    assert tab.sees(State.phase) == Phase.REFUND
    assert tab.sees(State.refund_amount) == "₹65"
    assert tab.sees(State.hint) == RefundReason.RESTAURANT_CLOSED


async def test_confirmation_never_says_paid_when_the_money_goes_back(tab, services):
    # Source: specification P3.3.
    stored = await to_payment(tab, services)
    await services.board.turn(1, is_open=False, message="")
    await press(services, stored)
    await tab.visit(address(stored, status="SUCCESS", paymentSuccess="true"))
    assert tab.moves == []
    assert (tab.sees(State.phase), tab.sees(State.is_paid)) == (Phase.PROCESSING, False)
    await tab.call(State.reveal, "")
    await drain(services)
    await tab.call(State.poll)
    assert tab.moves == []
    assert (tab.sees(State.phase), tab.sees(State.is_paid)) == (Phase.REFUND, False)
    assert (tab.sees(State.emails_sent), tab.sees(State.is_awaited)) == (1, False)


async def test_a_wrong_amount_comes_back(tab, services, swap, provider):
    stored = await to_payment(tab, services)
    swap(provider=provider)
    provider.says(stored, PaymentState.PAID, paid=stored.payment.amount - 1)
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    assert tab.sees(State.phase) == Phase.REFUND
    assert tab.sees(State.hint) == RefundReason.WRONG_AMOUNT
    assert tab.sees(State.refund_amount) == "₹64"


# Strangers


async def test_a_number_alone_shows_no_name_and_no_amount(tab, services, open_tab):
    """Source: specification M9."""
    stored = await paid(tab, services)
    stranger = open_tab()
    await stranger.visit(address(stored, token=False))
    await stranger.call(State.reveal, "")
    await stranger.call(State.poll)
    assert stranger.sees(State.phase) == Phase.CONFIRMED
    assert stranger.sees(State.name) == "VALUED CUSTOMER"
    assert [stranger.sees(variable) for variable in PRIVATE] == [""] * len(PRIVATE)
    assert stranger.sees(State.minutes) == "30-40"


async def test_a_number_alone_shows_no_reason_of_a_refund(tab, services, open_tab):
    stored = await to_payment(tab, services)
    await services.board.turn(1, is_open=False, message="")
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    stranger = open_tab()
    await stranger.visit(address(stored, token=False))
    await stranger.call(State.reveal, "")
    assert stranger.sees(State.phase) == Phase.REFUND
    assert stranger.sees(State.hint) == ""
    assert [stranger.sees(variable) for variable in PRIVATE] == [""] * len(PRIVATE)


async def test_a_token_that_is_not_the_order_s_shows_nothing(tab, services, open_tab):
    stored = await paid(tab, services)
    for token in ("", "short", "A" * 32, "' or 1=1 --", "%", "../..", "A" * 10_000):
        stranger = open_tab()
        await stranger.visit(address(stored, token=False) + f"&token={token}")
        await stranger.call(State.reveal, kept(token))
        assert stranger.sees(State.name) == "VALUED CUSTOMER"
        assert [stranger.sees(variable) for variable in PRIVATE] == [""] * len(PRIVATE)


# The order that the browser kept


async def test_the_kept_order_is_loaded_from_the_server_by_its_token(tab, services, open_tab):
    """Source: specification S5."""
    stored = await paid(tab, services)
    later = open_tab()
    await later.visit(address(stored, token=False))
    await later.call(State.reveal, kept(stored.order.response_token))
    assert later.sees(State.phase) == Phase.CONFIRMED
    assert later.sees(State.name) == "AARAV SHARMA"
    assert later.sees(State.amount_due) == "₹335"


async def test_another_order_that_was_kept_takes_the_place_of_the_named_one(
    tab, services, open_tab
):
    """Specification: the first kept order is the fallback for one that is not kept."""
    stored = await paid(tab, services)
    other = open_tab()
    unpaid = await to_payment(other, services, key="the-key-of-another-cart")
    await other.visit(address(unpaid, token=False))
    await other.call(State.reveal, kept(stored.order.response_token))
    assert other.sees(State.order_id) == stored.order.number
    assert other.sees(State.phase) == Phase.CONFIRMED


async def test_a_kept_order_does_not_take_the_place_of_the_one_in_the_address(
    tab, services, open_tab
):
    stored = await paid(tab, services)
    other = open_tab()
    unpaid = await to_payment(other, services, key="the-key-of-another-cart")
    await tab.visit(address(stored))
    await tab.call(State.reveal, kept(unpaid.order.response_token))
    assert tab.sees(State.order_id) == stored.order.number
    assert tab.sees(State.phase) == Phase.CONFIRMED


async def test_what_is_no_kept_order_reveals_nothing_more(tab, services, open_tab):
    stored = await paid(tab, services)
    later = open_tab()
    await later.visit(address(stored, token=False))
    for text in ("", "{", "[]", "null", '{"responseToken": 5}', '{"responseToken": null}'):
        await later.call(State.reveal, text)
    for forged in (5, None, True, [], {}, ["x"], {"responseToken": stored.order.response_token}):
        await later.call(State.reveal, forged)
    assert later.sees(State.phase) == Phase.CONFIRMED
    assert later.sees(State.name) == "VALUED CUSTOMER"


# No such order


@pytest.mark.parametrize(
    "where",
    [
        "/order-confirmation",
        "/order-confirmation?order_id=",
        "/order-confirmation?order_id=AS_999&status=SUCCESS",
        "/order-confirmation?order_id=nonsense",
        "/order-confirmation?order_id=AS_1%0a",
        "/order-confirmation?token=" + "A" * 32,
    ],
)
async def test_an_order_that_is_not_there_goes_home_with_its_message(where, tab):
    await tab.visit(where)
    assert tab.moves == [Move("/", replaces=True)]
    assert notice(tab) == "Order not found. Please contact support if payment was deducted."


# Notices


async def test_the_notices_are_shown_as_they_go_out(tab, services):
    await tab.visit(address(await paid(tab, services)))
    await tab.call(State.reveal, "")
    assert (tab.sees(State.emails_sent), tab.sees(State.missed_call)) == (0, "pending")
    assert tab.sees(State.emails_text) == ""
    await drain(services)
    await tab.call(State.poll)
    assert (tab.sees(State.emails_sent), tab.sees(State.missed_call)) == (2, "success")
    assert tab.sees(State.emails_text) == "Customer & vendor notified"


async def test_asking_again_and_again_notifies_nobody_twice(tab, services):
    """Source: specification S9."""
    stored = await paid(tab, services)
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    for _ in range(5):
        await tab.call(State.poll)
        await drain(services)
    assert len(list((services.settings.outbox_dir / "mail").glob("*.eml"))) == 2


# Leaving


async def test_at_the_end_of_the_countdown_it_goes_home(tab, services):
    await tab.visit(address(await paid(tab, services)))
    await tab.call(State.reveal, "")
    await tab.call(State.go_home)
    assert tab.moves == [Move("/", replaces=True)]
    assert notice(tab) == ""


async def test_home_is_told_of_a_payment_that_is_not_clear(tab, services):
    await tab.visit(address(await to_payment(tab, services)))
    await tab.call(State.reveal, "")
    await tab.call(State.go_home)
    assert tab.moves == [Move("/", replaces=True)]
    assert notice(tab) == ConfirmationMessage.DETAILS_UNCLEAR


async def test_whoever_wants_to_stay_stays(tab, services):
    """Source: specification S13."""
    await tab.visit(address(await paid(tab, services)))
    await tab.call(State.stay)
    await tab.call(State.go_home)
    assert tab.sees(State.is_staying) is True
    assert tab.moves == []


async def test_the_next_order_begins_with_an_empty_screen(tab, services, open_tab):
    stored = await paid(tab, services)
    await tab.visit(address(stored))
    await tab.call(State.reveal, "")
    await tab.call(State.stay)
    other = open_tab()
    unpaid = await to_payment(other, services, key="the-key-of-another-cart")
    await tab.visit(address(unpaid, token=False))
    assert tab.sees(State.phase) == Phase.PROCESSING
    assert tab.sees(State.is_staying) is False
    assert tab.sees(State.is_paid) is False
    assert tab.sees(State.name) == ""
    assert [tab.sees(variable) for variable in PRIVATE] == [""] * len(PRIVATE)


# A database that is away


async def test_while_the_order_can_not_be_read_the_screen_says_so_and_asks_on(
    tab, services, unsteady_orders
):
    stored = await to_payment(tab, services)
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    unsteady_orders.trouble = RuntimeError("away")
    token = stored.order.response_token
    await tab.visit(f"/order-confirmation?order_id={stored.order.number}&token={token}")
    await tab.call(ConfirmationState.reveal, "")
    assert tab.sees(ConfirmationState.phase) == Phase.UNVERIFIED
    assert tab.sees(ConfirmationState.hint) == ConfirmationMessage.HAS_ERROR
    await tab.call(ConfirmationState.poll)
    assert tab.sees(ConfirmationState.phase) == Phase.UNVERIFIED
    unsteady_orders.trouble = None
    await tab.call(ConfirmationState.poll)
    assert tab.sees(ConfirmationState.phase) == Phase.CONFIRMED
    assert tab.sees(ConfirmationState.name) == "AARAV SHARMA"
