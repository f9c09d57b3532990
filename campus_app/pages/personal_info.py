"""/personal-info: who the food is for, and how it is paid."""

from typing import Any

import reflex as rx

from campus_app import routes
from campus_app.components import browser
from campus_app.components.bill_slip import bill_slip, sum_line
from campus_app.components.icon import icon
from campus_app.components.layout import banner, screen, screen_head
from campus_app.components.sentence import sentence
from campus_app.components.table_banner import table_banner
from campus_app.components.text_field import FieldSpec, FieldState, text_field
from campus_app.domain.customer import ADDRESS
from campus_app.domain.messages import gettext_noop
from campus_app.states.banner import BannerState
from campus_app.states.customer import CustomerState
from campus_app.states.reservation import ReservationState
from campus_app.translations import t
from kit.reflex.pages import Page

_LAST_STEP = "last-step"

_NAME = FieldSpec("fullName", gettext_noop("Full name"), "text", "name")
_EMAIL = FieldSpec(
    "email", gettext_noop("Email"), "email", "email", gettext_noop("Order updates go here.")
)
_PHONE = FieldSpec(
    "phoneNumber",
    gettext_noop("Phone number"),
    "tel",
    "tel",
    gettext_noop("The delivery agent calls this number."),
)
_ADDRESS = FieldSpec(
    ADDRESS,
    gettext_noop("Address"),
    "area",
    "street-address",
    gettext_noop("Hostel, block and room, or the nearest gate."),
)
_IS_KNOWN = CustomerState.restaurant != ""
"""Whether the server has answered; before that, tables and deliveries can't be told apart."""


def personal_info_page() -> rx.Component:
    form = rx.el.form(
        rx.el.div(
            payment_failed(),
            alert(),
            field(_NAME),
            field(_EMAIL),
            field(
                _PHONE,
                hint=by_order_type(
                    t("The restaurant calls this number."), t(_PHONE.hint), "\u00a0"
                ),
            ),
            rx.cond(
                ReservationState.is_ordering,
                rx.fragment(),
                rx.el.div(field(_ADDRESS), class_name=rx.cond(_IS_KNOWN, "", "unseen")),
            ),
            payment(),
        ),
        rx.el.aside(to_pay(), rx.el.div(confirm_notice(), next_button(), id=_LAST_STEP)),
        class_name="two-columns",
        no_validate=True,
        on_submit=CustomerState.next,
        reset_on_submit=False,
    )
    return screen(
        rx.cond(ReservationState.is_ordering, table_banner(ReservationState.table)),
        rx.el.div(
            screen_head("02", t("CONTACT DETAILS"), t("Who is it for?")), form, class_name="wrap"
        ),
        banner=banner(BannerState.message, BannerState.close),
    )


def by_order_type(table: Any, delivery: Any, unknown: Any) -> Any:
    """Return the text for a table, for a delivery, or while that is unknown."""
    return rx.cond(ReservationState.is_ordering, table, rx.cond(_IS_KNOWN, delivery, unknown))


def field(spec: FieldSpec, *, hint: Any = None) -> rx.Component:
    return text_field(
        spec,
        FieldState(
            CustomerState.values[spec.name],
            CustomerState.errors[spec.name],
        ),
        on_edit=rx.cond(
            (CustomerState.errors[spec.name] != "") | (CustomerState.confirmed_email != ""),
            CustomerState.edit(spec.name),
            rx.noop(),
        ),
        on_leave=lambda value: CustomerState.store_value(spec.name, value),
        hint=hint,
    )


def payment_failed() -> rx.Component:
    return rx.cond(
        CustomerState.payment_error != "",
        rx.el.div(
            icon("warning"),
            rx.el.strong(t("Payment Failed")),
            rx.el.p(CustomerState.payment_error),
            class_name="notice bad",
            role="alert",
        ),
    )


def alert() -> rx.Component:
    return rx.el.div(
        rx.cond(
            CustomerState.alert != "",
            rx.el.div(icon("warning"), rx.el.strong(CustomerState.alert), class_name="notice bad"),
        ),
        role="alert",
    )


def confirm_notice() -> rx.Component:
    """The details to confirm, shown above NEXT after the first click."""
    shown = rx.el.div(
        icon("mail"),
        rx.el.strong(t("Check your details, then press NEXT again")),
        rx.el.p(
            sentence(
                "Order updates go to {email} and {phone}. If the e-mail is missing, look in spam.",
                email=rx.el.b(CustomerState.confirmed_email),
                phone=rx.el.b(CustomerState.confirmed_phone),
            )
        ),
        rx.cond(
            CustomerState.likely_email != "",
            rx.el.p(sentence("Did you mean {email}?", email=rx.el.b(CustomerState.likely_email))),
        ),
        browser.ScrollIntoView.create(target=_LAST_STEP),
        class_name="notice tip after-slip",
    )
    return rx.el.div(rx.cond(CustomerState.confirmed_email != "", shown), role="status")


def payment() -> rx.Component:
    online = rx.cond(CustomerState.restaurant != "", CustomerState.bill["online"], "₹…")
    return rx.el.fieldset(
        rx.el.legend(t("Payment method"), class_name="block-title"),
        rx.el.div(
            rx.el.label(
                rx.el.input(type="radio", name="payment", value="upi", default_checked=True),
                rx.el.strong("UPI"),
                rx.el.span(t("{amount} now", amount=online), class_name="figure"),
                rx.el.small(
                    by_order_type(
                        t("Any UPI app. The rest in cash or UPI at the restaurant."),
                        t("Any UPI app. The rest in cash or UPI at the door."),
                        t("Any UPI app."),
                    )
                ),
                class_name="pay-option",
            ),
            rx.el.label(
                rx.el.input(type="radio", name="payment", value="card", disabled=True),
                rx.el.strong(t("Card")),
                rx.el.span(t("UNAVAILABLE"), class_name="status-badge unavailable"),
                rx.el.small(t("Card payment is unavailable.")),
                class_name="pay-option",
            ),
            class_name="pay-options",
        ),
        class_name="payment-method",
    )


def to_pay() -> rx.Component:
    bill = CustomerState.bill
    return bill_slip(
        "03",
        t("TO PAY"),
        CustomerState.restaurant,
        rx.el.dl(
            sum_line(t("Grand total"), bill["grand_total"]),
            sum_line(
                by_order_type(t("Paid at the restaurant"), t("Paid at the door"), t("Paid later")),
                bill["remaining"],
            ),
            sum_line(t("Paid now"), bill["online"], look="grand"),
            class_name="sums spaced",
        ),
    )


def next_button() -> rx.Component:
    return rx.el.button(
        t("NEXT"), icon("arrow"), class_name="button primary wide after-slip asks", type="submit"
    )


PAGE = Page(
    route=routes.PERSONAL_INFO,
    title=gettext_noop("Contact details · FOOD_points"),
    description=gettext_noop("Where your food goes, and how the restaurant reaches you."),
    content=personal_info_page,
    on_load=[CustomerState.open],
)
