"""Any input gets a specified response: no 5xx, and no personal data in errors and logs."""

import asyncio
import json
import logging
import re
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campus_app.ordering.sql.tables import OrderRow
from tests.helpers.builders import CUSTOMER, order_body, order_request, reservation_body
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, pay, press, signed_webhook
from tests.helpers.outbox import run_batch
from tests.helpers.settings import OPERATOR_TOKEN
from tests.helpers.tables import count

pytestmark = [pytest.mark.anyio, sqlite_only]

PREPARE = "/payment/prepare-order"
AS_JSON = {"content-type": "application/json"}
AUTHORIZED = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
JSON_OPERATIONS = [
    ("POST", PREPARE),
    ("POST", "/payment/sandbox-success"),
    ("POST", "/api/log-restaurant-selection"),
    ("PUT", "/api/ops/restaurants/1/status"),
]
one_shot = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


def is_error(response):
    error = response.json()["error"]
    return {"code", "message"} <= set(error) <= {"code", "message", "fields"}


# Paths


@pytest.mark.parametrize(
    "address",
    [
        "/api",
        "/api/",
        "/api/restaurants/status/",
        "/payment/x/y/z",
        "/email-status/",
        "/api/%00",
        "/api/..%2f..%2fetc%2fpasswd",
        "/api/" + "x" * 5_000,
        "/payment/" + "%F0%9F%8D%95" * 100,
    ],
    ids=lambda address: address[:40],
)
async def test_unknown_path_is_a_json_404(api, address):
    # Source: specification C3.18.
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
        response = await api.request(method, address)
        assert response.status_code == 404
        assert response.headers["content-type"] == "application/json"


async def test_known_address_gets_405_when_its_method_is_another_one(api):
    """The description promises it for each of its paths."""
    # Source: specification C3.18.
    paths = (await api.get("/api/openapi.json")).json()["paths"]
    for path, operations in paths.items():
        address = re.sub(r"\{[^}]+\}", "1", path)
        known = {method.upper() for method in operations}
        for method in {"GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"} - known:
            response = await api.request(method, address)
            assert (response.status_code, method, path) == (405, method, path)
            assert response.json()["error"]["code"] == "http_error"
            assert known <= set(response.headers["allow"].split(", ")), path


@one_shot
@given(text=st.text(max_size=60))
async def test_fuzzed_path_gets_a_specified_status(api, text):
    part = quote(text.encode("utf-8", "surrogatepass"), safe="")
    for address in (
        f"/payment/order-status/{part}",
        f"/email-status/{part}",
        f"/api/payment-form/{part}?order_id={part}",
        f"/api/menus/{part}",
        f"/sandbox/pay?order_id={part}&webhook={part}",
    ):
        response = await api.get(address)
        assert response.status_code in {200, 404, 409, 422}, address


# Bodies


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="half of it"),
        pytest.param(b"null", id="null"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b'"text"', id="a text"),
        pytest.param(b"{}", id="an empty object"),
        pytest.param(b"\xff\xfe{}", id="no text"),
        pytest.param(b"\0", id="a zero byte"),
        pytest.param(b"[" * 100_000, id="a deep list"),
        pytest.param(b'{"a":' * 30_000 + b"1" + b"}" * 30_000, id="a deep object"),
        pytest.param(b'{"restaurantId": ' + b"9" * 5_000 + b"}", id="a number without end"),
        pytest.param(b'{"restaurantId": 1e999}', id="infinity"),
        pytest.param(b'{"restaurantId": NaN, "userDetails": {}}', id="NaN"),
        pytest.param(b"a=1&b=2", id="a form"),
        pytest.param(b"<order/>", id="XML"),
    ],
)
async def test_malformed_body_is_rejected(api, body):
    for method, address in JSON_OPERATIONS:
        response = await api.request(
            method, address, content=body, headers={**AS_JSON, **AUTHORIZED}
        )
        assert response.status_code == 422
        assert is_error(response)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_prepare_accepts_only_json(api, services, kind):
    # A form of another site can send these without a preflight request, but no JSON.
    body = json.dumps(order_body()).encode()
    response = await api.post(PREPARE, content=body, headers={"content-type": kind})
    assert response.status_code == 422
    assert await count(services.database, OrderRow) == 0


@pytest.mark.parametrize(
    ("method", "address"), [*JSON_OPERATIONS, ("POST", "/payment/sandbox/webhook")]
)
async def test_oversized_body_is_413(api, method, address):
    # Source: specification C3.20.
    response = await api.request(method, address, content=b"x" * 2_000_000, headers=AS_JSON)
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")


async def test_oversized_order_is_413_when_unknown_fields_are_ignored(api):
    response = await api.post(PREPARE, json=order_body(unknown="x" * 2_000_000))
    assert response.status_code == 413


