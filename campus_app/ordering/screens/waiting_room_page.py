"""/waiting-room: a countdown, the amounts to pay, and the button that pays."""

from typing import Any

import reflex as rx

from campus_app.ordering.screens.bill_slip import sum_line
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.order_sheets import OrderSheets
from campus_app.ordering.screens.remembered_react import RememberAccepted
from campus_app.ordering.screens.reservation_state import ReservationState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell import connection_react, timers_react
from campus_app.shell.banner import banner
from campus_app.shell.button import button
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label, screen
from campus_app.shell.navigation_react import ExternalRedirect
from campus_app.shell.overlay import connection_overlay, processing_overlay
from kit.reflex.pages import Page
from kit.text import gettext_noop


def waiting_room_page() -> rx.Component:
    """Render the countdown above the panel that pays, and the overlays over both."""
    return rx.fragment(
        screen(
            OrderSheets.create(),
            clock(),
            pay_panel(),
            banner=banner(),
            has_foot=False,
            class_name="waiting",
        ),
        connection_react.VisitWatch.create(
            mark=WaitingRoomState.visit, hydrated=rx.State.is_hydrated
        ),
        rx.cond(is_known(), payment_start()),
        RememberAccepted.create(accepted=rx.State.is_hydrated & CustomerState.is_accepted),
        connection_overlay(WaitingRoomState.phone),
    )


def payment_start() -> rx.Component:
    """Render the overlay after PAY, until the payment page opens or an error is shown."""
    return rx.fragment(
        rx.cond(
            WaitingRoomState.is_paying,
            processing_overlay(
                t("PROCESSING"),
                t("One moment"),
                rx.cond(
                    WaitingRoomState.retry_seconds > 0,
                    retry_countdown(),
                    t("Opening the payment page..."),
                ),
            ),
        ),
        connection_react.ReportProblem.create(
            failed=WaitingRoomState.has_problem,
            paying=WaitingRoomState.is_paying & (WaitingRoomState.retry_seconds == 0),
            on_retry=WaitingRoomState.pay,
        ),
        ExternalRedirect.create(url=WaitingRoomState.pay_url),
    )


def retry_countdown() -> rx.Component:
    """Render the countdown to an automatic retry, while the provider is busy."""
    return rx.fragment(
        t("Many people are paying at this moment. Your cart is kept and nothing was charged."),
        " ",
        timers_react.CountdownText.create(
            seconds=WaitingRoomState.retry_seconds,
            words=t("Trying again in {seconds} seconds..."),
            on_finish=WaitingRoomState.retry_payment,
            # Screen readers announce the overlay once, not each second.
            aria_live="off",
            data_testid="retry-countdown",
        ),
    )


def clock() -> rx.Component:
    """Render the countdown of the time to pay."""
    return rx.el.div(
        rx.el.div(
            numbered_label("03", t("WAITING ROOM")),
            rx.el.h1(
                rx.cond(
                    is_over(),
                    t("Time ran out. Nothing was charged."),
                    rx.cond(
                        is_known(), t("Your order is ready to pay"), t("Getting your order ready")
                    ),
                )
            ),
            rx.cond(
                ~is_over(),
                rx.el.p(
                    t("Time left to pay. After that you go one step back, and nothing is lost."),
                    class_name="waiting-why",
                ),
            ),
            timers_react.WaitingCountdown.create(
                seconds=rx.cond(is_known(), WaitingRoomState.seconds, None),
                left=t("{seconds} seconds left to pay"),
                on_finish=WaitingRoomState.expire,
            ),
            class_name="wrap",
        ),
        class_name="waiting-clock",
    )


def is_known() -> Any:
    """Return whether the server has sent the amounts and the time left."""
    return connection_react.is_answered & (WaitingRoomState.visit != "")


def is_over() -> Any:
    """Return whether there is no time left to pay."""
    return is_known() & WaitingRoomState.is_over


def pay_panel() -> rx.Component:
    """Render the sums, PAY or Try Again, and the state of the connection."""
    try_again = button(
        t("Try Again"),
        icon("refresh"),
        look="primary wide asks",
        on_click=WaitingRoomState.return_to_details,
    )
    return rx.el.div(
        rx.cond(is_known(), sums(), rx.el.div(class_name="skeleton sums-skeleton")),
        rx.cond(is_over(), try_again, pay_buttons()),
        rx.cond(
            is_known() & connection_react.is_checked,
            connection_line(),
            rx.el.p(class_name="connection"),
        ),
        rx.el.a(t("Change your details"), href=routes.PERSONAL_INFO, class_name="text-button"),
        class_name="wrap pay-panel",
        aria_busy=~is_known(),
    )


def sums() -> rx.Component:
    """Render the amounts that are paid now and later."""
    bill = WaitingRoomState.bill
    return rx.el.dl(
        sum_line(WaitingRoomState.restaurant, bill["grand_total"], note=WaitingRoomState.summary),
        sum_line(
            rx.cond(
                ReservationState.is_ordering, t("To pay at the restaurant"), t("To pay at the door")
            ),
            bill["remaining"],
        ),
        sum_line(t("To pay now"), bill["online"], look="grand"),
        class_name="sums",
    )


def pay_buttons() -> rx.Component:
    """Render PAY, which shows the connection overlay while the server is unreachable."""
    pay = t("PAY {amount} NOW", amount=WaitingRoomState.bill["online"])

    def pay_button(on_click: Any) -> rx.Component:
        return button(
            rx.cond(is_known(), pay, t("PAY")),
            icon("arrow"),
            look="primary wide",
            disabled=~is_known(),
            aria_busy=is_known() & WaitingRoomState.is_paying,
            on_click=on_click,
        )

    return rx.cond(
        connection_react.is_connected,
        pay_button(WaitingRoomState.pay),
        pay_button(connection_react.show_problem),
    )


def connection_line() -> rx.Component:
    """Render whether the server and the payment service can be reached."""
    return rx.el.p(
        rx.cond(
            connection_react.is_connected,
            rx.cond(
                connection_react.are_payments_up,
                rx.fragment(icon("tick"), t("Connected to the payment service")),
                rx.fragment(
                    icon("warning"),
                    t("The payment service isn't answering right now. You can still try."),
                ),
            ),
            rx.fragment(icon("warning"), t("No connection")),
        ),
        class_name="connection",
        role="status",
    )


PAGE = Page(
    route=routes.WAITING_ROOM,
    title=gettext_noop("Waiting room · FOOD_points"),
    description=gettext_noop("Look over your order once more, and pay for it."),
    content=waiting_room_page,
    on_load=[WaitingRoomState.open],
)
