"""The HTTP interface as it describes itself: whatever is sent, the answer is a described one.

Source: specification P5.6.
"""

import re
from datetime import timedelta

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

from tests.helpers.builders import order_body
from tests.helpers.demo import SENT
from tests.helpers.product import OPERATOR_TOKEN
from tests.hostile.server import running_server

CALLS = [
    ("GET", "/health"),
    ("GET", "/metrics"),
    ("GET", "/api/clock"),
    ("GET", "/api/scene"),
    ("GET", "/api/restaurants/status"),
    ("GET", "/api/restaurants/status/init"),
    ("POST", "/api/log-restaurant-selection"),
    ("PUT", "/api/ops/restaurants/{restaurant_id}/status"),
    ("GET", "/data/menu_{restaurant_id}.csv"),
    ("GET", "/api/menus/{restaurant_id}"),
    ("POST", "/payment/prepare-order"),
    ("GET", "/payment/order-status/{order_id}"),
    ("GET", "/email-status/{order_id}"),
    ("GET", "/api/payment-form/{amount}"),
    ("POST", "/payment/{provider}-success"),
    ("POST", "/payment/{provider}/webhook"),
    ("POST", "/api/calls/{service}/{token}"),
    ("POST", "/api/demo-requests"),
]
IS_DESCRIBED = (
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
OPERATOR = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
TURNED = {"json": {"isOpen": True}, "headers": OPERATOR}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """An installation of its own: what is sent here may be orders."""
    with running_server(tmp_path_factory.mktemp("described")) as server:
        yield server


@pytest.fixture(scope="module")
def description(server):
    return schemathesis.openapi.from_dict(server.get("/api/openapi.json").json())


@pytest.fixture(scope="module")
def order(server):
    """An order that is there, for who asks after one."""
    return server.http.post("/payment/prepare-order", json=order_body()).json()


@pytest.fixture
def operation(request, description):
    method, path = request.param
    return description[path][method]


def test_every_call_is_tried(description):
    operations = [each.ok() for each in description.get_all_operations()]
    assert {(each.method.upper(), each.path) for each in operations} == set(CALLS)


@pytest.mark.parametrize("operation", CALLS, ids=" ".join, indirect=True)
def test_whatever_is_sent_gets_a_described_answer_and_no_failure(server, order, operation):
    real = {"order_id": order["orderId"], "restaurant_id": "3", "provider": "sandbox"}
    takes_anything = operation.body or list(operation.iter_parameters())
    modes = GenerationMode if takes_anything else [GenerationMode.POSITIVE]
    cases = st.one_of(operation.as_strategy(generation_mode=mode) for mode in modes)

    @settings(max_examples=60, suppress_health_check=list(HealthCheck))
    @given(cases, st.booleans(), st.booleans())
    def is_described(case, is_operator, is_real):
        if is_real:
            case.path_parameters |= {
                name: real.get(name, value) for name, value in case.path_parameters.items()
            }
        case.call_and_validate(
            base_url=server.url,
            headers=OPERATOR if is_operator else None,
            checks=[not_a_server_error, *IS_DESCRIBED],
        )

    is_described()
    assert server.is_healthy()


def test_who_uses_it_as_meant_gets_what_is_described(server, order, description):
    number, form = order["orderId"], {"content-type": "application/x-www-form-urlencoded"}
    online = order["paymentBreakdown"]["preOrderPayment"]
    chosen = {"restaurantId": 3, "restaurantName": "It", "timestamp": "2026-11-18T13:00:00+05:30"}
    known = {"if-none-match": server.get("/api/menus/3").headers["etag"]}
    told = [
        (200, "PUT", "/api/ops/restaurants/{restaurant_id}/status", "1", TURNED),
        (201, "POST", "/payment/prepare-order", "", {"json": order_body()}),
        (200, "GET", "/payment/order-status/{order_id}", number, {}),
        (200, "GET", "/email-status/{order_id}", number, {}),
        (200, "GET", "/api/payment-form/{amount}", f"{online}?order_id={number}", {}),
        (409, "GET", "/api/payment-form/{amount}", f"1?order_id={number}", {}),
        (200, "POST", "/payment/{provider}-success", "sandbox", {"json": {"orderId": number}}),
        (401, "POST", "/payment/{provider}/webhook", "sandbox", {"content": b"{}"}),
        (202, "POST", "/api/log-restaurant-selection", "", {"json": chosen}),
        (200, "GET", "/metrics", "", {"headers": OPERATOR}),
        (200, "GET", "/data/menu_{restaurant_id}.csv", "3", {}),
        (200, "GET", "/api/menus/{restaurant_id}", "3", {}),
        (304, "GET", "/api/menus/{restaurant_id}", "3", {"headers": known}),
        (201, "POST", "/api/demo-requests", "", {"json": SENT}),
        (201, "POST", "/api/demo-requests", "", {"data": SENT, "headers": form}),
        (422, "POST", "/api/demo-requests", "", {"data": {"a": "b"}, "headers": form}),
        (413, "POST", "/api/demo-requests", "", {"content": b" " * 300_000}),
    ]
    for status, method, path, named, sent in told:
        address = re.sub(r"\{.*?\}", named, path)
        answer = server.http.request(method, address, **sent)
        assert answer.status_code == status, (address, answer.text)
        in_path = dict.fromkeys(re.findall(r"\{(.*?)\}", path), named)
        case = description[path][method].Case(path_parameters=in_path)
        case.validate_response(answer, checks=[*IS_DESCRIBED])


@pytest.mark.parametrize("address", ["/api/menus/3%0A4", "/api/%0A/x", "/payment/%0Ax"])
def test_a_call_with_a_line_break_in_its_address_is_unknown_as_any_other(server, address):
    answer = server.get(address)
    assert answer.status_code == 404
    assert set(answer.json()["error"]) == {"code", "message"}


def test_a_page_with_a_line_break_in_its_address_is_unknown_as_any_other(server):
    answer = server.get("/about%0Ax")
    assert (answer.status_code, answer.text) == (404, server.get("/nowhere").text)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(httpx.Response(418, json={"now": "soon"}), id="another status"),
        pytest.param(httpx.Response(200, json={"then": "soon"}), id="another member"),
        pytest.param(httpx.Response(200, json={"now": "soon", "or": 1}), id="one more member"),
        pytest.param(httpx.Response(200, text="soon"), id="another kind"),
    ],
)
def test_an_answer_that_is_not_described_is_noticed(description, answer):
    """The negative control of the tests above."""
    answer.request = httpx.Request("GET", "http://localhost/api/clock")
    answer.elapsed = timedelta()
    with pytest.raises(FailureGroup):
        description["/api/clock"]["GET"].Case().validate_response(answer, checks=[*IS_DESCRIBED])
