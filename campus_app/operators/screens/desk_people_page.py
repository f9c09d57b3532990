"""/desk/devices and /desk/audit: who is in, and who did what."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_frame import desk_page, field, list_end, section, table_head
from campus_app.operators.screens.desk_restaurants_page import made_link
from campus_app.operators.screens.desk_state import DeskState
from campus_app.operators.screens.desk_words import ROLES
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.button import text_button
from kit.reflex.pages import Page
from kit.text import gettext_noop

State = DeskState


def devices_page() -> rx.Component:
    """Render the devices of the desk, and the form that makes a link."""
    devices: Any = State.devices
    return desk_page(
        DeskArea.DEVICES,
        devices.to(list).length() > 0,
        rx.el.h1(t("Devices"), class_name="desk-title"),
        section(t("Let somebody in"), _link_form()),
        section(
            t("Who is in"),
            rx.el.table(
                table_head(
                    *(t("Name"), t("Role"), t("Device"), t("Enrolled"), t("Last used")),
                    t("Revoke"),
                    figures=(t("Enrolled"), t("Last used")),
                ),
                rx.el.tbody(rx.foreach(devices, _device), role="rowgroup"),
                role="table",
                class_name="desk-table",
            ),
        ),
    )


def _link_form() -> rx.Component:
    link: Any = State.desk_link
    return rx.fragment(
        rx.el.form(
            field(
                t("Name"),
                rx.el.input(name="name", required=True, max_length=60, auto_complete="off"),
            ),
            field(
                t("Role"),
                rx.el.select(
                    *(rx.el.option(t(words), value=role) for role, words in ROLES.items()),
                    name="role",
                    default_value="support",
                ),
            ),
            rx.el.button(t("Make a link"), type="submit", class_name="button"),
            on_submit=State.make_desk_link,
            class_name="desk-filters",
        ),
        rx.cond(
            link["url"],
            made_link(
                link,
                t(
                    "Send it to {name}. It works once, until {time}.",
                    name=link["name"],
                    time=link["until"],
                ),
            ),
        ),
    )


def _device(row: Any) -> rx.Component:
    return rx.el.tr(
        rx.el.th(row["name"], scope="row", role="rowheader", lang="und"),
        rx.el.td(row["roleName"], role="cell"),
        rx.el.td(
            row["id"],
            rx.cond(row["isThis"], rx.el.span(" · ", t("this one"))),
            role="cell",
            class_name="figure",
        ),
        rx.el.td(row["enrolled"], role="cell", data_label=t("Enrolled"), class_name="figure"),
        rx.el.td(row["used"], role="cell", data_label=t("Last used"), class_name="figure"),
        rx.el.td(
            text_button(
                t("Revoke"),
                rx.el.span(" ", row["name"], class_name="visually-hidden", lang="und"),
                on_click=State.revoke_device(row["id"]),
            ),
            role="cell",
        ),
        role="row",
        data_line=True,
        key=row["id"],
    )


def audit_page() -> rx.Component:
    """Render the newest entries of the audit trail."""
    entries: Any = State.entries
    return desk_page(
        DeskArea.AUDIT,
        entries.to(list).length() >= 0,
        rx.el.h1(t("Audit"), class_name="desk-title"),
        rx.el.form(
            rx.el.input(
                type="search",
                name="text",
                aria_label=t("Who, what or where"),
                placeholder=t("Who, what or where"),
                max_length=60,
                auto_complete="off",
                data_find=True,
            ),
            rx.el.button(t("Find"), type="submit", class_name="button"),
            on_submit=State.filter_audit,
            class_name="desk-search",
            role="search",
        ),
        rx.cond(
            entries.to(list).length() > 0,
            rx.el.table(
                table_head(t("Time"), t("Who"), t("What"), t("Where"), t("Details")),
                rx.el.tbody(rx.foreach(entries, _entry), role="rowgroup"),
                role="table",
                class_name="desk-table",
            ),
            rx.el.p(t("Nothing found."), class_name="desk-quiet"),
        ),
        list_end(
            State.entries_end,
            State.show_more_entries,
            t("Search for a word, to see older ones."),
        ),
        rx.el.p(t("No entry can be changed or deleted."), class_name="hint"),
    )


def _entry(row: Any) -> rx.Component:
    return rx.el.tr(
        rx.el.td(row["at"], role="cell", class_name="figure"),
        rx.el.th(row["actor"], scope="row", role="rowheader", lang="und"),
        rx.el.td(
            row["did"],
            # The words of the trail itself, by which it is filtered.
            rx.el.span(row["action"], class_name="desk-words", lang="en-IN"),
            role="cell",
        ),
        rx.el.td(
            rx.cond(
                row["href"] != "",
                rx.el.a(row["subject"], href=row["href"], class_name="figure"),
                rx.el.span(row["subject"], lang="en-IN"),
            ),
            role="cell",
        ),
        rx.el.td(row["details"], role="cell", class_name="desk-words", lang="en-IN"),
        role="row",
        data_line=True,
        key=row["key"],
    )


PAGES = [
    Page(
        route=routes.DESK_DEVICES,
        title=gettext_noop("Devices · Desk · FOOD_points"),
        description=gettext_noop("For those who run this product."),
        content=devices_page,
        on_load=[CampusState.refresh_statuses, DeskState.open_devices, DeskState.arrive],
    ),
    Page(
        route=routes.DESK_AUDIT,
        title=gettext_noop("Audit · Desk · FOOD_points"),
        description=gettext_noop("For those who run this product."),
        content=audit_page,
        on_load=[CampusState.refresh_statuses, DeskState.open_audit, DeskState.arrive],
    ),
]
