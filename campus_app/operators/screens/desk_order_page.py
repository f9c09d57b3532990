"""/desk/orders/{id}: one order, with all that happened to it."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_frame import desk_page, field, section
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.button import button
from campus_app.shell.icon import icon
from campus_app.shell.overlay import phone_link
from kit.reflex.pages import Page
from kit.text import gettext_noop

State = DeskState
_ORDER: Any = DeskState.order
_CONTACT: Any = DeskState.contact


def order_page() -> rx.Component:
    """Render an order."""
    return desk_page(
        DeskArea.ORDERS,
        _ORDER["number"],
        rx.el.p(rx.el.a(icon("back"), t("Today"), href=routes.DESK), class_name="desk-back"),
        rx.cond(_ORDER["id"], rx.fragment(_head(), _body()), _unknown()),
    )


def _unknown() -> rx.Component:
    return rx.el.h1(t("There is no such order"))


def _head() -> rx.Component:
    return rx.el.header(
        rx.el.h1(_ORDER["number"]),
        rx.el.span(_ORDER["state"], data_look=_ORDER["look"], class_name="desk-state"),
        rx.el.p(_ORDER["kitchen"], " · ", _ORDER["campus"]),
        rx.cond(_ORDER["table"] != "", rx.el.p(icon("table"), _ORDER["table"])),
        class_name="desk-order-head",
    )


def _body() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            section(
                t("What happened"),
                rx.el.ol(
                    rx.foreach(_ORDER["entries"], _entry),
                    class_name="timeline",
                    data_testid="timeline",
                ),
            ),
        ),
        rx.el.div(
            section(t("Bill"), _rows(_ORDER["dishes"]), _rows(_ORDER["bill"])),
            section(t("Customer"), _customer()),
            rx.cond(
                (_ORDER["left"] != "") | (_ORDER["due"] != ""),
                section(t("Give money back"), _refund()),
            ),
            rx.cond(
                _ORDER["failed"],
                section(
                    t("E-mails and call"),
                    rx.el.p(t("Some could not be sent.")),
                    button(t("Send again"), on_click=State.send_again),
                ),
            ),
        ),
        class_name="desk-columns",
    )


def _entry(entry: Any) -> rx.Component:
    return rx.el.li(
        rx.el.time(entry["at"], class_name="figure"),
        rx.el.div(
            rx.el.b(entry["what"]),
            rx.cond(entry["detail"] != "", rx.el.p(entry["detail"], class_name="desk-words")),
            rx.cond(
                entry["code"] != "",
                rx.el.p(rx.el.code(entry["code"]), class_name="desk-words", lang="und"),
            ),
            rx.cond(entry["by"] != "", rx.el.p(t("by {name}", name=entry["by"]))),
        ),
        data_look=entry["look"],
        key=entry["key"],
    )


def _rows(rows: Any) -> rx.Component:
    return rx.el.dl(
        rx.foreach(
            rows,
            lambda row: rx.el.div(
                rx.el.dt(row["name"]),
                rx.el.dd(row["amount"], class_name="figure"),
                key=row["name"],
            ),
        ),
        class_name="desk-bill",
    )


def _customer() -> rx.Component:
    return rx.cond(
        _ORDER["isPurged"],
        rx.el.p(t("The personal data of this order was deleted.")),
        rx.cond(
            _CONTACT["name"],
            rx.el.address(
                rx.el.b(_CONTACT["name"]),
                rx.el.a(_CONTACT["phone"], href=phone_link(_CONTACT["phone"])),
                rx.el.a(_CONTACT["email"], href=_CONTACT["mailto"]),
                rx.cond(_CONTACT["address"] != "", rx.el.span(_CONTACT["address"])),
                data_testid="contact",
            ),
            rx.fragment(
                button(t("Show contact"), on_click=State.show_contact),
                rx.el.p(t("The audit trail keeps who looked."), class_name="hint"),
            ),
        ),
    )


def _refund() -> rx.Component:
    return rx.el.form(
        rx.cond(
            _ORDER["due"] != "",
            rx.el.input(type="hidden", name="choice", value="due"),
            rx.el.fieldset(
                rx.el.legend(t("How much")),
                _choice("all", t("All, {amount}: the order is cancelled", amount=_ORDER["left"])),
                _choice("part", t("A part; the order stays")),
                field(
                    t("Part in rupees"),
                    rx.el.input(
                        name="amount",
                        input_mode="decimal",
                        auto_complete="off",
                        on_focus=State.begin_refund,
                    ),
                ),
            ),
        ),
        field(
            t("Type the order number"),
            rx.el.input(
                name="number",
                required=True,
                auto_complete="off",
                placeholder=_ORDER["number"],
                on_focus=State.begin_refund,
            ),
        ),
        rx.el.button(
            rx.cond(
                _ORDER["due"] != "",
                t("Refund {amount}", amount=_ORDER["due"]),
                t("Refund"),
            ),
            type="submit",
            class_name="button",
        ),
        on_submit=State.refund,
        # The number is typed anew for each refund: a second press gives nothing back.
        reset_on_submit=True,
        class_name="desk-refund",
    )


def _choice(value: str, words: Any) -> rx.Component:
    return rx.el.label(
        rx.el.input(type="radio", name="choice", value=value, default_checked=value == "part"),
        words,
    )


PAGE = Page(
    route=routes.DESK_ORDER,
    title=gettext_noop("Order · Desk · FOOD_points"),
    description=gettext_noop("For those who run this product."),
    content=order_page,
    on_load=[CampusState.refresh_statuses, DeskState.open_order, DeskState.arrive],
)
