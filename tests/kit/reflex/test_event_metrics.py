"""How long events take: added up as Prometheus wants it."""

from time import perf_counter

import pytest

from kit.reflex.event_metrics import EventTimes

NAME = "reflex___state____state.campus_app___states___cart____cart_state.add_item"


def told(times):
    (family,) = times.collect()
    return {(sample.name, *sample.labels.values()): sample.value for sample in family.samples}


def test_nothing_is_told_before_anything_has_happened():
    assert told(EventTimes()) == {}


@pytest.mark.parametrize(
    ("seconds", "first"), [(0.0, "0.0005"), (0.003, "0.005"), (0.7, "1.0"), (60, "+Inf")]
)
def test_an_event_counts_from_the_first_bound_that_it_kept(seconds, first):
    times = EventTimes()
    times.note(NAME, perf_counter() - seconds)
    found = told(times)
    handler = "cart_state.add_item"
    counts = {
        labels[1]: value
        for (name, *labels), value in found.items()
        if name == "campus_event_seconds_bucket"
    }
    bounds = sorted(counts, key=float)
    assert [counts[bound] for bound in bounds] == [
        float(float(bound) >= float(first)) for bound in bounds
    ]
    assert found["campus_event_seconds_count", handler] == 1
    assert found["campus_event_seconds_sum", handler] == pytest.approx(seconds, abs=0.1)


def test_events_add_up_by_their_name():
    times = EventTimes()
    for _ in range(3):
        times.note(NAME, perf_counter())
    times.note(NAME.replace("add", "remove"), perf_counter())
    found = told(times)
    assert found["campus_event_seconds_count", "cart_state.add_item"] == 3
    assert found["campus_event_seconds_count", "cart_state.remove_item"] == 1
