"""The posters of the order confirmation: confirmed, refunded, not verified, server unreachable."""

from typing import Any

import reflex as rx

from campus_app.ordering.rules.notification import MissedCallStatus
from campus_app.ordering.rules.shortage import CANCELLED, CHOOSE
from campus_app.ordering.screens.confirmation_state import ConfirmationState
from campus_app.ordering.screens.cooking_state import CookingProgressState
from campus_app.ordering.screens.kitchen_progress import kitchen_progress
from campus_app.ordering.screens.orders_react import OrderNumber
from campus_app.ordering.screens.receipt_state import ReceiptState
from campus_app.ordering.screens.upi_payment import upi_payment
from campus_app.shared.rules.constants import CONFIRMATION_REDIRECT_SECONDS, SUPPORT_EMAIL
from campus_app.shared.rules.messages import ConfirmationMessage
from campus_app.shared.translations import t
from campus_app.shell.button import text_button
from campus_app.shell.device_react import is_home_blocked
from campus_app.shell.icon import icon
from campus_app.shell.layout import to_list
from campus_app.shell.more_below_react import MoreBelow
from campus_app.shell.overlay import phone_link
from campus_app.shell.sentence import sentence
from campus_app.shell.slots import Slot
from campus_app.shell.timers_react import CountdownText
from campus_app.shell.toast import folding_toasts, toast
from kit.text import gettext_noop

_DUE_AT_THE_RESTAURANT = gettext_noop("PLEASE PAY {amount} AT THE RESTAURANT")
_AMOUNT = "{amount}"
State = ConfirmationState
_PROGRESS: Any = CookingProgressState.states.get(ReceiptState.facts["token"], "")
READY_PUSH = Slot()
"""'Tell me when it is ready', for the order with a response token."""


def confirmed() -> rx.Component:
    """Render the thanks for a paid order, the amount due, and when the food comes."""
    thanks = rx.el.span(t("THANK YOU,"))
    gmail = t(
        "Kindly check your Gmail right now, for order info. Not there? Look in the spam folder."
    )
    return poster(
        t("ORDER CONFIRMED"),
        title(sentence("{thanks} {name}!", thanks=thanks, name=State.name)),
        kitchen_progress(ReceiptState.facts["token"]),
        refresh_after_choice(),
        facts(
            fact("mail", gmail),
            READY_PUSH(ReceiptState.facts["token"]),
            rx.cond(State.table != "", at_the_table(), on_its_way()),
            pay_by_upi(),
            call_the_kitchen(),
        ),
        due=rx.cond(State.amount_due != "", amount_due()),
    )


def refresh_after_choice() -> rx.Component:
    """Read the order again when its customer has chosen what becomes of a dish (10.67)."""
    is_short = (_PROGRESS == CHOOSE) | (_PROGRESS == CANCELLED)
    return rx.cond(is_short, rx.el.span(on_mount=State.poll, on_unmount=State.poll))


def refund() -> rx.Component:
    """Render the apology for a paid order that is refunded."""
    sorry = rx.el.span(t("SORRY,"))
    refunded = t("{amount} goes back to you. Do not pay again.", amount=State.refund_amount)
    return poster(
        t("MONEY COMES BACK"),
        title(sentence("{sorry} {name}.", sorry=sorry, name=State.name)),
        facts(
            fact("warning", t("Your payment arrived, but this order can't go ahead.")),
            rx.cond(State.hint != "", fact("bill", State.hint)),
            rx.cond(State.refund_amount != "", fact("tick", refunded)),
            call_the_kitchen(),
        ),
    )


def unverified() -> rx.Component:
    """Render the hint about an order whose payment is not verified."""
    return poster(
        t("NOT CONFIRMED YET"),
        rx.el.h1(State.hint, class_name="hint-title"),
        facts(
            fact("clock", t("We keep asking the payment service. Please do not pay again.")),
            contact_support(),
            call_the_kitchen(),
        ),
    )


def unreachable() -> rx.Component:
    """Render the view while the server is unreachable, from the browser's own data."""
    number = OrderNumber.create(words=t("Processing..."), data_testid="order-id")
    return rx.el.div(
        rx.el.p(t("NOT CONFIRMED YET"), class_name="stamp"),
        rx.el.h1(t(ConfirmationMessage.HAS_ERROR), class_name="hint-title"),
        rx.el.div(
            facts(
                fact("clock", t("We keep asking our server. Please do not pay again.")),
                contact_support(),
            ),
            class_name="poster-side",
        ),
        rx.el.div(rx.el.div(number, class_name="poster-foot"), class_name="dock"),
        class_name="wrap poster",
        role="status",
    )


def poster(
    stamp: str,
    heading: rx.Component,
    *side: rx.Component | rx.Var,
    due: rx.Component | rx.Var | None = None,
) -> rx.Component:
    """Render a stamp, a heading with its `side`, and the dock.

    The dock is at the lower edge of the window, at the same place whatever stands above it: the
    toasts, the amount due, and the foot with the order's number. Source: specification 2.39, 10.44.
    """
    return rx.el.div(
        rx.el.p(stamp, class_name="stamp"),
        heading,
        rx.el.div(*side, class_name="poster-side"),
        rx.el.div(notification_toasts(), due or rx.fragment(), foot(), class_name="dock"),
        class_name="wrap poster",
    )


