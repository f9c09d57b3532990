"""/about, /about2 …: the restaurants of each campus."""

from collections.abc import Sequence

import reflex as rx

from campus_app.catalogue import wiring
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.screens import statuses_react
from campus_app.catalogue.screens.browse_sheets import BrowseSheets
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.catalogue.screens.initial_statuses import initial_statuses, live_feed
from campus_app.catalogue.screens.promo_bar import offers_link, promo_bar
from campus_app.catalogue.screens.restaurant_card import EVERY_CUISINE, cuisines, restaurant_card
from campus_app.catalogue.screens.restaurant_search import restaurant_search
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.messages import StatusMessage
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.button import text_button
from campus_app.shell.campus_react import SelectCampus
from campus_app.shell.choices_react import Tabs
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label, screen
from campus_app.shell.sentence import translated
from campus_app.shell.slots import CART_LINK, OFFER_TITLES
from campus_app.shell.toast import problem_toast
from kit.reflex.pages import Page

_LIST = "restaurants"


def about_page(campus: Campus) -> rx.Component:
    """Render the restaurants that deliver to a campus, and a search for their dishes."""
    restaurants = wiring.services().catalogue.restaurants()
    served = [restaurant for restaurant in restaurants if campus in restaurant.campuses]
    return screen(
        BrowseSheets.create(),
        SelectCampus.create(campus=campus.value),
        rx.el.div(list_head(campus), live_status(), class_name="wrap screen-head list-head"),
        restaurant_search([str(restaurant.id) for restaurant in served], restaurant_list(served)),
        live_feed(),
        problem_toast(translated(statuses_react.status_problem, StatusMessage)),
        banner=banner(),
        cart=CART_LINK(),
    )


def restaurant_list(served: Sequence[Restaurant]) -> rx.Component:
    """Render the restaurants, with a filter by cuisine."""
    filters = [t(each) for each in (EVERY_CUISINE, *cuisines(served))]
    return rx.fragment(
        Tabs.create(name="cuisine", label=t("Kitchens"), labels=filters, controls=_LIST),
        promo_bar(OFFER_TITLES(), offers_link()),
        rx.el.ul(
            *(restaurant_card(restaurant) for restaurant in served),
            class_name="restaurant-list",
            id=_LIST,
            aria_label=t("Restaurants"),
        ),
    )


def list_head(campus: Campus) -> rx.Component:
    """Render the name of the campus, and a link to change it."""
    return rx.el.div(
        numbered_label("02", "FOOD_points"),
        rx.el.h1(t(campus.place_name)),
        rx.el.a(t("Change campus"), href=routes.CAMPUS, class_name="text-button"),
    )


def live_status() -> rx.Component:
    """Render whether statuses are pushed, when they were last checked, and Refresh."""
    return rx.el.div(
        rx.el.span(
            rx.cond(statuses_react.is_live, t("LIVE"), t("Connecting")),
            class_name=rx.cond(statuses_react.is_live, "live", "live connecting"),
            role="status",
            data_testid="connection",
        ),
        rx.el.span(
            rx.cond(
                statuses_react.last_checked != "",
                t("Last checked {time}", time=statuses_react.last_checked),
                t("Last checked not yet"),
            ),
            class_name="last-checked",
            data_testid="last-checked",
        ),
        text_button(icon("refresh"), t("Refresh"), on_click=statuses_react.refresh_statuses),
        class_name="live-line",
    )


def _list_page(campus: Campus) -> Page:
    name = t(campus.place_name)
    return Page(
        route=campus.address,
        title=t("{campus} · FOOD_points", campus=name),
        description=t(
            "The restaurants that deliver to {campus}, and which are open now.", campus=name
        ),
        content=lambda: about_page(campus),
        on_load=[CampusState.enter_list],
        loads_on_connect=True,
        initial_data=initial_statuses,
        is_in_sitemap=True,
    )


PAGES = [_list_page(campus) for campus in Campus]
