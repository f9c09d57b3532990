"""Exports OpenTelemetry traces and metrics of `reflex-otel` to a configured collector.

Only the attributes below are exported: Reflex's spans also contain error messages, and URLs with
the tokens of sessions and orders.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import SpanKind, Status
from reflex_otel import ReflexInstrumentor

_ATTRIBUTES = frozenset(
    {
        "code.function.name",
        "error.type",
        "http.request.method",
        "http.response.status_code",
        "http.route",
        "network.protocol.version",
        "reflex.event.background",
        "reflex.event.name",
        "session.id",
        "url.scheme",
    }
)
_PATH = "url.path"
_EXCLUDED_URLS = "/ping$,/health$,/metrics$,/assets/"
_TOKEN = re.compile(r"[\w-]{20,}")
"""The token of a session or an order in a URL."""


class _RedactingExporter(SpanExporter):
    """Exports spans without personal data and tokens."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._exporter.export([_redacted(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


def _redacted(span: ReadableSpan) -> ReadableSpan:
    is_request = span.kind is SpanKind.SERVER  # named after its URL; other spans after a handler
    return ReadableSpan(
        name=_TOKEN.sub("*", span.name) if is_request else span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_exported(span.attributes or {}),
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _exported(attributes: Mapping[str, Any]) -> dict[str, Any]:
    exported = {name: value for name, value in attributes.items() if name in _ATTRIBUTES}
    if _PATH in attributes:
        exported[_PATH] = _TOKEN.sub("*", str(attributes[_PATH]))
    return exported


def configure(collector: str, service: str, ratio: float) -> None:
    """Start to export traces and metrics with OTLP over HTTP.

    Args:
        collector: The collector's URL; `/v1/traces` and `/v1/metrics` are appended.
        service: The `service.name` of this deployment.
        ratio: The share of traces to export, 0 to 1, regardless of a client's `traceparent` header.
    """
    resource = Resource.create({"service.name": service})
    sampler = TraceIdRatioBased(ratio)
    tracers = TracerProvider(
        resource=resource,
        sampler=ParentBased(
            root=sampler, remote_parent_sampled=sampler, remote_parent_not_sampled=sampler
        ),
    )
    spans = OTLPSpanExporter(endpoint=f"{collector}/v1/traces")
    tracers.add_span_processor(BatchSpanProcessor(_RedactingExporter(spans)))
    metrics = OTLPMetricExporter(endpoint=f"{collector}/v1/metrics")
    meters = MeterProvider([PeriodicExportingMetricReader(metrics)], resource=resource)
    ReflexInstrumentor().instrument(
        tracer_provider=tracers, meter_provider=meters, excluded_urls=_EXCLUDED_URLS
    )
