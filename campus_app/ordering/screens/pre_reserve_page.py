"""/pre-reserve: a time, a number of guests, and the terms of a reserved table."""

from typing import Any

import reflex as rx

from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.screens.campus_prompt import campus_prompt
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.ordering import wiring
from campus_app.ordering.rules.reservation import SLOTS
from campus_app.ordering.screens.bill_slip import bill_slip
from campus_app.ordering.screens.cart_link import cart_link
from campus_app.ordering.screens.order_sheets import OrderSheets
from campus_app.ordering.screens.reservation_state import ReservationState
from campus_app.ordering.screens.table_plan import table_plan
from campus_app.shared.rules import constants, routes
from campus_app.shared.rules.money import ZERO, format_rupees
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.button import button, text_button
from campus_app.shell.icon import icon
from campus_app.shell.layout import screen, screen_head, to_restaurants
from campus_app.shell.sentence import sentence
from campus_app.shell.timers_react import Timeout, after
from kit.reflex.pages import Page
from kit.text import gettext_noop

_MS = 1000
_GUESTS = (
    gettext_noop("one guest"),
    gettext_noop("two guests"),
    gettext_noop("three guests"),
    gettext_noop("four guests"),
    gettext_noop("five guests"),
    gettext_noop("six guests"),
    gettext_noop("seven guests"),
    gettext_noop("eight guests"),
)
State = ReservationState


def pre_reserve_page() -> rx.Component:
    """Render the reservation, or a message if no restaurant takes reservations."""
    restaurant = wiring.services().reservations.restaurant()
    content = reservation(restaurant) if restaurant else no_reservations()
    return screen(
        OrderSheets.create(),
        rx.el.div(content, class_name="wrap"),
        banner=banner(),
        cart=cart_link(),
        prompt=campus_prompt(CampusState.select),
    )


def no_reservations() -> rx.Component:
    """Render the message that no restaurant takes reservations."""
    return rx.fragment(
        screen_head("02", t("PRE-RESERVE"), t("No tables today")),
        rx.el.div(
            rx.el.p(t("None of the kitchens takes reservations at the moment.")),
            to_restaurants(),
            class_name="prose",
        ),
    )


def reservation(restaurant: Restaurant) -> rx.Component:
    """Render the form of a reservation at a restaurant."""
    return rx.fragment(
        head(restaurant),
        rx.el.div(
            rx.el.div(held_table(), time_slots(), party_size()),
            rx.el.aside(your_table(), alert(), actions()),
            class_name="two-columns",
        ),
        after(State.refresh_ms, State.refresh),
        after(State.held_ms, State.open),
        rx.cond(
            State.is_reserving,
            Timeout.create(ms=constants.RESERVING_SECONDS * _MS, on_done=State.go_to_menu),
        ),
    )


def head(restaurant: Restaurant) -> rx.Component:
    """Render the restaurant's name and the day of the reservation."""
    day = rx.cond(
        State.is_today, t("Today, {day}.", day=State.day), t("Tomorrow, {day}.", day=State.day)
    )
    return rx.el.div(
        screen_head("02", t("PRE-RESERVE"), restaurant.name),
        rx.el.p(
            t("Choose a time, order ahead, sit down to hot food."),
            rx.el.br(),
            rx.el.b(rx.cond(State.day != "", day, "\u00a0"), data_testid="reservation-day"),
            class_name="lead",
        ),
        class_name="reserve-head",
    )


def held_table() -> rx.Component:
    """Render the held table, and the button to order for it."""
    shown = rx.el.div(
        icon("table"),
        rx.el.strong(t("You hold a {table}", table=State.table)),
        rx.el.p(
            sentence(
                "Yours until {until}. Another time, or Cancel, gives it back.",
                until=rx.el.b(State.held_until, class_name="figure"),
            )
        ),
        text_button(t("Order for this table"), on_click=State.order_for_table),
        class_name="notice tip held-table",
    )
    return rx.el.div(rx.cond((State.table != "") & ~State.is_reserving, shown), role="status")


def time_slots() -> rx.Component:
    """Render the choice of a time slot."""
    return rx.el.fieldset(
        rx.el.legend(t("Time slot"), class_name="block-title slots-title"),
        rx.el.div(
            *(slot(f"{each:%H:%M}") for each in SLOTS),
            class_name="slot-grid",
            key=f"slots-{State.slot_version}",
        ),
        custom_attrs={"inert": State.is_reserving},
    )


