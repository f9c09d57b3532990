"""The figures of the cost calculator; `tests/e2e/test_calculator.py` checks the estimate."""

from voice_site.content.plans import PLANS
from voice_site.domain.constants import AGENT_RUPEES, ATTRITION_PERCENT, SOURCES
from voice_site.domain.estimate import FIGURES

BY_NAME = {each.name: each for each in FIGURES}
EXACT_IN_JAVASCRIPT = 2**53


def test_specified_figures_are_the_initial_ones():
    assert (AGENT_RUPEES, ATTRITION_PERCENT) == (25_547, 45)
    assert BY_NAME["cost"].initial == AGENT_RUPEES
    assert BY_NAME["attrition"].initial == ATTRITION_PERCENT


def test_replacing_an_agent_has_no_initial_cost():
    assert BY_NAME["replacement"].initial == BY_NAME["replacement"].minimum == 0


def test_each_initial_figure_is_within_its_limits():
    assert len(BY_NAME) == len(FIGURES) == 6
    for each in FIGURES:
        assert each.minimum <= each.initial <= each.maximum, each.name


def test_names_do_not_collide_with_other_query_parameters():
    assert not set(BY_NAME) & {"device", "desktop", "language"}


def test_largest_sums_are_exact_in_javascript():
    most = {name: each.maximum for name, each in BY_NAME.items()}
    replacing = most["agents"] * most["attrition"] * most["replacement"]
    total = most["agents"] * most["cost"] + replacing + max(plan.price_rupees for plan in PLANS)
    assert total < EXACT_IN_JAVASCRIPT
    assert most["conversations"] * most["share"] < EXACT_IN_JAVASCRIPT


def test_calculator_is_a_source_of_demo_requests():
    assert "calculator" in SOURCES
