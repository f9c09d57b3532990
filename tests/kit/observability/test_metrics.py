"""What a process says to Prometheus: readable by it, and true."""

import pytest
from prometheus_client import REGISTRY, Counter
from prometheus_client.parser import text_string_to_metric_families

from kit.observability.metrics import Figure, exposition, figure

ODD = 'a "quoted"\nname \\ of 100 %'


def told(figures=()):
    text = exposition(figures).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_figure_is_told_as_it_is():
    assert told([figure("test_age_seconds", "An age.", 2.5)])["test_age_seconds", ()] == 2.5


@pytest.mark.parametrize("name", ["plain", ODD, "தமிழ்", ""])
def test_a_figure_has_a_value_for_each_of_its_labels(name):
    figures = [Figure("test_jobs", "Jobs.", ("topic", "state"), {(name, "dead"): 3, ("b", "x"): 0})]
    found = told(figures)
    assert found["test_jobs", (("state", "dead"), ("topic", name))] == 3
    assert found["test_jobs", (("state", "x"), ("topic", "b"))] == 0


def test_a_figure_without_values_is_told_without_any():
    assert not [
        name for name, _ in told([Figure("test_none", "None.", ("a",), {})]) if "none" in name
    ]


def test_what_the_process_has_counted_is_told_too():
    counter = Counter("test_counted", "Counted.", registry=REGISTRY)
    try:
        counter.inc(3)
        assert told([figure("test_beside", "Beside.", 1)])["test_counted_total", ()] == 3
    finally:
        REGISTRY.unregister(counter)


def test_the_figures_of_two_questions_do_not_add_up():
    assert told([figure("test_twice", "Twice.", 1)]).keys() >= {("test_twice", ())}
    assert told([figure("test_twice", "Twice.", 2)])["test_twice", ()] == 2
    assert ("test_twice", ()) not in told()


def test_the_process_tells_of_its_memory_and_its_processor_time():
    names = {name for name, _ in told()}
    assert {"process_resident_memory_bytes", "process_cpu_seconds_total"} <= names
