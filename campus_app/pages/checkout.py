"""/checkout: the order summary, the donation, the note for the kitchen."""

from typing import Any

import reflex as rx

from campus_app import routes
from campus_app.components import browser
from campus_app.components.bill_slip import (
    NOTHING,
    bill_slip,
    slip_line,
    split_part,
    sum_line,
    working,
)
from campus_app.components.campus_prompt import campus_dialog, campus_line, campus_prompt
from campus_app.components.icon import icon
from campus_app.components.layout import banner, screen, screen_head
from campus_app.components.table_banner import after, table_banner
from campus_app.domain.campus import Campus
from campus_app.domain.constants import CONVENIENCE_FEE, DONATION_CHOICES, MAXIMUM_NOTE_CHARACTERS
from campus_app.domain.messages import gettext_noop
from campus_app.domain.money import ZERO, Rupees, format_rupees
from campus_app.states.banner import BannerState
from campus_app.states.campus import CampusState
from campus_app.states.checkout import NOTE_FIELD, CheckoutState
from campus_app.states.reservation import ReservationState
from campus_app.translations import t
from kit.reflex.pages import Page


def checkout_page() -> rx.Component:
    summary = rx.el.div(
        screen_head("01", t("ORDER SUMMARY"), CheckoutState.restaurant),
        campus_line(CheckoutState.campus),
        rx.el.div(
            rx.el.div(split(), donation(), note()),
            rx.el.aside(slip(), next_button()),
            class_name="two-columns",
        ),
        class_name="wrap",
    )
    return screen(
        rx.cond(ReservationState.is_ordering, table_banner(ReservationState.table)),
        rx.cond(CheckoutState.restaurant != "", summary, skeleton()),
        campus_dialog(change_campus),
        rx.cond(
            (CheckoutState.campus_id != "") & (CampusState.selected != CheckoutState.campus_id),
            # Another tab has changed the campus.
            browser.Timeout.create(ms=0, on_done=CheckoutState.open),
        ),
        after(CheckoutState.offer_ms, CheckoutState.open),
        rx.cond(ReservationState.is_ordering, after(ReservationState.held_ms, CheckoutState.open)),
        banner=banner(BannerState.message, BannerState.close),
        prompt=campus_prompt(
            change_campus, missing=CheckoutState.lacks_campus & (CampusState.selected == "")
        ),
    )


def change_campus(campus: Campus) -> Any:
    return CheckoutState.change_campus(campus.value)


def split() -> rx.Component:
    bill, is_for_table = CheckoutState.bill, ReservationState.is_ordering
    return rx.el.div(
        rx.el.div(
            *split_part(
                t("Paid now"),
                bill["online"],
                "pay-online",
                rx.foreach(
                    CheckoutState.online_workings,
                    lambda step: working(step["label"], step["amount"]),
                ),
                t("Online, so the kitchen can start cooking."),
            ),
            class_name="split-part now",
        ),
        rx.el.div(
            *split_part(
                rx.cond(is_for_table, t("Paid at the restaurant"), t("Paid at the door")),
                bill["remaining"],
                "pay-later",
                rx.fragment(
                    working(t("Grand total"), bill["grand_total"]),
                    working(t("Paid now"), "−" + bill["online"]),
                ),
                rx.cond(
                    is_for_table,
                    t("At your table, when you have eaten."),
                    t("To the delivery agent, when the food is in your hands."),
                ),
            ),
            class_name="split-part",
        ),
        class_name="split first",
    )


def donation() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(t("A little for the campus dogs")),
        rx.el.p(
            t(
                "Donate any amount and we drop the {fee} convenience fee.",
                fee=format_rupees(CONVENIENCE_FEE),
            )
        ),
        rx.el.img(
            src="/images/campus-dog.svg", alt="", custom_attrs={"width": "240", "height": "182"}
        ),
        rx.el.div(*map(donation_choice, DONATION_CHOICES), class_name="choices"),
        class_name="donation",
    )


def donation_choice(amount: Rupees) -> rx.Component:
    is_none = amount == ZERO
    return rx.el.label(
        rx.el.input(
            type="radio",
            name="donation",
            value=str(amount),
            # Uncontrolled: the choice shows immediately, before the server has answered.
            default_checked=CheckoutState.donation == str(amount),
            on_change=CheckoutState.choose_donation(str(amount)),
        ),
        rx.el.span(t("No donation") if is_none else format_rupees(amount)),
        class_name="choice words" if is_none else "choice",
    )


def note() -> rx.Component:
    return rx.el.div(
        rx.el.label(t("Note for the kitchen"), html_for="note"),
        rx.el.span(
            t("Optional. Allergies, less spice, no onion."), class_name="hint", id="note-hint"
        ),
        browser.DraftField.create(
            kind="area",
            id="note",
            name=NOTE_FIELD,
            draft_key=browser.draft_key(NOTE_FIELD),
            value=CheckoutState.note,
            max_length=MAXIMUM_NOTE_CHARACTERS,
            aria_describedby="note-hint",
            on_blur=CheckoutState.store_note,
        ),
        class_name="field kitchen-note",
    )


def slip() -> rx.Component:
    bill = CheckoutState.bill
    return bill_slip(
        "02",
        t("THE BILL"),
        CheckoutState.dishes,
        rx.el.ul(
            rx.foreach(
                CheckoutState.lines,
                lambda line: slip_line(line["times"], line["name"], line["total"]),
            ),
            class_name="bill-lines",
        ),
        rx.el.a(t("Change dishes"), href=CheckoutState.menu, class_name="text-button"),
        rx.el.dl(
            sum_line(t("Subtotal"), bill["subtotal"], test_id="subtotal"),
            sum_line(
                t("Discount"),
                bill["discount"],
                note=bill["discount_name"],
                test_id="discount",
                look=rx.cond(bill["discount"] != NOTHING, "minus", ""),
            ),
            sum_line(
                t("Delivery fee"),
                bill["delivery_fee"],
                note=CheckoutState.delivered_to,
                test_id="delivery-fee",
            ),
            sum_line(
                t("Convenience fee"),
                bill["convenience_fee"],
                note=t("Dropped when you donate"),
                test_id="convenience-fee",
            ),
            sum_line(t("Donation"), bill["donation"], test_id="donation"),
            sum_line(t("Grand total"), bill["grand_total"], test_id="grand-total", look="grand"),
            class_name="sums",
        ),
    )


def next_button() -> rx.Component:
    return rx.el.button(
        t("NEXT"),
        icon("arrow"),
        class_name="button primary wide after-slip asks",
        type="button",
        on_click=CheckoutState.next,
    )


def skeleton() -> rx.Component:
    return rx.el.div(
        rx.el.div(class_name="skeleton-line title"),
        rx.el.div(class_name="skeleton block"),
        rx.el.h1(t("Order summary"), class_name="visually-hidden"),
        class_name="wrap loading-screen",
        aria_busy="true",
    )


PAGE = Page(
    route=routes.CHECKOUT,
    title=gettext_noop("Order summary · FOOD_points"),
    description=gettext_noop(
        "What is in your cart, what it costs, and how much of it is paid now."
    ),
    content=checkout_page,
    on_load=[CheckoutState.open],
)
