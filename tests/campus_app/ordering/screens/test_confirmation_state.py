"""The confirmation. Source: specification 2.37 to 2.48, 4.23 to 4.28, M10, M11, S4, S5."""

import json
from datetime import timedelta

import pytest

from campus_app.ordering.rules.errors import ProviderUnavailable
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.shortage import WHOLE_ORDER, ShortageReason
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.confirmation_state import ConfirmationState, Phase
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import SHORTAGE_UNDO_SECONDS
from campus_app.shared.rules.messages import (
    ConfirmationMessage,
    OrderMessage,
    PaymentMessage,
    RefundReason,
)
from campus_app.shared.rules.money import format_rupees
from campus_app.shell.banner_state import BannerState
from kit.quota import Priority
from tests.helpers.flows import CANCEL, drain, press
from tests.helpers.sessions import Redirect
from tests.helpers.steps import banner, to_payment

pytestmark = pytest.mark.anyio

State = ConfirmationState
PRIVATE = (State.amount_due, State.restaurant, State.phone, State.refund_amount)


def address(stored, *, token=True, **claims):
    """Return the confirmation's URL of an order, with or without its token."""
    claims |= {"token": stored.order.response_token} if token else {}
    said = "".join(f"&{name}={value}" for name, value in claims.items())
    return f"/order-confirmation?order_id={stored.order.number}{said}"


def kept(token):
    """Return a stored order, as far as the confirmation reads it."""
    return json.dumps({"orderId": "AS_100", "responseToken": token})


async def open_confirmation(tab, url, stored_order=""):
    """Open the confirmation and end its processing overlay."""
    await tab.visit(url)
    await tab.call(State.reveal, stored_order)


@pytest.fixture
async def stored(tab, services):
    """An order that the tab is about to pay."""
    return await to_payment(tab, services)


@pytest.fixture
async def paid(stored, services):
    """The order, which is paid, and which the tab has not seen yet."""
    assert await press(services, stored)
    return await services.payments.reconcile(stored.payment)


# Paid


async def test_confirmation_shows_order_details_when_token_is_valid(tab, paid):
    assert tab.local["cart"]
    await tab.visit(address(paid))
    assert (tab.get(State.phase), tab.get(State.is_paid)) == (Phase.PROCESSING, True)
    await tab.call(State.reveal, "")
    assert tab.get(State.phase) == Phase.CONFIRMED
    assert tab.get(State.order_id) == paid.order.number
    assert tab.get(State.name) == "AARAV SHARMA"
    assert tab.get(State.amount_due) == format_rupees(paid.order.bill.remaining)
    assert tab.get(State.restaurant) == "Pehla Food Point"
    assert tab.get(State.minutes) == "25-35"
    assert tab.get(State.phone).replace(" ", "") == "+910000000001"
    assert tab.get(State.hint) == ""
    assert tab.get(CartState.cart) == ""


async def test_confirmation_queries_provider_whatever_status_the_url_claims(tab, services, stored):
    """Source: specification M10."""
    await press(services, stored)
    await tab.visit(address(stored, status="FAILED"))
    assert tab.get(State.is_paid) is True


async def test_confirmation_queries_provider_with_higher_priority_when_token_is_valid(
    tab, replace_parts, provider, stored
):
    replace_parts(provider=provider)
    provider.set_state(stored, PaymentState.PENDING)
    await tab.visit(address(stored))
    await tab.call(State.poll)
    await tab.visit(f"/order-confirmation?order_id={stored.order.number}")
    assert [each.priority for each in provider.requesters] == [
        Priority.KNOWN,
        Priority.KNOWN,
        Priority.ANONYMOUS,
    ]


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
async def test_unpaid_order_is_not_confirmed_whatever_the_url_claims(
    claims, hint, token, tab, stored
):
    await tab.visit(address(stored, token=token, **claims))
    assert tab.get(State.is_paid) is False
    await tab.call(State.reveal, "")
    assert tab.get(State.phase) == Phase.UNVERIFIED
    assert tab.get(State.hint) == hint
    assert tab.get(State.emails_sent) == 0


async def test_order_stays_unverified_when_provider_is_unavailable(
    tab, replace_parts, provider, stored
):
    replace_parts(provider=provider)
    provider.error = ProviderUnavailable("away")
    await open_confirmation(tab, address(stored))
    assert tab.get(State.phase) == Phase.UNVERIFIED


async def test_poll_confirms_order_when_payment_arrives_later(tab, services, stored):
    await open_confirmation(tab, address(stored))
    await press(services, stored)
    await tab.call(State.poll)
    assert tab.get(State.phase) == Phase.CONFIRMED
    assert tab.get(State.is_paid) is True
    assert tab.get(State.hint) == ""


@pytest.mark.parametrize("is_polled", [False, True], ids=["on load", "by a poll"])
async def test_failed_payment_redirects_to_contact_details(is_polled, tab, services, stored):
    """Source: specification S3. All reasons: `test_payment_return_state.py`."""
    if is_polled:
        await open_confirmation(tab, address(stored))
    await press(services, stored, CANCEL)
    await (tab.call(State.poll) if is_polled else tab.visit(address(stored, status="SUCCESS")))
    assert tab.redirects == [Redirect("/personal-info", replaces=True)]
    await tab.follow_redirect()
    assert tab.get(CustomerState.payment_error) == PaymentMessage.CANCELLED


