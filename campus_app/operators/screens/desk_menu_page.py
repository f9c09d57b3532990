"""/desk/menus/{id}: edit a menu in a table, import a sheet, compare, publish, undo."""

from typing import Any

import reflex as rx

from campus_app.catalogue.rules.menu_version import MenuSource
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_frame import desk_page, field, list_end, section
from campus_app.operators.screens.desk_menu_parts import (
    DeskMenuSheets,
    difference,
    shown_menu,
    timeline,
)
from campus_app.operators.screens.desk_menu_sheet import read_sheet, sheet_input
from campus_app.operators.screens.desk_menu_table import dish_table
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import MAXIMUM_VERSION_NOTE_CHARACTERS
from campus_app.shared.translations import t
from campus_app.shell.button import button, text_button
from campus_app.shell.icon import icon
from kit.reflex.pages import Page
from kit.text import gettext_noop

State = DeskState
_MENU: Any = DeskState.menu
_DRAFT: Any = DeskState.draft
_PREVIEW: Any = DeskState.menu_preview


def menu_page() -> rx.Component:
    """Render a menu."""
    return desk_page(
        DeskArea.MENUS,
        _MENU.to(dict).keys().to(list).length() > 0,
        DeskMenuSheets.create(),
        rx.el.p(rx.el.a(icon("back"), t("Menus"), href=routes.DESK_MENUS), class_name="desk-back"),
        rx.cond(
            _MENU["isUnknown"],
            rx.el.h1(t("There is no such menu")),
            rx.fragment(_head(), _outdated(), _file_changes(), _edit(), _history()),
        ),
    )


def _head() -> rx.Component:
    return rx.el.header(
        rx.el.h1(_MENU["name"]),
        rx.el.span(
            _MENU["source"],
            data_look=rx.cond(_MENU["isOfDesk"], "good", "quiet"),
            class_name="desk-state",
            data_testid="menu-source",
        ),
        rx.cond(
            _MENU["version"] != "",
            rx.el.p(_MENU["version"], " · ", _MENU["at"], " · ", rx.el.span(_MENU["by"], lang="")),
            rx.el.p(t("Nothing was published yet: the file is sold.")),
        ),
        rx.el.div(
            rx.cond(
                _MENU["canUndo"],
                rx.fragment(
                    button(t("Undo last publish"), on_click=State.undo_menu),
                    text_button(
                        t("Sell the file"), on_click=State.set_menu_source(MenuSource.FILE.value)
                    ),
                ),
            ),
            rx.cond(
                _MENU["canUseDesk"],
                text_button(
                    t("Sell what was published last"),
                    on_click=State.set_menu_source(MenuSource.DESK.value),
                ),
            ),
            class_name="desk-actions",
        ),
        class_name="desk-order-head menu-head",
    )


def _outdated() -> rx.Component:
    return rx.cond(
        _MENU["isOutdated"],
        rx.el.div(
            rx.el.p(
                icon("warning"),
                t("This menu was changed meanwhile. Look at the preview before you publish."),
            ),
            button(t("Load it, keep my changes"), on_click=State.keep_draft),
            class_name="menu-asked",
        ),
    )


def _file_changes() -> rx.Component:
    changes: Any = _MENU["fileChanges"]
    return rx.cond(
        changes.to(list).length() > 0,
        section(
            t("The file was changed meanwhile"),
            rx.el.p(t("These changes of the file are not sold: the menu comes from the desk.")),
            difference(changes),
            data_testid="file-changes",
        ),
    )


