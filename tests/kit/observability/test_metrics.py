"""The metrics in the Prometheus text format."""

import pytest
from prometheus_client import REGISTRY, Counter
from prometheus_client.parser import text_string_to_metric_families

from kit.observability.metrics import Figure, exposition, figure

ODD = 'a "quoted"\nname \\ of 100 %'


def exposed(figures=()):
    text = exposition(figures).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.parametrize("name", ["plain", ODD, "தமிழ்", ""])
def test_exposition_has_a_value_for_each_label(name):
    figures = [Figure("test_jobs", "Jobs.", ("topic", "state"), {(name, "dead"): 3, ("b", "x"): 0})]
    found = exposed(figures)
    assert found["test_jobs", (("state", "dead"), ("topic", name))] == 3
    assert found["test_jobs", (("state", "x"), ("topic", "b"))] == 0


def test_exposition_omits_metric_without_values():
    assert not [
        name for name, _ in exposed([Figure("test_none", "None.", ("a",), {})]) if "none" in name
    ]


def test_exposition_contains_counters_of_the_process():
    counter = Counter("test_counted", "Counted.", registry=REGISTRY)
    try:
        counter.inc(3)
        assert exposed([figure("test_beside", "Beside.", 1)])["test_counted_total", ()] == 3
    finally:
        REGISTRY.unregister(counter)


def test_expositions_do_not_add_up():
    assert exposed([figure("test_twice", "Twice.", 1)]).keys() >= {("test_twice", ())}
    assert exposed([figure("test_twice", "Twice.", 2)])["test_twice", ()] == 2
    assert ("test_twice", ()) not in exposed()


def test_exposition_contains_memory_and_cpu_time():
    names = {name for name, _ in exposed()}
    assert {"process_resident_memory_bytes", "process_cpu_seconds_total"} <= names
