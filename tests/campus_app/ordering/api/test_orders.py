"""Preparing an order over HTTP, and its status.

Source: specification C3.6, C3.7, C3.9, C3.10.
"""

import json
from dataclasses import replace
from itertools import product

import pytest

from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import OrderRow, SeatHoldRow
from campus_app.shared.rules.messages import ReservationMessage
from kit.db.database import Database
from kit.rate_limit import RateLimiter
from tests.helpers.builders import (
    CUSTOMER,
    QUANTITIES,
    items,
    order_body,
    order_request,
    reservation_body,
)
from tests.helpers.flows import drain, pay, sell, signed_webhook
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio

PREPARE = "/payment/prepare-order"


async def error_of(api, body, **options):
    """Return the status, the code and the whole error of a rejected order."""
    response = await api.post(PREPARE, json=body, **options)
    error = response.json()["error"]
    assert error["message"]
    return response.status_code, error["code"], error


# Responses


async def test_prepare_returns_figures_computed_by_the_server(
    api, monkeypatch, new_services, data_dir
):
    services = new_services(data_dir=data_dir)
    monkeypatch.setattr("campus_app.shared.current.services", lambda: services)
    sell(data_dir, 1, ["104,Rajma Chawal,,110,Rice", "112,Paneer Masala,,160.50,Curries"])
    body = order_body(orderDetails__dogDonation=10, orderDetails__specialInstructions="No onions")
    body["orderDetails"] |= {"deliveryInstructions": "Gate 2", "noCutlery": True}
    response = await api.post(PREPARE, json=body)
    assert response.status_code == 201
    assert response.headers["cache-control"] == "no-store"
    prepared = response.json()
    assert prepared.pop("orderId").startswith("AS_")
    assert len(prepared.pop("responseToken")) >= 22
    assert prepared == {
        "paymentStatus": "PENDING",
        "amount": 335.5,
        "totalOrderValue": 405.5,
        "paymentBreakdown": {
            "total": 405.5,
            "preOrderPayment": 70,
            "remainingPayment": 335.5,
            "convenienceFee": 0,
            "dogDonation": 10,
        },
        "orderDetails": {
            "items": [
                {"id": "104", "name": "Rajma Chawal", "price": 110, "quantity": 2},
                {"id": "112", "name": "Paneer Masala", "price": 160.5, "quantity": 1},
            ],
            "subtotal": 380.5,
            "discount": 0,
            "discountName": "",
            "deliveryFee": 15,
            "convenienceFee": 0,
            "dogDonation": 10,
            "grandTotal": 405.5,
            "selectedCampus": "north",
            "isPreReservation": False,
            "orderType": "normal",
            "specialInstructions": "No onions",
            "deliveryInstructions": "Gate 2",
            "noCutlery": True,
            "preOrderPayment": 70,
            "remainingPayment": 335.5,
            "totalAmount": 405.5,
        },
    }


async def test_pre_reservation_is_recognized_by_either_member(api):
    for change in ({}, {"isPreReservation": False}, {"orderType": ""}, {"orderType": "normal"}):
        body = reservation_body(partySize=2)
        body["orderDetails"] |= change
        details = (await api.post(PREPARE, json=body)).json()["orderDetails"]
        assert details["orderType"] == "pre-reserve"
        assert details["preReservation"] == {
            "restaurantId": 2,
            "timeSlot": "17:30",
            "partySize": 2,
            "date": "2026-11-18",
        }


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [  # Which tables are refused: tests of the service.
        ({"date": "2026-11-17"}, 409, "slot_unavailable"),
        ({"timeSlot": ""}, 409, "slot_unavailable"),
        ({"partySize": 9}, 422, "validation_error"),
        ({"reservationId": 5}, 422, "validation_error"),
        ({"reservationId": "x" * 201}, 422, "validation_error"),
    ],
)
async def test_prepare_rejects_invalid_reservation(api, services, change, status, code):
    # Source: specification P3.7.
    found = await error_of(api, reservation_body(**change))
    assert found[:2] == (status, code)
    assert await count(services.database, SeatHoldRow) == 0


async def test_prepare_rejects_forged_discount(api):
    body = reservation_body(discount=90)
    body["orderDetails"]["grandTotal"] = 60
    assert (await error_of(api, body))[:2] == (409, "price_mismatch")
    body["orderDetails"].pop("grandTotal")
    details = (await api.post(PREPARE, json=body)).json()["orderDetails"]
    assert details["discount"] * 10 == details["subtotal"]


