"""A running installation with a customer on it, and checks that an attack changed nothing."""

import contextlib
import re

import pytest

from tests.helpers.builders import CUSTOMER, order_body
from tests.hostile.invalid_values import PERSON
from tests.hostile.raw_socket_client import ROOT, RawSocketClient, at
from tests.hostile.server import UNTHROTTLED, running_server

_CART = f"{ROOT}.campus_app___ordering___screens___cart_state____cart_state"
_LOG_RECORD = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ [\w.]+ \S.*")
_MAXIMUM_RECORD_CHARACTERS = 400
_MENU = at("/menu/5", restaurant_id="5")
_NEXT_CHECK_COLUMN = "next_check_at_ms"
"""Excluded from the comparison of rows: every query to the provider sets it."""


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """The installation that the attacks target."""
    folder = tmp_path_factory.mktemp("hostile")
    with running_server(folder, **UNTHROTTLED) as server:
        yield server


@pytest.fixture(scope="module")
def orders(server):
    """Two order numbers of a customer: one paid, one not.

    The other one is paid afterwards: it would expire after 20 minutes, during another module.
    """
    numbers = {"paid": place_order(server), "unpaid": place_order(server, is_paid=False)}
    yield numbers
    pay(server, numbers["unpaid"])


@pytest.fixture(scope="module")
def customer(server):
    """A connected customer with two dishes in the cart and a menu open.

    Scoped to a module: the client answers the socket's pings only while a test reads from it.
    """
    with RawSocketClient(server.port) as customer:
        customer.open_page(_MENU, {})
        for dish in ("501", "502"):
            customer.send(f"{_CART}.add_dish", {"restaurant_id": 5, "dish_id": dish}, _MENU)
        customer.wait_until_processed()
        assert customer.vars[f"{_CART}.cart"].endswith("|501:1,502:1")
        yield customer


@pytest.fixture
def socket_client(server):
    """A connected client that has not sent anything."""
    with RawSocketClient(server.port) as socket_client:
        yield socket_client


@pytest.fixture
def assert_unchanged(server, orders, customer):
    """A context manager that checks that its block changed nothing and left a clean log.

    With `in_our_code` the framework may log warnings about the attack, but our modules may not.
    Nothing logs an ERROR: operators are alerted by it, and anyone could cause it.
    """

    @contextlib.contextmanager
    def assert_unchanged(*, in_our_code=False):
        rows, record_count = server.rows(without=_NEXT_CHECK_COLUMN), len(server.logged())
        cart = customer.vars[f"{_CART}.cart"]
        yield
        customer.wait_until_processed()
        assert server.is_healthy()
        assert server.rows(without=_NEXT_CHECK_COLUMN) == rows
        assert customer.vars[f"{_CART}.cart"] == cart
        records = server.logged()[record_count:]
        assert _invalid_records(records) == []
        assert [record for record in records if " ERROR " in record] == []
        if in_our_code:
            assert [record for record in records if " campus_app." in record] == []

    return assert_unchanged


def _invalid_records(records):
    """Return the log records that are malformed, too long, or contain personal data."""
    personal_data = [*PERSON.values(), *CUSTOMER.values()]
    return [
        record
        for record in records
        if not _LOG_RECORD.fullmatch(record)
        or len(record) > _MAXIMUM_RECORD_CHARACTERS
        or any(value in record for value in personal_data)
    ]


def place_order(server, *, is_paid=True):
    """Place an order at restaurant 1 over HTTP; return its number."""
    prepared = server.http.post("/payment/prepare-order", json=order_body()).json()
    number = prepared["orderId"]
    online = prepared["paymentBreakdown"]["preOrderPayment"]
    server.http.get(f"/api/payment-form/{online}?order_id={number}").raise_for_status()
    if is_paid:
        pay(server, number)
    return number


def pay(server, number):
    """Pay an order; return when all of its notifications have been sent."""
    server.http.post("/sandbox/pay", data={"order_id": number, "button": "pay"})
    server.settle(number)
