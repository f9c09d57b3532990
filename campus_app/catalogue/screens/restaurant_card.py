"""A restaurant in the list of its campus."""

from collections.abc import Iterable
from typing import Any

import reflex as rx

from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.screens import statuses_react
from campus_app.catalogue.screens.menus_react import Picture
from campus_app.catalogue.screens.promo_bar import reserve_link
from campus_app.catalogue.screens.status_badge import status_badge
from campus_app.shared.rules import routes
from campus_app.shared.rules.messages import StatusMessage
from campus_app.shared.translations import t
from campus_app.shell import choices_react
from campus_app.shell.icon import icon
from campus_app.shell.sentence import translated
from kit.text import gettext_noop

EVERY_CUISINE = gettext_noop("All")
_FIRST_CUISINES = ("Indian", "Chinese", "American", "South Indian")
"""The cuisines whose filters come first. Source: specification 2.19."""


def cuisines(restaurants: Iterable[Restaurant]) -> list[str]:
    """Return the categories of the restaurants, in the order of their filters."""
    named = dict.fromkeys(each for restaurant in restaurants for each in restaurant.categories)
    first = {cuisine: place for place, cuisine in enumerate(_FIRST_CUISINES)}
    return sorted(named, key=lambda each: first.get(each, len(first)))


def facts(rating: str, minutes: str, hours: Any) -> rx.Component:
    """Render rating, delivery time and opening hours, each with a name for screen readers."""
    return rx.el.dl(
        rx.el.div(
            rx.el.dt(t("Rating"), class_name="visually-hidden"),
            rx.el.dd(icon("star"), rating, class_name="rating"),
        ),
        rx.el.div(
            rx.el.dt(t("Delivery time"), class_name="visually-hidden"),
            rx.el.dd(t("{minutes} min", minutes=minutes)),
        ),
        rx.el.div(rx.el.dt(t("Opening hours"), class_name="visually-hidden"), rx.el.dd(hours)),
        class_name="facts",
    )


def restaurant_card(restaurant: Restaurant) -> rx.Component:
    """Render a restaurant with its status; its name is a link while it is open."""
    state = statuses_react.state_of(restaurant.id)
    is_open = state == RestaurantState.OPEN.value
    all_cuisines, categories = t(EVERY_CUISINE), [t(each) for each in restaurant.categories]
    cuisine = choices_react.chosen("cuisine", all_cuisines)
    is_shown = (cuisine == all_cuisines) | rx.Var.create(categories).contains(cuisine)
    name = rx.cond(
        is_open,
        rx.el.a(
            restaurant.name,
            href=routes.menu(restaurant.id),
            on_click=statuses_react.report_selection(restaurant.id, restaurant.name),
        ),
        restaurant.name,
    )
    return rx.el.li(
        rx.el.div(
            Picture.create(src=f"/images/{restaurant.image}"), class_name="restaurant-picture"
        ),
        rx.el.div(
            rx.el.h2(name),
            rx.el.p(
                ", ".join([*categories, *map(t, restaurant.tags)]),
                class_name="restaurant-tags",
            ),
            facts(
                restaurant.rating,
                restaurant.delivery_minutes,
                hours_today(restaurant.id, str(restaurant.hours)),
            ),
            rx.el.p(
                status_badge(state),
                rx.el.span(why_closed(restaurant.id, f"{restaurant.hours.open:%H:%M}")),
                rx.cond(is_open, reserve_link()) if restaurant.takes_reservations else "",
                class_name="restaurant-state",
            ),
            class_name="restaurant-body",
        ),
        class_name=rx.match(
            state,
            (RestaurantState.OPEN.value, "restaurant-card can-open"),
            ("", "restaurant-card"),  # not known yet
            "restaurant-card shut",
        ),
        hidden=~is_shown,
        data_testid=f"restaurant-{restaurant.id}",
    )


def hours_today(restaurant_id: Any, usual: Any) -> Any:
    """Return a restaurant's usual hours, or those of today where they differ."""
    today = statuses_react.hours_of(restaurant_id)
    return rx.cond(today != "", t("Today {hours}", hours=today), usual)


def why_closed(restaurant_id: Any, opens_at: Any) -> Any:
    """Return when a closed restaurant opens, or why it is unavailable; empty while it is open.

    `opens_at` is its usual opening time.
    """
    opens = opening_today(restaurant_id, opens_at)
    return rx.match(
        statuses_react.state_of(restaurant_id),
        (RestaurantState.CLOSED.value, t("Opens {time}", time=opens)),
        (
            RestaurantState.UNAVAILABLE.value,
            _why_unavailable(
                statuses_react.status_message_of(restaurant_id),
                statuses_react.back_at(restaurant_id),
            ),
        ),
        "",
    )


def opening_today(restaurant_id: Any, usual: Any) -> Any:
    """Return when a closed restaurant opens next; `usual` is its usual opening time."""
    return statuses_react.opens_at(restaurant_id) | usual


def _why_unavailable(message: Any, back_at: Any) -> Any:
    """Return the message of a restaurant that an operator closed, and when the pause ends.

    If the operator wrote no message, the server sends the default one in English; the page then
    shows its translation alone.
    """
    default = StatusMessage.BACK_AT.replace("{time}", "") + back_at
    return rx.cond(
        back_at != "",
        rx.cond(message != default, message + " ", "") + t(StatusMessage.BACK_AT, time=back_at),
        translated(message, [StatusMessage.TEMPORARILY_CLOSED]),
    )
