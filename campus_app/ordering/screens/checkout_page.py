"""/checkout: the order summary and the donation."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_prompt import campus_dialog, campus_line, campus_prompt
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.catalogue.screens.promo_bar import table_banner
from campus_app.ordering.screens import cart_react
from campus_app.ordering.screens.bill_slip import NOTHING, bill_slip, slip_lines, sum_line
from campus_app.ordering.screens.cart_link import closing_notice
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.group_members import members_list
from campus_app.ordering.screens.order_sheets import OrderSheets
from campus_app.ordering.screens.pay_bar import pay_bar
from campus_app.ordering.screens.reservation_state import ReservationState
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import CONVENIENCE_FEE, DONATION_CHOICES
from campus_app.shared.rules.money import ZERO, Rupees, format_rupees
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.button import button
from campus_app.shell.icon import icon
from campus_app.shell.layout import loading_screen, screen, screen_head
from campus_app.shell.timers_react import Timeout, after
from kit.reflex.pages import Page
from kit.text import gettext_noop

_MEMBERS: Any = CheckoutState.members
_IS_GROUP_ORDER = _MEMBERS.length() > 0


def checkout_page() -> rx.Component:
    """Render the summary of the cart, or a skeleton until the server has sent it."""
    summary = rx.el.div(
        screen_head("01", t("ORDER SUMMARY"), CheckoutState.restaurant),
        campus_line(CheckoutState.campus),
        rx.el.div(
            rx.el.div(split(), who_chose_what(), donation()),
            rx.el.aside(
                slip(),
                pay_bar(
                    CheckoutState.bill["online"],
                    button(
                        t("NEXT"),
                        icon("arrow"),
                        look="primary wide asks",
                        on_click=CheckoutState.next,
                    ),
                ),
            ),
            class_name="two-columns with-pay-bar",
        ),
        class_name="wrap",
    )
    return screen(
        OrderSheets.create(),
        rx.cond(ReservationState.is_ordering, table_banner(ReservationState.table)),
        closing_notice(),
        rx.cond(CheckoutState.restaurant != "", summary, loading_screen(t("Order summary"))),
        campus_dialog(CheckoutState.change_campus),
        rx.cond(
            (CheckoutState.campus_id != "") & (CampusState.selected != CheckoutState.campus_id),
            # Another tab has changed the campus.
            Timeout.create(ms=0, on_done=CheckoutState.open),
        ),
        after(CheckoutState.offer_ms, CheckoutState.open),
        rx.cond(ReservationState.is_ordering, after(ReservationState.held_ms, CheckoutState.open)),
        banner=banner(),
        prompt=campus_prompt(
            CheckoutState.change_campus,
            missing=CheckoutState.lacks_campus & (CampusState.selected == ""),
        ),
    )


def split() -> rx.Component:
    """Render the two parts of the bill: paid online now, and paid at the door or the restaurant."""
    bill, is_for_table = CheckoutState.bill, ReservationState.is_ordering
    return rx.el.div(
        rx.el.div(
            rx.el.h2(t("To pay now")),
            rx.el.span(bill["online"], class_name="amount", data_testid="pay-online"),
            rx.el.ul(
                rx.foreach(
                    CheckoutState.online_workings,
                    lambda step: working(step["label"], step["amount"]),
                ),
                class_name="workings",
            ),
            rx.el.p(t("Online, so the kitchen can start cooking.")),
            class_name="split-part now",
        ),
        rx.el.div(
            rx.el.h2(rx.cond(is_for_table, t("To pay at the restaurant"), t("To pay at the door"))),
            rx.el.span(bill["remaining"], class_name="amount", data_testid="pay-later"),
            rx.el.ul(
                working(t("Grand total"), bill["grand_total"]),
                working(t("To pay now"), "−" + bill["online"]),
                class_name="workings",
            ),
            rx.el.p(
                rx.cond(
                    is_for_table,
                    t("At your table, when you have eaten."),
                    t("To the delivery agent, when the food is in your hands."),
                )
            ),
            class_name="split-part",
        ),
        class_name="split first",
    )


def working(label: str, amount: str) -> rx.Component:
    """Render one amount of the calculation of a part."""
    return rx.el.li(rx.el.span(label), rx.el.b(amount, class_name="figure"))


def who_chose_what() -> rx.Component:
    """Render the members of a group order with their dishes; nothing for an ordinary cart."""
    return rx.cond(
        _IS_GROUP_ORDER,
        rx.el.section(
            rx.el.h2(t("Who chose what")),
            members_list(_MEMBERS),
            class_name="who-chose-what",
        ),
    )


def donation() -> rx.Component:
    """Render the choice of a donation, which drops the convenience fee."""
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
    """Render the radio button of an amount."""
    is_none = amount == ZERO
    return rx.el.label(
        rx.el.input(
            type="radio",
            name="donation",
            value=str(amount),
            # Uncontrolled: the choice shows before the server responds.
            default_checked=CheckoutState.donation == str(amount),
            on_change=CheckoutState.choose_donation(str(amount)),
        ),
        rx.el.span(t("No donation") if is_none else format_rupees(amount)),
        class_name="choice words" if is_none else "choice",
    )


def slip() -> rx.Component:
    """Render the bill with its dishes and sums."""
    bill = CheckoutState.bill
    return bill_slip(
        "02",
        t("THE BILL"),
        CheckoutState.dishes,
        slip_lines(CheckoutState.lines),
        rx.el.div(
            rx.el.a(t("Change dishes"), href=CheckoutState.menu, class_name="text-button"),
            rx.cond(
                _IS_GROUP_ORDER,
                rx.fragment(),
                rx.fragment(
                    rx.el.a(
                        t("Order with others"),
                        href=CheckoutState.group_order,
                        class_name="text-button",
                    ),
                    cart_react.ShareLink.create(
                        t("Share these dishes"),
                        path=cart_react.shared_cart_path(CartState.cart),
                        copied=t("The link is copied."),
                    ),
                ),
            ),
            class_name="slip-actions",
        ),
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


PAGE = Page(
    route=routes.CHECKOUT,
    title=gettext_noop("Order summary · FOOD_points"),
    description=gettext_noop(
        "What is in your cart, what it costs, and how much of it you pay now."
    ),
    content=checkout_page,
    on_load=[CheckoutState.open],
)
