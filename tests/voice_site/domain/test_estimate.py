"""The figures of the cost calculator, and the estimate that `estimate.js` computes from them."""

import random
from fractions import Fraction
from math import ceil, floor
from urllib.parse import parse_qsl, urlsplit

from tests.helpers.browser_rules import call_in_node, read_cases
from voice_site.content.plans import PLANS
from voice_site.domain.constants import AGENT_RUPEES, ATTRITION_PERCENT, SOURCES
from voice_site.domain.estimate import FIGURES, Estimate, PlanLimit, estimate

BY_NAME = {each.name: each for each in FIGURES}
EXACT_IN_JAVASCRIPT = 2**53
SCRIPT = "voice_site/estimate.js"
CASES = read_cases("estimate")
FIELDS = [vars(each) for each in FIGURES]
BROWSER_PLANS = [
    {
        "id": plan.id,
        "name": plan.name,
        "price": plan.price_rupees,
        "limit": plan.monthly_interactions,
    }
    for plan in PLANS
]
INVALID_QUERIES = [
    "conversations=abc&agents=&cost=-5&attrition=4e1&replacement=1.5&share=101",
    "conversations=0&agents=1001&cost=500001&attrition=201&replacement=1000001&share=-1",
    "conversations=%00&agents=%E0%A4&cost=Infinity&attrition=0x20&replacement=NaN&share=%3Cb%3E",
    "conversations=99999999999999999999&agents=१२&cost=+5&attrition=%2045&share[]=3&agents[]=2",
]


def test_specified_figures_are_the_initial_ones():
    assert (AGENT_RUPEES, ATTRITION_PERCENT) == (25_547, 45)
    assert BY_NAME["cost"].initial == AGENT_RUPEES
    assert BY_NAME["attrition"].initial == ATTRITION_PERCENT
    assert len(BY_NAME) == len(FIGURES) == 6
    for each in FIGURES:
        assert each.minimum <= each.initial <= each.maximum, each.name


def test_replacing_an_agent_has_no_initial_cost():
    assert BY_NAME["replacement"].initial == BY_NAME["replacement"].minimum == 0


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


def exact_bill(conversations, agents, cost, attrition, replacement, share):
    """Return the bill of a case, computed with exact fractions."""

    def month(people):
        leaving = Fraction(people * attrition, 100 * 12)
        return people * cost + floor(leaving * replacement + Fraction(1, 2))

    taken = ceil(Fraction(conversations * share, 100))
    remaining = ceil(agents * (1 - Fraction(share, 100)))
    plan = next(each for each in PLANS if (each.monthly_interactions or taken) >= taken)
    return {
        "taken": taken,
        "plan": plan.name,
        "remaining_agents": remaining,
        "today": month(agents),
        "total": plan.price_rupees + month(remaining),
    }


def browser_estimates(figures):
    return call_in_node(SCRIPT, "estimate", ((each, BROWSER_PLANS) for each in figures))


def bill_of(estimate):
    """Return the bill of a case from an estimate of the browser."""
    return {
        "taken": estimate["taken"],
        "plan": estimate["plan"]["name"],
        "remaining_agents": estimate["remaining"]["agents"],
        "today": estimate["today"]["total"],
        "total": estimate["total"],
    }


def test_estimates_of_the_server_are_those_of_exact_fractions():
    limits = [PlanLimit(each.name, each.price_rupees, each.monthly_interactions) for each in PLANS]
    chance = random.Random(19)
    figures = [case["figures"] for case in CASES.values()] + [
        {each.name: chance.randint(each.minimum, each.maximum) for each in FIGURES}
        for _ in range(1_000)
    ]
    for each in figures:
        bill = exact_bill(**each)
        expected = Estimate(bill["plan"], bill["taken"], bill["today"], bill["total"])
        assert estimate(each, limits) == expected


def test_estimates_of_the_table_are_those_of_exact_fractions():
    bills = {name: case["bill"] for name, case in CASES.items()}
    assert {name: exact_bill(**case["figures"]) for name, case in CASES.items()} == bills


def test_browser_estimates_are_those_of_the_table():
    estimates = browser_estimates(case["figures"] for case in CASES.values())
    bills = {name: case["bill"] for name, case in CASES.items()}
    assert dict(zip(CASES, map(bill_of, estimates), strict=True)) == bills
    increases = [bill["total"] - bill["today"] for bill in bills.values()]
    assert [each["increase"] for each in estimates] == increases


def test_browser_estimates_match_fractions_for_1000_random_figures():
    chance = random.Random(18)
    figures = [
        {each.name: chance.randint(each.minimum, each.maximum) for each in FIGURES}
        for _ in range(1_000)
    ]
    estimates = browser_estimates(figures)
    assert list(map(bill_of, estimates)) == [exact_bill(**each) for each in figures]


def test_browser_writes_rupees_with_the_digit_groups_of_the_table():
    texts = read_cases("rupees")
    assert call_in_node(SCRIPT, "rupees", ([int(amount)] for amount in texts)) == list(
        texts.values()
    )


def test_browser_writes_numbers_with_at_most_two_decimals():
    assert call_in_node(SCRIPT, "grouped", [[2.7], [1_350.25]]) == ["2.7", "1,350.25"]


def test_invalid_figures_of_a_query_are_left_out():
    calls = [(query, FIELDS) for query in INVALID_QUERIES]
    assert call_in_node(SCRIPT, "figuresIn", calls) == [{}] * len(INVALID_QUERIES)


def test_link_replaces_figures_and_keeps_other_parameters():
    initial = {each.name: each.initial for each in FIGURES}
    address = "https://tara.example/?device=desktop&agents=3&language=hi#plans"
    [link] = call_in_node(SCRIPT, "linkTo", [(address, initial)])
    assert link.startswith("https://tara.example/?device=desktop&")
    assert link.endswith("#calculator")
    query = parse_qsl(urlsplit(link).query)
    assert dict(query) == {"device": "desktop", "language": "hi"} | {
        name: str(figure) for name, figure in initial.items()
    }
    assert len(query) == len(dict(query))
