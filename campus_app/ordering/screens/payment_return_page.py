"""The return routes of the payment: its progress, or the receipt of a paid order."""

import reflex as rx

from campus_app.ordering.screens.orders_react import StoreOrder
from campus_app.ordering.screens.payment_return_state import PaymentReturnState
from campus_app.ordering.screens.polling_react import PaymentPolling
from campus_app.ordering.screens.receipt import receipt_screen
from campus_app.ordering.screens.receipt_state import ReceiptState
from campus_app.shared.rules import constants, routes
from campus_app.shared.rules.messages import PaymentMessage
from campus_app.shared.translations import t
from campus_app.shell.focus_react import FocusOnNavigation
from campus_app.shell.layout import basics
from campus_app.shell.navigation_react import NavigateAfter
from campus_app.shell.overlay import processing_overlay
from kit.reflex.pages import Page
from kit.text import gettext_noop

_MS = 1000


def payment_return_page() -> rx.Component:
    """Render the receipt of a paid order, else the progress of the payment."""
    # Before hydration, the state may belong to another order.
    is_known = rx.State.is_hydrated
    return rx.fragment(
        # The receipt contains another one, but is mounted only after the navigation.
        FocusOnNavigation.create(),
        rx.cond(is_known & ReceiptState.is_shown, receipt_screen(), payment_progress(is_known)),
    )


def payment_progress(is_known: rx.Var[bool] | bool) -> rx.Component:
    """Render the overlay while the server queries the payment, and navigate at its end."""
    return rx.el.main(
        basics(),
        processing_overlay(
            t("PAYMENT"),
            rx.cond(
                is_known & (PaymentReturnState.leave_ms > 0),
                t("Not verified yet"),
                t("Almost there"),
            ),
            polling(),
            note=t(PaymentMessage.DO_NOT_REFRESH),
        ),
        rx.cond(is_known, navigation()),
        id="main",
    )


def navigation() -> rx.Component:
    """Store a paid order and open its confirmation, or navigate away from a failed payment."""
    state = PaymentReturnState
    return rx.fragment(
        rx.cond(state.leave_ms > 0, NavigateAfter.create(ms=state.leave_ms, to=state.leave_to)),
        StoreOrder.create(
            number=state.stored_number,
            content=state.stored_content,
            on_stored=state.confirm,
        ),
    )


def polling() -> rx.Component:
    """Render the progress of the payment, and poll for its result."""
    # Mounted also without hydration, since it counts the failures during a restart of the server.
    is_known, state = rx.State.is_hydrated, PaymentReturnState
    return PaymentPolling.create(
        ms=rx.cond(is_known, state.poll_ms, 0),
        retry_ms=constants.PAYMENT_RETRY_SECONDS * _MS,
        tries=constants.PAYMENT_POLL_ATTEMPTS,
        message=rx.cond(is_known, state.message, t(PaymentMessage.CHECKING)),
        retrying=t(PaymentMessage.RETRYING),
        failed=t(PaymentMessage.VERIFICATION_FAILED),
        waits=~(is_known & (state.leave_ms > 0)),
        answers=state.answers,
        leave={"path": routes.ORDER_CONFIRMATION, "ms": constants.PROBLEM_REDIRECT_SECONDS * _MS},
        on_poll=state.poll,
    )


PAGES = [
    Page(
        route=route,
        title=gettext_noop("Your payment · FOOD_points"),
        description=gettext_noop("How your payment stands."),
        content=payment_return_page,
        on_load=[PaymentReturnState.open],
    )
    for route in (routes.FORM_RESPONSE, routes.CASHFREE_RESPONSE, routes.PAYMENT_SUCCESS)
]
