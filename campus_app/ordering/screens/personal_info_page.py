"""/personal-info: the customer's contact details and the payment method."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.promo_bar import table_banner
from campus_app.ordering.rules.customer import ADDRESS, PHONE_PREFIX
from campus_app.ordering.screens.bill_slip import bill_slip, sum_line
from campus_app.ordering.screens.contact_field import FieldSpec, contact_field
from campus_app.ordering.screens.customer_state import AGAIN, NEXT_BUTTON, CustomerState
from campus_app.ordering.screens.instructions import instructions
from campus_app.ordering.screens.order_sheets import OrderSheets
from campus_app.ordering.screens.pay_bar import pay_bar
from campus_app.ordering.screens.remembered import as_remembered, remember_box
from campus_app.ordering.screens.reservation_state import ReservationState
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.button import button
from campus_app.shell.focus_react import ScrollIntoView
from campus_app.shell.icon import icon
from campus_app.shell.layout import screen, screen_head
from campus_app.shell.sentence import sentence
from kit.reflex.pages import Page
from kit.text import gettext_noop

_TO_CONFIRM = "details-to-confirm"

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
    blank=f"{PHONE_PREFIX} ",
)
_ADDRESS = FieldSpec(
    ADDRESS,
    gettext_noop("Address"),
    "area",
    "street-address",
    gettext_noop("Hostel, block and room, or the nearest gate."),
)
_IS_KNOWN = CustomerState.restaurant != ""
"""Whether the server has sent the order, and with it whether it is for a table."""


def personal_info_page() -> rx.Component:
    """Render the form of the contact details beside the amounts to pay."""
    next_button = button(
        t("NEXT"),
        icon("arrow"),
        look="primary wide asks",
        type="submit",
        id=NEXT_BUTTON,
    )
    form = rx.el.form(
        rx.el.div(
            # After a failed payment its button is the next step, not NEXT; the check of the details
            # contradicts that they need none.
            rx.cond(
                CustomerState.payment_error != "",
                payment_failed(),
                rx.cond(CustomerState.confirmed_email != "", rx.fragment(), as_remembered()),
            ),
            details_alert(),
            contact_field(_NAME),
            contact_field(_EMAIL, replaces=CustomerState.mistyped_email),
            contact_field(
                _PHONE,
                hint=by_order_type(
                    t("The restaurant calls this number."), t(_PHONE.hint), "\u00a0"
                ),
            ),
            rx.cond(
                ReservationState.is_ordering,
                rx.fragment(),
                rx.el.div(
                    contact_field(_ADDRESS, subject=CustomerState.campus),
                    class_name=rx.cond(_IS_KNOWN, "", "unseen"),
                ),
            ),
            remember_box(),
            instructions(),
            payment(),
        ),
        rx.el.aside(to_pay(), details_to_confirm(), pay_bar(online(), next_button)),
        class_name="two-columns with-pay-bar",
        no_validate=True,
        on_submit=CustomerState.next,
        reset_on_submit=False,
    )
    return screen(
        OrderSheets.create(),
        rx.cond(ReservationState.is_ordering, table_banner(ReservationState.table)),
        rx.el.div(
            screen_head("02", t("CONTACT DETAILS"), t("Who is it for?")), form, class_name="wrap"
        ),
        banner=banner(),
    )


def by_order_type(table: Any, delivery: Any, unknown: Any) -> Any:
    """Return the text for a table, for a delivery, or while that is unknown."""
    return rx.cond(ReservationState.is_ordering, table, rx.cond(_IS_KNOWN, delivery, unknown))


def payment_failed() -> rx.Component:
    """Render the error of the previous payment, and the button that pays again."""
    return rx.el.div(
        icon("warning"),
        rx.el.strong(t("Payment Failed")),
        rx.el.p(CustomerState.payment_error),
        button(
            t("Try the payment again"),
            icon("refresh"),
            look="asks",
            type="submit",
            value=AGAIN,
        ),
        class_name="notice bad",
        role="alert",
    )


def details_alert() -> rx.Component:
    """Render the error about the details as a whole."""
    return rx.el.div(
        rx.cond(
            CustomerState.alert != "",
            rx.el.div(icon("warning"), rx.el.strong(CustomerState.alert), class_name="notice bad"),
        ),
        role="alert",
    )


def details_to_confirm() -> rx.Component:
    """Render the details to confirm, above NEXT, after the first click on it."""
    shown = rx.el.div(
        icon("mail"),
        rx.el.strong(t("Check your details, then press NEXT again")),
        rx.el.dl(
            detail(_NAME.label, CustomerState.confirmed_name),
            optional_detail(gettext_noop("Campus"), CustomerState.confirmed_campus),
            optional_detail(_ADDRESS.label, CustomerState.confirmed_address),
        ),
        rx.el.p(
            sentence(
                "Order updates go to {email} and {phone}. If the e-mail is missing, look in spam.",
                email=rx.el.b(CustomerState.confirmed_email),
                phone=rx.el.b(CustomerState.confirmed_phone),
            )
        ),
        rx.cond(CustomerState.likely_email != "", suggestion()),
        ScrollIntoView.create(target=_TO_CONFIRM),
        class_name="notice tip after-slip",
        id=_TO_CONFIRM,
    )
    return rx.el.div(rx.cond(CustomerState.confirmed_email != "", shown), role="status")


def detail(label: str, value: Any) -> rx.Component:
    """Render one of the details to confirm."""
    return rx.el.div(rx.el.dt(t(label)), rx.el.dd(value, dir="auto"))


def optional_detail(label: str, value: Any) -> rx.Component:
    """Render one of the details to confirm, unless it is empty."""
    return rx.cond(value != "", detail(label, value))


def suggestion() -> rx.Component:
    """Render the button that takes the probable correction of the e-mail address."""
    return button(
        rx.el.span(sentence("Did you mean {email}?", email=rx.el.b(CustomerState.likely_email))),
        look="suggestion",
        on_click=CustomerState.correct_email,
    )


def online() -> Any:
    """Return the amount that is paid online, as text."""
    return rx.cond(_IS_KNOWN, CustomerState.bill["online"], "₹…")


def payment() -> rx.Component:
    """Render the payment methods: UPI, and the unavailable card."""
    return rx.el.fieldset(
        rx.el.legend(t("Payment method"), class_name="block-title"),
        rx.el.div(
            rx.el.label(
                rx.el.input(type="radio", name="payment", value="upi", default_checked=True),
                rx.el.strong("UPI"),
                rx.el.span(t("{amount} now", amount=online()), class_name="figure"),
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
    """Render the amounts that are paid now and later."""
    bill = CustomerState.bill
    return bill_slip(
        "03",
        t("TO PAY"),
        CustomerState.restaurant,
        rx.el.dl(
            sum_line(t("Grand total"), bill["grand_total"]),
            sum_line(
                by_order_type(
                    t("To pay at the restaurant"), t("To pay at the door"), t("To pay later")
                ),
                bill["remaining"],
            ),
            sum_line(t("To pay now"), bill["online"], look="grand"),
            class_name="sums spaced",
        ),
    )


PAGE = Page(
    route=routes.PERSONAL_INFO,
    title=gettext_noop("Contact details · FOOD_points"),
    description=gettext_noop("Where your food goes, and how the restaurant reaches you."),
    content=personal_info_page,
    on_load=[CustomerState.open],
)
