"""Group orders: limits, states, and that no change of one member alters another's dishes.

Source: specification 10.68 to 10.71.
"""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.ordering.rules.group_order import (
    GroupState,
    Member,
    begin,
    group_order_id,
    hash_of_key,
    is_group_cart,
    is_key,
    link_token,
    new_cart_key,
    new_key,
    parse_name,
    require_open,
    state_of,
    too_late,
    with_name,
    with_step,
    without_dish,
    without_guest,
)
from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.constants import (
    MAXIMUM_CART_DISHES,
    MAXIMUM_GROUP_GUESTS,
    MAXIMUM_LINE_QUANTITY,
)
from campus_app.shared.rules.errors import Conflict, Invalid
from tests.helpers.clock import WEDNESDAY

ASHA, RAVI, MEENA = (hash_of_key(name, "order") for name in ("asha", "ravi", "meena"))
CART_KEY = "group-0123456789abcdefghijkl"


def group(**dishes):
    """Return a group order of Asha, who owns it, and of Ravi, who has chosen these dishes."""
    begun = begin(1, Member(ASHA, "Asha", {"104": 2}), CART_KEY, WEDNESDAY)
    joined = with_name(begun, RAVI, "Ravi")
    return replace(joined, members=(joined.owner, replace(joined.members[1], quantities=dishes)))


def dishes_of(order, key_hash):
    return dict(order.member(key_hash).quantities)


# Identity


def test_keys_are_unguessable_and_recognised():
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert all(map(is_key, keys))
    assert hash_of_key("key", "one") != hash_of_key("key", "two"), "of another group order"


def test_is_key_refuses_other_values():
    for text in (None, 5, "", "a" * 21, "a" * 23, "a" * 21 + "/", "ä" * 22, {}):
        assert not is_key(text)


def test_group_carts_are_told_from_ordinary_ones_by_their_key():
    assert is_group_cart(new_cart_key())
    assert not is_group_cart(new_key())
    assert not is_group_cart("group-")
    assert not is_group_cart("")


def test_link_names_the_order_without_the_key_of_its_cart():
    token = link_token(CART_KEY)
    assert is_key(token)
    assert CART_KEY.removeprefix("group-") not in token
    assert group_order_id(token) == group().id
    assert link_token(new_cart_key()) != token


# Names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Asha", "Asha"),
        ("  Asha \n Rao ", "Asha Rao"),
        ("आशा", "आशा"),
        ("ஆஷா", "ஆஷா"),
        ("عائشہ", "عائشہ"),
        ("<b>Asha</b>", "<b>Asha</b>"),
        ("As\u202eha", "Asha"),
        ("x" * 40, "x" * 40),
    ],
)
def test_parse_name_returns_one_visible_line(text, name):
    assert parse_name(text) == name


def test_parse_name_refuses_invalid_names():
    for text in ("", " ", "\u200b", "\u202e", "x" * 41, "x" * 100_000, None, 7, {}):
        with pytest.raises(Invalid):
            parse_name(text)


# States


@pytest.mark.parametrize(
    ("order", "is_locked", "hours", "state"),
    [
        pytest.param(None, False, 0, GroupState.OPEN, id="begun"),
        pytest.param(None, False, 2.99, GroupState.OPEN, id="shortly before the end"),
        pytest.param(None, False, 3, GroupState.ENDED, id="three hours"),
        pytest.param(None, True, 0, GroupState.LOCKED, id="the owner pays"),
        pytest.param(None, True, 3, GroupState.ENDED, id="the owner has left"),
        pytest.param(OrderState.CONFIRMED, True, 0, GroupState.ORDERED, id="paid"),
        pytest.param(OrderState.CONFIRMED, False, 0, GroupState.ORDERED, id="unlocked, paid"),
        pytest.param(OrderState.CONFIRMED, True, 9, GroupState.ORDERED, id="paid late"),
        pytest.param(OrderState.REFUND_DUE, True, 0, GroupState.ENDED, id="money goes back"),
    ],
)
def test_state_follows_the_order_the_lock_and_the_time(order, is_locked, hours, state):
    locked = replace(group(), is_locked=is_locked)
    assert state_of(locked, order, WEDNESDAY + timedelta(hours=hours)) is state


