"""Metrics, structured logs and traces of a deployment."""

import re

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from starlette.requests import Request
from starlette.responses import Response

from tests.helpers.builders import CUSTOMER
from tests.helpers.deployment import running_deployment
from tests.helpers.product import eventually
from tests.helpers.server import serving
from tests.helpers.visitor import STEPS, open_visitors
from tests.helpers.waiting import eventually as eventually_async

pytestmark = pytest.mark.anyio

VISITORS = 6
_TOKEN = "select response_token from orders where email = %s"


@pytest.fixture
def deployment():
    with running_deployment() as deployment:
        yield deployment


async def test_metrics_and_log_show_orders_without_personal_data(deployment):
    # Source: specification P5.5.
    async with open_visitors(deployment.url, VISITORS) as visitors:
        for step in STEPS:
            for each in visitors:
                await each.step(step)
        eventually(lambda: deployment.open_jobs() == 0, "all notifications are sent")
        metrics = [deployment.metrics(process) for process in (0, 1)]

        def total(*sample):
            return sum(each.get(sample, 0) for each in metrics)

        assert total("campus_live_sessions") == VISITORS
        assert total("campus_event_seconds_count", "cart_state.add_dish") >= 3 * VISITORS
        assert total("campus_event_seconds_count", "waiting_room_state.pay") == VISITORS
        for topic in ("mail.customer", "mail.vendor", "call.vendor"):
            assert total("campus_outbox_effects_total", "done", topic) == VISITORS
        for each in metrics:
            assert each["campus_orders", "confirmed"] == VISITORS
            assert each["campus_payments_awaited",] == 0
            assert not [name for name, *_ in each if name == "campus_outbox_jobs"]
            assert each["campus_dependency_up", "redis"] == 1
    eventually(
        lambda: not any(deployment.metrics(each)["campus_live_sessions",] for each in (0, 1)),
        "the visitors are disconnected",
    )

    orders = {row["id"] for row in deployment.rows("select id from orders")}
    log = deployment.log()
    for suffix in (" created", " is paid"):
        logged = {line["subject"] for line in log if line["message"].endswith(suffix)}
        assert logged == orders
    assert all({"at", "level", "logger", "message"} <= line.keys() for line in log)
    log_text = " ".join(part.log.read_text() for part in deployment.parts.backends)
    for secret in (*CUSTOMER.values(), *(each.email for each in visitors), "no onions"):
        assert secret not in log_text
    assert not re.search(r"response_?token|password|secret", log_text, re.IGNORECASE)
    assert deployment.logged_errors() == []


class Collector:
    """Receives traces and metrics as an OpenTelemetry collector does."""

    def __init__(self):
        self.bodies = []
        self.spans = []
        self.metric_names = set()

    async def __call__(self, scope, receive, send):
        request = Request(scope, receive)
        assert "content-encoding" not in request.headers, "the tests read uncompressed bodies"
        self._decode(request.url.path, await request.body())
        await Response()(scope, receive, send)

    def paths(self):
        return {
            attribute.value.string_value
            for each in self.spans
            for attribute in each.attributes
            if attribute.key == "url.path"
        }

    def _decode(self, path, body):
        self.bodies.append(body)
        if path == "/v1/traces":
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    self.spans.extend(scope.spans)
        elif path == "/v1/metrics":
            for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                for scope in resource.scope_metrics:
                    self.metric_names |= {each.name for each in scope.metrics}


async def test_traces_contain_spans_and_metrics_without_personal_data():
    # Source: specification P5.5.
    collector = Collector()
    async with serving(collector) as address:
        settings = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": address,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
            "OTEL_METRIC_EXPORT_INTERVAL": "500",
        }
        with running_deployment(**settings) as deployment:
            async with open_visitors(deployment.url, 2) as visitors:
                for step in STEPS:
                    for each in visitors:
                        await each.step(step)

            def spans(suffix):
                return [each for each in collector.spans if each.name.endswith(suffix)]

            await eventually_async(
                lambda: len(spans("waiting_room_state.pay")) == 2, "spans of both payments"
            )
            await eventually_async(
                lambda: "reflex.event.duration" in collector.metric_names, "Reflex's metrics"
            )
            (token,) = (row["response_token"] for row in deployment.rows(_TOKEN, visitors[0].email))
            deployment.get(f"/forms/response/{token}?token={token}")
            await eventually_async(
                lambda: "/forms/response/*" in collector.paths(), "a span of the request"
            )
    assert all(each.end_time_unix_nano > each.start_time_unix_nano for each in collector.spans)
    assert "/health" not in collector.paths()
    exported = b"".join(collector.bodies).decode(errors="replace")
    secrets = (
        *CUSTOMER.values(),
        token,
        *(v for each in visitors for v in (each.email, each.token)),
    )
    for secret in (*secrets, "no onions", "token="):
        assert secret not in exported
