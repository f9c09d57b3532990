"""/waiting-room: a countdown, what is to be paid, and the button that pays it."""

from typing import Any

import reflex as rx

from campus_app import routes
from campus_app.components import browser
from campus_app.components.bill_slip import sum_line
from campus_app.components.icon import icon
from campus_app.components.layout import banner, numbered_label, screen
from campus_app.components.overlay import connection_overlay, processing_overlay
from campus_app.domain.messages import gettext_noop
from campus_app.states.banner import BannerState
from campus_app.states.reservation import ReservationState
from campus_app.states.waiting_room import WaitingRoomState
from campus_app.translations import t
from kit.reflex.pages import Page


def waiting_room_page() -> rx.Component:
    return rx.fragment(
        screen(
            clock(),
            pay_panel(),
            banner=banner(BannerState.message, BannerState.close),
            has_foot=False,
            class_name="waiting",
        ),
        browser.VisitWatch.create(mark=WaitingRoomState.visit, hydrated=rx.State.is_hydrated),
        rx.cond(is_known(), payment_start()),
        connection_overlay(WaitingRoomState.phone),
    )


def payment_start() -> rx.Component:
    """The overlay after PAY, until the payment page opens or an error is shown."""
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
        rx.cond(WaitingRoomState.has_problem, browser.ReportProblem.create()),
        browser.ExternalRedirect.create(url=WaitingRoomState.pay_url),
    )


def retry_countdown() -> rx.Component:
    """The countdown to an automatic retry, while the provider is busy."""
    return rx.fragment(
        t("Many people are paying at this moment. Your cart is kept and nothing was charged."),
        " ",
        browser.CountdownText.create(
            seconds=WaitingRoomState.retry_seconds,
            words=t("Trying again in {seconds} seconds..."),
            running=True,
            on_finish=WaitingRoomState.retry_payment,
            # Screen readers announce the overlay once, not each second.
            custom_attrs={"aria-live": "off", "data-testid": "retry-countdown"},
        ),
    )


def clock() -> rx.Component:
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
            browser.WaitingCountdown.create(
                seconds=rx.cond(is_known(), WaitingRoomState.seconds, -1),
                left=t("{seconds} seconds left to pay"),
                on_finish=WaitingRoomState.expire,
            ),
            class_name="wrap",
        ),
        class_name="waiting-clock",
    )


def is_known() -> Any:
    """Whether the server has sent the amounts and the time left."""
    return browser.is_answered & (WaitingRoomState.visit != "")


def is_over() -> Any:
    """Whether there is no time left to pay."""
    return is_known() & WaitingRoomState.is_over


def pay_panel() -> rx.Component:
    return rx.el.div(
        rx.cond(is_known(), sums(), rx.el.div(class_name="skeleton sums-skeleton")),
        rx.cond(is_over(), try_again_button(), pay_button()),
        rx.cond(
            is_known() & browser.is_checked, connection_line(), rx.el.p(class_name="connection")
        ),
        rx.el.a(t("Change your details"), href=routes.PERSONAL_INFO, class_name="text-button"),
        class_name="wrap pay-panel",
        aria_busy=~is_known(),
    )


def sums() -> rx.Component:
    bill = WaitingRoomState.bill
    return rx.el.dl(
        sum_line(
            WaitingRoomState.restaurant,
            bill["grand_total"],
            note=WaitingRoomState.summary,
        ),
        sum_line(
            rx.cond(
                ReservationState.is_ordering, t("Paid at the restaurant"), t("Paid at the door")
            ),
            bill["remaining"],
        ),
        sum_line(t("Paid now"), bill["online"], look="grand"),
        class_name="sums",
    )


def pay_button() -> rx.Component:
    return rx.cond(
        browser.is_connected,
        pay_button_that(WaitingRoomState.pay),
        pay_button_that(browser.show_problem),
    )


def pay_button_that(on_click: Any) -> rx.Component:
    pay_it = t("PAY {amount} NOW", amount=WaitingRoomState.bill["online"])
    return rx.el.button(
        rx.cond(is_known(), pay_it, t("PAY")),
        icon("arrow"),
        class_name="button primary wide",
        type="button",
        disabled=~is_known(),
        aria_busy=is_known() & WaitingRoomState.is_paying,
        on_click=on_click,
    )


def try_again_button() -> rx.Component:
    return rx.el.button(
        t("Try Again"),
        icon("refresh"),
        class_name="button primary wide asks",
        type="button",
        on_click=WaitingRoomState.return_to_details,
    )


def connection_line() -> rx.Component:
    return rx.el.p(
        rx.cond(
            browser.is_connected,
            rx.cond(
                browser.are_payments_up,
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
