"""Every event handler is a public endpoint: no argument may break the server or change data."""

import pytest

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
from tests.hostile.raw_socket_client import at

handler_inventory.import_states()
HANDLERS = [
    pytest.param(handler, id=handler.short_name) for handler in handler_inventory.handlers()
]
HANDLERS_WITH_ARGUMENTS = [
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
def test_handler_survives_arguments_of_wrong_type_or_size(handler, socket_client, assert_unchanged):
    with assert_unchanged(in_our_code=handler.is_written_by_us):
        socket_client.open_page(MENU, handler_inventory.storage_payload(STORED_VALUES))
        for parameter in handler.parameters:
            for value in VALUES:
                socket_client.send(handler.name, handler.arguments(**{parameter: value}), MENU)
        socket_client.wait_until_processed()


@pytest.mark.parametrize("handler", HANDLERS)
def test_handler_survives_missing_or_additional_arguments(handler, socket_client, assert_unchanged):
    valid = handler.arguments()
    incomplete = [{name: valid[name] for name in valid if name != missing} for missing in valid]
    excessive = [
        valid | {"more": "than expected"},
        valid | {"self": {"is_paid": True}},
        valid | {"": None, "__class__": [], "amount": 0},
        *(valid | {name: BROKEN_FORM} for name in valid),
    ]
    with assert_unchanged():
        socket_client.open_page(MENU, handler_inventory.storage_payload(STORED_VALUES))
        for payload in (*incomplete, {}, *excessive, *PAYLOADS):
            socket_client.send(handler.name, payload, MENU)
        socket_client.wait_until_processed()


@pytest.mark.parametrize("handler", HANDLERS)
def test_handler_survives_forged_page_addresses(handler, socket_client, assert_unchanged, orders):
    existing = (at(f"/order-confirmation?order_id={n}&status=SUCCESS") for n in orders.values())
    with assert_unchanged(in_our_code=handler.is_written_by_us):
        socket_client.open_page(MENU, handler_inventory.storage_payload(STORED_VALUES))
        for page in (*PAGES, *existing):
            socket_client.send(handler.name, handler.arguments(), page)
        socket_client.wait_until_processed()


@pytest.mark.parametrize("handler", HANDLERS)
def test_handler_survives_invalid_router_data(handler, socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.open_page(MENU, handler_inventory.storage_payload(STORED_VALUES))
        for page in BROKEN_PAGES:
            socket_client.send(handler.name, handler.arguments(), page)
        socket_client.wait_until_processed()


@pytest.mark.parametrize("handler", HANDLERS_WITH_ARGUMENTS)
def test_unpaired_surrogate_does_not_close_the_socket(handler, socket_client, assert_unchanged):
    form = {"fullName": UNPAIRED_SURROGATE, "address": UNPAIRED_SURROGATE}
    with assert_unchanged():
        socket_client.open_page(MENU, handler_inventory.storage_payload(STORED_VALUES))
        for parameter in handler.parameters:
            for value in (UNPAIRED_SURROGATE, form, f'{{"responseToken": "{UNPAIRED_SURROGATE}"}}'):
                socket_client.send(handler.name, handler.arguments(**{parameter: value}), MENU)
        socket_client.wait_until_processed()
