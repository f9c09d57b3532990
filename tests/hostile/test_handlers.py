"""Every event handler is a public endpoint: no argument may break the server or change data."""

from contextlib import contextmanager

import pytest
from websockets.exceptions import WebSocketException

from tests.helpers.sessions import the_app
from tests.hostile import handler_inventory
from tests.hostile.invalid_values import (
    BROKEN_FORM,
    BROKEN_PAGES,
    PAGES,
    PAYLOADS,
    STORED_VALUES,
    UNPAIRED_SURROGATE,
    VALUES,
)
from tests.hostile.raw_socket_client import RawSocketClient, at

handler_inventory.import_states()
HANDLERS = handler_inventory.handlers()
HANDLERS_WITH_ARGUMENTS = [each for each in HANDLERS if each.is_ours and each.parameters]
MENU = at("/menu/5", restaurant_id="5")


class Attacks:
    """Attacks on all handlers, each from a client of its own; collects what they broke."""

    def __init__(self, port, assert_unchanged):
        self._port = port
        self._assert_unchanged = assert_unchanged
        self.damage = {}

    @contextmanager
    def on(self, handler, *, in_our_code=False):
        """Yield a client on a menu; expect that its attack on a handler changed nothing."""
        stored = handler_inventory.storage_payload(STORED_VALUES)
        try:
            with (
                RawSocketClient(self._port) as client,
                self._assert_unchanged(in_our_code=in_our_code),
            ):
                yield client.open_page(MENU, stored)
                client.wait_until_processed()
        except (AssertionError, OSError, WebSocketException) as error:
            self.damage[handler.name] = repr(error)


@pytest.fixture
def attacks(server, assert_unchanged):
    attacks = Attacks(server.port, assert_unchanged)
    yield attacks
    assert attacks.damage == {}


def test_inventory_contains_every_handler_of_the_app():
    the_app()
    registered = {handler.name for handler in handler_inventory.handlers()}
    assert registered == {handler.name for handler in HANDLERS}


def test_handlers_survive_arguments_of_wrong_type_or_size(attacks):
    for handler in HANDLERS:
        with attacks.on(handler, in_our_code=handler.is_written_by_us) as client:
            for parameter in handler.parameters:
                for value in VALUES:
                    client.send(handler.name, handler.arguments(**{parameter: value}), MENU)


def test_handlers_survive_missing_or_additional_arguments(attacks):
    for handler in HANDLERS:
        valid = handler.arguments()
        incomplete = [{name: valid[name] for name in valid if name != absent} for absent in valid]
        excessive = [
            valid | {"more": "than expected"},
            valid | {"self": {"is_paid": True}},
            valid | {"": None, "__class__": [], "amount": 0},
            *(valid | {name: BROKEN_FORM} for name in valid),
        ]
        with attacks.on(handler) as client:
            for payload in (*incomplete, {}, *excessive, *PAYLOADS):
                client.send(handler.name, payload, MENU)


def test_handlers_survive_forged_page_addresses(attacks, orders):
    existing = [at(f"/order-confirmation?order_id={n}&status=SUCCESS") for n in orders.values()]
    for handler in HANDLERS:
        with attacks.on(handler, in_our_code=handler.is_written_by_us) as client:
            for page in (*PAGES, *existing):
                client.send(handler.name, handler.arguments(), page)


def test_handlers_survive_invalid_router_data(attacks):
    for handler in HANDLERS:
        with attacks.on(handler) as client:
            for page in BROKEN_PAGES:
                client.send(handler.name, handler.arguments(), page)


def test_unpaired_surrogate_does_not_close_the_socket(attacks):
    form = {"fullName": UNPAIRED_SURROGATE, "address": UNPAIRED_SURROGATE}
    values = (UNPAIRED_SURROGATE, form, f'{{"responseToken": "{UNPAIRED_SURROGATE}"}}')
    for handler in HANDLERS_WITH_ARGUMENTS:
        with attacks.on(handler) as client:
            for parameter in handler.parameters:
                for value in values:
                    client.send(handler.name, handler.arguments(**{parameter: value}), MENU)


def test_control_attack_that_closes_the_socket_is_reported(server, assert_unchanged):
    attacks = Attacks(server.port, assert_unchanged)
    with attacks.on(HANDLERS[0]) as client:
        client.wait_until_closed()
    assert set(attacks.damage) == {HANDLERS[0].name}