def notification_toasts() -> rx.Component:
    """Render toasts for the e-mails and the missed call that were sent."""
    emails = f"{State.emails_sent}/{State.mails_due}"
    are_sent, is_called = State.emails_sent > 0, State.missed_call == MissedCallStatus.SUCCESS.value
    return folding_toasts(
        rx.cond(are_sent, toast("mail", t("Notified"), State.emails_text, emails)),
        rx.cond(
            is_called,
            toast("phone", t("MISSED CALL SENT"), t("Vendor notification sent")),
        ),
        news=rx.cond(are_sent | is_called, f"{emails} {State.missed_call}", ""),
    )


def title(words: rx.Component) -> rx.Component:
    """Render the heading with the customer's name, whose length sets the font size."""
    return rx.el.h1(words, style={"--characters": rx.Var.create(State.name).length()})


def amount_due() -> rx.Component:
    """Render the amount to pay upon delivery, or at the restaurant."""
    # Translations place the amount anywhere in the sentence.
    before, after = t(_DUE_AT_THE_RESTAURANT).split(_AMOUNT)
    is_table = State.table != ""
    return rx.el.p(
        rx.el.span(rx.cond(is_table, before.strip(), t("PLEASE PAY"))),
        " ",
        rx.el.b(State.amount_due, data_testid="amount-due"),
        " ",
        rx.el.span(rx.cond(is_table, after.strip(), t("UPON DELIVERY"))),
        class_name="amount-due",
        style={"--characters": rx.Var.create(State.amount_due).length()},
    )


def on_its_way() -> rx.Component:
    """Render the facts of a delivery."""
    delivery = t("Delivery initiated to {restaurant}", restaurant=State.restaurant)
    minutes = rx.el.span(State.minutes, class_name="unbroken")
    return rx.fragment(
        rx.cond(State.restaurant != "", fact("scooter", delivery)),
        fact(
            "clock",
            sentence(
                "You will be notified once we reach your location in {minutes} minutes",
                minutes=minutes,
            ),
        ),
    )


def at_the_table() -> rx.Component:
    """Render the facts of an order for a table. Source: specification S18."""
    return rx.fragment(
        fact("table", t("Your {table}. Pay the rest at the restaurant.", table=State.table)),
        fact("tick", t("{restaurant} cooks it for your table.", restaurant=State.restaurant)),
    )


def contact_support() -> rx.Component:
    """Render the support's e-mail address."""
    link = rx.el.a(SUPPORT_EMAIL, href=f"mailto:{SUPPORT_EMAIL}")
    return fact("mail", sentence("Support: {email}. Please name your order number.", email=link))


def call_the_kitchen() -> rx.Component:
    """Render the restaurant's phone number, if it is known."""
    link = rx.el.a(State.phone, href=phone_link(State.phone), class_name="figure")
    words = sentence("Questions? Call the kitchen: {phone}", phone=link)
    return rx.cond(State.phone != "", fact("phone", words))


def pay_by_upi() -> rx.Component:
    """Render the amount due by UPI, if the kitchen takes it."""
    payment = upi_payment(ReceiptState.upi_link, ReceiptState.upi_picture, State.amount_due)
    return rx.cond(ReceiptState.upi_link != "", rx.el.li(payment, class_name="upi-line"))


def facts(*lines: rx.Component | rx.Var) -> rx.Component:
    """Render lines that scroll with the page in low windows."""
    return rx.el.ul(*lines)


def fact(icon_name: str, words: Any) -> rx.Component:
    """Render one line of `facts`."""
    return rx.el.li(icon(icon_name), rx.el.span(words))


def foot() -> rx.Component:
    """Render the order's number, its receipt, and the redirect home, which can be stopped."""
    number = rx.cond(State.order_id != "", f"ORDER_ID: #{State.order_id}", t("Processing..."))
    return rx.el.div(
        MoreBelow.create(words=t("More below")),
        rx.el.span(number, data_testid="order-id"),
        rx.cond(
            ReceiptState.is_shown,
            rx.el.a(t("Your receipt"), href=ReceiptState.facts["path"], class_name="text-button"),
        ),
        rx.cond(
            # Nothing leads away from the link to an open choice.
            State.is_staying | (_PROGRESS == CHOOSE),
            rx.el.a(t("To the restaurants"), class_name="text-button", **to_list()),
            rx.fragment(
                CountdownText.create(
                    seconds=CONFIRMATION_REDIRECT_SECONDS,
                    words=rx.cond(
                        is_home_blocked,
                        t("Your order opens in {seconds} seconds..."),
                        t("Redirecting to home in {seconds} seconds..."),
                    ),
                    on_finish=State.leave(is_home_blocked),
                    data_testid="redirect-countdown",
                ),
                text_button(t("Stay on this page"), on_click=State.stay),
            ),
        ),
        class_name="poster-foot",
    )
