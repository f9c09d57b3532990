"""Parse Prometheus metrics."""

from prometheus_client.parser import text_string_to_metric_families


def samples(text: str) -> dict[tuple[str, ...], float]:
    """Return every sample by its name and its label values, sorted by label name."""
    return {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
