"""'Veg only', the sorting, and how many dishes are left: of a menu, or of a search in all."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens import dish_filter_react
from campus_app.shared.translations import t
from campus_app.shell.button import text_button
from campus_app.shell.icon import icon
from kit.text import gettext_noop

_SORTINGS = {
    "menu": gettext_noop("As on the menu"),
    "cheapest": gettext_noop("Cheapest first"),
    "dearest": gettext_noop("Dearest first"),
}


def veg_only() -> rx.Component:
    """Render the box that hides dishes without the green mark."""
    return rx.el.label(
        rx.el.input(
            type="checkbox",
            checked=dish_filter_react.is_veg_only,
            on_change=dish_filter_react.toggle_veg_only,
        ),
        rx.el.span(class_name="diet-mark", aria_hidden="true"),
        rx.el.span(t("Veg only")),
        class_name="veg-only",
    )


def sorting_choice() -> rx.Component:
    """Render the choice of the dishes' order: on phones an icon, elsewhere with its words."""
    return rx.el.label(
        icon("order"),
        rx.el.select(
            *(rx.el.option(t(words), value=order) for order, words in _SORTINGS.items()),
            value=dish_filter_react.order,
            on_change=dish_filter_react.sort_by,
            aria_label=t("Order of the dishes"),
        ),
        class_name=rx.cond(
            dish_filter_react.order == "menu", "order-choice", "order-choice chosen"
        ),
    )


def filter_result(
    count: Any,
    hidden: Any,
    *,
    is_shown: Any = dish_filter_react.is_filtered,
    instead: Any = "",
    more: Any = "",
) -> rx.Component:
    """Render and announce that `count` dishes are left, and offer to show all again.

    `hidden` others match, but lack the green mark. While menus load or can't be reached, a text
    `instead` replaces the numbers, or `more` follows them: some menus are missing.
    """
    found = rx.match(
        count,
        (0, t("No dish found.")),
        (1, t("1 dish found.")),
        t("{count} dishes found.", count=count),
    )
    not_shown = rx.match(
        hidden,
        (0, ""),
        (1, t("1 dish without the green mark is hidden.")),
        t("{count} dishes without the green mark are hidden.", count=hidden),
    )
    return rx.el.div(
        rx.el.p(
            rx.cond(
                is_shown,
                rx.cond(instead != "", instead, rx.fragment(found, " ", not_shown, more)),
            ),
            role="status",
        ),
        rx.cond(is_shown, text_button(t("Show all"), on_click=dish_filter_react.show_all)),
        class_name=rx.cond(is_shown, "filter-result", "filter-result none"),
    )