WRONG = {
    "restaurantId": ["1", 1.5, True, None, [], {}],
    "userDetails": [None, "Aarav", [], 5],
    "userDetails__fullName": [None, 5, [], {}, True],
    "userDetails__email": [5, ["a@b.example"], {"$ne": ""}],
    "userDetails__phoneNumber": [9_800_000_001, None],
    "orderDetails": [None, [], "x"],
    "orderDetails__items": [None, {}, "104", [None], [[]], ["104"], [{}], [{"id": "104"}]],
    "orderDetails__dogDonation": [True, [], {}, "five", "NaN", "1e9999999", 0.001],
    "orderDetails__isPreReservation": [None, "yes", 1],
    "orderDetails__orderType": [5, []],
    "orderDetails__specialInstructions": [5, None, []],
    "orderDetails__deliveryInstructions": [5, None, {}],
    "orderDetails__noCutlery": [5, None, "yes", []],
    "orderDetails__subtotal": ["abc", [], True, "Infinity", "1e9999999", 1e300],
    "paymentBreakdown": [5, "x", []],
    "paymentBreakdown__total": ["x", {}, False],
    "amount": ["x", [], True, "NaN", "-Infinity", "1e9999999"],
    "totalOrderValue": ["x", {}, "٣٣٣x"],
    "orderId": [5, [], {}],
}


@pytest.mark.parametrize(("path", "values"), WRONG.items(), ids=WRONG)
async def test_wrong_type_is_rejected_with_its_path(api, services, path, values):
    for value in values:
        response = await api.post(PREPARE, json=order_body(**{path: value}))
        error = response.json()["error"]
        assert (response.status_code, error["code"]) == (422, "validation_error"), value
        assert any(field.startswith(path.replace("__", ".")) for field in error["fields"]), error
    assert await count(services.database, OrderRow) == 0


async def test_quantity_is_a_whole_number_from_0_to_50(api):
    # Source: specification M14.
    for quantity in (-1, 51, 10**30, -(10**30), 1.5, 1.0, "2", True, None, [2], 1e300):
        body = order_body(orderDetails__items=[{"id": "104", "quantity": quantity}])
        response = await api.post(PREPARE, json=body)
        assert response.status_code == 422
        assert response.json()["error"]["message"] == "A quantity is a whole number from 0 to 50."


async def test_missing_member_is_named(api):
    for missing in ("restaurantId", "userDetails", "orderDetails"):
        body = {name: value for name, value in order_body().items() if name != missing}
        response = await api.post(PREPARE, json=body)
        assert response.status_code == 422
        assert missing in response.json()["error"]["fields"]
    body = order_body()
    del body["orderDetails"]["items"]
    response = await api.post(PREPARE, json=body)
    assert response.status_code == 422
    assert "orderDetails.items" in response.json()["error"]["fields"]


@pytest.mark.parametrize(
    "change",
    [
        {"date": "yesterday"},
        {"date": "2026-02-30"},
        {"date": None},
        {"date": []},
        {"timeSlot": 1730},
        {"partySize": "4"},
        {"partySize": 4.5},
        {"partySize": None},
        {"restaurantId": "2"},
        {"reservationId": 5},
    ],
    ids=str,
)
async def test_reservation_with_wrong_types_is_rejected(api, change):
    response = await api.post(PREPARE, json=reservation_body(**change))
    assert (response.status_code, response.json()["error"]["code"]) == (422, "validation_error")


async def test_prepare_rejects_more_than_200_items(api):
    many = [{"id": f"{number}", "quantity": 1} for number in range(201)]
    assert (await api.post(PREPARE, json=order_body(orderDetails__items=many))).status_code == 422


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("userDetails__fullName", ["Aarav Sharma"]),
        ("userDetails__email", {"aarav@students.example": 1}),
        ("amount", "Aarav Sharma +919800000001"),
        ("orderDetails__dogDonation", "aarav@students.example"),
    ],
)
async def test_error_does_not_repeat_the_invalid_value(api, path, value):
    response = await api.post(PREPARE, json=order_body(**{path: value}))
    assert response.status_code == 422
    for secret in ("Aarav", "aarav", "9800000001"):
        assert secret not in response.text


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["1e9999999", "-0", "\0", "\ud800", "AS_482", "north", 10**400, -1]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
PLACES = [
    *WRONG,
    "orderDetails__preReservation",
    "orderDetails__preReservation__date",
    "orderDetails__grandTotal",
    "paymentBreakdown__dogDonation",
    "userDetails__address",
]


@one_shot
@given(changes=st.dictionaries(st.sampled_from(PLACES), ANYTHING, min_size=1, max_size=3))
async def test_fuzzed_order_gets_a_specified_status(api, changes):
    body = reservation_body()
    for path, value in changes.items():
        *parents, last = path.split("__")
        target = body
        for name in parents:
            target = target[name] if isinstance(target.get(name), dict) else {}
        target[last] = value
    response = await api.post(PREPARE, content=json.dumps(body), headers=AS_JSON)
    assert response.status_code in {201, 404, 409, 422, 429}
    assert (
        response.status_code == 201 or is_error(response) or "paymentBreakdown" in response.json()
    )


