"""Questions that buyers ask, each with its answer folded below it."""

import reflex as rx

from voice_site.components.layout import definitions, heading, section
from voice_site.content import questions as content
from voice_site.domain.facts import Facts
from voice_site.translations import t


def questions(facts: Facts) -> rx.Component:
    """Render the questions on a light ground, without facts that the operator has not given."""
    return section(
        "questions",
        "questions-h",
        rx.el.div(
            rx.el.div(heading(t("Before you ask"), "questions-h"), class_name="road__head"),
            rx.el.div(*(_question(each) for each in content.questions(facts)), class_name="faq"),
            class_name="grid",
        ),
        is_light=True,
    )


def _question(question: content.Question) -> rx.Component:
    answer = [rx.el.p(question.answer)] if question.answer else []
    facts = definitions(*((fact.label, fact.value) for fact in question.facts))
    return rx.el.details(
        rx.el.summary(question.question), *answer, *([facts] if question.facts else [])
    )
