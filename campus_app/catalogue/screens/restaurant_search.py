"""The search for dishes of all kitchens, on the list."""

from typing import Any

import reflex as rx

from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.catalogue.screens import dish_filter_react, statuses_react
from campus_app.catalogue.screens.dish_filters import filter_result, veg_only
from campus_app.catalogue.screens.dish_marks import diet_mark, local_name, sold_out_mark
from campus_app.catalogue.screens.status_badge import status_badge
from campus_app.shared.translations import t


def restaurant_search(ids: list[str], restaurants: rx.Component) -> rx.Component:
    """Render the search, and its result in place of the list of restaurants."""
    return rx.fragment(
        rx.el.div(
            rx.el.div(
                dish_filter_react.SearchBox.create(
                    label=t("Search all kitchens"),
                    hint=t("Search all kitchens"),
                    on_focus=dish_filter_react.load_dishes(ids),
                ),
                rx.cond(dish_filter_react.is_searching, veg_only()),
                class_name="dish-filters",
            ),
            _message(),
            class_name="wrap kitchen-search",
        ),
        dish_filter_react.DishLoader.create(ids=ids),
        rx.cond(dish_filter_react.is_searching, _result(), restaurants),
    )


def _message() -> rx.Component:
    """Render how many dishes match, or that the menus are loading or can't be reached."""
    some = t("Some menus can’t be reached just now.")
    return filter_result(
        dish_filter_react.found_count,
        dish_filter_react.hidden_count,
        is_shown=dish_filter_react.is_searching,
        instead=rx.cond(
            dish_filter_react.is_loading,
            t("Loading the menus"),
            rx.cond(dish_filter_react.is_empty, t("The menus can’t be reached just now."), ""),
        ),
        more=rx.cond(dish_filter_react.has_failed, f" {some}", ""),
    )


def _result() -> rx.Component:
    return rx.el.div(
        rx.el.ul(
            rx.foreach(dish_filter_react.found_dishes, _dish),
            class_name="dish-list found-dishes",
            aria_label=t("Dishes"),
        ),
        rx.cond(
            dish_filter_react.unshown_count > 0,
            rx.el.p(
                t("{count} more: type more of the name.", count=dish_filter_react.unshown_count),
                class_name="filter-result",
            ),
        ),
        class_name="wrap",
    )


def _dish(dish: Any) -> rx.Component:
    """Render a dish with its kitchen; its name is the link to the menu, which may be closed.

    Source: specification 10.62.
    """
    state = statuses_react.state_of(dish["restaurantId"])
    is_open = state == RestaurantState.OPEN.value
    link = rx.el.a(
        dish["name"],
        href=dish["address"],
        on_click=statuses_react.report_selection(dish["restaurantId"], dish["restaurantName"]),
    )
    return rx.el.li(
        rx.el.div(
            diet_mark(dish["diet"]),
            rx.el.h2(link),
            rx.el.span(class_name="leader", aria_hidden="true"),
            rx.el.span(dish["price"], class_name="price"),
            class_name="dish-line",
        ),
        rx.el.p(
            local_name(dish["localName"]),
            rx.el.span(dish["restaurantName"]),
            status_badge(state),
            rx.cond(dish["isSoldOut"], sold_out_mark()),
            class_name="dish-note",
        ),
        class_name=rx.cond(is_open, "found-dish can-open", "found-dish can-open shut"),
        key=dish["key"],
    )
