"""A ticket of a kitchen board: on the screen, and on paper."""

from typing import Any

import reflex as rx

from campus_app.components.browser import kitchen_board
from campus_app.components.button import button, text_button
from campus_app.components.icon import icon
from campus_app.components.overlay import phone_link
from campus_app.domain.campus import Campus
from campus_app.translations import t


def ticket(order: Any) -> rx.Component:
    """Render an order: what to cook, for whom, what to collect, and the buttons."""
    return rx.el.article(
        head(order),
        dishes(order),
        notes(order),
        destination(order),
        rx.cond(order["isCancelled"], cancelled(order), actions(order)),
        class_name=f"ticket {order['look']}",
        aria_label=t("Order {number}", number=order["number"]),
        data_testid=f"ticket-{order['number']}",
        key=order["id"],
    )


def head(order: Any) -> rx.Component:
    """Render the number, how long ago the order is due, and the button that prints it."""
    return rx.el.header(
        rx.el.div(
            rx.el.h3(order["number"]),
            rx.cond(order["isNew"], rx.el.span(t("NEW"), class_name="new-mark")),
            rx.el.span(icon("clock"), elapsed(order), class_name="elapsed"),
            class_name="ticket-name",
        ),
        rx.el.button(
            icon("print"),
            type="button",
            class_name="print-ticket",
            aria_label=t("Print order {number}", number=order["number"]),
            on_click=kitchen_board.print_ticket(order),
        ),
    )


def elapsed(order: Any) -> rx.Component:
    """Render the time since the order is due, or until a table's slot."""
    hours, minutes = order["hours"], order["minutes"]
    return rx.el.span(
        rx.cond(
            order["isAhead"],
            rx.cond(
                hours > 0,
                t("in {hours} h {minutes} min", hours=hours, minutes=minutes),
                t("in {minutes} min", minutes=minutes),
            ),
            rx.cond(
                hours > 0,
                t("{hours} h {minutes} min", hours=hours, minutes=minutes),
                t("{minutes} min", minutes=minutes),
            ),
        ),
        data_testid="elapsed",
    )


def dishes(order: Any) -> rx.Component:
    """Render the dishes with their quantities."""
    return rx.el.ul(rx.foreach(order["lines"], dish_line), class_name="ticket-dishes")


def dish_line(line: Any) -> rx.Component:
    """Render a dish with its number of units."""
    return rx.el.li(
        rx.el.b(line["quantity"], "×", class_name="figure"),
        rx.el.span(
            line["name"],
            rx.cond(line["localName"] != "", rx.el.i(line["localName"])),
        ),
        key=line["id"],
    )


def notes(order: Any) -> rx.Component:
    """Render what the customer asks for."""
    return rx.fragment(
        rx.cond(
            order["note"] != "", rx.el.p(icon("note"), order["note"], class_name="kitchen-note")
        ),
        rx.cond(
            order["noCutlery"],
            rx.el.p(icon("cross"), t("No cutlery, please"), class_name="kitchen-note"),
        ),
    )


def destination(order: Any) -> rx.Component:
    """Render the table, or campus and address, the customer, and what to collect."""
    return rx.el.div(
        rx.cond(
            order["slot"] != "",
            rx.el.p(
                icon("table"),
                rx.el.b(t("Table for {guests}, {time}", guests=order["party"], time=order["slot"])),
            ),
            rx.el.p(
                icon("scooter"),
                rx.el.span(rx.el.b(campus_name(order["campus"])), " ", order["address"]),
            ),
        ),
        rx.cond(order["doorNote"] != "", rx.el.p(icon("arrow"), order["doorNote"])),
        rx.el.p(
            icon("phone"),
            rx.el.span(
                order["customer"],
                " ",
                rx.el.a(order["phone"], href=phone_link(order["phone"]), class_name="figure"),
            ),
        ),
        rx.el.p(
            rx.el.span(t("Collect")),
            rx.el.b(order["collect"], class_name="figure", data_testid="to-collect"),
            class_name="collect",
        ),
        class_name="ticket-place",
    )


def campus_name(code: Any) -> Any:
    """Return the name of a campus, by its stored value."""
    names = ((campus.value, t(campus.place_name)) for campus in Campus)
    return rx.match(code, *names, "")


def actions(order: Any) -> rx.Component:
    """Render the three steps; those that are done can't be pressed again."""
    steps = (
        (t("Seen"), "seen", order["isSeen"]),
        (t("Ready"), "ready", order["isReady"]),
        (t("Handed over"), "handed_over", order["isHandedOver"]),
    )
    return rx.el.div(
        *(
            rx.el.button(
                icon("tick"),
                rx.el.span(words),
                type="button",
                class_name=rx.cond(is_done, "step pressed", "step"),
                aria_disabled=is_done,  # a disabled button would lose the focus
                on_click=kitchen_board.press(order, target),
            )
            for words, target, is_done in steps
        ),
        rx.cond(
            order["canUndo"],
            text_button(
                icon("back"),
                t("Undo"),
                aria_label=t("Undo for order {number}", number=order["number"]),
                on_click=kitchen_board.undo(order),
            ),
        ),
        class_name="ticket-steps",
    )


def cancelled(order: Any) -> rx.Component:
    """Render that an order was given back, and the button that removes it."""
    return rx.el.div(
        rx.el.p(icon("warning"), t("Cancelled. The customer gets the money back: do not cook it.")),
        rx.cond(
            order["isHandedOver"],
            rx.fragment(),
            button(t("Understood"), on_click=kitchen_board.press(order, "handed_over")),
        ),
        class_name="ticket-cancelled",
    )


def paper_ticket(order: Any) -> rx.Component:
    """Render an order for paper 80 mm wide, to be read from a metre."""
    return rx.el.section(
        rx.el.h2(order["number"]),
        rx.el.p(kitchen_board.kitchen_name),
        rx.cond(
            order["slot"] != "",
            rx.el.p(
                t("Table for {guests}, {time}", guests=order["party"], time=order["slot"]),
                class_name="paper-place",
            ),
            rx.el.p(campus_name(order["campus"]), " ", order["address"], class_name="paper-place"),
        ),
        dishes(order),
        notes(order),
        rx.cond(order["doorNote"] != "", rx.el.p(order["doorNote"])),
        rx.el.p(order["customer"], " ", order["phone"]),
        rx.el.p(t("Collect"), " ", rx.el.b(order["collect"]), class_name="paper-collect"),
        class_name="paper-ticket",
        key=order["id"],
    )
