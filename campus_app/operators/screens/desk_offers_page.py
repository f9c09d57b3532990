"""/desk/offers: edit the list of offers, see what changes, publish, undo."""

from datetime import date, timedelta
from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_frame import desk_page, field, list_end, section, table_head
from campus_app.operators.screens.desk_menu_parts import DeskMenuSheets, difference, timeline
from campus_app.operators.screens.desk_state import DeskState
from campus_app.ordering.rules.offer_list import PERCENT, SECOND_FREE, WEEKDAYS
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import (
    LARGEST_OFFER_MINIMUM,
    MAXIMUM_OFFER_TITLE_CHARACTERS,
    MAXIMUM_PERCENT_OFF,
    MAXIMUM_VERSION_NOTE_CHARACTERS,
)
from campus_app.shared.translations import t
from campus_app.shell.button import button, text_button
from campus_app.shell.icon import icon
from kit.reflex.pages import Page
from kit.text import gettext_noop
from kit.translations import date_words

State = DeskState
_OFFERS: Any = DeskState.offers
_LIST: Any = DeskState.offer_list
_CHANGES: Any = DeskState.offer_changes
_FORM: Any = DeskState.offer_form
_A_MONDAY = date(2026, 11, 16)


def offers_page() -> rx.Component:
    """Render the offers."""
    return desk_page(
        DeskArea.MENUS,  # who may edit menus may edit offers (14.8)
        _OFFERS.to(dict).keys().to(list).length() > 0,
        DeskMenuSheets.create(),
        rx.el.p(rx.el.a(icon("back"), t("Menus"), href=routes.DESK_MENUS), class_name="desk-back"),
        _head(),
        _outdated(),
        section(
            t("The list"),
            rx.cond(_LIST.to(list).length() > 0, _table(), rx.el.p(t("There are no offers."))),
            rx.cond(
                _FORM["id"],
                _form(),
                rx.cond(
                    _OFFERS["canAdd"],
                    button(icon("plus"), t("Add an offer"), on_click=State.edit_offer("")),
                ),
            ),
            data_testid="offer-list",
        ),
        section(
            t("What changes"),
            rx.cond(
                _CHANGES.to(list).length() > 0,
                difference(_CHANGES),
                rx.el.p(t("Nothing: these offers hold already.")),
            ),
        ),
        _publish(),
        _history(),
    )


def _head() -> rx.Component:
    return rx.el.header(
        rx.el.h1(t("Offers")),
        rx.cond(
            _OFFERS["version"] != "",
            rx.el.p(
                _OFFERS["version"], " · ", _OFFERS["at"], " · ", rx.el.span(_OFFERS["by"], lang="")
            ),
            rx.el.p(t("Nothing was published yet: the product’s own offers hold.")),
        ),
        rx.el.div(
            rx.cond(_OFFERS["canUndo"], button(t("Undo last publish"), on_click=State.undo_offers)),
            class_name="desk-actions",
        ),
        class_name="desk-order-head menu-head",
    )


def _outdated() -> rx.Component:
    """Render that others have published since this list was begun, which replaces theirs."""
    return rx.cond(
        _OFFERS["isOutdated"],
        rx.el.div(
            rx.el.p(
                t(
                    "Others have published meanwhile. Your list would replace theirs: look at what "
                    "changes."
                )
            ),
            button(t("Go on with my list"), on_click=State.keep_offers),
            class_name="menu-asked",
        ),
    )


def _table() -> rx.Component:
    columns = (t("Name"), t("Restaurant"), t("Gives"), t("Holds"), t("Minimum"), t("Change"))
    return rx.el.table(
        table_head(*columns, figures=(t("Minimum"),)),
        rx.el.tbody(rx.foreach(_LIST, _row), role="rowgroup"),
        role="table",
        class_name="desk-table",
    )


def _row(row: Any) -> rx.Component:
    name = rx.el.span(" ", row["title"], class_name="visually-hidden", lang="und")
    return rx.el.tr(
        rx.el.th(
            rx.el.span(row["title"], lang="und"),
            rx.cond(row["mark"] != "", rx.el.b(" ", row["mark"], class_name="desk-quiet")),
            scope="row",
            role="rowheader",
        ),
        rx.el.td(row["restaurant"], role="cell"),
        rx.el.td(row["gives"], role="cell"),
        rx.el.td(row["holds"], role="cell"),
        rx.el.td(row["minimum"], role="cell", class_name="figure", data_label=t("Minimum")),
        rx.el.td(
            rx.el.div(
                text_button(t("Edit"), name, on_click=State.edit_offer(row["id"])),
                text_button(t("Remove"), name, on_click=State.drop_offer(row["id"])),
                class_name="desk-actions",
            ),
            role="cell",
        ),
        role="row",
        data_line=True,
        data_testid=rx.Var.create("desk-offer-") + row["id"].to(str),
        key=row["id"].to(str),
    )