@one_shot
@given(
    which=st.sampled_from(JSON_OPERATIONS),
    body=st.binary(max_size=200) | ANYTHING.map(lambda value: json.dumps(value).encode()),
)
async def test_fuzzed_body_gets_a_specified_status(api, which, body):
    method, address = which
    response = await api.request(method, address, content=body, headers={**AS_JSON, **AUTHORIZED})
    assert response.status_code in {200, 202, 404, 422, 429}


@one_shot
@given(
    body=st.binary(max_size=300),
    headers=st.dictionaries(
        st.sampled_from(["x-sandbox-signature", "x-sandbox-timestamp", "content-type"]),
        st.binary(max_size=50).map(lambda value: value.translate(None, b"\r\n\0")),
    ),
)
async def test_fuzzed_webhook_is_401(api, body, headers):
    response = await api.post("/payment/sandbox/webhook", content=body, headers=headers)
    assert response.status_code == 401


# Logging. Source: specification P5.5.


SECRETS = (*CUSTOMER.values(), "9800000001", "aarav", "Hostel", "No onions")


def own_records(caplog):
    return [record for record in caplog.records if record.name.startswith(("campus_app", "kit"))]


async def test_order_logs_no_personal_data(api, services, caplog):
    with caplog.at_level(logging.DEBUG):
        body = order_body(orderDetails__specialInstructions="No onions")
        number = (await api.post(PREPARE, json=body)).json()["orderId"]
        stored = await services.payments.orders.by_number(number)
        await api.get(f"/api/payment-form/{stored.payment.amount}?order_id={number}")
        await press(services, stored)
        headers, content = signed_webhook(services, stored.payment.reference)
        await api.post("/payment/sandbox/webhook", content=content, headers=headers)
        await api.post("/payment/sandbox-success", json={"orderId": number, "orderData": body})
        await drain(services)
        await api.get(f"/email-status/{number}")
    assert (await api.get(f"/email-status/{number}")).json()["emailsSent"] == 2
    for secret in (*SECRETS, stored.order.response_token):
        assert secret not in caplog.text
    order = stored.order.id
    assert [(record.getMessage(), record.subject) for record in own_records(caplog)] == [
        (f"orders: order {order} created", order),
        (f"payments: order {order} is paid", order),
    ]


BAD = {
    "an unknown restaurant": order_body(restaurantId=99),
    "an unknown dish": order_body(orderDetails__items=[{"id": "9999", "quantity": 1}]),
    "a closed restaurant": order_body(restaurantId=4),
    "a forged total": order_body(amount=1),
    "a wrong phone": order_body(userDetails__phoneNumber="+91 98000"),
    "a wrong email": order_body(userDetails__email="aarav@"),
    "a wrong type": order_body(userDetails__fullName=["Aarav Sharma"]),
    "a donation of 3": order_body(orderDetails__dogDonation=3),
    "a name of 10,000 characters": order_body(userDetails__fullName="Aarav " * 1_700),
    "half an order": {"userDetails": CUSTOMER},
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
async def test_rejected_order_logs_one_record_without_personal_data(api, caplog, body):
    with caplog.at_level(logging.DEBUG):
        assert (await api.post(PREPARE, json=body)).status_code in {404, 409, 422}
    assert len(own_records(caplog)) <= 1
    for secret in SECRETS:
        assert secret not in caplog.text


async def test_forged_request_logs_one_record_without_personal_data(api, services, caplog):
    stored = await services.ordering.prepare(order_request())
    with caplog.at_level(logging.DEBUG):
        await api.get(f"/api/payment-form/1?order_id={stored.order.number}")
        assert len(own_records(caplog)) <= 1
        caplog.clear()
        await api.post("/payment/sandbox/webhook", json=CUSTOMER)
        assert len(own_records(caplog)) <= 1
        caplog.clear()
        call = {"orderId": stored.order.number, "paymentSuccess": True, "orderData": CUSTOMER}
        await api.post("/payment/sandbox-success", json=call)
        assert len(own_records(caplog)) <= 1
    for secret in SECRETS:
        assert secret not in caplog.text


async def test_transport_failure_logs_no_personal_data(services, caplog):
    stored = await pay(services, await services.ordering.prepare(order_request()))
    (services.settings.outbox_dir).mkdir(parents=True, exist_ok=True)
    (services.settings.outbox_dir / "mail").write_text("a file where the folder should be")
    with caplog.at_level(logging.DEBUG):
        await run_batch(services.worker)
    assert len(own_records(caplog)) == 2
    for secret in (*SECRETS, stored.order.response_token):
        assert secret not in caplog.text


async def test_concurrent_bad_orders_each_get_a_response(api, services):
    responses = await asyncio.gather(
        *(api.post(PREPARE, json=body) for body in [*BAD.values()] * 5)
    )
    assert {response.status_code for response in responses} == {404, 409, 422}
    assert await count(services.database, OrderRow) == 0
