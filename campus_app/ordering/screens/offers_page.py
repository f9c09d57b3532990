"""/offers: the weekly offers, with their terms and whether they are active now."""

import reflex as rx

from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantState
from campus_app.catalogue.screens import statuses_react
from campus_app.catalogue.screens.browse_sheets import BrowseSheets
from campus_app.catalogue.screens.campus_prompt import campus_prompt
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.catalogue.screens.initial_statuses import live_feed
from campus_app.ordering import wiring
from campus_app.ordering.rules.offers import OFFERS, Offer
from campus_app.ordering.screens.cart_link import cart_link
from campus_app.ordering.screens.offers_state import OffersState
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label, screen, screen_head
from campus_app.shell.timers_react import after
from kit.reflex.pages import Page
from kit.text import gettext_noop

_GOOD_DAYS = {1: gettext_noop("One good day"), 2: gettext_noop("Two good days")}
"""The heading, by the number of offers."""
_DAYS = (
    gettext_noop("MONDAY"),
    gettext_noop("TUESDAY"),
    gettext_noop("WEDNESDAY"),
    gettext_noop("THURSDAY"),
    gettext_noop("FRIDAY"),
    gettext_noop("SATURDAY"),
    gettext_noop("SUNDAY"),
)


def offers_page() -> rx.Component:
    """Render each offer whose restaurant exists."""
    restaurants = {each.id: each for each in wiring.services().catalogue.restaurants()}
    heading = _GOOD_DAYS.get(len(OFFERS), gettext_noop("Good days"))
    return screen(
        BrowseSheets.create(),
        rx.el.div(
            screen_head("02", t("OFFER ZONE"), t(heading)),
            *(
                offer_article(offer, restaurants[offer.restaurant_id])
                for offer in OFFERS
                if offer.restaurant_id in restaurants
            ),
            after(OffersState.refresh_ms, OffersState.refresh),
            class_name="wrap",
        ),
        live_feed(),
        banner=banner(),
        cart=cart_link(),
        prompt=campus_prompt(CampusState.select),
    )


def offer_titles() -> rx.Component:
    """Render the offers in one line, for the lists of restaurants."""
    return rx.fragment(" ".join(t("{offer}.", offer=t(offer.title)) for offer in OFFERS))


def initial_offers() -> str:
    """Return the initial data of the page: the style of inactive offers until hydration."""
    now = wiring.services().clock.now()
    inactive = (
        f'[data-testid="offer-{offer.id}"]{{--first-quiet:1}}'
        for offer in OFFERS
        if not offer.is_active_at(now)
    )
    return f"<style>{''.join(inactive)}</style>"


def offer_article(offer: Offer, restaurant: Restaurant) -> rx.Component:
    """Render an offer with its state, its terms and a link to the restaurant's menu."""
    is_active = OffersState.active[offer.id]
    words = OffersState.words[offer.id]
    title = f"offer-{offer.id}-title"
    return rx.el.article(
        coupon(offer, restaurant, is_active),
        rx.el.div(
            rx.el.p(
                rx.cond(words, words, t(offer.timing).upper()),
                class_name=rx.cond(is_active, "offer-state now", "offer-state"),
                role="status",
            ),
            rx.el.h2(t(offer.subtitle), id=title),
            rx.el.p(t(offer.description, restaurant=restaurant.name)),
            rx.el.p(t(offer.timing), class_name="offer-timing"),
            rx.el.ul(*(rx.el.li(t(term)) for term in offer.terms), class_name="offer-terms"),
            menu_link(restaurant, is_active),
            class_name="offer-text",
        ),
        class_name="offer",
        aria_labelledby=title,
        data_testid=f"offer-{offer.id}",
    )


def coupon(offer: Offer, restaurant: Restaurant, is_active: bool) -> rx.Component:
    """Render the picture of an offer as a coupon."""
    figure, *small = offer.benefit.coupon
    return rx.el.div(
        rx.el.img(
            src=f"/images/{restaurant.image}",
            alt="",
            custom_attrs={"width": "400", "height": "300"},
        ),
        rx.el.span(class_name="cut", aria_hidden="true"),
        numbered_label(f"{restaurant.id:02}", t(_DAYS[offer.weekday])),
        rx.el.p(figure, *map(rx.el.small, small), class_name="big", aria_hidden="true"),
        class_name=rx.match(is_active, (True, "coupon"), (False, "coupon quiet"), "coupon unknown"),
    )


def menu_link(restaurant: Restaurant, is_active: bool) -> rx.Component:
    """Render a link to the restaurant's menu, and why it takes no orders, if it does not.

    Source: specification M12, 10.62.
    """
    why = rx.match(
        statuses_react.state_of(restaurant.id),
        (
            RestaurantState.CLOSED.value,
            t(
                "{restaurant} is closed now, opens {time}.",
                restaurant=restaurant.name,
                time=f"{restaurant.hours.open:%H:%M}",
            ),
        ),
        (
            RestaurantState.UNAVAILABLE.value,
            t("{restaurant} is not delivering right now.", restaurant=restaurant.name),
        ),
        "",
    )
    return rx.fragment(
        rx.cond(why != "", rx.el.p(why)),
        rx.el.a(
            restaurant.name,
            icon("arrow"),
            href=routes.menu(restaurant.id),
            class_name=rx.cond(is_active & (why == ""), "button primary", "button"),
            on_click=statuses_react.report_selection(restaurant.id, restaurant.name),
        ),
    )


PAGE = Page(
    route=routes.OFFERS,
    title=gettext_noop("Offers · FOOD_points"),
    description=gettext_noop("The offers of the campus restaurants, and on which days they hold."),
    content=offers_page,
    on_load=[CampusState.refresh_statuses, OffersState.refresh],
    loads_on_connect=True,
    initial_data=initial_offers,
)
