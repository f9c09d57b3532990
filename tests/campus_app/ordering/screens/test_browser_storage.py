"""Browser storage: our own values round-trip, and any other value is ignored."""

import json
import math
import re
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.menu import DISH_ID, MAXIMUM_ID_CHARACTERS, is_dish_id
from campus_app.ordering.rules.bill import is_donation
from campus_app.ordering.rules.cart import Cart, is_cart_current, is_quantity, parse_shared_dishes
from campus_app.ordering.rules.customer import FIELDS
from campus_app.ordering.rules.order import is_response_token
from campus_app.ordering.rules.reservation import PreReservation, SeatHold, SeatHoldState
from campus_app.ordering.screens.browser_storage import (
    MAXIMUM_CART_CHARACTERS,
    CheckoutDraft,
    ShownSummary,
    StoredReservation,
    cart_from,
    cart_text,
    donation_from,
    draft_from,
    draft_text,
    new_cart,
    own_order_tokens,
    reservation_from,
    reservation_text,
    stored_dishes,
    stored_order_token,
    with_own_order,
)
from campus_app.shared.rules.campus import Campus, parse_campus
from campus_app.shared.rules.constants import (
    DONATION_CHOICES,
    MAXIMUM_CART_DISHES,
    MAXIMUM_NOTE_CHARACTERS,
    MAXIMUM_OWN_ORDERS,
)
from campus_app.shared.rules.money import ZERO
from kit.reflex.storage_limit import MAXIMUM_VALUE_BYTES
from tests.helpers.clock import WEDNESDAY

NOW = WEDNESDAY.astimezone(UTC)
KEY = "a-key_of-twenty-chars"
WHOLE = st.characters(exclude_categories=["Cs"])

