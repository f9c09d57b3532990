"""/about and /about2: the restaurants of a campus."""

from collections.abc import Sequence

import reflex as rx

from campus_app.components import browser
from campus_app.components.frame import notice_band, numbered_label, screen
from campus_app.components.icon import icon
from campus_app.components.restaurant_card import restaurant_card
from campus_app.components.table import handbill, offers_link
from campus_app.components.toast import problem_toast
from campus_app.domain.campus import Campus
from campus_app.domain.restaurant import Restaurant
from campus_app.pages.live_statuses import live_feed
from campus_app.states.campus import KEPT_AS
from campus_app.states.notice import NoticeState

_FILTERS = ["All", "Indian", "Chinese", "American", "South Indian"]
_LIST = "restaurants"


def about_page(campus: Campus, restaurants: Sequence[Restaurant]) -> rx.Component:
    served = [restaurant for restaurant in restaurants if campus in restaurant.campuses]
    return screen(
        browser.kept_at_once(KEPT_AS, campus.value),
        rx.el.div(list_head(campus), live_line(), class_name="wrap screen-head list-head"),
        browser.Tabs.create(name="cuisine", label="Kitchens", labels=_FILTERS, controls=_LIST),
        handbill("Wednesday: buy one, get one free. Saturday evening: 10% off.", offers_link()),
        rx.el.ul(
            *(restaurant_card(restaurant) for restaurant in served),
            class_name="restaurant-list",
            id=_LIST,
            aria_label="Restaurants",
        ),
        live_feed(),
        problem_toast(browser.status_problem),
        notice=notice_band(NoticeState.message, NoticeState.close),
    )


def list_head(campus: Campus) -> rx.Component:
    return rx.el.div(numbered_label("02", "FOOD_points"), rx.el.h1(campus.place_name))


def live_line() -> rx.Component:
    return rx.el.div(
        rx.el.span(
            rx.cond(browser.is_live, "LIVE", "Connecting"),
            class_name=rx.cond(browser.is_live, "live", "live connecting"),
            role="status",
            custom_attrs={"data-testid": "connection"},
        ),
        rx.el.span(
            rx.cond(
                browser.last_checked != "",
                "Last checked " + browser.last_checked,
                "Last checked not yet",
            ),
            class_name="last-checked",
            custom_attrs={"data-testid": "last-checked"},
        ),
        rx.el.button(
            icon("refresh"),
            "Refresh",
            class_name="text-button",
            type="button",
            on_click=browser.refresh_statuses,
        ),
        class_name="live-line",
    )