def _form() -> rx.Component:
    restaurants = wiring.services().catalogue.restaurants()
    kitchens = [rx.el.option(t("Choose one"), value="")]
    kitchens += [rx.el.option(each.name, value=str(each.id)) for each in restaurants]
    benefits = [
        rx.el.option(t("A percentage off"), value=PERCENT),
        rx.el.option(t("Second one free"), value=SECOND_FREE),
    ]
    return rx.el.form(
        _input(t("Name on the bill"), "title", max_length=MAXIMUM_OFFER_TITLE_CHARACTERS),
        _select(t("Restaurant"), "restaurantId", *kitchens),
        _select(t("What it gives"), "benefit", *benefits),
        _input(t("Percent"), "percent", type="number", min=1, max=MAXIMUM_PERCENT_OFF),
        rx.el.fieldset(
            rx.el.legend(t("Days on which it begins")),
            *(_weekday(name, number) for number, name in enumerate(WEEKDAYS)),
            _fault("weekdays"),
            class_name="offer-days",
        ),
        _input(t("From (00:00 to 00:00 is the whole day)"), "from", type="time"),
        _input(t("Until (may be past midnight)"), "until", type="time"),
        _input(t("First day, if any"), "firstDay", type="date"),
        _input(t("Last day, if any"), "lastDay", type="date"),
        _input(
            t("Minimum in rupees, after the discount, if any"),
            "minimum",
            type="number",
            min=0,
            max=LARGEST_OFFER_MINIMUM,
        ),
        rx.el.div(
            rx.el.button(t("Take into the list"), type="submit", class_name="button primary"),
            text_button(t("Cancel"), on_click=State.close_offer),
            class_name="desk-actions",
        ),
        on_submit=State.store_offer,
        no_validate=True,  # the server names the faults, in the page's language
        class_name="offer-form",
        data_testid="offer-form",
        key=_FORM["key"].to(str),
    )


def _input(label: str, name: str, **properties: Any) -> rx.Component:
    control = rx.el.input(
        name=name,
        default_value=_FORM["values"][name].to(str),
        auto_complete="off",
        custom_attrs=_invalid(name),
        **properties,
    )
    return rx.el.div(field(label, control), _fault(name))


def _select(label: str, name: str, *options: rx.Component) -> rx.Component:
    control = rx.el.select(
        *options,
        name=name,
        default_value=_FORM["values"][name].to(str),
        custom_attrs=_invalid(name),
    )
    return rx.el.div(field(label, control), _fault(name))


def _weekday(name: str, number: int) -> rx.Component:
    return rx.el.label(
        rx.el.input(type="checkbox", name=name, default_checked=_FORM["days"][name].to(bool)),
        date_words(_A_MONDAY + timedelta(days=number), "EEEE"),
    )


def _invalid(name: str) -> dict[str, Any]:
    is_invalid = _FORM["faults"][name].to(str) != ""
    return {
        "aria-invalid": rx.cond(_FORM["faults"][name], "true", "false"),
        "aria-describedby": rx.cond(is_invalid, f"fault-{name}", ""),
    }


def _fault(name: str) -> rx.Component:
    return rx.el.p(
        _FORM["faults"][name].to(str),
        id=f"fault-{name}",
        class_name="menu-fault",
        role="alert",
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
            ),
        ),
        rx.el.div(
            rx.el.button(t("Publish"), type="submit", class_name="button primary"),
            text_button(t("Discard changes"), on_click=State.discard_offers),
            class_name="desk-actions",
        ),
        on_submit=State.publish_offers,
        reset_on_submit=True,
        class_name="menu-publish",
    )


def _history() -> rx.Component:
    return rx.cond(
        _OFFERS["history"].to(list).length() > 0,
        section(
            t("Versions"),
            timeline(_OFFERS["history"]),
            list_end(_OFFERS["historyEnd"], State.show_more_offer_versions),
            data_testid="offer-history",
        ),
    )


PAGE = Page(
    route=routes.DESK_OFFERS,
    title=gettext_noop("Offers · Desk · FOOD_points"),
    description=gettext_noop("For those who run this product."),
    content=offers_page,
    on_load=[CampusState.refresh_statuses, DeskState.open_offers, DeskState.arrive],
)