def _edit() -> rx.Component:
    return rx.fragment(
        section(t("From a restaurant"), sheet_input()),
        read_sheet(),
        section(
            t("Dishes"),
            rx.el.p(
                rx.el.span(t("{count} dishes", count=_DRAFT["count"])),
                rx.cond(
                    _DRAFT["faults"].to(int) > 0,
                    rx.el.b(t("{count} with faults", count=_DRAFT["faults"]), data_look="bad"),
                ),
                rx.cond(
                    _DRAFT["asked"].to(int) > 0,
                    rx.el.b(t("{count} prices to decide", count=_DRAFT["asked"]), data_look="bad"),
                ),
                rx.cond(_DRAFT["isChanged"], rx.el.span(t("not published"))),
                class_name="menu-counts",
                role="status",
            ),
            dish_table(State.draft_rows, _DRAFT["categories"]),
            _pages(),
            button(icon("plus"), t("Add a dish"), on_click=State.add_dish),
            data_testid="menu-dishes",
        ),
        _publish(),
        rx.cond(_PREVIEW["sections"], _preview()),
    )


def _pages() -> rx.Component:
    return rx.cond(
        _DRAFT["pages"].to(int) > 1,
        rx.el.nav(
            button(
                t("Previous dishes"),
                disabled=_DRAFT["page"].to(int) == 1,
                on_click=State.turn_page(-1),
            ),
            rx.el.span(_DRAFT["page"], " / ", _DRAFT["pages"], class_name="figure"),
            button(
                t("Next dishes"),
                disabled=_DRAFT["page"] == _DRAFT["pages"],
                on_click=State.turn_page(1),
            ),
            rx.cond(
                _DRAFT["faults"].to(int) > 0,
                text_button(t("To the next fault"), on_click=State.show_fault),
            ),
            class_name="desk-actions",
            aria_label=t("Pages of the table"),
        ),
    )


def _publish() -> rx.Component:
    return rx.el.form(
        field(
            t("Note on this version"),
            rx.el.input(
                type="text",
                name="note",
                max_length=MAXIMUM_VERSION_NOTE_CHARACTERS,
                placeholder=t("Why it changes"),
                auto_complete="off",
                key=_MENU["version"].to(str),  # empty again once it is published
            ),
        ),
        rx.el.div(
            button(t("Preview"), on_click=State.preview_menu),
            rx.el.button(t("Publish"), type="submit", class_name="button primary"),
            text_button(t("Discard changes"), on_click=State.discard_draft),
            class_name="desk-actions",
        ),
        on_submit=State.publish_menu,
        class_name="menu-publish",
    )


def _preview() -> rx.Component:
    return section(
        t("Preview"),
        rx.cond(
            _PREVIEW["faults"].to(int) > 0,
            rx.el.div(
                rx.el.p(
                    icon("warning"),
                    t(
                        "{count} faults: it can’t be published. These dishes are missing below.",
                        count=_PREVIEW["faults"],
                    ),
                ),
                rx.foreach(_PREVIEW["whole"], lambda reason: rx.el.p(reason, key=reason)),
                class_name="menu-asked",
            ),
        ),
        rx.el.div(
            rx.el.div(
                rx.el.h3(t("What changes")),
                rx.cond(_PREVIEW["isSame"], rx.el.p(t("Nothing: this menu is sold already."))),
                rx.cond(_PREVIEW["isReordered"], rx.el.p(t("Dishes are in another order."))),
                difference(_PREVIEW["groups"]),
            ),
            rx.el.div(rx.el.h3(t("As students see it")), shown_menu(_PREVIEW["sections"])),
            class_name="desk-columns",
        ),
        data_testid="menu-preview-section",
    )


def _history() -> rx.Component:
    return rx.cond(
        _MENU["history"].to(list).length() > 0,
        section(
            t("Versions"),
            timeline(_MENU["history"]),
            list_end(_MENU["historyEnd"], State.show_more_versions),
            data_testid="menu-history",
        ),
    )


PAGE = Page(
    route=routes.DESK_MENU,
    title=gettext_noop("Menu · Desk · FOOD_points"),
    description=gettext_noop("For those who run this product."),
    content=menu_page,
    on_load=[CampusState.refresh_statuses, DeskState.open_menu, DeskState.arrive],
)
