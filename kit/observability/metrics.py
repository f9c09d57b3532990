"""The metrics of a process, in the text format of Prometheus.

Counters are in the modules that increment them; gauges are computed for each request.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    REGISTRY,
    CollectorRegistry,
    Gauge,
    generate_latest,
)

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4


@dataclass(frozen=True)
class Figure:
    """A gauge: its name, help text, label names, and a value for each tuple of label values."""

    name: str
    text: str
    labels: tuple[str, ...]
    values: Mapping[tuple[str, ...], float]


def figure(name: str, text: str, value: float) -> Figure:
    """Return a gauge without labels."""
    return Figure(name, text, (), {(): value})


def exposition(figures: Iterable[Figure]) -> bytes:
    """Return the counters of this process and these gauges in the text format."""
    of_now = CollectorRegistry()
    for each in figures:
        gauge = Gauge(each.name, each.text, each.labels, registry=of_now)
        for labels, value in each.values.items():
            (gauge.labels(*labels) if labels else gauge).set(value)
    return generate_latest(REGISTRY) + generate_latest(of_now)