ids = st.from_regex(re.compile(DISH_ID, re.ASCII), fullmatch=True)
quantities = st.dictionaries(ids, st.integers(1, 50), max_size=20)
carts = st.builds(
    Cart,
    restaurant_id=st.integers(0, 999_999),
    key=st.text("AZaz09_-", min_size=20, max_size=32),
    changed_at=st.integers(0, 299).map(lambda minutes: NOW - timedelta(minutes=minutes)),
    quantities=quantities,
)
notes = st.text(WHOLE, max_size=MAXIMUM_NOTE_CHARACTERS)
drafts = st.builds(
    CheckoutDraft,
    details=st.dictionaries(st.sampled_from(FIELDS), st.text(WHOLE, max_size=400), max_size=4),
    donation=st.sampled_from(DONATION_CHOICES),
    note=notes,
    door_note=notes,
    no_cutlery=st.booleans(),
    shown=st.none()
    | st.builds(
        ShownSummary,
        grand_total=st.decimals(0, 100_000, places=2),
        online=st.decimals(0, 100_000, places=2),
        restaurant_id=st.integers(0, 999_999),
        offer_id=st.text(WHOLE, max_size=30),
    ),
    pay_until=st.floats(0, 1e11),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
amounts = json_values | st.sampled_from(["5", "5.00", "1e1", "-5", "NaN", "1e9999", " " * 5_000])
draft_like = st.fixed_dictionaries(
    {},
    optional={
        "details": json_values | st.dictionaries(st.sampled_from(FIELDS), json_values),
        "donation": json_values | st.sampled_from(["5", "5.00", "1e1", "-5", "NaN", "Infinity"]),
        "note": json_values,
        "shown": json_values
        | st.fixed_dictionaries(
            {"grandTotal": amounts, "online": amounts, "restaurantId": json_values},
            optional={"offerId": json_values},
        ),
        "payUntil": json_values | st.sampled_from([10**400, -1, 1e12, math.inf, math.nan]),
    },
)
garbage = st.one_of(st.text(), json_values, draft_like.map(json.dumps), json_values.map(json.dumps))
cart_like = st.from_regex(
    r"[0-9]{1,7}\|[0-9a-z]{1,9}\|[A-Za-z0-9_-]{19,33}\|([A-Za-z0-9]{1,33}:[0-9]{1,3},?){1,4}\n?",
    fullmatch=True,
)


# The cart


@given(carts)
def test_cart_round_trips_through_storage(cart):
    assert cart_from(cart_text(cart), NOW) == (cart if cart.quantities else None)


def test_largest_cart_round_trips_below_the_limit_of_a_stored_value():
    # Source: specification 10.54.
    chosen = {f"{n:0{MAXIMUM_ID_CHARACTERS}}": 50 for n in range(MAXIMUM_CART_DISHES)}
    cart = Cart(999_999, "k" * 32, datetime(2100, 1, 1, tzinfo=UTC), chosen)
    text = cart_text(cart)
    assert cart_from(text, cart.changed_at) == cart
    assert len(text) <= MAXIMUM_CART_CHARACTERS < MAXIMUM_VALUE_BYTES
    one_more = replace(cart, quantities=chosen | {"104": 1})
    assert cart_from(cart_text(one_more), cart.changed_at) is None


@given(st.dictionaries(ids, st.integers(1, 50), min_size=1, max_size=20))
def test_ids_of_menus_are_those_of_carts_and_links(chosen):
    # Source: specification 10.53.
    assert all(map(is_dish_id, chosen))
    cart = cart_from(cart_text(Cart(1, KEY, NOW, chosen)), NOW)
    assert cart is not None
    assert cart.quantities == parse_shared_dishes(stored_dishes(chosen)) == chosen


@given(st.text(WHOLE, min_size=1, max_size=70).filter(lambda text: not is_dish_id(text)))
def test_texts_that_are_no_ids_are_in_no_cart_or_link(text):
    assert cart_from(cart_text(Cart(1, KEY, NOW, {text: 1})), NOW) is None or ":1," in text
    assert text not in parse_shared_dishes(f"{text}:1")


def test_cart_text_uses_compact_encoding():
    cart = Cart(5, KEY, NOW, {"501": 2, "502": 1})
    assert cart_text(cart) == f"5|ht7oi|{KEY}|501:2,502:1"


@pytest.mark.parametrize("cart", [None, Cart(1, KEY, NOW)], ids=["no cart", "no dishes"])
def test_cart_text_is_empty_when_cart_has_no_dishes(cart):
    assert cart_text(cart) == ""


@given(st.one_of(garbage, cart_like))
def test_cart_from_returns_current_cart_or_none_for_any_input(kept):
    cart = cart_from(kept, NOW)
    assert cart is None or (
        is_cart_current(cart.changed_at, NOW)
        and cart.quantities
        and all(quantity and is_quantity(quantity) for quantity in cart.quantities.values())
    )


MALFORMED = [
    *(f"1|ht7oi|{key}|104:1" for key in (KEY[:19], KEY * 2)),
    *(f"1|ht7oi|{KEY}|104:{units}" for units in (51, -1, 1.5, 0)),  # M14: from 1 to 50
    *(f"1|ht7oi|{KEY}|{dishes}" for dishes in ("", "104", "104:1,", "104:1\n", "104:1|x")),
    *(f"{restaurant}|ht7oi|{KEY}|104:1" for restaurant in ("-1", "\u0661")),
    *(f"1|{minute}|{KEY}|104:1" for minute in ("HT7OI", "0", "zzzzzzzz")),
    f"1|1|{KEY}|" + "1:1," * 1_000 + "1:1",
    cart_text(Cart(1, KEY, datetime(9999, 12, 31, 23, 0, tzinfo=UTC), {"104": 1})),
]


def test_cart_from_returns_none_when_text_is_malformed():
    assert [kept for kept in MALFORMED if cart_from(kept, NOW) is not None] == []


def test_cart_keys_are_unique_and_at_least_20_characters():
    keys = {new_cart(1, NOW).key for _ in range(100)}
    assert len(keys) == 100
    assert min(map(len, keys)) >= 20


# The checkout draft


@given(drafts)
def test_draft_round_trips_through_storage(draft):
    assert draft_from(draft_text(draft)) == draft


def test_note_of_a_draft_is_kept_as_the_form_accepted_it():
    hindi = "\u0958" * MAXIMUM_NOTE_CHARACTERS
    assert draft_from(json.dumps({"note": hindi})).note == "\u0915\u093c" * MAXIMUM_NOTE_CHARACTERS
    assert draft_from(json.dumps({"note": "x" * 999})).note == "x" * MAXIMUM_NOTE_CHARACTERS


def test_longest_draft_round_trips_through_storage():
    note = "\N{FACE SAVOURING DELICIOUS FOOD}" * MAXIMUM_NOTE_CHARACTERS
    longest = CheckoutDraft(
        details=dict.fromkeys(FIELDS, "\x00" * 400), note=note, door_note=note, no_cutlery=True
    )
    assert draft_from(draft_text(longest)) == longest


@given(garbage)
def test_draft_from_returns_valid_types_for_any_input(kept):
    draft = draft_from(kept)
    assert all(isinstance(text, str) for pair in draft.details.items() for text in pair)
    assert is_donation(draft.donation)
    assert isinstance(draft.note, str)
    assert isinstance(draft.door_note, str)
    assert isinstance(draft.no_cutlery, bool)
    if draft.shown is not None:
        assert draft.shown.grand_total.is_finite()
        assert draft.shown.online.is_finite()
        assert type(draft.shown.restaurant_id) is int
        assert isinstance(draft.shown.offer_id, str)
    assert math.isfinite(draft.pay_until)
    assert draft_text(draft).encode()


def test_draft_from_returns_empty_draft_when_input_is_invalid():
    texts = ("", "null", "[]", "{", "[" * 10_000, "9" * 5_000, '{"note": "' + "x" * 12_000 + '"}')
    for kept in (*texts, {"note": "x"}):
        assert draft_from(kept) == CheckoutDraft()


def test_draft_drops_unpaired_surrogates():
    kept = draft_text(CheckoutDraft(details={"fullName": "Asha \ud83c"}, note="\udf5b Rice"))
    assert draft_from(kept).details == {"fullName": "Asha "}
    assert draft_from('{"note": "\\ud83c Rice"}').note == "Rice"


def test_donation_from_accepts_offered_amounts_only():
    """Source: specification M6."""
    for choice in DONATION_CHOICES:
        assert str(donation_from(f"{choice:f}")) == str(choice)
    texts = ["7", "-5", "5.01", "0.5", "500", "", " ", "five", "NaN", "Infinity", "1e999999"]
    for value in (*texts, 5, 5.0, True, None, [], ["5"], {}):
        assert donation_from(value) == ZERO, value


@given(garbage)
def test_donation_from_returns_valid_donation_for_any_input(value):
    assert is_donation(donation_from(value))


# The campus and the stored order


@given(garbage | st.sampled_from(list(Campus)))
def test_campus_from_returns_known_campus_or_none(value):
    assert parse_campus(value) is (Campus(value) if value in list(Campus) else None)


def test_stored_order_token_is_read_from_json():
    assert stored_order_token('{"orderId": "AS_482", "responseToken": "abc"}') == "abc"
    for kept in ("", "{}", '{"responseToken": 5}', '["responseToken"]', None, 5):
        assert stored_order_token(kept) == ""


@given(garbage)
def test_stored_order_token_is_text_for_any_input(kept):
    assert isinstance(stored_order_token(kept), str)


# The browser's own orders


def token(number):
    return f"token-of-the-order-{number:04}"


def test_newest_own_order_comes_first_and_only_once():
    text = ""
    for number in (1, 2, 3, 1):
        text = with_own_order(text, token(number))
    assert own_order_tokens(text) == (token(1), token(3), token(2))


def test_oldest_own_orders_are_forgotten_beyond_the_maximum():
    text = ""
    for number in range(MAXIMUM_OWN_ORDERS + 5):
        text = with_own_order(text, token(number))
    newest = range(MAXIMUM_OWN_ORDERS + 4, 4, -1)
    assert own_order_tokens(text) == tuple(map(token, newest))


@given(garbage)
def test_own_order_tokens_are_valid_for_any_input(stored):
    tokens = own_order_tokens(stored)
    assert len(tokens) <= MAXIMUM_OWN_ORDERS
    assert all(map(is_response_token, tokens))
    assert own_order_tokens(with_own_order(stored, token(1)))[0] == token(1)


def test_invalid_own_order_tokens_are_skipped():
    stored = f"AS_482,,{token(1)},../../etc/passwd,{token(1)},{'x' * 65}"
    assert own_order_tokens(stored) == (token(1),)


# The table. Source: specification 3.6.

HOLD = SeatHold(
    "an-unguessable-id-of-a-hold",
    PreReservation(2, time(17, 30), 4, WEDNESDAY.date()),
    SeatHoldState.HELD,
    WEDNESDAY + timedelta(minutes=30),
)


@pytest.mark.parametrize(("is_ordering", "type_"), [(True, "pre-reserve"), (False, "normal")])
def test_reservation_text_contains_the_specified_fields(is_ordering, type_):
    text = reservation_text(HOLD, "Kulhad Café", NOW, is_ordering=is_ordering)
    assert json.loads(text) == {
        "restaurant": "Kulhad Café",
        "restaurantId": 2,
        "timeSlot": "17:30",
        "partySize": 4,
        "date": "2026-11-18",
        "discount": 10,
        "reservationId": HOLD.id,
        "timestamp": "2026-11-18T13:00:00+05:30",
        "isPreReservation": is_ordering,
        "orderType": type_,
    }
    assert reservation_from(text) == StoredReservation(HOLD.id, is_ordering)


def test_reservation_from_returns_none_when_input_is_invalid():
    ids = (None, 5, "", "short", "x" * 65, [], {})
    texts = [
        *("", "{}", "[]", "null", "5", "nonsense", "[" * 9_000, None, 5, True, [], {}),
        *(json.dumps({"reservationId": value}) for value in ids),
        json.dumps({"isPreReservation": True}),
        json.dumps({"reservationId": HOLD.id, "note": "x" * 20_000}),
    ]
    assert [text for text in texts if reservation_from(text) is not None] == []


def test_reservation_is_ordering_only_when_flag_is_true():
    for value in (1, "true", None, [], "yes"):
        text = json.dumps({"reservationId": HOLD.id, "isPreReservation": value})
        assert reservation_from(text) == StoredReservation(HOLD.id, is_ordering=False)
