"""The section 'Market dynamics': three figures, each drawn as a part of a line (its string)."""

import reflex as rx

from voice_site.components.figures import length
from voice_site.components.layout import heading, section
from voice_site.content.market import FIGURES, LABEL, MarketFigure
from voice_site.translations import t


def market() -> rx.Component:
    """Render the section."""
    return section(
        "market",
        "market-h",
        rx.el.div(
            rx.el.div(
                heading(t("Market dynamics"), "market-h"),
                rx.el.p(t("Figures of the market, as the company states them."), class_name="note"),
                class_name="road__head",
            ),
            rx.el.dl(*(_figure(each) for each in FIGURES), class_name="shares"),
            class_name="grid",
        ),
    )


def _figure(figure: MarketFigure) -> rx.Component:
    return rx.el.div(
        rx.el.dt(figure.number, rx.el.small(t(figure.unit))),
        rx.el.dd(length(figure.length, figure.marks), rx.el.span(t(LABEL)), class_name="label"),
        class_name="share",
    )
