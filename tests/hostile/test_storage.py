"""Forged browser storage, and events that try to set other state variables."""

import json

import pytest

from tests.hostile import handler_inventory
from tests.hostile.invalid_values import STORED_VALUES, VALUES, WITHOUT_ADDRESS
from tests.hostile.raw_socket_client import ROOT, RawSocketClient, at

handler_inventory.import_states()
STORED_KEYS = sorted(handler_inventory.storage())
HANDLERS_WITHOUT_ARGUMENTS = [
    each for each in handler_inventory.handlers() if each.is_ours and not each.parameters
]
UPDATE = f"{ROOT}.reflex___state____update_vars_internal_state.update_vars_internal"
HYDRATE = f"{ROOT}.hydrate"
FORGED = "a forged value"
SCREENS = (
    at("/menu/5", restaurant_id="5"),
    at("/menu/2?preReserved=true", restaurant_id="2", preReserved="true"),
    at("/together/5", restaurant_id="5"),
    at("/together/5?with=" + "x" * 22, restaurant_id="5"),
    at("/pre-reserve"),
    at("/offers"),
    at("/checkout"),
    at("/personal-info"),
    at("/waiting-room"),
    at("/cashfree-response"),
    at("/order-confirmation"),
    at("/underprogress"),
)


def shown(grand_total, online):
    return {"grandTotal": grand_total, "online": online, "restaurantId": 10**40, "offerId": 5}


DRAFTS = (
    {"details": 5, "donation": 5, "note": 5, "shown": 5, "payUntil": "x"},
    {"details": {"fullName": 5, "email": None, "address": ["x"]}, "payUntil": True},
    {"details": WITHOUT_ADDRESS, "shown": shown("−1", "x"), "payUntil": -1e300},
    {"details": WITHOUT_ADDRESS, "shown": shown("NaN", "NaN"), "payUntil": 10**400},
    {"details": WITHOUT_ADDRESS, "shown": shown("1e9999", "sNaN"), "donation": "Infinity"},
    {
        "details": WITHOUT_ADDRESS,
        "shown": shown(" " * 5_000, None),
        "donation": "-0",
        "note": "x" * 5_000,
    },
)
RESERVATIONS = (
    {"reservationId": 5, "isPreReservation": True},
    {"reservationId": "x\x00y" * 9, "isPreReservation": True},
    {"reservationId": "\u0661" * 30, "isPreReservation": True},
    {"reservationId": "an-id-that-was-never-issued", "isPreReservation": "yes", "restaurantId": []},
    {"reservationId": "an-id-that-was-never-issued", "isPreReservation": True, "discount": 100},
    {"reservationId": {"$ne": ""}, "partySize": 10**40, "date": "9999-99-99"},
)
GROUP_CART = "|".join(
    part if number != 2 else "group-" + "x" * 22
    for number, part in enumerate(STORED_VALUES["cart"].split("|"))
)
CARTS = (
    GROUP_CART,
    "5|zzzzzzzz|a-key-of-twenty-chars|501:1",
    "5|000|a-key-of-twenty-chars|501:1",
    "5|2g0s3s3|a-key-of-twenty-chars|501:1",
    "999999|1|a-key-of-twenty-chars|501:1",
    "\u0665|1|a-key-of-twenty-chars|501:1",
    f"{STORED_VALUES['cart']},nosuchdish:3",
    f"{STORED_VALUES['cart']}\n",
)


def test_each_stored_key_is_attacked():
    assert sorted(STORED_VALUES) == STORED_KEYS


