"""The receipt of a paid order: as a screen, and for another screen to print."""

from typing import Any

import reflex as rx

from campus_app.ordering.screens.bill_slip import NOTHING, bill_slip, slip_lines, sum_line
from campus_app.ordering.screens.cart_link import cart_link
from campus_app.ordering.screens.kitchen_progress import kitchen_progress
from campus_app.ordering.screens.order_sheets import OrderSheets
from campus_app.ordering.screens.receipt_state import ReceiptState
from campus_app.ordering.screens.reorder_state import ReorderState
from campus_app.ordering.screens.replace_cart import replace_cart_dialog
from campus_app.ordering.screens.shortage import shortage_choices
from campus_app.ordering.screens.upi_payment import upi_payment
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import NOTIFICATION_POLL_SECONDS
from campus_app.shared.translations import t
from campus_app.shell import page_react
from campus_app.shell.banner import banner
from campus_app.shell.button import button
from campus_app.shell.layout import screen, screen_head, to_restaurants
from campus_app.shell.overlay import phone_link
from campus_app.shell.sentence import sentence
from campus_app.shell.timers_react import Interval
from kit.reflex.connection_texts import ConnectionTexts

_MS = 1000
State = ReceiptState


def receipt_screen() -> rx.Component:
    """Render the receipt as a screen of its own, with PRINT."""
    return screen(
        OrderSheets.create(),
        rx.el.div(
            receipt(shortage_choices()),
            rx.el.div(
                button(t("PRINT"), look="primary", on_click=page_react.print_page),
                button(
                    t("Order again"),
                    look="asks",
                    on_click=ReorderState.order_again(State.facts["token"]),
                ),
                to_restaurants("text-button"),
                rx.el.p(
                    t("This address is your receipt, on any device. Whoever has it can read it."),
                    class_name="hint",
                ),
                class_name="receipt-actions",
            ),
            class_name="wrap",
        ),
        rx.cond(
            State.are_notifications_pending,
            Interval.create(ms=NOTIFICATION_POLL_SECONDS * _MS, on_tick=State.refresh),
        ),
        replace_cart_dialog(),
        safe_order_texts(),
        current=routes.UNDER_PROGRESS,
        banner=banner(),
        cart=cart_link(),
    )


def safe_order_texts() -> rx.Component:
    """Replace the texts of a lost connection: they are about the cart, and the order is safe."""
    return ConnectionTexts.create(
        words=t("The connection is lost. Your order is safe; each tap tries again."),
        silent=t("No answer from the server yet. Your order is safe."),
    )


def printed_receipt() -> rx.Component:
    """Render the receipt that another screen prints instead of itself."""
    return page_react.PrintOnly.create(
        rx.cond(State.is_shown, rx.el.div(receipt(), class_name="wrap printed"))
    )


def receipt(choices: rx.Component | rx.Var[Any] | None = None) -> rx.Component:
    """Render the order, its notifications and its bill; `choices` stand above the order."""
    return rx.el.div(
        screen_head("03", t("RECEIPT"), t("Order #{number}", number=State.facts["number"])),
        rx.el.div(
            rx.el.div(
                rx.el.p(State.facts["stamp"], class_name="stamp"),
                kitchen_progress(State.facts["token"], asks=choices is not None),
                choices or rx.fragment(),
                order_facts(),
                notification_states(),
            ),
            rx.el.div(receipt_bill()),
            class_name="two-columns",
        ),
        class_name="receipt",
        data_testid="receipt",
    )


def order_facts() -> rx.Component:
    """Render the state of the order, the customer, the restaurant and the place."""
    facts = State.facts
    return rx.fragment(
        rx.cond(
            facts["reason"] != "",
            rx.el.p(
                rx.cond(
                    facts["delivers"] != "",
                    t("{reason} Nothing will be delivered.", reason=facts["reason"]),
                    t("{reason} Nothing will be cooked.", reason=facts["reason"]),
                ),
                class_name="lead",
            ),
        ),
        rx.cond(
            facts["money_back"] != "",
            rx.el.p(rx.el.b(facts["money_back"]), data_testid="money-back"),
        ),
        rx.el.dl(
            fact(t("For"), facts["name"]),
            fact(t("From"), facts["restaurant"]),
            fact(t("Where"), facts["where"]),
            optional_fact(t("Note for the kitchen"), facts["note"]),
            optional_fact(t("Cutlery"), facts["cutlery"]),
            fact(t("Placed"), facts["placed"]),
            fact(facts["paid_label"], facts["paid"]),
            rx.cond(facts["phone"] != "", fact(t("Questions"), call_the_kitchen())),
            class_name="facts-list",
        ),
    )


def call_the_kitchen() -> rx.Component:
    """Render the restaurant's phone number."""
    phone = State.facts["phone"]
    link = rx.el.a(phone, href=phone_link(phone), class_name="figure")
    return sentence("Call the kitchen: {phone}", phone=link)


def fact(label: str, words: str | rx.Component) -> rx.Component:
    """Render a labelled fact."""
    return rx.el.div(rx.el.dt(label), rx.el.dd(words))


def optional_fact(label: str, words: str) -> rx.Component:
    """Render a labelled fact, unless it is empty."""
    return rx.cond(words != "", fact(label, words))


def notification_states() -> rx.Component:
    """Render the progress of each notification."""
    return rx.el.section(
        rx.el.h2(t("Who has been told"), class_name="block-title"),
        rx.el.dl(
            rx.foreach(
                State.notifications,
                lambda notice: rx.el.div(rx.el.dt(notice["who"]), rx.el.dd(notice["progress"])),
            ),
            class_name="facts-list",
        ),
        class_name="told",
        role="status",
    )


def optional_sum(label: str, amount: str, note: str = "", look: str = "") -> rx.Component:
    """Render a sum, unless it is zero."""
    return rx.cond(amount != NOTHING, sum_line(label, amount, note=note, look=look))


def receipt_bill() -> rx.Component:
    """Render the bill with its dishes and sums."""
    facts = State.facts
    return bill_slip(
        "04",
        t("THE BILL"),
        facts["dishes"],
        slip_lines(State.lines),
        rx.el.dl(
            sum_line(t("Subtotal"), facts["subtotal"]),
            optional_sum(t("Discount"), facts["discount"], facts["discount_name"], look="minus"),
            optional_sum(t("Delivery fee"), facts["delivery_fee"]),
            optional_sum(t("Convenience fee"), facts["convenience_fee"]),
            optional_sum(t("Donation for the campus dogs"), facts["donation"]),
            sum_line(t("Grand total"), facts["grand_total"], test_id="grand-total", look="grand"),
            rx.cond(
                facts["due"] != "",
                rx.fragment(
                    sum_line(t("Paid online"), facts["online"], test_id="pay-online"),
                    sum_line(facts["due_label"], facts["due"], test_id="amount-due", look="grand"),
                ),
            ),
            class_name="sums",
        ),
        rx.cond(State.upi_link != "", upi_payment(State.upi_link, State.upi_picture, facts["due"])),
    )