# Refunds


async def test_confirmation_never_shows_paid_when_payment_is_refunded(tab, services, stored):
    # Source: specification P3.3.
    await services.statuses.set_override(1, is_open=False, message="")
    await press(services, stored)
    await tab.visit(address(stored, status="SUCCESS", paymentSuccess="true"))
    assert tab.redirects == []
    assert (tab.get(State.phase), tab.get(State.is_paid)) == (Phase.PROCESSING, False)
    await tab.call(State.reveal, "")
    await drain(services)
    await tab.call(State.poll)
    assert tab.redirects == []
    assert (tab.get(State.phase), tab.get(State.is_paid)) == (Phase.REFUND, False)
    assert (tab.get(State.emails_sent), tab.get(State.are_notifications_pending)) == (1, False)
    assert (tab.get(State.refund_amount), tab.get(State.hint)) == (
        format_rupees(stored.order.bill.online),
        RefundReason.RESTAURANT_CLOSED,
    )


async def test_refund_is_shown_when_paid_amount_is_wrong(tab, replace_parts, provider, stored):
    replace_parts(provider=provider)
    paid = stored.order.bill.online - 1
    provider.set_state(stored, PaymentState.PAID, paid=paid)
    await open_confirmation(tab, address(stored))
    assert tab.get(State.phase) == Phase.REFUND
    assert tab.get(State.hint) == RefundReason.WRONG_AMOUNT
    assert tab.get(State.refund_amount) == format_rupees(paid)


# Other visitors


async def test_order_number_alone_shows_no_name_or_amount(tab, open_tab, paid):
    """Source: specification M9."""
    other_tab = open_tab()
    await open_confirmation(other_tab, address(paid, token=False))
    await other_tab.call(State.poll)
    assert other_tab.get(State.phase) == Phase.CONFIRMED
    assert other_tab.get(State.name) == "VALUED CUSTOMER"
    assert [other_tab.get(variable) for variable in PRIVATE] == [""] * len(PRIVATE)
    assert other_tab.get(State.minutes) == "30-40"


async def test_order_number_alone_shows_no_refund_reason(tab, services, open_tab, stored):
    await services.statuses.set_override(1, is_open=False, message="")
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    other_tab = open_tab()
    await open_confirmation(other_tab, address(stored, token=False))
    assert other_tab.get(State.phase) == Phase.REFUND
    assert other_tab.get(State.hint) == ""
    assert [other_tab.get(variable) for variable in PRIVATE] == [""] * len(PRIVATE)


async def test_invalid_token_shows_no_private_details(tab, open_tab, paid):
    for token in ("", "short", "A" * 32, "' or 1=1 --", "%", "../..", "A" * 10_000):
        other_tab = open_tab()
        await other_tab.visit(address(paid, token=False) + f"&token={token}")
        await other_tab.call(State.reveal, kept(token))
        assert other_tab.get(State.name) == "VALUED CUSTOMER"
        assert [other_tab.get(variable) for variable in PRIVATE] == [""] * len(PRIVATE)


# The stored order


async def test_stored_order_is_loaded_by_its_token(tab, open_tab, paid):
    """Source: specification S5."""
    later = open_tab()
    await open_confirmation(later, address(paid, token=False), kept(paid.order.response_token))
    assert later.get(State.phase) == Phase.CONFIRMED
    assert later.get(State.name) == "AARAV SHARMA"
    assert later.get(State.amount_due) == format_rupees(paid.order.bill.remaining)


async def test_stored_order_replaces_order_of_url_when_url_has_no_token(
    tab, services, open_tab, paid
):
    """Specification: the first stored order replaces an order that is not stored."""
    other = open_tab()
    unpaid = await to_payment(other, services, key="the-key-of-another-cart")
    await open_confirmation(other, address(unpaid, token=False), kept(paid.order.response_token))
    assert other.get(State.order_id) == paid.order.number
    assert other.get(State.phase) == Phase.CONFIRMED


async def test_stored_order_does_not_replace_order_of_url_when_token_is_valid(
    tab, services, open_tab, paid
):
    other = open_tab()
    unpaid = await to_payment(other, services, key="the-key-of-another-cart")
    await open_confirmation(tab, address(paid), kept(unpaid.order.response_token))
    assert tab.get(State.order_id) == paid.order.number
    assert tab.get(State.phase) == Phase.CONFIRMED


async def test_invalid_stored_order_reveals_no_private_details(tab, open_tab, paid):
    later = open_tab()
    await later.visit(address(paid, token=False))
    for text in ("", "{", "[]", "null", '{"responseToken": 5}', '{"responseToken": null}'):
        await later.call(State.reveal, text)
    for forged in (5, None, True, [], {}, ["x"], {"responseToken": paid.order.response_token}):
        await later.call(State.reveal, forged)
    assert later.get(State.phase) == Phase.CONFIRMED
    assert later.get(State.name) == "VALUED CUSTOMER"