def slot(name: str) -> rx.Component:
    """Render the radio button of a slot like `12:30`, disabled if it is over or full."""
    seats: Any = State.seats
    is_over = ~seats.contains(name)
    is_full = ~is_over & (seats[name] < State.party_size)
    is_chosen = State.slot == name
    return rx.el.label(
        rx.el.input(
            type="radio",
            name="slot",
            value=name,
            aria_label=name,
            default_checked=is_chosen,
            disabled=is_over | is_full | (State.day == ""),
            on_change=State.choose(name),
        ),
        rx.el.span(name),
        rx.cond(is_full, rx.el.small(t("FULL"))),
        class_name=rx.cond(
            is_full, rx.cond(is_chosen, "slot full chosen-full", "slot full"), "slot"
        ),
    )


def party_size() -> rx.Component:
    """Render the choice of the number of guests."""
    return rx.el.fieldset(
        rx.el.legend(t("Party size"), class_name="block-title"),
        rx.el.div(
            table_plan(State.party_size),
            rx.el.div(
                rx.el.button(
                    icon("minus"),
                    type="button",
                    aria_label=t("Fewer guests"),
                    disabled=State.party_size <= constants.MINIMUM_PARTY,
                    on_click=State.fewer_guests,
                ),
                rx.el.output(State.party_size, class_name="quantity", data_testid="party-size"),
                rx.el.button(
                    icon("plus"),
                    type="button",
                    aria_label=t("More guests"),
                    disabled=State.party_size >= constants.MAXIMUM_PARTY,
                    on_click=State.more_guests,
                ),
                class_name="stepper",
            ),
            class_name="party",
        ),
        class_name="party-size",
        custom_attrs={"inert": State.is_reserving},
    )


def your_table() -> rx.Component:
    """Render the chosen slot and number of guests above the terms of a reservation."""
    guests = rx.match(
        State.party_size, *((number, t(words)) for number, words in enumerate(_GUESTS, 1)), ""
    )
    title = rx.fragment(rx.cond(State.slot != "", State.slot, t("Choose a time")), ", ", guests)
    to_order = t("{minutes} min", minutes=constants.SEAT_HOLD_MINUTES_WITHOUT_DETAILS)
    to_pay = t("{minutes} min", minutes=constants.SEAT_HOLD_MINUTES)
    terms = [
        term(f"{constants.PRE_RESERVATION_DISCOUNT_PERCENT}%", t("off everything you order ahead")),
        term(
            format_rupees(constants.PRE_RESERVED_CHARGE),
            t("to pay now, the rest at the restaurant"),
        ),
        term(
            format_rupees(constants.MINIMUM_PRE_RESERVED_ORDER),
            t("smallest pre-reserved order, after the discount"),
        ),
        term(format_rupees(ZERO), t("delivery fee")),
        term(to_order, t("we keep your seats while you choose your dishes")),
        term(to_pay, t("from your contact details on, while you pay")),
    ]
    return bill_slip("03", t("YOUR TABLE"), title, rx.el.ul(*terms, class_name="terms-list"))


def term(much: str, why: str) -> rx.Component:
    """Render a term: an amount or a time, and its meaning."""
    return rx.el.li(rx.el.b(much, class_name="figure"), rx.el.span(why))


def alert() -> rx.Component:
    """Render the error about the chosen slot."""
    shown = rx.el.div(icon("warning"), rx.el.strong(State.alert), class_name="notice bad")
    return rx.el.div(rx.cond(State.alert != "", shown), role="alert", class_name="slot-alert")


def actions() -> rx.Component:
    """Render Cancel and Reserve."""
    return rx.el.div(
        button(t("Cancel"), disabled=State.is_reserving, on_click=State.cancel),
        button(
            rx.cond(State.is_reserving, t("Reserving..."), t("Reserve")),
            icon("arrow"),
            look="primary",
            aria_busy=State.is_reserving,
            aria_live="polite",
            on_click=State.reserve,
        ),
        class_name="actions",
    )


PAGE = Page(
    route=routes.PRE_RESERVE,
    title=gettext_noop("Reserve a table · FOOD_points"),
    description=gettext_noop("Reserve a table at a campus restaurant, and order before you come."),
    content=pre_reserve_page,
    on_load=[ReservationState.open],
)
