"""/menu/{restaurantId}: one restaurant's menu, and the cart beside it."""

from typing import Any

import reflex as rx

from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.catalogue.screens import dish_filter_react, menus_react, statuses_react
from campus_app.catalogue.screens.campus_prompt import campus_prompt
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.catalogue.screens.dish_filters import filter_result, sorting_choice, veg_only
from campus_app.catalogue.screens.dish_marks import chillies
from campus_app.catalogue.screens.initial_statuses import live_feed
from campus_app.catalogue.screens.last_opened_react import RememberRestaurant
from campus_app.catalogue.screens.original_menu import original_menu_dialog, verify_button
from campus_app.catalogue.screens.promo_bar import promo_bar, promo_link, reserve_link, table_banner
from campus_app.catalogue.screens.restaurant_card import facts, hours_today
from campus_app.catalogue.screens.status_badge import status_badge
from campus_app.ordering import wiring
from campus_app.ordering.screens import cart_react
from campus_app.ordering.screens.cart_state import NO_TOTALS, CartState
from campus_app.ordering.screens.dish_card import Choice, dish_card
from campus_app.ordering.screens.menu_cart import cart_slip, closed_words, other_restaurant_dialog
from campus_app.ordering.screens.refresh_menu_react import RefreshMenu
from campus_app.ordering.screens.replace_cart import replace_cart_dialog
from campus_app.ordering.screens.reservation_state import ReservationState
from campus_app.ordering.screens.shared_cart_state import SharedCartState
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import MAXIMUM_CART_DISHES, MAXIMUM_LINE_QUANTITY
from campus_app.shared.rules.messages import MenuMessage
from campus_app.shared.translations import t
from campus_app.shell import page_react
from campus_app.shell.banner import banner
from campus_app.shell.button import button
from campus_app.shell.choices_react import Tabs
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label, screen, screen_head, to_list
from campus_app.shell.navigation_react import DocumentTitle
from campus_app.shell.sentence import translated
from campus_app.shell.timers_react import Timeout, after
from campus_app.shell.toast import problem_toast
from kit.reflex.connection_texts import ConnectionTexts
from kit.reflex.pages import Page
from kit.text import gettext_noop
from kit.translations import ENGLISH, language

OUR_SECTIONS = (gettext_noop("Trending"), gettext_noop("All dishes"), gettext_noop("Found"))
"""The sections whose names are ours, not the restaurant's."""
_MENU_PROBLEMS = (
    MenuMessage.RESTAURANT_NOT_FOUND,
    MenuMessage.EMPTY,
    MenuMessage.UNREADABLE,
    MenuMessage.NO_DISHES,
    *(MenuMessage.LOAD_FAILED.of(status=status) for status in (404, 500)),
)
"""The server's messages about menus that it cannot return."""


def menu_page() -> rx.Component:
    """Render the menu of the open address, or its loading state or error."""
    ready = rx.fragment(
        DocumentTitle.create(words=f"{menus_react.menu_head['name']} · FOOD_points"),
        menu_head(),
        closed_banner(),
        reserved_table_bar(),
        rx.cond(menus_react.is_list, rx.fragment(), menu_tabs()),
        rx.el.div(
            rx.el.div(
                dish_filters(),
                rx.foreach(menus_react.shown_sections, menu_section),
                marks_explained(),
                rx.el.a(
                    t("Order with others"),
                    href=routes.group_order(menus_react.menu_head["id"]),
                    class_name="text-button",
                ),
            ),
            cart_slip(),
            # No dish can be added while the kitchen takes no orders.
            class_name=rx.match(
                statuses_react.state_of(menus_react.menu_head["id"]),
                (RestaurantState.OPEN.value, "wrap menu-body"),
                ("", "wrap menu-body unknown"),
                "wrap menu-body closed",
            ),
        ),
        problem_toast(CartState.refusal, look="over-cart"),
        rx.cond(
            statuses_react.state_of(menus_react.menu_head["id"]) == RestaurantState.OPEN.value,
            rx.fragment(
                RememberRestaurant.create(restaurant=menus_react.menu_head["id"]),
                rx.cond(
                    SharedCartState.waits_for_opening,
                    Timeout.create(ms=0, on_done=SharedCartState.open),
                ),
            ),
        ),
    )
    return screen(
        rx.match(
            menus_react.menu_status, ("ready", ready), ("error", menu_error()), menu_skeleton()
        ),
        other_restaurant_dialog(),
        replace_cart_dialog(),
        after(CartState.offer_ms, CartState.reprice),
        rx.cond(CartState.is_reserved, after(ReservationState.held_ms, CartState.reprice)),
        live_feed(),
        ConnectionTexts.create(words=t("No connection. What you add is kept on this device.")),
        RefreshMenu.create(
            hydrated=rx.State.is_hydrated,
            subtotal=cart_react.totals_here(CartState.cart, CartState.totals, NO_TOTALS)[0],
            on_change=CartState.follow_menu,
        ),
        cart_react.ConfirmedCart.create(
            cart=CartState.cart,
            sequence=CartState.sequence,
            most=MAXIMUM_LINE_QUANTITY,
            most_dishes=MAXIMUM_CART_DISHES,
            hydrated=rx.State.is_hydrated,
        ),
        banner=banner(),
        prompt=campus_prompt(CampusState.select),
        has_foot=False,
    )


