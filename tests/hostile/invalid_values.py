"""Invalid values of every JSON type, for every place where the product expects a value."""

from typing import Any

from campus_app.ordering.rules.cart import Cart
from campus_app.ordering.screens.browser_storage import CheckoutDraft, cart_text, draft_text
from tests.helpers.clock import WEDNESDAY
from tests.hostile.raw_socket_client import at

PERSON = {
    "fullName": "Meenakshi Iyer",
    "email": "meenakshi@students.example",
    "phoneNumber": "+91 98000 00042",
    "address": "Hostel 9, room 777",
}
"""Personal data that the attacks send, and that the log must not contain."""

CART = cart_text(Cart(5, "a-key-of-twenty-chars", WEDNESDAY, {"501": 2, "502": 1}))
WITHOUT_ADDRESS = {name: text for name, text in PERSON.items() if name != "address"}
"""Incomplete contact details: an order also needs an address."""

DRAFT = draft_text(CheckoutDraft(details=WITHOUT_ADDRESS, note="Less spice"))
RESERVATION = (
    '{"restaurant": "Kulhad Café", "restaurantId": 2, "timeSlot": "17:30", "partySize": 4,'
    ' "date": "2026-11-18", "discount": 90, "reservationId": "an-id-that-was-never-issued",'
    ' "isPreReservation": true, "orderType": "pre-reserve"}'
)
STORED_VALUES = {
    "selectedCampus": "south",
    "cart": CART,
    "lostDishes": CART,
    "cartSequence": "7",
    "preReservation": RESERVATION,
    "checkoutDraft": DRAFT,
    "currentOrderId": "AS_100",
    "lastOrderId": "AS_100",
    "groupKey": "a-key-of-22-characters",
    "ownOrders": "no-token-at-all-but-long,another-that-opens-nothing",
}
"""Browser storage of a customer in the middle of an order."""

_NESTED: Any = "deep"
for _ in range(60):
    _NESTED = [{"a": _NESTED}]

TEXTS = (
    "",
    " ",
    "x" * 10_000,
    *PERSON.values(),
    "two\nlines\r\nand\x00more\u2028",
    "2026-11-18 13:00:00,000 ERROR campus_app.wiring forged",
    "\u202eabc",
    "0",
    "-1",
    "1e999",
    "NaN",
    "50.00",
    "501",
    "fullName",
    "north",
    "AS_100",
    "AS_" + "9" * 400,
    "__class__",
    "../../../etc/passwd",
    "'; drop table orders; --",
    "<script>alert(1)</script>",
    '{"responseToken": 5}',
    '{"payUntil": 1e999, "donation": [], "details": {"fullName": {}}}',
    "[" * 5_000,
    "5|1|a-key-of-twenty-chars|501:1" + ",501:99" * 200,
)
NUMBERS = (0, 1, -1, 5, 0.5, -0.0, 1e308, 2**63, 10**40)
OTHER_TYPES: tuple[Any, ...] = (
    None,
    True,
    False,
    [],
    ["501"],
    [None, [1], {"a": []}],
    {},
    {"501": 1},
    {"fullName": ["x"], "email": {}, "phoneNumber": 5, "address": None},
    dict(PERSON),
    {"a" * 10_000: 1, "self": 2, "": {"": None}},
    _NESTED,
)
VALUES = (*TEXTS, *NUMBERS, *OTHER_TYPES)
"""A value of each JSON type, and values that often cause errors."""

BROKEN_FORM = {"__reflex_form_data__": [["fullName", "x"], ["email", 5], "y"]}
"""Not a valid form payload; the framework rejects it."""

UNPAIRED_SURROGATE = "Meenakshi \ud83c"
"""A truncated emoji, as a text box can produce it. It must not be sent back over the socket."""

PAGES = (
    at("/"),
    at("/nowhere/at/all"),
    at("/menu/5", restaurant_id="5"),
    at("/menu/x", restaurant_id="x" * 10_000),
    at("/menu/²", restaurant_id="²"),
    at("/menu/999", restaurant_id="999999999999"),
    at("/menu/5", restaurant_id=[5]),
    at("/menu/5", restaurant_id={"a": 5}),
    at("/menu/5", restaurant_id=None),
    at("/together/5?with=" + "x" * 22, restaurant_id="5"),
    at("/together/5?with=%00" + "x" * 10_000, restaurant_id="5"),
    at("/together/x?with[]=a&with=b", restaurant_id=["x"]),
    at("/forms/response/x", splat=["x" * 10_000]),
    at("/forms/response/x", splat=[5, None]),
    at("/forms/response/x", splat={"0": "x"}),
    at("/forms/response/x", splat="a-token-of-twenty-chars"),
    at("/cashfree-response?order_id=AS_" + "1" * 5_000),
    at("/order-confirmation?order_id=%00%0a&token=%ff&status=SUCCESS", order_id=5),
    at("/order-confirmation?" + "&".join(f"self{n}=x" for n in range(500))),
    at("/checkout#" + PERSON["fullName"]),
    at("x" * 15_000),
    at("//["),
    at("/menu/5\nforged", restaurant_id="5"),
)
"""Invalid addresses in the format that pages send."""

BROKEN_PAGES: tuple[Any, ...] = (
    None,
    5,
    "x",
    [],
    {},
    {"pathname": 5},
    {"pathname": {"a": 1}},
    {"pathname": "/menu/5", "asPath": 7},
    {"pathname": "/menu/5", "asPath": None},
    {"query": 5},
    {"query": {"a": {"b": []}}},
    {"headers": {"origin": "http://evil.example"}, "ip": "1.2.3.4", "token": "x"},
)
"""Values that do not have the format of router data."""

PAYLOADS: tuple[Any, ...] = (None, 5, "x", True, [], [1], [["a", 1]])
"""Values that do not have the format of arguments."""
