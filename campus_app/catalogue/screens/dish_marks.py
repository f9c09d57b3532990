"""The marks of a dish: diet, spice, its name in the page's language, 'Sold out'."""

from typing import Any

import reflex as rx

from campus_app.shared.translations import t
from kit.translations import ENGLISH, language


def diet_mark(diet: str) -> rx.Component | rx.Var:
    """Render the vegetarian or non-vegetarian mark, or its empty place."""
    return rx.match(
        diet,
        ("veg", rx.el.span(class_name="diet-mark", role="img", aria_label=t("Vegetarian"))),
        (
            "non_veg",
            rx.el.span(class_name="diet-mark non-veg", role="img", aria_label=t("Not vegetarian")),
        ),
        rx.el.span(class_name="diet-mark unknown", aria_hidden="true"),
    )


def chillies(spice: str) -> rx.Component:
    """Render how hot a dish is, 0 to 3 chillies; its facts say so in words."""
    return rx.el.span(class_name="chillies", aria_hidden="true", data_spice=spice)


def local_name(name: Any) -> rx.Component:
    """Render a dish's name in the page's language; pages in English have none."""
    if language() == ENGLISH:
        return rx.fragment()
    return rx.el.span(name, class_name="local-name")


def sold_out_mark() -> rx.Component:
    """Render the words 'Sold out'."""
    return rx.el.span(t("Sold out"), class_name="sold-out-mark", data_testid="sold-out")
