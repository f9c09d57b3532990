"""/desk/leads: who asked for a demonstration, and what becomes of it."""

from typing import Any, Final

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_frame import desk_page, field, list_end
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.button import button
from kit.reflex.pages import Page
from kit.text import gettext_noop
from voice_site.domain.lead import LeadState

State = DeskState
_STATES: Final = {
    LeadState.NEW: gettext_noop("New"),
    LeadState.CONTACTED: gettext_noop("Contacted"),
    LeadState.QUALIFIED: gettext_noop("Qualified"),
    LeadState.WON: gettext_noop("Won"),
    LeadState.LOST: gettext_noop("Lost"),
    LeadState.SPAM: gettext_noop("Spam"),
}


def leads_page() -> rx.Component:
    """Render the leads."""
    leads: Any = State.leads
    return desk_page(
        DeskArea.LEADS,
        State.has_leads,
        rx.el.h1(t("Leads"), class_name="desk-title"),
        rx.el.div(
            field(
                t("State"),
                rx.el.select(
                    rx.el.option(t("All but spam"), value=""),
                    *_options(),
                    value=State.lead_state,
                    on_change=State.filter_leads,
                ),
            ),
            button(t("Download all"), on_click=State.download_leads),
            class_name="desk-filters",
        ),
        rx.cond(
            leads.to(list).length() > 0,
            rx.el.ul(rx.foreach(leads, _lead), class_name="desk-cards"),
            rx.el.p(t("No leads."), class_name="desk-quiet"),
        ),
        list_end(
            State.leads_end,
            State.show_more_leads,
            t("Choose a state, or download all, to see older ones."),
        ),
    )


def _options() -> list[rx.Component]:
    return [rx.el.option(t(words), value=state.value) for state, words in _STATES.items()]


def _lead(row: Any) -> rx.Component:
    return rx.el.li(
        rx.el.header(
            rx.el.h2(row["company"], lang="und"),
            rx.cond(
                row["waits"] != "",
                rx.el.span(
                    t("waits {time} of 24 h", time=row["waits"]),
                    data_look=rx.cond(row["isLate"], "bad", "quiet"),
                    class_name="desk-state",
                ),
            ),
        ),
        rx.el.p(
            rx.el.span(row["who"], lang="und"),
            rx.el.span(row["reference"], class_name="figure"),
            rx.cond(
                row["requests"] != "", rx.el.span(t("{count} requests", count=row["requests"]))
            ),
            class_name="desk-facts",
        ),
        # What visitors wrote, and the sales team's own words, in the language of the mails.
        rx.el.dl(rx.foreach(row["lines"], _line), class_name="desk-bill", lang="en-IN"),
        _change(row),
        rx.el.details(
            rx.el.summary(t("History")),
            rx.el.ul(rx.foreach(row["history"], rx.el.li), lang="en-IN"),
        ),
        data_line=True,
        data_testid=rx.Var.create("lead-") + row["reference"].to(str),
        key=row["reference"],
    )


def _line(line: Any) -> rx.Component:
    return rx.el.div(
        rx.el.dt(line["label"]),
        rx.el.dd(
            rx.cond(line["link"] != "", rx.el.a(line["value"], href=line["link"]), line["value"])
        ),
        key=line["label"],
    )


def _change(row: Any) -> rx.Component:
    return rx.el.form(
        rx.el.input(type="hidden", name="reference", value=row["reference"]),
        field(
            t("State"),
            rx.el.select(
                *_options(),
                name="state",
                default_value=row["state"],
                aria_label=t("State of {reference}", reference=row["reference"]),
            ),
        ),
        field(
            t("Who takes care"),
            rx.el.input(
                name="owner", default_value=row["owner"], max_length=60, auto_complete="off"
            ),
        ),
        field(
            t("Note"),
            rx.el.textarea(name="note", default_value=row["note"], max_length=2000, rows="2"),
        ),
        rx.el.button(t("Store"), type="submit", class_name="button"),
        on_submit=State.change_lead,
        # Another form: browsers ignore a new default of a choice, and of a text that was typed.
        key=row["form"],
        class_name="desk-refund",
    )


PAGE = Page(
    route=routes.DESK_LEADS,
    title=gettext_noop("Leads · Desk · FOOD_points"),
    description=gettext_noop("For those who run this product."),
    content=leads_page,
    on_load=[CampusState.refresh_statuses, DeskState.open_leads, DeskState.arrive],
)
