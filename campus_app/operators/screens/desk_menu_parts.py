"""Parts of the desk's pages of menus."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.dish_marks import chillies, diet_mark, local_name
from campus_app.shared.translations import t
from kit.reflex.binding import StyleSheets


class DeskMenuSheets(StyleSheets):
    """The style sheet of the desk's menus."""

    paths = ["$/public/css/desk_menus.css"]


def difference(groups: Any) -> rx.Component:
    """Render what differs between two menus, a list for each kind."""
    return rx.el.div(
        rx.foreach(
            groups,
            lambda group: rx.el.section(
                rx.el.h3(group["title"], " ", rx.el.span(group["count"], class_name="figure")),
                rx.el.ul(
                    rx.foreach(
                        group["lines"],
                        lambda line, number: rx.el.li(
                            rx.el.span(line["name"]),
                            rx.el.span(line["what"], class_name="figure"),
                            key=number,
                        ),
                    )
                ),
                key=group["title"],
            ),
        ),
        class_name="menu-difference",
        data_testid="menu-difference",
    )


def timeline(versions: Any) -> rx.Component:
    """Render published versions, the latest first."""
    return rx.el.ol(
        rx.foreach(
            versions,
            lambda entry: rx.el.li(
                rx.el.time(entry["at"], class_name="figure"),
                rx.el.div(
                    rx.el.b(entry["what"]),
                    rx.el.p(t("by {name}", name=entry["by"]), lang=""),
                    rx.cond(
                        entry["note"] != "",
                        rx.el.p(entry["note"], class_name="desk-words", lang=""),
                    ),
                ),
                key=entry["key"],
            ),
        ),
        class_name="timeline",
    )


def shown_menu(sections: Any) -> rx.Component:
    """Render a menu as students see it, without buttons."""
    return rx.el.div(
        rx.foreach(
            sections,
            lambda section: rx.el.section(
                rx.el.header(rx.el.h4(section["name"])),
                rx.el.ul(rx.foreach(section["dishes"], _dish), class_name="dish-list"),
                class_name="menu-section",
                key=section["id"],
            ),
        ),
        class_name="menu-preview",
        role="region",
        aria_label=t("As students see it"),
        tab_index=0,  # it scrolls
        data_testid="menu-preview",
    )


def _dish(dish: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            diet_mark(dish["diet"]),
            rx.el.b(dish["name"], chillies(dish["spice"])),
            rx.el.span(class_name="leader", aria_hidden="true"),
            rx.el.span(dish["price"], class_name="price"),
            class_name="dish-line",
        ),
        rx.el.p(
            local_name(dish["localName"]),
            rx.el.span(dish["description"]),
            rx.el.span(dish["facts"], class_name="dish-facts"),
            class_name="dish-note",
        ),
        key=dish["id"],
    )
