"""The return routes: a spinner with the payment's progress; the receipt of a paid order."""

import reflex as rx

from campus_app import routes
from campus_app.components import browser
from campus_app.components.layout import basics
from campus_app.components.overlay import processing_overlay
from campus_app.domain import constants
from campus_app.domain.messages import PaymentMessage, gettext_noop
from campus_app.pages.receipt import receipt_screen
from campus_app.states.checkout import NOTE_FIELD
from campus_app.states.payment_return import PaymentReturnState
from campus_app.states.receipt import ReceiptState
from campus_app.translations import t
from kit.reflex.pages import Page

_MS = 1000


def payment_return_page() -> rx.Component:
    # Before hydration, the state may belong to another order.
    is_known = rx.State.is_hydrated
    return rx.fragment(
        # Before the receipt, which has its own but is mounted later than the navigation.
        browser.FocusOnNavigation.create(),
        rx.cond(is_known & ReceiptState.is_shown, receipt_screen(), returning(is_known)),
    )


def returning(is_known: rx.Var[bool] | bool) -> rx.Component:
    return rx.el.main(
        basics(),
        processing_overlay(
            t("PAYMENT"),
            rx.cond(
                is_known & (PaymentReturnState.leave_ms > 0), t("We lost track"), t("Almost there")
            ),
            progress(),
            note=t(PaymentMessage.DO_NOT_REFRESH),
        ),
        rx.cond(is_known, leaving()),
        id="main",
    )


def leaving() -> rx.Component:
    state = PaymentReturnState
    return rx.fragment(
        rx.cond(
            state.leave_ms > 0, browser.NavigateAfter.create(ms=state.leave_ms, to=state.leave_to)
        ),
        browser.StoreOrder.create(
            number=state.stored_number,
            content=state.stored_content,
            draft_key=browser.draft_key(NOTE_FIELD),
            on_stored=state.confirm,
        ),
    )


def progress() -> rx.Component:
    # It stays mounted while a restarted server hydrates the page: it counts failures.
    is_known, state = rx.State.is_hydrated, PaymentReturnState
    return browser.PaymentPolling.create(
        ms=rx.cond(is_known, state.poll_ms, 0),
        retry_ms=constants.PAYMENT_RETRY_SECONDS * _MS,
        tries=constants.PAYMENT_POLL_ATTEMPTS,
        message=rx.cond(is_known, state.message, t(PaymentMessage.CHECKING)),
        retrying=t(PaymentMessage.RETRYING),
        failed=t(PaymentMessage.VERIFICATION_FAILED),
        # From the first render until the next address is known.
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
