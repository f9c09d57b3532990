"""The benchmark chart: positions of goals and measurements."""

import json
from xml.etree import ElementTree

import pytest

from tests.benchmarks.history import CHART, drawn, held, keep


def figure(what="Clicks", ours=80.0, goal="≥ 100", ratio=None, unit="events/s"):
    return {"what": what, "ours": ours, "unit": unit, "goal": goal, "ratio": ratio}


def run(*figures):
    return {"machine": {}, "figures": list(figures), "notes": [], "failed": {}, "details": {"x": 1}}


@pytest.mark.parametrize(
    ("found", "margin"),
    [
        pytest.param(figure(ours=80, goal="≥ 100"), 0.8, id="at least, missed"),
        pytest.param(figure(ours=200, goal="≥ 100"), 2.0, id="at least, met"),
        pytest.param(figure(ours=50, goal="≤ 100"), 2.0, id="at most, met"),
        pytest.param(figure(ours=200, goal="≤ 100"), 0.5, id="at most, missed"),
        pytest.param(figure(ours=9, ratio=0.4, goal="ratio ≥ 0.80"), 0.5, id="a ratio"),
        pytest.param(figure(ours=0, goal="≤ 0"), 1.0, id="none is allowed, and there is none"),
        pytest.param(figure(ours=3, goal="≤ 0"), 0.25, id="none is allowed, and there are some"),
    ],
)
def test_margin_is_one_when_goal_is_met_exactly(found, margin):
    (only,) = held(run(found))
    assert only.margin == pytest.approx(margin)


def test_figures_without_goal_are_omitted_and_parts_named_after_whole():
    figures = [figure("Visitors", goal=None), figure("  memory", ours=50, goal="≤ 100")]
    assert [each.name for each in held(run(*figures))] == ["Visitors: memory"]


def test_chart_shows_one_dot_per_run_and_marks_missed_goals():
    chart = drawn([run(figure(ours=80)), run(figure(ours=120))])
    dots = ElementTree.fromstring(chart).findall("{http://www.w3.org/2000/svg}circle")
    assert [dot.get("class") for dot in dots] == ["met", "missed"]
    goal = next(
        line.get("x1")
        for line in ElementTree.fromstring(chart).iter("{http://www.w3.org/2000/svg}line")
        if line.get("class") == "goal"
    )
    assert float(dots[1].get("cx")) < float(goal) < float(dots[0].get("cx"))


def test_chart_escapes_names():
    ElementTree.fromstring(drawn([run(figure("<script>&"))]))


def test_runs_are_stored_without_details_and_charted_together(tmp_path):
    keep(tmp_path, "20261121", run(figure(ours=80)))
    chart = keep(tmp_path, "20261122", run(figure(ours=120)))
    assert chart == tmp_path / CHART
    assert chart.read_text(encoding="utf-8").count("<circle") == 2
    assert "details" not in json.loads((tmp_path / "20261122.json").read_text(encoding="utf-8"))
