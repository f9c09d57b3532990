"""Meet TARA_x1: the three plans, and the waitlist for others."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import (
    demo_button_or_link,
    heading,
    lede,
    note,
    section,
    section_head,
)
from voice_site.content import copy
from voice_site.content.plans import NO_PLAN, PERIOD, PLANS, Plan
from voice_site.translations import t


def plans() -> rx.Component:
    """Render the plans side by side, with a button for each."""
    return section(
        "tara-variants-section",
        "plans-h",
        section_head(
            rx.fragment(heading(t("Meet TARA_x1"), "plans-h", "num"), lede(t(copy.PLANS_LEAD))),
            note(
                "",
                t("Each line stands for a language. Prices are in rupees, per month."),
            ),
        ),
        browser.SwipeRow.create(
            *(_plan(each) for each in PLANS), _something_different(), class_name="plans"
        ),
    )


def _something_different() -> rx.Component:
    return rx.el.div(
        rx.el.h3(t("Need Something Different?"), class_name="h-2"),
        rx.el.p(t(copy.SOMETHING_DIFFERENT)),
        demo_button_or_link(
            t("Join Waitlist"), source="waitlist", variant=NO_PLAN.id, is_quiet=True
        ),
        class_name="other",
    )


def _plan(plan: Plan) -> rx.Component:
    heading_id = f"plan-{plan.id}"
    return rx.el.article(
        _figure(plan),
        rx.el.div(
            rx.el.div(
                rx.el.span(plan.id, class_name="id"),
                rx.el.h3(plan.name, id=heading_id),
                *(
                    [rx.el.span(t("Recommended"), class_name="recommended")]
                    if plan.is_recommended
                    else []
                ),
                class_name=(
                    "plan__name plan__name--recommended" if plan.is_recommended else "plan__name"
                ),
            ),
            rx.el.p(t(plan.tagline), class_name="plan__tag"),
        ),
        _cost(plan),
        rx.el.ul(_limit(plan), *(rx.el.li(t(feature)) for feature in plan.features[1:])),
        rx.el.div(
            rx.el.p(t(plan.description), class_name="plan__desc"),
            rx.el.p(t(plan.voices), class_name="plan__desc"),
        ),
        _special(plan),
        rx.el.div(
            demo_button_or_link(
                t("Choose {plan}", plan=plan.name),
                source="plans",
                variant=plan.id,
                is_quiet=not plan.is_recommended,
            ),
            class_name="plan__act",
        ),
        class_name="plan",
        aria_labelledby=heading_id,
        data_colour=plan.colour.value,
    )


def _figure(plan: Plan) -> rx.Component:
    picture = rx.el.img(
        src=f"/images/tara/strings-{plan.strings}.svg", alt="", custom_attrs={"loading": "lazy"}
    )
    return rx.el.div(
        rx.el.div(picture, class_name="plan__fig"),
        rx.el.p(t(plan.caption), class_name="note plan__cap"),
        class_name="plan__top",
    )


def _cost(plan: Plan) -> rx.Component:
    return rx.el.p(
        rx.el.s(rx.el.span(t("Original price"), " ", class_name="sr-only"), plan.original_price),
        rx.el.strong(plan.price),
        " ",
        rx.el.span(t(PERIOD), class_name="per"),
        class_name="cost",
    )


def _limit(plan: Plan) -> rx.Component:
    """Render the first feature, the limit of interactions, with the price of one."""
    if not plan.interaction_price:
        return rx.el.li(t(plan.features[0]))
    price = t("{price} each, if all are used", price=plan.interaction_price)
    return rx.el.li(t(plan.features[0]), " ", rx.el.span(price, class_name="each"))


def _special(plan: Plan) -> rx.Component:
    if plan.special is None:
        return rx.el.div(class_name="plan__gap")
    return rx.el.div(
        rx.el.p(t("Special feature"), class_name="note"),
        rx.el.h4(t(plan.special.title)),
        rx.el.p(t(plan.special.description)),
        class_name="special",
    )
