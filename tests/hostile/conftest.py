"""A running installation with a customer on it, and what must still hold after an attack."""

import contextlib
import re

import pytest

from tests.helpers.builders import CUSTOMER, order_body
from tests.hostile.invalid_values import PERSON
from tests.hostile.raw_socket_client import ROOT, Stranger, at
from tests.hostile.server import UNSLOWED, running_server

_CART = f"{ROOT}.campus_app___states___cart____cart_state"
_LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ [\w.]+ \S.*")
_LONGEST_LINE = 400
_MENU = at("/menu/5", restaurant_id="5")
_BOOKKEEPING = "next_check_at_ms"
"""Asking the provider plans the next time of asking; nothing else may change."""


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """The installation that every attack is made on."""
    folder = tmp_path_factory.mktemp("hostile")
    with running_server(folder, **UNSLOWED) as server:
        yield server


@pytest.fixture(scope="package")
def orders(server):
    """The numbers of two orders of a customer: one paid, one not."""
    return {"paid": _order(server, is_paid=True), "unpaid": _order(server, is_paid=False)}


@pytest.fixture(scope="module")
def customer(server):
    """Somebody with two dishes in the cart, who is looking at a menu all the time.

    No longer than a file of tests: while others run, nobody answers the socket's pings.
    """
    with Stranger(server.port) as customer:
        customer.enter(_MENU, {})
        for dish in ("501", "502"):
            customer.send(f"{_CART}.add_item", {"item_id": dish}, _MENU)
        customer.catch_up()
        assert customer.vars[f"{_CART}.cart"].endswith("|501:1,502:1")
        yield customer


@pytest.fixture
def stranger(server):
    """Somebody on the socket; nothing has been said yet."""
    with Stranger(server.port) as stranger:
        yield stranger


@pytest.fixture
def unharmed(server, orders, customer):
    """Checks that an attack inside its block has changed nothing, and left a clean log.

    Where `in_our_code`, the framework may complain of the attack; nothing of ours may have failed.
    """

    @contextlib.contextmanager
    def unharmed(*, in_our_code=False):
        rows, seen = server.rows(without=_BOOKKEEPING), len(server.logged())
        cart = customer.vars[f"{_CART}.cart"]
        yield
        customer.catch_up()
        assert server.is_well()
        assert server.rows(without=_BOOKKEEPING) == rows
        assert customer.vars[f"{_CART}.cart"] == cart
        lines = server.logged()[seen:]
        assert _ugly(lines) == []
        if in_our_code:
            assert [line for line in lines if " campus_app." in line] == []

    return unharmed


def _ugly(lines):
    """Return the lines that are not one short record each, or say who somebody is."""
    private = [*PERSON.values(), *CUSTOMER.values()]
    return [
        line
        for line in lines
        if not _LINE.fullmatch(line)
        or len(line) > _LONGEST_LINE
        or any(words in line for words in private)
    ]


def _order(server, *, is_paid):
    prepared = server.http.post("/payment/prepare-order", json=order_body()).json()
    number = prepared["orderId"]
    online = prepared["paymentBreakdown"]["preOrderPayment"]
    server.http.get(f"/api/payment-form/{online}?order_id={number}").raise_for_status()
    if is_paid:
        server.http.post("/sandbox/pay", data={"order_id": number, "button": "pay"})
        server.settle()
    return number
