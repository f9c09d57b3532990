"""Percentiles of few measurements."""

import statistics
from collections.abc import Sequence


def p95(values: Sequence[float]) -> float:
    """Return the 95th percentile; of a single value, that value."""
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=20, method="inclusive")[-1]
