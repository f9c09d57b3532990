"""The texts of the cost calculator."""

import re
from string import Formatter

from voice_site.content.calculator import groups, words
from voice_site.content.comparison import ROWS
from voice_site.content.plans import PLANS
from voice_site.domain.estimate import FIGURES

PLACEHOLDERS = {
    "agents": {"agents", "cost"},
    "remaining": {"agents", "cost"},
    "leaving": {"leaving"},
    "replacing": {"leaving", "replacement"},
    "fits": {"share", "conversations", "taken", "limit"},
    "fitsAbove": {"share", "conversations", "taken", "limit", "smaller", "smaller_limit"},
    "fitsAny": {"share", "conversations", "taken", "smaller", "smaller_limit"},
    "less": {"amount"},
    "more": {"amount"},
    "percent": {"number"},
    "invalid": {"minimum", "maximum", "used"},
}
"""The values that the component fills in."""


def test_each_figure_has_one_label():
    labels = [name for group in groups() for name in group.labels]
    assert sorted(labels) == sorted(each.name for each in FIGURES)


def test_texts_have_the_placeholders_that_the_component_fills_in():
    found = {
        name: {place for _, place, _, _ in Formatter().parse(text) if place is not None}
        for name, text in words().items()
    }
    assert {name: places for name, places in found.items() if places} == PLACEHOLDERS


def test_texts_name_specified_figures_only():
    hints = [label.hint for group in groups() for label in group.labels.values()]
    texts = [*hints, *words().values()]
    figures = {figure for text in texts for figure in re.findall(r"₹?[\d,]*\d%?", text)}
    assert figures == {"₹25,547", "45%", "0", "12"}
    assert {"₹25,547", "45%"} <= {row.call_centre.text for row in ROWS}


def test_limits_of_plans_are_those_of_their_features():
    limits = [plan.monthly_interactions for plan in PLANS]
    assert limits == [1_000, 10_000, None]
    for plan in PLANS:
        shown = f"Up to {plan.monthly_interactions:,}" if plan.monthly_interactions else "Unlimited"
        assert plan.features[0].startswith(f"{shown} interactions")