# Unknown orders


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
async def test_unknown_order_redirects_home_with_message(where, tab):
    await tab.visit(where)
    assert tab.redirects == [Redirect("/", replaces=True)]
    assert banner(tab) == "Order not found. Please contact support if payment was deducted."


# Notifications


async def test_poll_updates_notification_status(tab, services, paid):
    await open_confirmation(tab, address(paid))
    assert (tab.get(State.emails_sent), tab.get(State.missed_call)) == (0, "pending")
    assert tab.get(State.emails_text) == ""
    await drain(services)
    await tab.call(State.poll)
    assert (tab.get(State.emails_sent), tab.get(State.missed_call)) == (2, "success")
    assert tab.get(State.emails_text) == "Customer & vendor notified"


async def test_both_mails_are_due_when_an_order_goes_back_after_them(tab, services, clock, paid):
    await drain(services)
    by = KitchenActor(1, "tablet", Actor("kitchen 1"), clock.now() - timedelta(days=1))
    reason = ShortageReason.NO_GAS
    await services.shortages.report(paid.order.id, WHOLE_ORDER, reason, by)
    clock.advance(seconds=SHORTAGE_UNDO_SECONDS)
    await drain(services)
    await open_confirmation(tab, address(paid))
    assert tab.get(State.phase) == Phase.REFUND
    assert (tab.get(State.emails_sent), tab.get(State.mails_due)) == (2, 2)


async def test_polling_repeatedly_sends_no_duplicate_notifications(tab, services, paid):
    """Source: specification S9."""
    await open_confirmation(tab, address(paid))
    for _ in range(5):
        await tab.call(State.poll)
        await drain(services)
    assert len(list((services.settings.outbox_dir / "mail").glob("*.eml"))) == 2


# Leaving


async def test_countdown_end_redirects_home_with_any_forged_argument(tab, paid):
    await open_confirmation(tab, address(paid))
    for forged in ((), (None,), (1,), ("true",), ([True],)):
        tab.redirects.clear()
        await tab.call(State.leave, *forged)
        assert (tab.redirects, banner(tab)) == ([Redirect("/", replaces=True)], "")


async def test_home_shows_warning_when_payment_status_is_unclear(tab, stored):
    await open_confirmation(tab, address(stored))
    await tab.call(State.leave)
    assert tab.redirects == [Redirect("/", replaces=True)]
    assert banner(tab) == (
        f"{ConfirmationMessage.DETAILS_UNCLEAR} {OrderMessage.NUMBER.of(number=stored.order.number)}"
    )
    assert tab.get(BannerState.order_path) == stored.order.response_path


async def test_countdown_end_opens_the_order_where_home_is_blocked(tab, paid):
    # Source: specification 10.56.
    await open_confirmation(tab, address(paid))
    await tab.call(State.leave, True)
    assert tab.redirects == [Redirect(paid.order.response_path, replaces=True)]


@pytest.mark.parametrize("is_known", [True, False])
async def test_countdown_end_opens_own_orders_without_a_receipt(is_known, tab, services, stored):
    if not is_known:
        assert await press(services, stored)
        await services.payments.reconcile(stored.payment)
    await open_confirmation(tab, address(stored, token=is_known))
    await tab.call(State.leave, True)
    assert tab.redirects == [Redirect("/underprogress", replaces=True)]


async def test_stay_is_kept_when_the_page_reconnects(tab, paid):
    """Source: specification S13."""
    url = address(paid)
    await open_confirmation(tab, url)
    await tab.call(State.stay)
    await open_confirmation(tab, url)
    await tab.call(State.leave)
    assert tab.get(State.is_staying) is True
    assert tab.redirects == []


async def test_next_order_starts_with_cleared_state(tab, services, open_tab, paid):
    await open_confirmation(tab, address(paid))
    await tab.call(State.stay)
    other = open_tab()
    unpaid = await to_payment(other, services, key="the-key-of-another-cart")
    await tab.visit(address(unpaid, token=False))
    assert tab.get(State.phase) == Phase.PROCESSING
    assert tab.get(State.is_staying) is False
    assert tab.get(State.is_paid) is False
    assert tab.get(State.name) == ""
    assert [tab.get(variable) for variable in PRIVATE] == [""] * len(PRIVATE)


# Database outages


async def test_poll_continues_when_order_can_not_be_read(tab, services, failing_orders, stored):
    await press(services, stored)
    await services.payments.reconcile(stored.payment)
    failing_orders.error = RuntimeError("away")
    await open_confirmation(tab, address(stored))
    assert tab.get(State.phase) == Phase.UNVERIFIED
    assert tab.get(State.hint) == ConfirmationMessage.HAS_ERROR
    await tab.call(State.poll)
    assert tab.get(State.phase) == Phase.UNVERIFIED
    failing_orders.error = None
    await tab.call(State.poll)
    assert tab.get(State.phase) == Phase.CONFIRMED
    assert tab.get(State.name) == "AARAV SHARMA"
