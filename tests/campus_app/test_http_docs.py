"""The OpenAPI description, and the page that renders it. Source: specification C3.17."""

import re
from urllib.parse import urlencode

import pytest

from campus_app.ordering.providers.cashfree import webhooks as cashfree
from campus_app.ordering.providers.sandbox import payments as sandbox
from kit.http.csp import HEADER
from tests.fakes.twilio import ACCOUNT_SID, AUTH_TOKEN, signature
from tests.helpers.databases import sqlite_only
from tests.helpers.openapi import example_of
from tests.helpers.settings import ORIGIN

pytestmark = [pytest.mark.anyio, sqlite_only]

OPERATIONS = {
    ("get", "/health"),
    ("get", "/api/restaurants/status"),
    ("get", "/api/restaurants/status/init"),
    ("post", "/api/log-restaurant-selection"),
    ("get", "/data/menu_{restaurant_id}.csv"),
    ("post", "/payment/prepare-order"),
    ("get", "/api/payment-form/{amount}"),
    ("get", "/payment/order-status/{order_id}"),
    ("post", "/payment/{provider}-success"),
    ("get", "/email-status/{order_id}"),
    ("post", "/payment/{provider}/webhook"),
    ("put", "/api/ops/restaurants/{restaurant_id}/status"),
}
"""Of specification C3; OpenAPI cannot describe the socket."""
FOR_OPERATORS = {
    ("get", "/metrics"),
    ("put", "/api/ops/restaurants/{restaurant_id}/status"),
    ("put", "/api/ops/restaurants/{restaurant_id}/dishes/{dish_id}/availability"),
}


@pytest.fixture
async def openapi(api):
    response = await api.get("/api/openapi.json")
    assert response.status_code == 200
    return response.json()


@pytest.fixture
def operations(openapi):
    """Every operation by its method and path."""
    return {
        (method, path): operation
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    }


def resolved(openapi, schema):
    """Return a schema with its reference replaced, if it is one."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return openapi["components"]["schemas"][name] if name else schema


async def test_description_has_every_specified_operation(operations):
    assert set(operations) >= OPERATIONS


async def test_every_operation_has_a_summary_and_a_description(operations):
    for operation in operations.values():
        assert re.fullmatch(r"[A-Z].{8,}", operation["summary"])
        assert re.match(r"[A-Z`].{8,}", operation["description"])


async def test_every_body_has_a_schema_with_members(openapi, operations):
    contents = [
        content["schema"]
        for operation in operations.values()
        for part in (operation.get("requestBody", {}), *operation["responses"].values())
        for kind, content in part.get("content", {}).items()
        if kind not in {"text/csv", "text/plain"}
    ]
    assert len(contents) > len(operations)
    for schema in contents:
        assert resolved(openapi, schema)["properties"]


async def test_every_error_response_lists_its_codes(openapi, operations):
    for (method, path), operation in operations.items():
        for status, response in operation["responses"].items():
            if int(status) < 400 or path == "/health":
                continue
            schema = resolved(openapi, response["content"]["application/json"]["schema"])
            detail = resolved(openapi, schema["properties"]["error"])
            code = detail["properties"]["code"]
            codes = code.get("enum") or [code["const"]]
            assert codes, (method, path, status)
            assert all(f"`{each}`" in response["description"] for each in codes)


async def test_only_operations_for_operators_need_the_bearer_token(openapi, operations):
    schemes = openapi["components"]["securitySchemes"]
    assert {name: scheme["scheme"] for name, scheme in schemes.items()} == {"operator": "bearer"}
    secured = {key for key, operation in operations.items() if "security" in operation}
    assert secured == FOR_OPERATORS


async def test_webhook_documents_the_signature_headers_of_each_provider(operations):
    parameters = operations["post", "/payment/{provider}/webhook"]["parameters"]
    assert {each["name"] for each in parameters if each["in"] == "header"} == {
        cashfree.SIGNATURE_HEADER,
        cashfree.TIMESTAMP_HEADER,
        sandbox.SIGNATURE_HEADER,
        sandbox.TIMESTAMP_HEADER,
    }


async def test_example_of_the_call_webhook_gets_the_described_status(openapi, scenario):
    # The token, the account and the call differ; tests/hostile has every other example.
    await scenario.paid()
    example = example_of(openapi, "post", "/api/calls/{service}/{token}")
    path, *_ = scenario.fake.webhook(scenario.fake.only, "no-answer", 3)
    fields = example.body | {"AccountSid": ACCOUNT_SID, "CallSid": scenario.fake.only.sid}
    headers = {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": signature(AUTH_TOKEN, ORIGIN + path, fields),
    }
    response = await scenario.deliver((path, headers, urlencode(fields).encode()))
    assert response.status_code == example.status


async def test_description_omits_pages_and_fallback_routes(openapi):
    assert not any("sandbox" in path or ":path" in path for path in openapi["paths"])


async def test_page_loads_only_our_own_files(api):
    # tests/e2e/test_accessibility.py opens it in a browser.
    page = await api.get("/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert all(re.match(r"/\w", address) for address in addresses)
    for address in addresses:
        if address.startswith("/api/"):
            assert (await api.get(address)).status_code == 200


async def test_page_policy_allows_no_inline_script_and_no_eval(api):
    page = await api.get("/api/docs")
    assert "script-src 'self';" in page.headers[HEADER]
    assert not re.search(r"<script(?! src=)", page.text)


@pytest.mark.parametrize("address", ["/docs", "/redoc", "/openapi.json"])
async def test_default_pages_of_fastapi_are_not_served(api, address):
    assert (await api.get(address)).status_code == 404
