"""/campus: the choice of a campus."""

import reflex as rx

from campus_app.catalogue import wiring
from campus_app.catalogue.screens import statuses_react
from campus_app.catalogue.screens.browse_sheets import BrowseSheets
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.catalogue.screens.initial_statuses import initial_statuses, live_feed
from campus_app.catalogue.screens.promo_bar import offers_link, promo_bar, reserve_link
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.icon import icon
from campus_app.shell.layout import screen, screen_head
from campus_app.shell.slots import CART_LINK
from kit.reflex.pages import Page
from kit.text import gettext_noop


def campus_page() -> rx.Component:
    """Render a plate for each campus."""
    kitchens = len(wiring.services().catalogue.restaurants())
    return screen(
        BrowseSheets.create(),
        rx.el.div(screen_head("01", t("CAMPUS"), t("Where shall we bring it?")), class_name="wrap"),
        rx.el.div(
            *(campus_plate(campus, kitchens) for campus in Campus), class_name="campus-choice"
        ),
        promo_bar(offers_link(), reserve_link()),
        live_feed(),
        banner=banner(),
        has_foot=False,
        class_name="campus-main",
        cart=CART_LINK(),
    )


def campus_plate(campus: Campus, kitchens: int) -> rx.Component:
    """Render a campus, its number of open kitchens, and its delivery fee."""
    facts = f"{campus.value}-facts"
    count = rx.cond(statuses_react.are_statuses_known, statuses_react.open_count.to_string(), "…")
    return rx.el.div(
        rx.el.div(
            rx.el.img(
                src=f"/images/{campus.picture}",
                alt="",
                custom_attrs={"width": "640", "height": "480"},
            ),
            class_name="campus-picture",
        ),
        rx.el.div(
            # A form works before the page's scripts have loaded.
            rx.el.form(
                rx.el.button(t(campus.place_name), type="submit", aria_describedby=facts),
                method="get",
                action=routes.restaurants(campus),
                on_submit=CampusState.choose(campus.value),
            ),
            rx.el.p(
                t("{open} of {kitchens} kitchens open", open=count, kitchens=kitchens),
                rx.el.br(),
                t("Delivery {fee}", fee=format_rupees(campus.delivery_fee)),
                class_name="campus-facts",
                id=facts,
            ),
            rx.el.span(icon("arrow"), class_name="arrow", aria_hidden="true"),
            class_name="campus-caption",
        ),
        class_name="campus-plate",
    )


PAGE = Page(
    route=routes.CAMPUS,
    title=gettext_noop("Choose your campus · FOOD_points"),
    description=gettext_noop(
        "Order food on campus: choose your campus and see which restaurants are open now."
    ),
    content=campus_page,
    on_load=[CampusState.refresh_statuses],
    loads_on_connect=True,
    initial_data=initial_statuses,
    is_in_sitemap=True,
)
