"""What the browser keeps is as forgeable as any other input, and nothing else can be set."""

import json

import pytest

from tests.hostile import handler_inventory
from tests.hostile.invalid_values import KEPT, VALUES, WITHOUT_ADDRESS
from tests.hostile.raw_socket_client import ROOT, Stranger, at

handler_inventory.import_states()
KEPT_THINGS = sorted(handler_inventory.storage())
FREE_HANDLERS = [
    each for each in handler_inventory.handlers() if each.is_ours and not each.parameters
]
UPDATE = f"{ROOT}.reflex___state____update_vars_internal_state.update_vars_internal"
HYDRATE = f"{ROOT}.hydrate"
FORGED = "a forged value"
SCREENS = (
    at("/menu/5", restaurant_id="5"),
    at("/menu/2?preReserved=true", restaurant_id="2", preReserved="true"),
    at("/pre-reserve"),
    at("/offers"),
    at("/checkout"),
    at("/personal-info"),
    at("/waiting-room"),
    at("/cashfree-response"),
    at("/order-confirmation"),
    at("/underprogress"),
)
DRAFTS = (
    {"details": 5, "donation": 5, "note": 5, "shownTotal": 5, "payUntil": "x"},
    {"details": {"fullName": 5, "email": None, "address": ["x"]}, "payUntil": True},
    {"details": WITHOUT_ADDRESS, "shownTotal": "−1 x", "payUntil": -1e300},
    {"details": WITHOUT_ADDRESS, "shownTotal": "NaN NaN", "payUntil": 10**400},
    {"details": WITHOUT_ADDRESS, "shownTotal": "1e9999 sNaN", "donation": "Infinity"},
    {"details": WITHOUT_ADDRESS, "shownTotal": " " * 5_000, "donation": "-0", "note": "x" * 5_000},
)
RESERVATIONS = (
    {"reservationId": 5, "isPreReservation": True},
    {"reservationId": "x\x00y" * 9, "isPreReservation": True},
    {"reservationId": "\u0661" * 30, "isPreReservation": True},
    {"reservationId": "an-id-that-nobody-ever-gave", "isPreReservation": "yes", "restaurantId": []},
    {"reservationId": "an-id-that-nobody-ever-gave", "isPreReservation": True, "discount": 100},
    {"reservationId": {"$ne": ""}, "partySize": 10**40, "date": "9999-99-99"},
)
CARTS = (
    "5|zzzzzzzz|a-key-of-twenty-chars|501:1",
    "5|000|a-key-of-twenty-chars|501:1",
    "5|2g0s3s3|a-key-of-twenty-chars|501:1",
    "999999|1|a-key-of-twenty-chars|501:1",
    "\u0665|1|a-key-of-twenty-chars|501:1",
    f"{KEPT['cart']},nosuchdish:3",
    f"{KEPT['cart']}\n",
)


def test_each_stored_key_is_attacked():
    assert sorted(KEPT) == KEPT_THINGS


@pytest.mark.parametrize("name", KEPT_THINGS)
def test_invalid_stored_value_does_no_harm(name, stranger, unharmed):
    key = handler_inventory.storage()[name]
    with unharmed(in_our_code=True):
        stranger.enter(SCREENS[0], handler_inventory.in_full(KEPT))
        for value in VALUES:
            stranger.send(UPDATE, {"vars": {key: value}}, SCREENS[0])
            for handler in FREE_HANDLERS:
                stranger.send(handler.name, {}, SCREENS[0])
        stranger.catch_up()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(pytest.param("cart", cart, id=f"cart {cart}") for cart in CARTS),
        *(
            pytest.param("checkoutDraft", json.dumps(draft), id=f"draft {number}")
            for number, draft in enumerate(DRAFTS)
        ),
        pytest.param("checkoutDraft", '{"payUntil": NaN}', id="a moment that is no number"),
        pytest.param("checkoutDraft", '{"payUntil": Infinity}', id="a moment after all others"),
        *(
            pytest.param("preReservation", json.dumps(each), id=f"reservation {number}")
            for number, each in enumerate(RESERVATIONS)
        ),
        pytest.param("currentOrderId", "AS_100\n", id="an order number with a line"),
    ],
)
def test_plausible_stored_value_does_no_harm(name, value, stranger, unharmed):
    with unharmed(in_our_code=True):
        stranger.enter(SCREENS[0], handler_inventory.in_full(KEPT | {name: value}))
        for screen in SCREENS:
            for handler in FREE_HANDLERS:
                stranger.send(handler.name, {}, screen)
        stranger.catch_up()


def test_each_screen_loads_when_all_stored_values_are_forged(server, unharmed):
    with unharmed(in_our_code=True):
        for value in (None, 5, True, [], {"a": [1]}, "nonsense", "{}", "[]"):
            for screen in SCREENS:
                with Stranger(server.port) as stranger:
                    stranger.enter(screen, handler_inventory.in_full(dict.fromkeys(KEPT, value)))
                    stranger.catch_up()


def test_only_browser_storage_variables_can_be_set(stranger, unharmed):
    with unharmed():
        stranger.enter(SCREENS[0], {})
        for name, state in handler_inventory.variables().items():
            stranger.send(UPDATE, {"vars": {name: FORGED}}, SCREENS[0])
            stranger.send(UPDATE, {"vars": {f"{name}_rx_state_": FORGED}}, SCREENS[0])
            variable = name.removeprefix(f"{state}.")
            for owner in (state, ROOT):
                setting = {"var_name": variable, "value": FORGED}
                if variable != "is_hydrated":
                    stranger.send(f"{owner}.setvar", setting, SCREENS[0])
        stranger.send(HYDRATE, {}, SCREENS[0])
        stranger.catch_up()
    assert FORGED not in stranger.heard


@pytest.mark.parametrize(
    "names",
    [
        pytest.param({"": 1}, id="no name"),
        pytest.param({"cart": 1}, id="no state"),
        pytest.param({f"{ROOT}.no_such_state.cart": 1}, id="no such state"),
        pytest.param({f"{ROOT}.": 1, ROOT: 1}, id="no variable"),
        pytest.param({f"{ROOT}.__dict__": {}}, id="the inside of an object"),
    ],
)
def test_unknown_variable_name_does_no_harm(names, stranger, unharmed):
    with unharmed():
        stranger.enter(SCREENS[0], {})
        stranger.send(UPDATE, {"vars": names}, SCREENS[0])
        stranger.catch_up()
