"""Meet TARA_x1: the three plans, and the waitlist for others."""

import reflex as rx

from voice_site.components.layout import (
    heading,
    lede,
    note,
    open_demo_button,
    section,
    section_head,
)
from voice_site.content import copy
from voice_site.content.plans import PERIOD, PLANS, Plan


def plans() -> rx.Component:
    """Render the plans side by side, with a button for each."""
    return section(
        "tara-variants-section",
        "plans-h",
        section_head(
            rx.fragment(heading("Meet TARA_x1", "plans-h", "num"), lede(copy.PLANS_LEAD)),
            note(
                "Fig. 3.",
                "The same string, taken five, fifteen and countless times. Prices are in rupees,"
                " per month.",
            ),
        ),
        rx.el.div(*(_plan(each) for each in PLANS), class_name="plans"),
        rx.el.div(
            rx.el.h3("Need Something Different?", class_name="h-2"),
            rx.el.p(copy.SOMETHING_DIFFERENT),
            open_demo_button("Join Waitlist", source="waitlist", is_quiet=True),
            class_name="grid other",
        ),
    )


def _plan(plan: Plan) -> rx.Component:
    heading_id = f"plan-{plan.id}"
    return rx.el.article(
        _figure(plan),
        rx.el.div(
            rx.el.div(
                rx.el.span(plan.id, class_name="id"),
                rx.el.h3(plan.name, id=heading_id),
                class_name="plan__name",
            ),
            rx.el.p(plan.tagline, class_name="plan__tag"),
        ),
        _cost(plan),
        rx.el.ul(*(rx.el.li(feature) for feature in plan.features)),
        rx.el.p(plan.description, class_name="plan__desc"),
        _special(plan),
        rx.el.div(
            open_demo_button(f"Choose {plan.name}", source="plans", variant=plan.id, is_quiet=True),
            class_name="plan__act",
        ),
        class_name="plan",
        aria_labelledby=heading_id,
    )


def _figure(plan: Plan) -> rx.Component:
    picture = rx.el.img(
        src=f"/images/tara/strings-{plan.strings}.svg", alt="", custom_attrs={"loading": "lazy"}
    )
    return rx.el.div(
        rx.el.div(picture, class_name="plan__fig"),
        rx.el.p(plan.caption, class_name="note plan__cap"),
        class_name="plan__top",
    )


def _cost(plan: Plan) -> rx.Component:
    return rx.el.p(
        rx.el.s(rx.el.span("Original price ", class_name="sr-only"), plan.original_price),
        rx.el.strong(plan.price),
        " ",
        rx.el.span(PERIOD, class_name="per"),
        class_name="cost",
    )


def _special(plan: Plan) -> rx.Component:
    if plan.special is None:
        return rx.el.div(class_name="plan__gap")
    return rx.el.div(
        rx.el.p("Special feature", class_name="note"),
        rx.el.h4(plan.special.title),
        rx.el.p(plan.special.description),
        class_name="special",
    )
