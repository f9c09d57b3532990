"""What a process says of itself to Prometheus.

Counters stand where the things happen that they count; figures of the moment are read on asking.
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
    """A figure of this moment: what it says, by which labels, and a value for each set of them."""

    name: str
    says: str
    labels: tuple[str, ...]
    values: Mapping[tuple[str, ...], float]


def figure(name: str, says: str, value: float) -> Figure:
    """Return a figure without labels."""
    return Figure(name, says, (), {(): value})


def exposition(figures: Iterable[Figure]) -> bytes:
    """Return what this process has counted, and these figures, as Prometheus reads them."""
    of_now = CollectorRegistry()
    for each in figures:
        gauge = Gauge(each.name, each.says, each.labels, registry=of_now)
        for labels, value in each.values.items():
            (gauge.labels(*labels) if labels else gauge).set(value)
    return generate_latest(REGISTRY) + generate_latest(of_now)
