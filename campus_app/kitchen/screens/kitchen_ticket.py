"""A ticket of a kitchen board, on the screen."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.dish_marks import chillies
from campus_app.kitchen.screens import kitchen_board_react
from campus_app.kitchen.screens.kitchen_shortage import shortage_button, shortages
from campus_app.shared.rules.campus import Campus
from campus_app.shared.translations import t
from campus_app.shell.button import button, text_button
from campus_app.shell.icon import icon
from campus_app.shell.overlay import phone_link


def ticket(order: Any) -> rx.Component:
    """Render an order: what to cook, for whom, what to collect, and the buttons.

    The cook's view hides the `ticket-rest` of a ticket that is not `opened`.
    """
    return rx.el.article(
        head(order),
        dishes(order),
        shortages(order),
        notes(order),
        rest(order),
        rx.cond(order["isCancelled"], cancelled(order), steps(order)),
        class_name=rx.cond(
            order["isOpened"], f"ticket opened {order['look']}", f"ticket {order['look']}"
        ),
        aria_label=t("Order {number}", number=order["number"]),
        data_testid=f"ticket-{order['number']}",
        data_state=order["state"],
        key=order["id"],
    )


def head(order: Any) -> rx.Component:
    """Render the number, how long the order is due or 'Undo', and the button that opens it."""
    return rx.el.header(
        rx.el.h3(order["number"]),
        rx.cond(order["isNew"], rx.el.span(t("NEW"), class_name="new-mark")),
        rx.cond(
            order["isHeld"] & order["canUndo"],
            undo(order, "undo-now"),
            rx.el.span(
                rx.cond(order["slot"] != "", icon("table"), icon("clock")),
                elapsed(order),
                class_name="elapsed",
            ),
        ),
        rx.el.button(
            icon("more"),
            type="button",
            class_name="ticket-more",
            aria_label=t("More of order {number}", number=order["number"]),
            aria_expanded=order["isOpened"],
            on_click=kitchen_board_react.toggle(order),
        ),
    )


def elapsed(order: Any) -> rx.Component:
    """Render the time since the order is due, until a table's slot, or the slot of one later."""
    hours, minutes = order["hours"], order["minutes"]
    waiting = rx.cond(
        hours > 0,
        t("{hours} h {minutes} min", hours=hours, minutes=minutes),
        t("{minutes} min", minutes=minutes),
    )
    ahead = rx.cond(order["isLater"], order["slot"], t("in {minutes} min", minutes=minutes))
    return rx.el.span(rx.cond(order["isAhead"], ahead, waiting), data_testid="elapsed")


def dishes(order: Any) -> rx.Component:
    """Render the dishes with their quantities."""
    return rx.el.ul(rx.foreach(order["lines"], dish_line), class_name="ticket-dishes")


def dish_line(line: Any) -> rx.Component:
    """Render a dish with its number of units, and how hot it is."""
    return rx.el.li(
        rx.el.b(line["quantity"], "×", class_name="figure"),
        rx.el.span(
            line["name"],
            chillies(line["spice"]),
            rx.cond(line["localName"] != "", rx.el.i(line["localName"])),
            rx.cond(
                line["insteadOf"] != "", rx.el.i(t("instead of {dish}", dish=line["insteadOf"]))
            ),
        ),
        class_name=rx.cond(line["isShort"], "short", ""),
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


def rest(order: Any) -> rx.Component:
    """Render what the counter needs, and the buttons that are seldom pressed."""
    return rx.el.div(
        destination(order),
        rx.el.div(
            text_button(
                icon("print"),
                t("Print"),
                aria_label=t("Print order {number}", number=order["number"]),
                on_click=kitchen_board_react.print_ticket(order),
            ),
            rx.cond(
                (order["place"] == "cook") & ~order["isCancelled"],
                text_button(
                    icon("tick"),
                    t("Handed over"),
                    on_click=kitchen_board_react.press(order, "handed_over"),
                ),
            ),
            rx.cond(
                (order["place"] == "cook") & order["canUndo"] & ~order["isHeld"],
                undo(order, "text-button"),
            ),
            rx.cond(order["isCancelled"] | order["isHandedOver"], "", shortage_button(order)),
            class_name="ticket-seldom",
        ),
        class_name="ticket-rest",
    )


def steps(order: Any) -> rx.Component:
    """Render the next steps of the list that the ticket is in.

    Handing over is a step of equal size only once the order is ready.
    """
    return rx.cond(
        order["place"] == "cook",
        rx.el.div(
            step(order, t("Seen"), "seen", order["isSeen"]),
            step(order, t("Ready"), "ready", order["isReady"]),
            class_name="ticket-steps",
            key="cook",
        ),
        rx.el.div(
            step(order, t("Handed over"), "handed_over", order["isHandedOver"]),
            rx.cond(order["canUndo"] & ~order["isHeld"], undo(order, "step")),
            class_name="ticket-steps ending",
            key="ending",
        ),
    )


def step(order: Any, words: str, target: str, is_done: Any) -> rx.Component:
    """Render the button of a step; a step that is done can't be pressed again."""
    return rx.el.button(
        icon("tick"),
        rx.el.span(words),
        type="button",
        class_name=rx.cond(is_done, f"step {target} pressed", f"step {target}"),
        aria_disabled=is_done,  # a disabled button would lose the focus
        on_click=kitchen_board_react.press(order, target),
    )


def undo(order: Any, look: str) -> rx.Component:
    """Render the button that undoes the last press on a ticket; `look` are its style classes."""
    return rx.el.button(
        icon("back"),
        rx.el.span(t("Undo")),
        type="button",
        class_name=look,
        aria_label=t("Undo for order {number}", number=order["number"]),
        on_click=kitchen_board_react.undo(order),
    )


def cancelled(order: Any) -> rx.Component:
    """Render that an order was given back, and the button that removes it."""
    is_done = order["isHandedOver"]
    return rx.el.div(
        rx.el.p(icon("warning"), t("Cancelled. The customer gets the money back: do not cook it.")),
        rx.cond(
            is_done & ~order["isHeld"],
            rx.fragment(),
            button(
                t("Understood"),
                aria_disabled=is_done,
                on_click=kitchen_board_react.press(order, "handed_over"),
            ),
        ),
        class_name="ticket-cancelled",
    )
