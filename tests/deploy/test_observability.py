"""Observability of a deployment: metrics, structured logs and traces."""

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
from tests.helpers.visitor import STEPS, visitors
from tests.helpers.waiting import eventually as in_time

pytestmark = pytest.mark.anyio

PEOPLE = 6
_TOKEN = "select response_token from orders where email = %s"


@pytest.fixture
def deployment():
    with running_deployment() as deployment:
        yield deployment


async def test_metrics_and_log_show_orders_without_personal_data(deployment):
    # Source: specification P5.5.
    async with visitors(deployment.url, PEOPLE) as people:
        for step in STEPS:
            for each in people:
                await each.step(step)
        eventually(lambda: deployment.open_jobs() == 0, "everybody is told")
        told = [deployment.metrics(process) for process in (0, 1)]

        def both(*figure):
            return sum(each.get(figure, 0) for each in told)

        assert both("campus_live_sessions") == PEOPLE
        assert both("campus_event_seconds_count", "cart_state.add_item") >= 3 * PEOPLE
        assert both("campus_event_seconds_count", "waiting_room_state.pay") == PEOPLE
        for topic in ("mail.customer", "mail.vendor", "call.vendor"):
            assert both("campus_outbox_effects_total", "done", topic) == PEOPLE
        for each in told:
            assert each["campus_orders", "confirmed"] == PEOPLE
            assert each["campus_payments_awaited",] == 0
            assert not [name for name, *_ in each if name == "campus_outbox_jobs"]
            assert each["campus_dependency_up", "redis"] == 1
    eventually(
        lambda: not any(deployment.metrics(each)["campus_live_sessions",] for each in (0, 1)),
        "they left",
    )

    orders = {row["id"] for row in deployment.rows("select id from orders")}
    log = deployment.log()
    for ending in (" created", " is paid"):
        logged = {line["subject"] for line in log if line["message"].endswith(ending)}
        assert logged == orders
    assert all({"at", "level", "logger", "message"} <= line.keys() for line in log)
    words = " ".join(part.log.read_text() for part in deployment.parts.backends)
    for secret in (*CUSTOMER.values(), *(each.email for each in people), "no onions"):
        assert secret not in words
    assert not re.search(r"response_?token|password|secret", words, re.IGNORECASE)
    assert deployment.logged_errors() == []


class Collector:
    """Receives traces and metrics as an OpenTelemetry collector does."""

    def __init__(self):
        self.bodies = []
        self.spans = []
        self.measured = set()

    async def __call__(self, scope, receive, send):
        request = Request(scope, receive)
        assert "content-encoding" not in request.headers, "the tests read it as it comes"
        self._take_in(request.url.path, await request.body())
        await Response()(scope, receive, send)

    def paths(self):
        return {
            attribute.value.string_value
            for each in self.spans
            for attribute in each.attributes
            if attribute.key == "url.path"
        }

    def _take_in(self, path, body):
        self.bodies.append(body)
        if path == "/v1/traces":
            for of_service in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in of_service.scope_spans:
                    self.spans.extend(scope.spans)
        elif path == "/v1/metrics":
            for of_service in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                for scope in of_service.scope_metrics:
                    self.measured |= {each.name for each in scope.metrics}


async def test_traces_contain_spans_and_metrics_without_personal_data():
    # Source: specification P5.5.
    collector = Collector()
    async with serving(collector) as address:
        told = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": address,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
            "OTEL_METRIC_EXPORT_INTERVAL": "500",
        }
        with running_deployment(**told) as deployment:
            async with visitors(deployment.url, 2) as people:
                for step in STEPS:
                    for each in people:
                        await each.step(step)

            def spans(ending):
                return [each for each in collector.spans if each.name.endswith(ending)]

            await in_time(lambda: len(spans("waiting_room_state.pay")) == 2, "the spans come")
            await in_time(lambda: "reflex.event.duration" in collector.measured, "figures come")
            (token,) = (row["response_token"] for row in deployment.rows(_TOKEN, people[0].email))
            deployment.get(f"/forms/response/{token}?token={token}")
            await in_time(lambda: "/forms/response/*" in collector.paths(), "the address comes")
    assert all(each.end_time_unix_nano > each.start_time_unix_nano for each in collector.spans)
    assert "/health" not in collector.paths()
    everything = b"".join(collector.bodies).decode(errors="replace")
    secrets = (*CUSTOMER.values(), token, *(v for each in people for v in (each.email, each.token)))
    for secret in (*secrets, "no onions", "token="):
        assert secret not in everything
