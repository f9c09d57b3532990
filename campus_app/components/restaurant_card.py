"""A restaurant in the list: only an open one holds a link."""

import reflex as rx

from campus_app import routes
from campus_app.components import browser
from campus_app.components.icon import icon
from campus_app.components.status_badge import status_badge
from campus_app.components.table import reserve_link
from campus_app.domain.restaurant import Restaurant, RestaurantState


def facts(rating: str, minutes: str, hours: str):
    """Rating, delivery time and hours, each named for those who can't see the row."""
    return rx.el.dl(
        rx.el.div(
            rx.el.dt("Rating", class_name="visually-hidden"),
            rx.el.dd(icon("star"), rating, class_name="rating"),
        ),
        rx.el.div(
            rx.el.dt("Delivery time", class_name="visually-hidden"), rx.el.dd(minutes, " min")
        ),
        rx.el.div(rx.el.dt("Opening hours", class_name="visually-hidden"), rx.el.dd(hours)),
        class_name="facts",
    )


def restaurant_card(restaurant: Restaurant) -> rx.Component:
    state = browser.state_of(restaurant.id)
    message = browser.status_message_of(restaurant.id)
    is_open = state == RestaurantState.OPEN.value
    cuisine = browser.chosen("cuisine", "All")
    is_shown = (cuisine == "All") | rx.Var.create(list(restaurant.categories)).contains(cuisine)
    name = rx.cond(
        is_open,
        rx.el.a(
            restaurant.name,
            href=routes.menu(restaurant.id),
            on_click=browser.report_selection(restaurant.id, restaurant.name),
        ),
        restaurant.name,
    )
    why = rx.match(
        state,
        (RestaurantState.CLOSED.value, f"Opens {restaurant.hours.open:%H:%M}"),
        (RestaurantState.UNAVAILABLE.value, message),
        "",
    )
    return rx.el.li(
        rx.el.div(browser.picture(f"/images/{restaurant.image}"), class_name="restaurant-picture"),
        rx.el.div(
            rx.el.h2(name),
            rx.el.p(
                ", ".join([*restaurant.categories, *restaurant.tags]),
                class_name="restaurant-tags",
            ),
            facts(restaurant.rating, restaurant.delivery_minutes, str(restaurant.hours)),
            rx.el.p(
                status_badge(state),
                rx.el.span(why),
                rx.cond(is_open, reserve_link()) if restaurant.takes_reservations else "",
                class_name="restaurant-state",
            ),
            class_name="restaurant-body",
        ),
        class_name=rx.match(
            state,
            (RestaurantState.OPEN.value, "restaurant-card can-open"),
            ("", "restaurant-card"),
            "restaurant-card shut",
        ),
        hidden=~is_shown,
        custom_attrs={"data-testid": f"restaurant-{restaurant.id}"},
    )
