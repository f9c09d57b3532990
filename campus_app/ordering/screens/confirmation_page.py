"""/order-confirmation: from the check of the payment to the confirmed order."""

from typing import Any

import reflex as rx

from campus_app.ordering.screens.confirmation_state import ConfirmationState, Phase
from campus_app.ordering.screens.order_poster import confirmed, refund, unreachable, unverified
from campus_app.ordering.screens.order_sheets import OrderSheets
from campus_app.ordering.screens.orders_react import TakeStoredOrder
from campus_app.ordering.screens.receipt import printed_receipt, safe_order_texts
from campus_app.shared.rules import constants, routes
from campus_app.shared.translations import t
from campus_app.shell.connection_react import KeepReconnecting, LogUnhealthyServices
from campus_app.shell.focus_react import FocusOnNavigation
from campus_app.shell.layout import basics
from campus_app.shell.navigation_react import FallbackAfterTimeout
from campus_app.shell.overlay import processing_overlay
from campus_app.shell.timers_react import Interval
from kit.reflex.pages import Page
from kit.text import gettext_noop

_MS = 1000
State = ConfirmationState


def order_confirmation_page() -> rx.Component:
    """Render the phase of the order, and the receipt to print."""
    # Before hydration, the state may belong to another order.
    is_hydrated = rx.State.is_hydrated
    return rx.el.div(
        basics(),
        OrderSheets.create(),
        rx.el.main(
            FallbackAfterTimeout.create(
                rx.cond(is_hydrated, outcome(), before_hydration()),
                rx.fragment(unreachable(), KeepReconnecting.create()),
                waiting=~is_hydrated
                | (State.phase == Phase.PROCESSING.value)
                | (State.phase == Phase.LOADING.value),
            ),
            LogUnhealthyServices.create(),
            safe_order_texts(),
            id="main",
        ),
        rx.cond(is_hydrated, printed_receipt()),
        rx.cond(is_hydrated & (State.phase != Phase.PROCESSING.value), notification_poll()),
        FocusOnNavigation.create(),
        class_name="poster-page",
    )


def outcome() -> Any:
    """Render the phase of the order."""
    return rx.match(
        State.phase,
        (Phase.PROCESSING.value, processing()),
        (
            Phase.LOADING.value,
            processing_overlay(t("ORDER"), t("Loading Order Details"), t("One moment, please.")),
        ),
        (Phase.CONFIRMED.value, confirmed()),
        (Phase.REFUND.value, refund()),
        unverified(),
    )


def before_hydration() -> rx.Component:
    """Render the overlay of the prerendered page."""
    return processing_overlay(
        t("PROCESSING PAYMENT"), t("Checking your payment"), t("One moment, please.")
    )


def processing() -> rx.Component:
    """Render the overlay; after 2 s send the order that the browser has stored to `reveal`."""
    return rx.fragment(
        processing_overlay(
            t("PROCESSING PAYMENT"),
            rx.cond(State.is_paid, t("Payment Successful!"), t("Checking your payment")),
            rx.cond(State.is_paid, t("Confirming your order..."), t("This takes a moment.")),
        ),
        TakeStoredOrder.create(
            number=State.order_id,
            ms=constants.CONFIRMATION_OVERLAY_SECONDS * _MS,
            on_taken=State.reveal,
        ),
    )


def notification_poll() -> rx.Component:
    """Poll while a notification is pending."""
    interval = Interval.create(ms=constants.NOTIFICATION_POLL_SECONDS * _MS, on_tick=State.poll)
    return rx.cond(State.are_notifications_pending, interval)


PAGE = Page(
    route=routes.ORDER_CONFIRMATION,
    title=gettext_noop("Your order · FOOD_points"),
    description=gettext_noop("What you have ordered, what is paid, and when the food comes."),
    content=order_confirmation_page,
    on_load=[ConfirmationState.open],
)
