"""What your calls cost: a call centre beside the plan that fits, with the visitor's own figures."""

from typing import Any

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import heading, note, section, section_head
from voice_site.content.calculator import Group, groups, words
from voice_site.content.plans import PLANS, Plan
from voice_site.domain.estimate import FIGURES
from voice_site.translations import t


def calculator() -> rx.Component:
    """Render the calculator, in the prerendered page with the initial figures."""
    return section(
        "calculator",
        "calculator-h",
        section_head(
            heading(t("What your calls cost"), "calculator-h"),
            note(t("Table 2."), t("One month, beside the plan that fits.")),
        ),
        browser.CostCalculator.create(
            groups=[_group(each) for each in groups()],
            plans=[_plan(each) for each in PLANS],
            words=words(),
        ),
    )


def _group(group: Group) -> dict[str, Any]:
    figures = {each.name: each for each in FIGURES}
    fields = [
        {
            "name": name,
            "label": label.text,
            "hint": label.hint,
            "minimum": figures[name].minimum,
            "maximum": figures[name].maximum,
            "initial": figures[name].initial,
            "isShare": name == "share",
        }
        for name, label in group.labels.items()
    ]
    return {"legend": group.legend, "fields": fields}


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "id": plan.id,
        "name": plan.name,
        "price": plan.price_rupees,
        "limit": plan.monthly_interactions,
        "colour": plan.colour.value,
    }
