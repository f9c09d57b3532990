"""Questions that buyers ask, each with its answer folded below it."""

import reflex as rx

from voice_site.components.layout import heading, section
from voice_site.content import questions as content
from voice_site.translations import t


def questions() -> rx.Component:
    """Render the questions on a light ground."""
    return section(
        "questions",
        "questions-h",
        rx.el.div(
            rx.el.div(heading(t("Before you ask"), "questions-h"), class_name="road__head"),
            rx.el.div(*(_question(each) for each in content.questions()), class_name="faq"),
            class_name="grid",
        ),
        is_light=True,
    )


def _question(question: content.Question) -> rx.Component:
    return rx.el.details(rx.el.summary(question.question), rx.el.p(question.answer))
