"""Calls while the database accepts no writes: 503 in JSON within 10 s, which `/health` shows."""

import asyncio
import sqlite3
import time

import httpx
import psycopg
import pytest

from campus_app.http_api import create_api
from kit.db import database
from tests.helpers.builders import order_body
from tests.helpers.databases import postgres_only, sqlite_only
from tests.helpers.settings import OPERATOR_TOKEN, ORIGIN

pytestmark = pytest.mark.anyio

PREPARE = "/payment/prepare-order"
OPERATOR = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
STATUS = "/api/ops/restaurants/1/status"
LONGEST_SECONDS = 10.0


def assert_unavailable(response):
    assert response.status_code == 503, response.text
    assert response.headers["content-type"] == "application/json"
    assert int(response.headers["retry-after"]) > 0
    assert response.json()["error"]["code"] == "unavailable"


async def health_of(api):
    """Return the status of `/health`, and its state of the database."""
    response = await api.get("/health")
    return response.status_code, response.json()["services"]["database"]


def set_read_only(url, value):
    """Make PostgreSQL refuse writes, also on open connections, or accept them again."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid != pg_backend_pid()"
        )


@postgres_only
async def test_calls_are_503_in_json_while_postgresql_is_read_only(api, database_url):
    prepared = (await api.post(PREPARE, json=order_body())).json()
    set_read_only(database_url, "on")
    assert_unavailable(await api.post(PREPARE, json=order_body(email="other@students.example")))
    assert_unavailable(await api.put(STATUS, json={"isOpen": False}, headers=OPERATOR))
    number, amount = prepared["orderId"], prepared["paymentBreakdown"]["preOrderPayment"]
    form = await api.get(f"/api/payment-form/{amount}", params={"order_id": number})
    assert (form.status_code, form.json()["success"]) == (503, False)
    assert await health_of(api) == (503, "down")
    assert (await api.get(f"/payment/order-status/{number}")).json()["status"] == "PENDING"
    set_read_only(database_url, "off")
    await health_of(api)  # closes the connections that were opened in the meantime
    assert await health_of(api) == (200, "ok")
    assert (await api.post(PREPARE, json=order_body())).status_code == 201


@sqlite_only
async def test_calls_are_503_in_time_while_sqlite_is_locked(api, database_url, monkeypatch):
    assert database._LONGEST_TRANSACTION_SECONDS <= 8  # too near to the limit for a busy machine
    monkeypatch.setattr(database, "_LONGEST_TRANSACTION_SECONDS", 3)
    locked = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    locked.execute("BEGIN EXCLUSIVE")
    started = time.monotonic()
    calls = [api.post(PREPARE, json=order_body(email=f"s{n}@students.example")) for n in range(12)]
    for response in await asyncio.gather(*calls):
        assert_unavailable(response)
    assert time.monotonic() - started < LONGEST_SECONDS
    assert await health_of(api) == (503, "down")
    locked.close()
    assert await health_of(api) == (200, "ok")
    assert (await api.post(PREPARE, json=order_body())).status_code == 201


async def test_unexpected_error_is_answered_in_json():
    app = create_api()

    @app.get("/a-bug")
    async def bug():
        raise LookupError("an unexpected error")

    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        response = await client.get("/a-bug")
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal_error")
    assert "unexpected" not in response.text