def menu_head() -> rx.Component:
    """Render the restaurant's picture, name, facts and status, and VERIFY OUR PRICES."""
    head = menus_react.menu_head
    return rx.el.div(
        rx.el.div(
            rx.el.div(menus_react.Picture.create(src=head["image"]), class_name="menu-picture"),
            rx.el.div(
                numbered_label("01", t("MENU")),
                rx.el.h1(head["name"]),
                facts(
                    head["rating"],
                    head["deliveryMinutes"],
                    hours_today(head["id"], head["hours"]),
                ),
                rx.el.div(
                    status_badge(statuses_react.state_of(head["id"])),
                    verify_button(),
                    class_name="row",
                ),
                class_name="menu-title",
                data_testid=f"restaurant-{head['id']}",
            ),
            class_name="wrap",
        ),
        original_menu_dialog(),
        class_name="menu-head",
    )


def closed_banner() -> rx.Component:
    """Render the banner of a restaurant that takes no orders now. Source: specification 10.62."""
    words = rx.el.div(
        icon("warning"),
        rx.el.p(closed_words()),
        class_name="wrap",
    )
    return rx.el.div(
        rx.cond(statuses_react.is_menu_closed, rx.el.div(words, class_name="notice-band")),
        role="status",
    )


def reserved_table_bar() -> rx.Component:
    """Render the reserved table of the cart, the held table, or a link to reserve one."""
    reservable = wiring.services().reservations.restaurant()
    if reservable is None:
        return rx.fragment()
    table = ReservationState.table
    held = t("You hold a {table}, until {until}.", table=table, until=ReservationState.held_until)
    return rx.cond(
        CartState.is_reserved,
        table_banner(table),
        rx.cond(
            menus_react.menu_head["hasTables"] & ~statuses_react.is_menu_closed,
            rx.cond(
                table != "",
                promo_bar(held, promo_link(t("Order for it"), routes.reserved_menu(reservable.id))),
                promo_bar(t("Sit down to it: a table, and 10% off."), reserve_link()),
            ),
        ),
    )


def menu_tabs() -> rx.Component:
    """Render a tab for each section."""
    translations = {} if language() == ENGLISH else {name: t(name) for name in OUR_SECTIONS}
    return Tabs.create(
        name="section",
        label=t("Menu"),
        labels=menus_react.shown_section_names(translations),
        targets=menus_react.shown_section_ids,
    )


def dish_filters() -> rx.Component:
    """Render the search, 'Veg only' and the order of the dishes."""
    return rx.fragment(
        rx.el.div(
            dish_filter_react.SearchBox.create(label=t("Search dishes"), hint=t("Search")),
            veg_only(),
            sorting_choice(),
            class_name="dish-filters",
        ),
        filter_result(menus_react.shown_count, menus_react.hidden_count),
    )


def marks_explained() -> rx.Component:
    """Render what the marks of the dishes mean, once below them."""
    marks = (
        (rx.el.span(class_name="diet-mark", aria_hidden="true"), t("Vegetarian")),
        (rx.el.span(class_name="diet-mark non-veg", aria_hidden="true"), t("Not vegetarian")),
        (chillies("1"), t("Mild")),
        (chillies("2"), t("Hot")),
        (chillies("3"), t("Very hot")),
    )
    return rx.el.div(
        rx.el.ul(*(rx.el.li(*mark) for mark in marks)),
        rx.el.p(
            t(
                "'Contains' names the allergens that the kitchen declares. A dish without it may "
                "contain some, too: ask the kitchen."
            )
        ),
        class_name="marks-explained hint",
    )


