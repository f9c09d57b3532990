"""About us: vision, expertise, impact and the founder."""

import reflex as rx

from voice_site.components.layout import definitions, heading, note, section, section_head
from voice_site.content.company import COMPANY
from voice_site.content.copy import EXPERTISE, IMPACT, VISION, Statement
from voice_site.translations import t


def about() -> rx.Component:
    """Render the company's statements and its founder."""
    return section(
        "about-section",
        "about-h",
        section_head(heading(t("About Us"), "about-h")),
        rx.el.div(
            _statement(VISION, "creed-big"),
            _statement(EXPERTISE),
            _statement(IMPACT),
            class_name="creed",
        ),
        _founder(),
    )


def _statement(statement: Statement, name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.h3(t(statement.title)), rx.el.p(t(statement.text), class_name=name), class_name="grid"
    )


def _founder() -> rx.Component:
    founder = COMPANY.founder
    return rx.el.div(
        rx.el.div(
            note("", t("The founder")),
            rx.el.h3(founder.name),
            definitions(
                (t("Email"), founder.email),
                (t("Education"), t(founder.education)),
                (t("Location"), t(founder.location)),
            ),
            rx.el.a(t("Send Message"), href=founder.mail_link, class_name="btn btn--line"),
        ),
        class_name="grid founder",
    )
