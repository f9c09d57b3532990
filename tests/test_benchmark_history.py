"""The kept measurements: the chart of the goals, and docs/benchmarks.md."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.history import (
    CHART,
    COMPARISON,
    FILE,
    PAGE,
    SCALING,
    SCALING_PAGE,
    as_text,
    chart,
    keep,
    margin,
    newest,
    page,
    scaling_page,
)

DOCS = Path(__file__).parents[1] / "docs"
KEPT = DOCS / "benchmarks"
SVG = "{http://www.w3.org/2000/svg}"


def figure(name="Clicks", ours=80.0, goal="≥ 100", baseline=None, unit="events/s", beside=""):
    values = {"name": name, "ours": ours, "unit": unit, "goal": goal, "beside": beside}
    return {**values, "baseline": baseline, "ratio": ours / baseline if baseline else None}


def history(*runs):
    """Return the history of runs, each a list of figures; the first is that of 21 November."""
    rows = {each["name"]: each for run in runs for each in run}
    return {
        "rows": {
            name: {key: each[key] for key in ("unit", "goal", "beside")}
            for name, each in rows.items()
        },
        "runs": [
            {
                "at": f"202611{day}T120000Z",
                "machine": f"machine of {day}",
                "figures": {each["name"]: [each["ours"], each["baseline"]] for each in run},
            }
            for day, run in enumerate(runs, 21)
        ],
    }


def dots(drawn):
    return ElementTree.fromstring(drawn).findall(f"{SVG}circle")


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        pytest.param(figure(ours=80, goal="≥ 100"), 0.8, id="at least, missed"),
        pytest.param(figure(ours=200, goal="≥ 100"), 2.0, id="at least, met"),
        pytest.param(figure(ours=50, goal="≤ 100"), 2.0, id="at most, met"),
        pytest.param(figure(ours=200, goal="≤ 100"), 0.5, id="at most, missed"),
        pytest.param(figure(ours=4, baseline=10, goal="ratio ≥ 0.80"), 0.5, id="a ratio"),
        pytest.param(figure(ours=0, goal="≤ 1,000"), 4.0, id="at most, and nothing measured"),
    ],
)
def test_margin_is_one_when_goal_is_met_exactly(measured, expected):
    assert margin(measured, measured["goal"]) == pytest.approx(expected)


def test_figures_without_goal_are_omitted_in_the_chart():
    run = [figure("Visitors", goal=None), figure("Memory", ours=50, goal="≤ 100")]
    drawn = chart(history(run))
    assert len(dots(drawn)) == 1
    assert "Memory" in drawn
    assert "Visitors" not in drawn


def test_chart_shows_one_dot_per_run_and_marks_missed_goals():
    drawn = chart(history([figure(ours=80)], [figure(ours=120)]))
    newest_dot, earlier = dots(drawn)
    assert [newest_dot.get("class"), earlier.get("class")] == ["met", "missed"]
    goal = next(
        line.get("x1")
        for line in ElementTree.fromstring(drawn).iter(f"{SVG}line")
        if line.get("class") == "goal"
    )
    assert float(earlier.get("cx")) < float(goal) < float(newest_dot.get("cx"))


def test_earlier_runs_are_compared_with_newest_goal():
    drawn = chart(history([figure(ours=80, goal="≥ 100")], [figure(ours=80, goal="≥ 60")]))
    assert [dot.get("class") for dot in dots(drawn)] == ["met", "met"]


def test_chart_escapes_names():
    ElementTree.fromstring(chart(history([figure("<script>&")])))


def test_newest_measurement_of_a_figure_is_that_of_its_last_run():
    found = newest(history([figure("A"), figure("B", ours=1.0)], [figure("B", ours=2.0)]))
    assert [(name, each["ours"], each["day"]) for name, each in found.items()] == [
        ("A", 80.0, "2026-11-21"),
        ("B", 2.0, "2026-11-22"),
    ]


def test_page_shows_goals_and_compared_products():
    text = page(
        history(
            [
                figure("Clicks", ours=4.0, baseline=5.0, goal="ratio ≥ 0.75", beside="bare app"),
                figure("Memory", ours=120.0, unit="kB", goal="≤ 110"),
                figure("Fonts", ours=30.0, unit="kB", goal=None),
                figure("Visitor, pay: PostgreSQL", ours=2.0, unit="ms", goal=None),
                figure("Visitor, pay: SQL statements", ours=55.0, unit="", goal=None),
                figure(
                    "a shop: order", ours=1.0, baseline=4.0, unit="s", goal=None, beside="a shop"
                ),
            ]
        ),
        "# How it compares\n\nFairly.",
    )
    assert "| step | PostgreSQL | SQL statements |\n|---|---|---|\n| pay | 2 ms | 55 |" in text
    assert "1 of 2 goals are met." in text
    assert "| Clicks | 4 events/s | 5 events/s bare app | 0.80 | ratio ≥ 0.75 | yes | 2026" in text
    assert "| Memory | 120 kB |  |  | ≤ 110 | **no** | 2026-11-21 |" in text
    assert "| Fonts | 30 kB |  |  | 2026-11-21 |" in text
    assert "**a shop**, measured on 2026-11-21" in text
    assert "| order | 1 s | 4 s | 0.25 |" in text
    assert "## How it compares\n\nFairly." in text
    assert "| 2026-11-21 | machine of 21 |" in text


def test_kept_run_is_added_to_history_chart_and_page(tmp_path):
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / FILE).write_text(as_text(history([figure(ours=80.0)])), encoding="utf-8")
    content = {"figures": [figure(ours=120.123456)], "details": {"x": 1}}
    written = keep(folder, "20261122T120000Z", content, "another machine")
    assert written == tmp_path / PAGE
    assert "120 events/s" in written.read_text(encoding="utf-8")
    assert (folder / CHART).read_text(encoding="utf-8").count("<circle") == 2
    stored = json.loads((folder / FILE).read_text(encoding="utf-8"))
    assert [run["figures"] for run in stored["runs"]] == [
        {"Clicks": [80.0, None]},
        {"Clicks": [120.1, None]},
    ]


def test_scaling_page_has_the_tables_of_the_model():
    stored = history(
        [
            figure("Model, one process: a step, mean", 9, None, 10, "ms", "measured"),
            figure("Model, one process: largest error", 10, "≤ 20", unit="%"),
            figure("Noon, orders: 2,000", 0.16, None, unit="/s"),
            figure("Noon, orders: 20,000", 1.6, None, unit="/s"),
        ]
    )
    text = scaling_page(stored, "{model}\n\n{noon}\n")
    assert "| one process: a step, mean | 9 ms | 10 ms | 0.90 | 2026-11-21 |" in text
    assert "| population | 2,000 | 20,000 |" in text
    assert "| orders | 0.16 /s | 1.60 /s |" in text
    assert "Noon" not in page(stored, "")


def test_stored_chart_and_pages_show_the_stored_history():
    text = (KEPT / FILE).read_text(encoding="utf-8")
    stored = json.loads(text)
    assert text == as_text(stored)
    assert chart(stored) == (KEPT / CHART).read_text(encoding="utf-8")
    comparison = COMPARISON.read_text(encoding="utf-8")
    assert page(stored, comparison) == (DOCS / PAGE).read_text(encoding="utf-8")
    scaling = SCALING.read_text(encoding="utf-8")
    assert scaling_page(stored, scaling) == (DOCS / SCALING_PAGE).read_text(encoding="utf-8")