async def test_prepare_holds_half_of_a_slot_for_one_address(api):
    # Source: specification R9.
    responses = []
    for number in range(3):
        body = reservation_body(partySize=6)
        body["userDetails"] |= {"email": f"guest{number}@students.example"}
        responses.append(await api.post(PREPARE, json=body))
    assert [each.status_code for each in responses] == [201, 201, 409]
    assert responses[-1].json()["error"]["message"] == ReservationMessage.TOO_MANY_HELD
    assert (await api.post(PREPARE, json=reservation_body(timeSlot="17:00"))).status_code == 201


async def test_table_is_ignored_when_order_is_not_a_pre_reservation(api):
    # The browser's storage may contain the reservation of an earlier order.
    body = reservation_body()
    delivered = {"isPreReservation": False, "orderType": "normal", "items": items({"202": 4})}
    body["orderDetails"] |= delivered
    response = await api.post(PREPARE, json=body)
    assert response.json()["orderDetails"]["isPreReservation"] is False
    assert response.json()["orderDetails"]["deliveryFee"] > 0


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"vendorEmail": "x@evil.example", "vendorPhone": "+91"}, id="I19: a vendor"),
        pytest.param({"paymentStatus": "SUCCESS", "paymentSuccess": True}, id="I6: paid already"),
        pytest.param({"orderDetails__vendorEmail": "x@evil.example"}, id="I19: in the details"),
        pytest.param({"restaurantName": "Another", "timestamp": 5}, id="3.9: other fields"),
        pytest.param({"unknown": {"deep": [1, {"er": None}]}}, id="unknown fields are ignored"),
        pytest.param({"__proto__": {"admin": True}}, id="a prototype"),
    ],
)
async def test_unknown_members_are_ignored(api, change):
    response = await api.post(PREPARE, json=order_body(**change))
    assert response.status_code == 201
    assert response.json()["paymentStatus"] == "PENDING"
    assert "evil" not in response.text


async def test_prepare_rejects_unpaired_surrogate(api):
    body = json.dumps(order_body(userDetails__address="\ud800Hostel"))
    response = await api.post(PREPARE, content=body, headers={"content-type": "application/json"})
    assert response.status_code == 422
    assert "userDetails.address" in response.json()["error"]["fields"]