@pytest.mark.parametrize("name", STORED_KEYS)
def test_invalid_stored_value_does_no_harm(name, socket_client, assert_unchanged):
    key = handler_inventory.storage()[name]
    with assert_unchanged(in_our_code=True):
        socket_client.open_page(SCREENS[0], handler_inventory.storage_payload(STORED_VALUES))
        for value in VALUES:
            socket_client.send(UPDATE, {"vars": {key: value}}, SCREENS[0])
            for handler in HANDLERS_WITHOUT_ARGUMENTS:
                socket_client.send(handler.name, {}, SCREENS[0])
        socket_client.wait_until_processed()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(pytest.param("cart", cart, id=f"cart {cart}") for cart in CARTS),
        *(
            pytest.param("checkoutDraft", json.dumps(draft), id=f"draft {number}")
            for number, draft in enumerate(DRAFTS)
        ),
        pytest.param("checkoutDraft", '{"payUntil": NaN}', id="a time that is not a number"),
        pytest.param("checkoutDraft", '{"payUntil": Infinity}', id="an infinite time"),
        *(
            pytest.param("preReservation", json.dumps(each), id=f"reservation {number}")
            for number, each in enumerate(RESERVATIONS)
        ),
        pytest.param("currentOrderId", "AS_100\n", id="an order number with a line break"),
    ],
)
def test_plausible_stored_value_does_no_harm(name, value, socket_client, assert_unchanged):
    with assert_unchanged(in_our_code=True):
        socket_client.open_page(
            SCREENS[0], handler_inventory.storage_payload(STORED_VALUES | {name: value})
        )
        for screen in SCREENS:
            for handler in HANDLERS_WITHOUT_ARGUMENTS:
                socket_client.send(handler.name, {}, screen)
        socket_client.wait_until_processed()


def test_session_drops_oversized_stored_value(socket_client, assert_unchanged):
    name = handler_inventory.storage()["checkoutDraft"]
    with assert_unchanged():
        socket_client.open_page(SCREENS[0], {name: "x" * 17_000})
        assert "x" * 17_000 not in socket_client.received
        socket_client.send(UPDATE, {"vars": {name: "y" * 17_000}}, SCREENS[0])
        socket_client.wait_until_processed()
    assert "y" * 17_000 not in socket_client.received
    assert "y" * 17_000 not in str(socket_client.vars)


def test_each_screen_loads_when_all_stored_values_are_forged(server, assert_unchanged):
    with assert_unchanged(in_our_code=True):
        for value in (None, 5, True, [], {"a": [1]}, "not JSON", "{}", "[]"):
            for screen in SCREENS:
                with RawSocketClient(server.port) as socket_client:
                    socket_client.open_page(
                        screen,
                        handler_inventory.storage_payload(dict.fromkeys(STORED_VALUES, value)),
                    )
                    socket_client.wait_until_processed()


def test_only_browser_storage_variables_can_be_set(socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.open_page(SCREENS[0], {})
        for name, state in handler_inventory.variables().items():
            socket_client.send(UPDATE, {"vars": {name: FORGED}}, SCREENS[0])
            socket_client.send(UPDATE, {"vars": {f"{name}_rx_state_": FORGED}}, SCREENS[0])
            variable = name.removeprefix(f"{state}.")
            for owner in (state, ROOT):
                setting = {"var_name": variable, "value": FORGED}
                if variable != "is_hydrated":
                    socket_client.send(f"{owner}.setvar", setting, SCREENS[0])
        socket_client.send(HYDRATE, {}, SCREENS[0])
        socket_client.wait_until_processed()
    assert FORGED not in socket_client.received


@pytest.mark.parametrize(
    "names",
    [
        pytest.param({"": 1}, id="an empty name"),
        pytest.param({"cart": 1}, id="a name without a state"),
        pytest.param({f"{ROOT}.no_such_state.cart": 1}, id="an unknown state"),
        pytest.param({f"{ROOT}.": 1, ROOT: 1}, id="a name without a variable"),
        pytest.param({f"{ROOT}.__dict__": {}}, id="an attribute of Python objects"),
    ],
)
def test_unknown_variable_name_does_no_harm(names, socket_client, assert_unchanged):
    with assert_unchanged():
        socket_client.open_page(SCREENS[0], {})
        socket_client.send(UPDATE, {"vars": names}, SCREENS[0])
        socket_client.wait_until_processed()
