"""Traces and measurements for a collector that an operator names, by Reflex's own package.

Only what is on the lists below leaves the process: the framework would also send the words of
errors, and addresses with the tokens in them.
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

_TOLD = frozenset(
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
_NOT_WORTH_IT = "/ping$,/health$,/metrics$,/assets/"
_UNGUESSABLE = re.compile(r"[\w-]{20,}")
"""The end of an address that only its owner knows."""


class _Discreet(SpanExporter):
    """Passes spans on without what could tell who did something."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._exporter.export([_told(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


def _told(span: ReadableSpan) -> ReadableSpan:
    is_event = span.kind is not SpanKind.SERVER  # whose name is ours; others are addresses
    return ReadableSpan(
        name=span.name if is_event else _UNGUESSABLE.sub("*", span.name),
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_attributes(span.attributes or {}),
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _attributes(all_: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in all_.items() if name in _TOLD}
    if _PATH in all_:
        told[_PATH] = _UNGUESSABLE.sub("*", str(all_[_PATH]))
    return told


def begin(collector: str, service: str, share: float) -> None:
    """Send from now on, by OTLP over HTTP.

    Args:
        collector: The collector's address, below which are `/v1/traces` and `/v1/metrics`.
        service: What this deployment is called there.
        share: Which part of all traces is sent, 0 to 1; a browser has no say in it.
    """
    resource = Resource.create({"service.name": service})
    sampler = TraceIdRatioBased(share)
    tracers = TracerProvider(
        resource=resource,
        sampler=ParentBased(
            root=sampler, remote_parent_sampled=sampler, remote_parent_not_sampled=sampler
        ),
    )
    spans = OTLPSpanExporter(endpoint=f"{collector}/v1/traces")
    tracers.add_span_processor(BatchSpanProcessor(_Discreet(spans)))
    figures = OTLPMetricExporter(endpoint=f"{collector}/v1/metrics")
    meters = MeterProvider([PeriodicExportingMetricReader(figures)], resource=resource)
    ReflexInstrumentor().instrument(
        tracer_provider=tracers, meter_provider=meters, excluded_urls=_NOT_WORTH_IT
    )
