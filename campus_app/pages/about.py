"""/about and /about2: the restaurants of a campus."""

import reflex as rx

from campus_app import routes, wiring
from campus_app.components import browser
from campus_app.components.icon import icon
from campus_app.components.layout import banner, numbered_label, screen
from campus_app.components.restaurant_card import EVERY_CUISINE, cuisines, restaurant_card
from campus_app.components.sentence import in_words
from campus_app.components.table_banner import offers_link, promo_bar
from campus_app.components.toast import problem_toast
from campus_app.domain.campus import Campus
from campus_app.domain.messages import StatusMessage, gettext_noop
from campus_app.pages.cart_link import cart_link
from campus_app.pages.initial_statuses import initial_statuses, live_feed
from campus_app.states.banner import BannerState
from campus_app.states.campus import CampusState
from campus_app.translations import t
from kit.reflex.pages import Page

_LIST = "restaurants"


def about_page(campus: Campus) -> rx.Component:
    restaurants = wiring.services().catalogue.restaurants()
    served = [restaurant for restaurant in restaurants if campus in restaurant.campuses]
    filters = [t(each) for each in (EVERY_CUISINE, *cuisines(served))]
    return screen(
        browser.SelectCampus.create(campus=campus.value),
        rx.el.div(list_head(campus), live_status(), class_name="wrap screen-head list-head"),
        browser.Tabs.create(name="cuisine", label=t("Kitchens"), labels=filters, controls=_LIST),
        promo_bar(t("Wednesday: buy one, get one free. Saturday evening: 10% off."), offers_link()),
        rx.el.ul(
            *(restaurant_card(restaurant) for restaurant in served),
            class_name="restaurant-list",
            id=_LIST,
            aria_label=t("Restaurants"),
        ),
        live_feed(),
        problem_toast(in_words(browser.status_problem, StatusMessage)),
        banner=banner(BannerState.message, BannerState.close),
        cart=cart_link(),
    )


def list_head(campus: Campus) -> rx.Component:
    return rx.el.div(
        numbered_label("02", "FOOD_points"),
        rx.el.h1(t(campus.place_name)),
        rx.el.a(t("Change campus"), href=routes.CAMPUS, class_name="text-button"),
    )


def live_status() -> rx.Component:
    return rx.el.div(
        rx.el.span(
            rx.cond(browser.is_live, t("LIVE"), t("Connecting")),
            class_name=rx.cond(browser.is_live, "live", "live connecting"),
            role="status",
            custom_attrs={"data-testid": "connection"},
        ),
        rx.el.span(
            rx.cond(
                browser.last_checked != "",
                t("Last checked {time}", time=browser.last_checked),
                t("Last checked not yet"),
            ),
            class_name="last-checked",
            custom_attrs={"data-testid": "last-checked"},
        ),
        rx.el.button(
            icon("refresh"),
            t("Refresh"),
            class_name="text-button",
            type="button",
            on_click=browser.refresh_statuses,
        ),
        class_name="live-line",
    )


PAGES = [
    Page(
        route=routes.NORTH,
        title=gettext_noop("North Campus · FOOD_points"),
        description=gettext_noop(
            "The restaurants that deliver to the north campus, and which are open now."
        ),
        content=lambda: about_page(Campus.NORTH),
        on_load=[CampusState.enter_north],
        initial_data=initial_statuses,
        is_in_sitemap=True,
    ),
    Page(
        route=routes.SOUTH,
        title=gettext_noop("South Campus · FOOD_points"),
        description=gettext_noop(
            "The restaurants that deliver to the south campus, and which are open now."
        ),
        content=lambda: about_page(Campus.SOUTH),
        on_load=[CampusState.enter_south],
        initial_data=initial_statuses,
        is_in_sitemap=True,
    ),
]