def menu_section(section: Any) -> rx.Component:
    """Render a section with its dishes and their buttons for the cart."""
    return dishes_section(section, _keyed_dish)


def dishes_section(section: Any, keyed_dish: Any) -> rx.Component:
    """Render a section of the menu; `keyed_dish` renders a dish of it, with its buttons."""
    dishes = section["dishes"].to(list[menus_react.Dish])
    heading = f"{section['id']}-title"
    count = section["count"]
    dish_count = rx.cond(
        count == 1, t("/{count} DISH", count=count), t("/{count} DISHES", count=count)
    )
    return rx.el.section(
        rx.el.header(
            rx.el.h2(translated(section["name"], OUR_SECTIONS), id=heading),
            rx.el.p(rx.el.b(section["number"]), dish_count, class_name="numbered-label"),
        ),
        rx.el.ul(
            rx.foreach(dishes, keyed_dish),
            class_name="dish-list",
        ),
        class_name="menu-section",
        id=section["id"],
        aria_labelledby=heading,
    )


def _keyed_dish(dish: Any) -> rx.Component:
    """Render a dish that stays the same element while a filter changes the list."""
    return rx.fragment(menu_dish(dish=dish), key=dish["testId"])


@rx.memo
def menu_dish(dish: rx.Var[menus_react.Dish]) -> rx.Component:
    """Render a dish, again only when its quantity changes."""
    shown: Any = dish
    id_, quantity = shown["id"], cart_react.quantity_of(shown)
    return dish_card(
        shown,
        Choice(quantity, cart_react.line_total(shown, quantity), statuses_react.is_sold_out(shown)),
        on_add=CartState.add_dish(menus_react.menu_id, id_, cart_react.step(shown, 1)),
        on_remove=CartState.remove_dish(menus_react.menu_id, id_, cart_react.step(shown, -1)),
    )


def menu_error() -> rx.Component:
    """Render the reason why there is no menu, with a button to reload the page."""
    status = rx.cond(
        menus_react.menu_failure == "none", t("no connection"), menus_react.menu_failure
    )
    problem = rx.cond(
        menus_react.menu_failure != "",
        t(MenuMessage.LOAD_FAILED, status=status),
        translated(menus_react.menu_message, _MENU_PROBLEMS),
    )
    return rx.el.div(
        screen_head("!!", t("MENU"), t("No menu today")),
        rx.el.div(
            rx.el.p(t("Error: {problem}", problem=problem), role="alert"),
            button(t("Retry"), icon("refresh"), look="primary", on_click=page_react.reload_page),
            rx.el.a(t("To the restaurants"), class_name="text-button", **to_list()),
            class_name="prose",
        ),
        class_name="wrap",
    )


def menu_skeleton() -> rx.Component:
    """Render placeholders of the menu's size, so that the layout does not shift."""
    line = rx.el.div(
        rx.el.div(class_name="skeleton-line wide"),
        rx.el.div(class_name="skeleton-line"),
        class_name="dish-skeleton",
    )
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.div(class_name="menu-picture skeleton"),
                rx.el.div(
                    rx.el.div(class_name="skeleton-line title"),
                    rx.el.div(class_name="skeleton-line"),
                    class_name="menu-title stretched",
                ),
                class_name="wrap",
            ),
            class_name="menu-head",
        ),
        rx.el.div(class_name="tabs tabs-skeleton"),
        rx.el.div(*[line] * 6, class_name="wrap"),
        rx.el.h1(t("Menu"), class_name="visually-hidden"),
        rx.el.p(t("Loading the menu"), class_name="visually-hidden", role="status"),
        aria_busy="true",
    )


PAGE = Page(
    route=routes.MENU,
    title=gettext_noop("Menu · FOOD_points"),
    description=gettext_noop(
        "The menu of a campus restaurant, with prices. Choose your dishes and order."
    ),
    content=menu_page,
    on_load=[CampusState.refresh_statuses, CartState.open_menu, SharedCartState.open],
    loads_on_connect=True,
)
