"""/offers: the offers, with their terms and whether they are active now."""

from dataclasses import replace
from typing import Any

import reflex as rx

from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.catalogue.screens import statuses_react
from campus_app.catalogue.screens.browse_sheets import BrowseSheets
from campus_app.catalogue.screens.campus_prompt import campus_prompt
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.catalogue.screens.initial_statuses import live_feed
from campus_app.catalogue.screens.restaurant_card import opening_today
from campus_app.ordering import wiring
from campus_app.ordering.rules.offers import OFFERS
from campus_app.ordering.screens.cart_link import cart_link
from campus_app.ordering.screens.offers_state import OfferCard, OffersState, offer_cards, titles_of
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label, screen, screen_head
from campus_app.shell.timers_react import after
from kit.reflex.pages import Page
from kit.text import gettext_noop

_AS_BUILT = "offers-as-built"
"""The class of offers that came with the built page, until the server has sent those of now."""
_HIDDEN = f"<style>.{_AS_BUILT}{{visibility:hidden}}</style>"


def offers_page() -> rx.Component:
    """Render each offer whose restaurant exists."""
    built: Any = rx.Var.create(offer_cards(OFFERS))
    cards: Any = rx.cond(OffersState.version == 0, built, OffersState.cards).to(list[OfferCard])
    heading: Any = rx.match(
        cards.length(), (1, t("One good day")), (2, t("Two good days")), t("Good days")
    )
    return screen(
        BrowseSheets.create(),
        rx.el.div(
            screen_head("02", t("OFFER ZONE"), heading),
            rx.cond(cards.length() == 0, rx.el.p(t("There are no offers right now."))),
            rx.el.div(
                rx.foreach(cards, offer_article),
                class_name=rx.cond(OffersState.refresh_ms == 0, _AS_BUILT, ""),
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
    is_built = OffersState.version == 0
    return rx.el.span(
        rx.cond(is_built, titles_of(OFFERS), OffersState.titles),
        after(OffersState.titles_ms, OffersState.refresh_titles),
        class_name=rx.cond(is_built, _AS_BUILT, ""),
    )


def with_offer_titles(page: Page) -> Page:
    """Return a list of restaurants that shows the offers of now."""
    built_data = page.initial_data or str
    return replace(
        page,
        on_load=[*page.on_load, OffersState.refresh_titles],
        initial_data=lambda: built_data() + _hidden_unless_built(),
    )


def initial_offers() -> str:
    """Return the initial data of the page: the style of inactive offers until hydration.

    Offers that were published after the build arrive with the first event.
    """
    now = wiring.services().clock.now()
    inactive = (
        f'[data-testid="offer-{offer.id}"]{{--first-quiet:1}}'
        for offer in OFFERS
        if not offer.is_active_at(now)
    )
    return f"<style>{''.join(inactive)}</style>{_hidden_unless_built()}"


def _hidden_unless_built() -> str:
    return _HIDDEN if wiring.services().offers.number else ""


def offer_article(card: rx.Var[OfferCard]) -> rx.Component:
    """Render an offer with its state, its terms and a link to the restaurant's menu."""
    shown: Any = card
    is_active = OffersState.active[shown["id"]]
    words = OffersState.words[shown["id"]]
    return rx.el.article(
        coupon(shown, is_active),
        rx.el.div(
            rx.el.p(
                rx.cond(words, words, shown["label"]),
                class_name=rx.cond(is_active, "offer-state now", "offer-state"),
                role="status",
            ),
            rx.el.h2(shown["subtitle"], id=shown["headingId"]),
            rx.el.p(shown["description"]),
            rx.el.p(shown["timing"], class_name="offer-timing"),
            rx.el.ul(
                rx.foreach(shown["terms"], lambda term: rx.el.li(term, key=term)),
                class_name="offer-terms",
            ),
            menu_link(shown, is_active),
            class_name="offer-text",
        ),
        class_name="offer",
        aria_labelledby=shown["headingId"],
        data_testid=shown["testId"],
        key=shown["id"],
    )


def coupon(card: Any, is_active: Any) -> rx.Component:
    """Render the picture of an offer as a coupon."""
    return rx.el.div(
        rx.el.img(src=card["image"], alt="", custom_attrs={"width": "400", "height": "300"}),
        rx.el.span(class_name="cut", aria_hidden="true"),
        numbered_label(card["number"], card["day"]),
        rx.el.p(
            card["figure"],
            rx.cond(card["unit"] != "", rx.el.small(card["unit"])),
            class_name="big",
            aria_hidden="true",
        ),
        class_name=rx.match(is_active, (True, "coupon"), (False, "coupon quiet"), "coupon unknown"),
    )


def menu_link(card: Any, is_active: Any) -> rx.Component:
    """Render a link to the restaurant's menu, and why it takes no orders, if it does not.

    Source: specification M12, 10.62.
    """
    name = card["restaurant"]
    why = rx.match(
        statuses_react.state_of(card["restaurantId"]),
        (
            RestaurantState.CLOSED.value,
            t(
                "{restaurant} is closed now, opens {time}.",
                restaurant=name,
                time=opening_today(card["restaurantId"], card["opens"]),
            ),
        ),
        (
            RestaurantState.UNAVAILABLE.value,
            t("{restaurant} is not delivering right now.", restaurant=name),
        ),
        "",
    )
    return rx.fragment(
        rx.cond(why != "", rx.el.p(why)),
        rx.el.a(
            name,
            icon("arrow"),
            href=card["href"],
            class_name=rx.cond(is_active & (why == ""), "button primary", "button"),
            on_click=statuses_react.report_selection(card["restaurantId"], name),
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
