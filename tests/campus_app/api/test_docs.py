"""The generated description names every call of specification C3."""

import re

import pytest

from tests.helpers.databases import sqlite_only

pytestmark = [pytest.mark.anyio, sqlite_only]

CALLS = {
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
"""Calls of specification C3; OpenAPI cannot describe the socket."""


async def described(api):
    answer = await api.get("/api/openapi.json")
    assert answer.status_code == 200
    return {
        (method, path): call
        for path, methods in answer.json()["paths"].items()
        for method, call in methods.items()
    }


async def test_every_call_is_described(api):
    assert set(await described(api)) >= CALLS


async def test_every_call_says_in_a_sentence_what_it_is_for(api):
    for call in (await described(api)).values():
        assert re.fullmatch(r"[A-Z].{8,}", call["summary"])


async def test_what_is_not_for_programs_is_not_described(api):
    paths = {path for _, path in await described(api)}
    assert not any("sandbox" in path or ":path" in path for path in paths)


async def test_the_page_of_the_description_names_every_call_and_needs_no_other_site(api):
    answer = await api.get("/api/docs")
    assert answer.headers["content-type"].startswith("text/html")
    for method, path in CALLS:
        assert f"{method.upper()} {path}" in answer.text
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", answer.text)
    assert "<script" not in answer.text


@pytest.mark.parametrize("address", ["/docs", "/redoc", "/openapi.json"])
async def test_the_frameworks_own_pages_are_not_served(api, address):
    assert (await api.get(address)).status_code == 404