# Errors


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [  # Which orders are refused: tests of the service.
        (order_body(restaurantId=-1), 404, "unknown_restaurant"),
        (order_body(restaurantId=10**18), 404, "unknown_restaurant"),
        (order_body(orderDetails__items=items({**QUANTITIES, "x'; --": 1})), 404, "unknown_item"),
        (order_body(restaurantId=4), 409, "restaurant_closed"),
        (order_body(amount=1), 409, "price_mismatch"),
        (order_body(restaurantId=2, orderDetails__isPreReservation=True), 409, "slot_unavailable"),
        (order_body(orderDetails__items=items({"104": 1})), 422, "below_minimum"),
        (order_body(orderDetails__items=[]), 422, "validation_error"),
        (
            order_body(orderDetails__items=[{"id": "104", "quantity": 30}] * 2),
            422,
            "validation_error",
        ),
        (order_body(userDetails__fullName="x" * 10_000), 422, "validation_error"),
        (order_body(orderDetails__orderType="pre-reserve"), 422, "validation_error"),
    ],
)
async def test_prepare_returns_status_and_code_when_order_is_rejected(
    api, services, body, status, code
):
    assert (await error_of(api, body))[:2] == (status, code)
    assert await count(services.database, OrderRow) == 0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"userDetails__fullName": "=?utf-8?q?=0d=0aSubject:_Won?="}, "fullName"),
        ({"userDetails__fullName": "Aarav\nBcc: x@evil.example"}, "fullName"),
        ({"userDetails__email": "=?utf-8?q?=0d=0aBcc=3ax?=@x.org"}, "email"),
        ({"userDetails__phoneNumber": "+91"}, "phoneNumber"),
        ({"orderDetails__dogDonation": 3}, "dogDonation"),
        ({"orderDetails__deliveryInstructions": "x" * 301}, "deliveryInstructions"),
        ({"orderId": "482"}, "orderId"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_error_names_the_invalid_field(api, change, field):
    status, _, error = await error_of(api, order_body(**change))
    assert status == 422
    assert error["fields"][field] == error["message"]


async def test_prepare_rejects_missing_or_unknown_campus(api, services):
    """Source: specification S14."""
    for make, campus in product(
        (order_body, reservation_body), ("missing", None, "", "North", 5, {"north": 1})
    ):
        body = make()
        body["orderDetails"]["selectedCampus"] = campus
        if campus == "missing":
            del body["orderDetails"]["selectedCampus"]
        status, code, error = await error_of(api, body)
        assert (status, code) == (422, "validation_error")
        assert error["fields"] == {"selectedCampus": error["message"]}
    assert await count(services.database, OrderRow) == 0


async def test_address_is_required_only_for_delivery(api, services):
    """Source: specification S18."""
    table, delivery = reservation_body(), order_body()
    for body in (table, delivery):
        del body["userDetails"]["address"]
    assert (await api.post(PREPARE, json=table)).status_code == 201
    status, code, error = await error_of(api, delivery)
    assert (status, code) == (422, "validation_error")
    assert error["fields"] == {"address": "Address is required"}
    assert [row.address for row in await rows(services.database, OrderRow)] == [""]


WRONG_AMOUNTS = [0, -5, 380.01, "1"]
DISPLAYED = [
    "amount",
    "totalOrderValue",
    "paymentBreakdown__total",
    "paymentBreakdown__preOrderPayment",
    "paymentBreakdown__remainingPayment",
    "paymentBreakdown__convenienceFee",
    "paymentBreakdown__dogDonation",
    "orderDetails__subtotal",
    "orderDetails__deliveryFee",
    "orderDetails__convenienceFee",
    "orderDetails__grandTotal",
    "orderDetails__totalAmount",
    "orderDetails__preOrderPayment",
    "orderDetails__remainingPayment",
]


@pytest.mark.parametrize("member", DISPLAYED)
async def test_prepare_returns_bill_when_a_displayed_amount_differs(api, services, member):
    # Source: specification M1.
    right = (await api.post(PREPARE, json=order_body())).json()
    for value in WRONG_AMOUNTS:
        if (member, value) == ("paymentBreakdown__dogDonation", 0):
            continue
        response = await api.post(PREPARE, json=order_body(**{member: value}))
        assert response.status_code == 409, value
        assert response.json()["error"]["code"] == "price_mismatch"
        assert response.json()["paymentBreakdown"] == right["paymentBreakdown"]
    assert await count(services.database, OrderRow) == 1


async def test_prepare_rejects_forged_prices_and_contradicting_amounts(api):
    forged = [{"id": "104", "quantity": 2, "price": 1}, {"id": "112", "quantity": 1}]
    found = await error_of(api, order_body(orderDetails__items=forged))
    assert found[:2] == (409, "price_mismatch")
    total = (await api.post(PREPARE, json=order_body())).json()["totalOrderValue"]
    body = order_body(totalOrderValue=total, orderDetails__grandTotal=total + 1)
    assert (await error_of(api, body))[:2] == (409, "price_mismatch")


async def test_prepare_accepts_amounts_of_its_own_response(api):
    right = (await api.post(PREPARE, json=order_body())).json()
    body = order_body(
        amount=right["amount"],
        totalOrderValue=right["totalOrderValue"],
        paymentBreakdown=right["paymentBreakdown"],
    )
    body["orderDetails"] |= right["orderDetails"]
    assert (await api.post(PREPARE, json=body)).status_code == 201
    texts = order_body(totalOrderValue=f"{right['totalOrderValue']:.2f}")
    assert (await api.post(PREPARE, json=texts)).status_code == 201


# Idempotency


async def test_repeated_idempotency_key_returns_first_response(api, services):
    keys = ("a key of the client", "x" * 200, "' OR 1=1 --", "clé".encode(), b"\xff")
    for number, key in enumerate(keys, start=1):
        headers = {"idempotency-key": key}
        first = await api.post(PREPARE, json=order_body(), headers=headers)
        again = await api.post(PREPARE, json=order_body(), headers=headers)
        assert (first.status_code, again.status_code) == (201, 201)
        assert again.json() == first.json()
        assert await count(services.database, OrderRow) == number
    for key in ("x" * 201, "x" * 10_000):
        assert (await error_of(api, order_body(), headers={"idempotency-key": key}))[0] == 422


async def test_repeated_order_id_returns_the_same_order(api, services):
    first = await api.post(PREPARE, json=order_body(orderId="AS_482"))
    again = await api.post(PREPARE, json=order_body(orderId="AS_482"))
    assert first.json()["orderId"] == "AS_482"
    assert again.json() == first.json()
    assert await count(services.database, OrderRow) == 1


# Rate limit


async def test_rate_limit_returns_retry_after_beyond_300_orders_a_minute(
    api, monkeypatch, new_services
):
    # Source: specification C3.19.
    services = replace(new_services(), prepare_limit=RateLimiter(300, now=lambda: 0.0))
    monkeypatch.setattr("campus_app.shared.current.services", lambda: services)
    bad = order_body(restaurantId=99)
    responses = [await api.post(PREPARE, json=bad) for _ in range(300)]
    assert {response.status_code for response in responses} == {404}
    rejected = await api.post(PREPARE, json=order_body())
    assert rejected.status_code == 429
    assert 1 <= int(rejected.headers["retry-after"]) <= 60
    assert rejected.json()["error"]["code"] == "busy"
    assert (await api.get("/payment/order-status/AS_482")).status_code == 200


# Status


@pytest.fixture
async def order(services):
    return await services.ordering.prepare(order_request())


UNNOTIFIED = {"emailsSent": 0, "missedCallStatus": "pending"}


async def test_order_status_is_pending_when_unpaid(api, order):
    response = await api.get(f"/payment/order-status/{order.order.number}")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert response.json() == {"status": "PENDING", "processed": False, **UNNOTIFIED}
    response = await api.get(f"/email-status/{order.order.number}")
    assert response.json() == {"emailErrors": [], **UNNOTIFIED}


async def test_order_status_counts_notifications_when_paid(api, services, order):
    await pay(services, order)
    address = f"/payment/order-status/{order.order.number}"
    content = {"status": "SUCCESS", "processed": True}
    assert (await api.get(address)).json() == content | UNNOTIFIED
    await drain(services)
    assert (await api.get(address)).json() == content | {
        "emailsSent": 2,
        "missedCallStatus": "success",
    }
    assert (await api.get(f"/email-status/{order.order.number}")).json() == {
        "emailsSent": 2,
        "emailErrors": [],
        "missedCallStatus": "success",
    }


UNKNOWN = ["AS_482", "AS_1", "482", "x", "AS_482%00", "%00", "AS_%F0%9F%8D%95", "a" * 3_000, "%2e"]


async def test_status_is_not_found_when_order_is_unknown(api):
    for number in UNKNOWN:
        response = await api.get(f"/payment/order-status/{number}")
        assert response.status_code == 200
        assert response.json() == {"status": "NOT_FOUND", "processed": False, **UNNOTIFIED}
        response = await api.get(f"/email-status/{number}")
        assert (response.status_code, response.json()["error"]["code"]) == (404, "unknown_order")


async def test_crawling_order_numbers_reveals_no_personal_data(api, services):
    # Source: specification C3.22; docs/invariants.md I18.
    order = await services.ordering.prepare(order_request(requested_number="AS_482"))
    await pay(services, order)
    await drain(services)
    secrets = (*CUSTOMER.values(), "9800000001", order.order.response_token)
    found = 0
    for value in range(400, 500):
        status = await api.get(f"/payment/order-status/AS_{value}")
        notifications = await api.get(f"/email-status/AS_{value}")
        found += status.json()["status"] == "SUCCESS"
        assert not any(secret in status.text + notifications.text for secret in secrets)
    assert found == 1


# Unavailable database


@pytest.fixture
def without_database(api, monkeypatch, services):
    """The services of a process whose database is unavailable."""
    unavailable = Database("postgresql+psycopg://food@127.0.0.1:1/food")
    orders = SqlOrders(unavailable, lambda: None)
    ordering = replace(services.ordering, orders=orders)
    payments = replace(services.payments, orders=orders)
    checkouts = replace(services.checkouts, orders=orders)
    lookup = replace(services.lookup, orders=orders)
    without = replace(
        services, ordering=ordering, payments=payments, checkouts=checkouts, lookup=lookup
    )
    monkeypatch.setattr("campus_app.shared.current.services", lambda: without)
    yield without
    unavailable.close()


async def test_operations_are_503_when_database_is_unavailable(api, without_database):
    headers, webhook = signed_webhook(without_database, "AS-1")
    for method, path, sent in (
        ("POST", PREPARE, {"json": order_body()}),
        ("GET", "/payment/order-status/AS_482", {}),
        ("GET", "/email-status/AS_482", {}),
        ("POST", "/payment/sandbox-success", {"json": {"orderId": "AS_482"}}),
        ("POST", "/payment/sandbox/webhook", {"content": webhook, "headers": headers}),
    ):
        response = await api.request(method, path, **sent)
        assert response.status_code == 503, path
        assert response.json()["error"]["code"] == "unavailable"
        assert int(response.headers["retry-after"]) > 0
    response = await api.get("/api/payment-form/65", params={"order_id": "AS_482"})
    assert (response.status_code, response.json()["success"]) == (503, False)
    assert int(response.headers["retry-after"]) > 0
