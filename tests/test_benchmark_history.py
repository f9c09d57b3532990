"""The benchmark chart: positions of goals and measurements."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.benchmarks.history import CHART, chart, keep, margin

KEPT = Path(__file__).parents[1] / "docs" / "benchmarks"
SVG = "{http://www.w3.org/2000/svg}"


def figure(name="Clicks", ours=80.0, goal="≥ 100", ratio=None, unit="events/s"):
    return {"name": name, "ours": ours, "unit": unit, "goal": goal, "ratio": ratio}


def run(*figures):
    return {"machine": {}, "figures": list(figures), "failed": {}, "details": {"x": 1}}


def dots(drawn):
    return ElementTree.fromstring(drawn).findall(f"{SVG}circle")


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        pytest.param(figure(ours=80, goal="≥ 100"), 0.8, id="at least, missed"),
        pytest.param(figure(ours=200, goal="≥ 100"), 2.0, id="at least, met"),
        pytest.param(figure(ours=50, goal="≤ 100"), 2.0, id="at most, met"),
        pytest.param(figure(ours=200, goal="≤ 100"), 0.5, id="at most, missed"),
        pytest.param(figure(ours=9, ratio=0.4, goal="ratio ≥ 0.80"), 0.5, id="a ratio"),
        pytest.param(figure(ours=0, goal="≤ 1,000"), 4.0, id="at most, and nothing measured"),
    ],
)
def test_margin_is_one_when_goal_is_met_exactly(measured, expected):
    assert margin(measured, measured["goal"]) == pytest.approx(expected)


def test_figures_without_goal_are_omitted():
    drawn = chart([run(figure("Visitors", goal=None), figure("Memory", ours=50, goal="≤ 100"))])
    assert len(dots(drawn)) == 1
    assert "Memory" in drawn
    assert "Visitors" not in drawn


def test_chart_shows_one_dot_per_run_and_marks_missed_goals():
    drawn = chart([run(figure(ours=80)), run(figure(ours=120))])
    newest, earlier = dots(drawn)
    assert [newest.get("class"), earlier.get("class")] == ["met", "missed"]
    goal = next(
        line.get("x1")
        for line in ElementTree.fromstring(drawn).iter(f"{SVG}line")
        if line.get("class") == "goal"
    )
    assert float(earlier.get("cx")) < float(goal) < float(newest.get("cx"))


def test_earlier_runs_are_compared_with_newest_goal():
    drawn = chart([run(figure(ours=80, goal="≥ 100")), run(figure(ours=80, goal="≥ 60"))])
    assert [dot.get("class") for dot in dots(drawn)] == ["met", "met"]


def test_chart_escapes_names():
    ElementTree.fromstring(chart([run(figure("<script>&"))]))


def test_runs_are_stored_without_details_and_charted_together(tmp_path):
    keep(tmp_path, "20261121", run(figure(ours=80)))
    drawn = keep(tmp_path, "20261122", run(figure(ours=120)))
    assert drawn == tmp_path / CHART
    assert drawn.read_text(encoding="utf-8").count("<circle") == 2
    assert "details" not in json.loads((tmp_path / "20261122.json").read_text(encoding="utf-8"))


def test_stored_chart_shows_all_stored_runs():
    files = sorted(KEPT.glob("*.json"))
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    assert chart(runs) == (KEPT / CHART).read_text(encoding="utf-8")
