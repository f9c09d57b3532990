"""Every handler is a public endpoint: whatever it is called with, nothing breaks and nothing moves."""

import pytest

from tests.campus_app.states.session import the_app
from tests.hostile import handler_inventory
from tests.hostile.invalid_values import (
    BROKEN_FORM,
    BROKEN_PAGES,
    HALF_A_CHARACTER,
    KEPT,
    PAGES,
    PAYLOADS,
    VALUES,
)
from tests.hostile.raw_socket_client import at

handler_inventory.import_states()
HANDLERS = [
    pytest.param(handler, id=handler.short_name) for handler in handler_inventory.handlers()
]
TEXT_HANDLERS = [
    parameter
    for parameter in HANDLERS
    if parameter.values[0].is_ours and parameter.values[0].parameters
]
MENU = at("/menu/5", restaurant_id="5")


def test_inventory_contains_every_handler_of_the_app():
    the_app()
    assert {handler.name for handler in handler_inventory.handlers()} == {
        parameter.values[0].name for parameter in HANDLERS
    }


@pytest.mark.parametrize("handler", HANDLERS)
def test_handler_survives_arguments_of_wrong_type_or_size(handler, stranger, unharmed):
    with unharmed(in_our_code=handler.is_written_by_us):
        stranger.enter(MENU, handler_inventory.in_full(KEPT))
        for parameter in handler.parameters:
            for value in VALUES:
                stranger.send(handler.name, handler.arguments(**{parameter: value}), MENU)
        stranger.catch_up()


@pytest.mark.parametrize("handler", HANDLERS)
def test_handler_survives_missing_or_additional_arguments(handler, stranger, unharmed):
    usual = handler.arguments()
    incomplete = [{name: usual[name] for name in usual if name != missing} for missing in usual]
    overfull = [
        usual | {"more": "than expected"},
        usual | {"self": {"is_paid": True}},
        usual | {"": None, "__class__": [], "amount": 0},
        *(usual | {name: BROKEN_FORM} for name in usual),
    ]
    with unharmed():
        stranger.enter(MENU, handler_inventory.in_full(KEPT))
        for payload in (*incomplete, {}, *overfull, *PAYLOADS):
            stranger.send(handler.name, payload, MENU)
        stranger.catch_up()


@pytest.mark.parametrize("handler", HANDLERS)
def test_handler_survives_forged_page_addresses(handler, stranger, unharmed, orders):
    known = (at(f"/order-confirmation?order_id={n}&status=SUCCESS") for n in orders.values())
    with unharmed(in_our_code=handler.is_written_by_us):
        stranger.enter(MENU, handler_inventory.in_full(KEPT))
        for page in (*PAGES, *known):
            stranger.send(handler.name, handler.arguments(), page)
        stranger.catch_up()


@pytest.mark.parametrize("handler", HANDLERS)
def test_handler_survives_invalid_router_data(handler, stranger, unharmed):
    with unharmed():
        stranger.enter(MENU, handler_inventory.in_full(KEPT))
        for page in BROKEN_PAGES:
            stranger.send(handler.name, handler.arguments(), page)
        stranger.catch_up()


@pytest.mark.parametrize("handler", TEXT_HANDLERS)
def test_unpaired_surrogate_does_not_close_the_socket(handler, stranger, unharmed):
    form = {"fullName": HALF_A_CHARACTER, "address": HALF_A_CHARACTER}
    with unharmed():
        stranger.enter(MENU, handler_inventory.in_full(KEPT))
        for parameter in handler.parameters:
            for value in (HALF_A_CHARACTER, form, f'{{"responseToken": "{HALF_A_CHARACTER}"}}'):
                stranger.send(handler.name, handler.arguments(**{parameter: value}), MENU)
        stranger.catch_up()