def test_require_open_refuses_every_other_state():
    for state in {*GroupState} - {GroupState.OPEN}:
        with pytest.raises(Conflict):
            require_open(group(), state)


# Changes


def test_guest_joins_once_and_may_take_another_name():
    renamed = with_name(group(), RAVI, "Ravi K")
    assert [each.name for each in renamed.members] == ["Asha", "Ravi K"]


def test_group_order_has_room_for_eight_guests():
    order = group()
    for number in range(MAXIMUM_GROUP_GUESTS - 1):
        order = with_name(order, hash_of_key(str(number), ""), "Guest")
    with pytest.raises(Conflict) as refused:
        with_name(order, MEENA, "Meena")
    assert refused.value.code == "group_order_full"
    assert with_name(order, RAVI, "R").member(RAVI).name == "R"


def test_stranger_changes_no_dishes():
    with pytest.raises(Conflict):
        with_step(group(), MEENA, "104", 1)


def test_units_of_all_members_share_the_limit_of_a_dish():
    order = group(**{"104": MAXIMUM_LINE_QUANTITY - 2})
    assert order.quantities == {"104": MAXIMUM_LINE_QUANTITY}
    for key_hash in (ASHA, RAVI):
        with pytest.raises(Conflict):
            with_step(order, key_hash, "104", 1)
    assert with_step(order, RAVI, "104", -1).quantities == {"104": MAXIMUM_LINE_QUANTITY - 1}


def test_dishes_of_all_members_share_the_limit_of_an_order():
    order = group(**{f"d{number}": 1 for number in range(MAXIMUM_CART_DISHES - 1)})
    with pytest.raises(Conflict):
        with_step(order, RAVI, "new", 1)
    assert with_step(order, RAVI, "d0", 1).quantities["d0"] == 2


def test_last_unit_takes_the_dish_out_and_none_goes_below_zero():
    order = group(**{"112": 1})
    assert dishes_of(with_step(order, RAVI, "112", -1), RAVI) == {}
    assert with_step(order, RAVI, "104", -1) == order


def test_owner_takes_out_a_dish_or_a_guest_but_not_the_owner():
    order = group(**{"104": 1, "112": 3})
    ravi = order.members[1]
    assert dishes_of(without_dish(order, ravi.id, "112"), RAVI) == {"104": 1}
    assert without_dish(order, ravi.id, "999") is order
    assert without_dish(order, "nobody", "112") is order
    assert without_guest(order, ravi.id).members == (order.owner,)
    assert without_guest(order, order.owner.id) == order


def test_too_late_is_what_the_paid_order_lacks():
    order = group(**{"112": 3, "113": 1})
    assert too_late(order, {"104": 2, "112": 1}) == {"112": 2, "113": 1}
    assert too_late(order, order.quantities) == {}


STEPS = st.lists(
    st.tuples(
        st.sampled_from([ASHA, RAVI, MEENA]), st.sampled_from("abc"), st.sampled_from([1, -1])
    ),
    max_size=60,
)


@given(STEPS)
def test_steps_change_only_the_own_dishes_and_keep_the_limits(steps):
    order = with_name(group(), MEENA, "Meena")
    for key_hash, dish, by in steps:
        before = order
        order = with_step(order, key_hash, dish, by)
        others = [each for each in before.members if each.key_hash != key_hash]
        assert all(order.member(each.key_hash) == each for each in others)
        own = order.member(key_hash).quantities.get(dish, 0)
        assert own == max(0, before.member(key_hash).quantities.get(dish, 0) + by)
    sums = {
        dish: sum(each.quantities.get(dish, 0) for each in order.members)
        for dish in order.quantities
    }
    assert order.quantities == sums
    assert all(0 < units <= MAXIMUM_LINE_QUANTITY for units in sums.values())
