"""Responses to examples and fuzzed requests conform to the product's OpenAPI description.

Source: specification C3.17, P3.1.
"""

import json
import re
from datetime import timedelta
from urllib.parse import unquote

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from campus_app.ordering.providers.sandbox.payments import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    installation_secret,
    sign,
)
from kit.clock import to_ms
from tests.helpers.builders import order_body
from tests.helpers.demo import REQUEST_BODY
from tests.helpers.openapi import example_of
from tests.helpers.product import OPERATOR_TOKEN
from tests.hostile.server import running_server

OPERATIONS = [
    ("GET", "/health"),
    ("GET", "/metrics"),
    ("GET", "/api/clock"),
    ("GET", "/api/scene"),
    ("GET", "/api/restaurants/status"),
    ("GET", "/api/restaurants/status/init"),
    ("POST", "/api/log-restaurant-selection"),
    ("PUT", "/api/ops/restaurants/{restaurant_id}/status"),
    ("PUT", "/api/ops/restaurants/{restaurant_id}/dishes/{dish_id}/availability"),
    ("GET", "/api/menu/{restaurant_id}/availability"),
    ("GET", "/data/menu_{restaurant_id}.csv"),
    ("GET", "/api/menus/{restaurant_id}"),
    ("GET", "/api/app-manifest"),
    ("POST", "/payment/prepare-order"),
    ("GET", "/payment/order-status/{order_id}"),
    ("GET", "/email-status/{order_id}"),
    ("GET", "/api/payment-form/{amount}"),
    ("POST", "/payment/{provider}-success"),
    ("POST", "/payment/{provider}/webhook"),
    ("POST", "/api/calls/{service}/{token}"),
    ("POST", "/api/demo-requests"),
]
CONFORMANCE = (
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
OPERATOR = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
EXAMPLES = [each for each in OPERATIONS if each[1] != "/api/calls/{service}/{token}"]
"""The omitted operation needs a call; tests/campus_app/test_http_docs.py tests its example."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A separate installation, because fuzzing may store orders and close restaurants."""
    with running_server(tmp_path_factory.mktemp("described")) as server:
        yield server


@pytest.fixture(scope="module")
def openapi(server):
    return server.get("/api/openapi.json").json()


@pytest.fixture(scope="module")
def description(openapi):
    return schemathesis.openapi.from_dict(openapi)


@pytest.fixture(scope="module")
def order(server, openapi):
    """The stored order of the description's example."""
    body = example_of(openapi, "POST", "/payment/prepare-order").body
    return server.http.post("/payment/prepare-order", json=body).json()


@pytest.fixture
def operation(request, description):
    method, path = request.param
    return description[path][method]


def test_description_has_exactly_these_operations(description):
    operations = [each.ok() for each in description.get_all_operations()]
    assert {(each.method.upper(), each.path) for each in operations} == set(OPERATIONS)


@pytest.mark.parametrize(("method", "path"), EXAMPLES, ids=" ".join)
def test_example_gets_the_described_response(server, order, openapi, description, method, path):
    example = example_of(openapi, method, path)
    headers = dict(OPERATOR)
    content = json.dumps(example.body).encode() if example.body else b""
    if path == "/payment/{provider}/webhook":
        secret = installation_secret(server.outbox.parent / "sandbox.secret")
        timestamp = str(to_ms(server.now))
        headers |= {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: sign(secret, timestamp, content)}
    response = server.http.request(
        method,
        path.format(**example.path_parameters),
        params=example.query,
        content=content,
        headers=headers | {"content-type": "application/json"},
    )
    assert response.status_code == example.status, response.text
    case = description[path][method].Case(path_parameters=example.path_parameters)
    case.validate_response(response, checks=[*CONFORMANCE])


@pytest.mark.parametrize("operation", OPERATIONS, ids=" ".join, indirect=True)
def test_fuzzed_request_gets_a_described_response(server, order, operation):
    existing = {"order_id": order["orderId"], "restaurant_id": "3", "provider": "sandbox"}
    has_input = operation.body or list(operation.iter_parameters())
    modes = GenerationMode if has_input else [GenerationMode.POSITIVE]
    cases = st.one_of(operation.as_strategy(generation_mode=mode) for mode in modes)

    @settings(max_examples=40, suppress_health_check=list(HealthCheck))
    @given(cases, st.booleans(), st.booleans())
    def response_conforms(case, is_operator, has_existing_ids):
        if has_existing_ids:
            case.path_parameters |= {
                name: existing.get(name, value) for name, value in case.path_parameters.items()
            }
        # No route matches a path with a line break, so the response is the 404 page.
        is_routed = not any("\n" in unquote(str(each)) for each in case.path_parameters.values())
        case.call_and_validate(
            base_url=server.url,
            headers=OPERATOR if is_operator else None,
            checks=[not_a_server_error, *(CONFORMANCE if is_routed else ())],
        )

    response_conforms()
    assert server.is_healthy()


def test_other_documented_statuses_have_the_described_response(server, order, description):
    number, form = order["orderId"], {"content-type": "application/x-www-form-urlencoded"}
    etag = {"if-none-match": server.get("/api/menus/3").headers["etag"]}
    requests = [
        (409, "GET", "/api/payment-form/{amount}", f"1?order_id={number}", {}),
        (409, "POST", "/payment/prepare-order", "", {"json": order_body(amount=1)}),
        (422, "POST", "/payment/prepare-order", "", {"json": order_body(orderId=5)}),
        (404, "GET", "/email-status/{order_id}", "x", {}),
        (401, "POST", "/payment/{provider}/webhook", "sandbox", {"content": b"{}"}),
        (401, "GET", "/metrics", "", {}),
        (304, "GET", "/api/menus/{restaurant_id}", "3", {"headers": etag}),
        (201, "POST", "/api/demo-requests", "", {"data": REQUEST_BODY, "headers": form}),
        (422, "POST", "/api/demo-requests", "", {"data": {"a": "b"}, "headers": form}),
        (413, "POST", "/api/demo-requests", "", {"content": b" " * 300_000}),
    ]
    for status, method, path, parameter, arguments in requests:
        response = server.http.request(method, re.sub(r"\{.*?\}", parameter, path), **arguments)
        assert response.status_code == status, (path, response.text)
        in_path = dict.fromkeys(re.findall(r"\{(.*?)\}", path), parameter)
        case = description[path][method].Case(path_parameters=in_path)
        case.validate_response(response, checks=[*CONFORMANCE])


@pytest.mark.parametrize(
    "address", ["/api/menus/3%0A4", "/api/%0A/x", "/payment/%0Ax", "/about%0Ax", "/%0A"]
)
def test_line_break_in_an_address_is_no_server_error(server, address):
    assert server.get(address).status_code < 500


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(httpx.Response(418, json={"now": "soon"}), id="undocumented status"),
        pytest.param(httpx.Response(200, json={"then": "soon"}), id="wrong member"),
        pytest.param(httpx.Response(200, json={"now": "soon", "or": 1}), id="additional member"),
        pytest.param(httpx.Response(200, text="soon"), id="wrong media type"),
    ],
)
def test_conformance_checks_fail_when_the_response_is_not_described(description, response):
    """Negative control of the tests above."""
    response.request = httpx.Request("GET", "http://localhost/api/clock")
    response.elapsed = timedelta()
    with pytest.raises(FailureGroup):
        description["/api/clock"]["GET"].Case().validate_response(response, checks=[*CONFORMANCE])
