"""/desk/restaurants: open, close and pause kitchens; hours and seats of today; boards."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_frame import desk_page
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import MAXIMUM_SEATS_PER_SLOT, PAUSE_MINUTES
from campus_app.shared.translations import t
from campus_app.shell.button import button, text_button
from campus_app.shell.icon import icon
from campus_app.shell.overlay import phone_link
from kit.reflex.pages import Page
from kit.text import gettext_noop

State = DeskState


def restaurants_page() -> rx.Component:
    """Render all kitchens."""
    restaurants: Any = State.restaurants
    return desk_page(
        DeskArea.RESTAURANTS,
        restaurants.to(list).length() > 0,
        rx.el.h1(t("Kitchens"), class_name="desk-title"),
        rx.el.ul(rx.foreach(restaurants, _restaurant), class_name="desk-cards"),
    )


def _restaurant(row: Any) -> rx.Component:
    return rx.el.li(
        rx.el.header(
            rx.el.h2(row["name"]),
            rx.el.span(
                row["state"],
                data_look=rx.cond(row["isOpen"], "good", rx.cond(row["isClosed"], "bad", "quiet")),
                class_name="desk-state",
            ),
        ),
        rx.el.p(
            rx.cond(
                row["today"] != "",
                rx.el.strong(row["day"], ": ", row["today"], class_name="figure"),
                rx.el.span(row["hours"], class_name="figure"),
            ),
            rx.cond(row["seats"] != "", rx.el.span(row["seats"])),
            rx.el.a(icon("phone"), row["phone"], href=phone_link(row["phone"])),
            class_name="desk-facts",
        ),
        rx.cond(row["until"] != "", rx.el.p(t("Until {time}", time=row["until"]))),
        rx.cond(row["message"] != "", rx.el.p(row["message"], class_name="desk-words")),
        rx.el.div(
            rx.cond(
                row["isClosed"],
                _named(t("Open"), row, State.open_restaurant(row["id"])),
                rx.fragment(
                    _named(t("Close"), row, State.close_restaurant(row["id"], "")),
                    *(
                        _named(
                            t("Pause {count} min", count=minutes),
                            row,
                            State.pause_restaurant(row["id"], minutes),
                        )
                        for minutes in PAUSE_MINUTES
                    ),
                ),
            ),
            class_name="desk-actions",
        ),
        rx.cond(
            row["soldOut"].to(list).length() > 0,
            rx.el.div(
                rx.el.h3(t("Sold out")),
                rx.el.ul(rx.foreach(row["soldOut"], lambda dish: _sold_out(row, dish))),
            ),
        ),
        _sell_no_more(row),
        _today(row),
        _boards(row),
        data_line=True,
        data_testid=rx.Var.create("desk-restaurant-") + row["id"].to(str),
        key=row["id"].to(str),
    )


def _named(words: Any, row: Any, on_click: Any) -> rx.Component:
    """Render a button; its name says of which kitchen it is, after the visible words."""
    return button(words, _of(row), on_click=on_click)


def _today(row: Any) -> rx.Component:
    """Render the forms of today's hours and seats; they have what holds now."""
    return rx.el.details(
        rx.el.summary(
            rx.cond(row["seatCount"] != "", t("Hours and seats today"), t("Hours today")),
            _of(row),
        ),
        rx.el.p(t("Hours of {day}, usually {hours}", day=row["day"], hours=row["hours"])),
        _day_form(
            row,
            _day_field(row, t("Opens"), "open", row["opens"], type="time"),
            _day_field(row, t("Closes"), "close", row["closes"], type="time"),
            rx.cond(
                row["today"] != "",
                _text(t("Usual hours"), row, State.set_usual_hours(row["id"])),
            ),
            on_submit=State.set_hours,
        ),
        rx.cond(
            row["seatCount"] != "",
            _day_form(
                row,
                _day_field(
                    row,
                    t("Seats a slot today"),
                    "seats",
                    row["seatCount"],
                    type="number",
                    min=0,
                    max=MAXIMUM_SEATS_PER_SLOT,
                ),
                rx.cond(
                    row["hasOtherSeats"],
                    _text(t("Usual seats"), row, State.set_usual_seats(row["id"])),
                ),
                on_submit=State.set_seats,
            ),
        ),
        class_name="desk-day",
    )


def _day_form(row: Any, *content: rx.Component, on_submit: Any) -> rx.Component:
    *fields, usual = content
    return rx.el.form(
        rx.el.input(type="hidden", name="id", value=row["id"]),
        *fields,
        rx.el.div(
            rx.el.button(t("Save"), _of(row), type="submit", class_name="button"),
            usual,
            class_name="desk-actions",
        ),
        on_submit=on_submit,
        no_validate=True,  # the server names the faults, in the page's language
    )


def _day_field(row: Any, label: str, name: str, value: Any, **properties: Any) -> rx.Component:
    """Render a field with its fault; a stored value that changes replaces what was typed."""
    faults: Any = State.day_faults
    id_ = rx.Var.create(f"fault-{name}-") + _id(row)
    fault = rx.cond(faults["id"] == _id(row), faults[name].to(str), "")
    control = rx.el.input(
        name=name,
        default_value=value,
        auto_complete="off",
        custom_attrs={
            "aria-invalid": rx.cond(fault, "true", "false"),
            "aria-describedby": rx.cond(fault, id_, ""),
        },
        key=value,
        **properties,
    )
    return rx.el.div(
        rx.el.label(rx.el.span(label, _of(row)), control, class_name="desk-field"),
        rx.el.p(fault, id=id_, class_name="desk-fault", role="alert"),
    )


def _id(row: Any) -> Any:
    """Return the kitchen's id as text: `to(str)` would leave it a number in the browser."""
    return row["id"].to_string()


def _of(row: Any) -> rx.Component:
    return rx.el.span(" ", row["name"], class_name="visually-hidden")


def _text(words: Any, row: Any, on_click: Any) -> rx.Component:
    return text_button(words, _of(row), on_click=on_click)


def _sold_out(row: Any, dish: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(dish["name"]),
        text_button(t("Sell again"), on_click=State.sell_again(row["id"], dish["id"])),
        key=dish["id"],
    )


def _sell_no_more(row: Any) -> rx.Component:
    """Render what marks a dish as sold out; the dishes come on request."""
    choices: Any = State.dish_choices
    return rx.cond(
        choices["id"] == row["id"],
        rx.el.form(
            rx.el.input(type="hidden", name="id", value=choices["id"]),
            rx.el.select(
                rx.foreach(
                    choices["dishes"].to(list[dict[str, str]]),
                    lambda dish: rx.el.option(dish["name"], value=dish["id"]),
                ),
                name="dish",
                required=True,
                auto_focus=True,
                aria_label=t("Dish of {name}", name=row["name"]),
            ),
            rx.el.button(t("Mark as sold out"), type="submit", class_name="button"),
            on_submit=State.mark_sold_out,
            class_name="desk-settle",
        ),
        text_button(t("A dish is sold out"), on_click=State.choose_sold_out(row["id"])),
    )


def _boards(row: Any) -> rx.Component:
    link: Any = State.board_link
    return rx.el.div(
        rx.el.h3(t("Devices of its board")),
        rx.el.ul(
            rx.foreach(
                row["boards"],
                lambda device: rx.el.li(
                    rx.el.span(device["id"], class_name="figure"),
                    rx.el.span(t("last used {time}", time=device["used"])),
                    text_button(t("Revoke"), on_click=State.revoke_board(device["id"])),
                    key=device["id"],
                ),
            )
        ),
        rx.cond(
            link["id"] == row["id"],
            made_link(
                link, t("Open it on the kitchen’s device, once, until {time}.", time=link["until"])
            ),
            text_button(t("New link for a device"), on_click=State.make_board_link(row["id"])),
        ),
        class_name="desk-boards",
    )


def made_link(link: Any, words: Any) -> rx.Component:
    """Render a link that was just made, to be copied, and what it is for."""
    return rx.el.div(
        rx.el.code(link["url"], data_testid="made-link"),
        rx.el.p(words),
        class_name="desk-link",
        role="status",
    )


PAGE = Page(
    route=routes.DESK_RESTAURANTS,
    title=gettext_noop("Kitchens · Desk · FOOD_points"),
    description=gettext_noop("For those who run this product."),
    content=restaurants_page,
    on_load=[CampusState.refresh_statuses, DeskState.open_restaurants, DeskState.arrive],
)
